! Things that answer by "reply". Include it after "VerbLib".

! A thing that shares words with another and is meant only where one of its
! "heads" was said: a tower door is a door, and "tower" alone is the tower.
Class Headed
  with heads 0,
    parse_name [ word count found;
        for (word = NextWord() : WordInProperty(word, self, name) : word = NextWord()) {
            count++;
            if (WordInProperty(word, self, heads)) found = true;
        }
        if (found) return count;
        return 0;
    ];

! A container that shows what is in it only to those who look.
Class Hiding
  with before [;
        Search: give self open;
        LookUnder, Open, Touch: <<Search self>>;
    ],
  has container;

! A door that is locked.
Class Locking
  with reply [;
        LockBare: "There is nobody to lock out.";
        Unlock: if (self hasnt locked) "It is not locked.";
    ],
  has door static scenery openable lockable locked;

! What is seen from here and is somewhere else.
Class Distant
  with way 0,
    reply [;
        Approach: <<Enter self>>;
        Enter:
            if (self.way) <<Go self.way>>;
            "It is too far off.";
        Climb, Touch, Take, Push, Pull, Open, Close, Knock, Rub, Search, LookUnder:
            if (self.way) "You would have to go there.";
            "It is too far off.";
    ],
  has scenery;

! Things that are up and down at once.
Class Steps
  with reply [;
        Climb, Enter, Approach:
            if (location.u_to) <<Go u_obj>>;
            <<Go d_obj>>;
        GetOff:
            if (location.d_to) <<Go d_obj>>;
            "You are at the bottom of it.";
    ],
  has scenery;

! Lets a sky or a ceiling be a thing rather than the way up.
[ PlainCompass at;
    for (at = 1 : at < u_obj.#name / WORDSIZE : at++)
        if (u_obj.&name-->at == 'sky' or 'ceiling') u_obj.&name-->at = 'up';
];

! Ends a description with what lies in or on the thing.
[ Contents thing where;
    if (children(thing)) {
        print (string) where;
        WriteListFrom(child(thing), ENGLISH_BIT + ISARE_BIT + CONCEAL_BIT);
        print ".";
    }
    new_line;
];

! What the library says badly of empty and locked things; true if it was said here. A
! story's StoryMessage returns it.
[ ThingsMessage;
    switch (action) {
        ##Open:
            if (lm_n == 4 && children(lm_o) == 0)
                print_ret "You open ", (the) lm_o, ". There is nothing of use inside.";
        ##Remove:
            if (lm_n == 4) <<Take lm_o>>;
        ##Search:
            if (lm_n == 6) print_ret "There is nothing of use in ", (the) lm_o, ".";
        ##Insert:
            if (lm_n == 2) "That would do no good.";
        ##PutOn:
            if (lm_n == 3) "That would do no good.";
            if (lm_n == 2) "You can't put a thing on top of itself.";
        ##Go:
            if (lm_n == 5 && lm_o has locked) print_ret (The) lm_o, " is locked.";
    }
    rfalse;
];
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
