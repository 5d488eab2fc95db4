! One of three things, by its place in an order.
[ Third place a b c;
    switch (place) {
        1: return a;
        2: return b;
        3: return c;
    }
    return nothing;
];
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
