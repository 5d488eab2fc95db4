! One of three things, by its place in an order.
[ Third place a b c;
    switch (place) {
        1: return a;
        2: return b;
        3: return c;
    }
    return nothing;
];
