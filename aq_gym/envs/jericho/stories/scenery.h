! Things that answer by "before", and what they hold. Include it before "ways.h".

! Taken for what is meant only where nothing else can be.
Attribute shy;

! What is in a container that holds nothing else.
Property hollow;
! The words for what only adorns a room, and for a room seen from the next one.
Property called;

! What can be looked at, and answers, and never changes. Its words are not under
! "name", so that a search for what changes the world need not try it.
Class Decor
  class Prop
  with parse_name [ count;
        if (parser_action == ##TheSame) return -2;
        while (WordInProperty(NextWord(), self, called)) count++;
        return count;
    ];

! Something that opens, and shows what is in it when looked at.
Class Chest
  with before [;
        Empty: <<Search self>>;
        Lift: <<Open self>>;
        Shake: if (self hasnt open && child(self)) "Something moves in it.";
        Attack: if (self hasnt open && self hasnt locked) <<Open self>>;
    ],
    after [;
        Examine: return Contents(self);
    ],
  has container openable static;

! Something that things lie on, or in, for all to see.
Class Holder
  with after [;
        Examine: return Contents(self);
    ],
  has scenery;

[ Contents holder;
    if (holder hasnt supporter && holder hasnt open) rfalse;
    if (child(holder) == nothing) {
        if (holder provides hollow) print_ret (string) holder.hollow;
        rfalse;
    }
    if (holder has supporter) print "On ";
    else print "In ";
    if (holder has pluralname) print "them";
    else print "it";
    WriteListFrom(child(holder), ENGLISH_BIT + TERSE_BIT + CONCEAL_BIT + ISARE_BIT);
    ".";
];

Class Person
  with before [;
        AskFor: <<Ask self second>>;
        Receive: <<Give noun self>>;
        AskTo, WaveHands: <<Talk self>>;
        Shake: <<WakeOther self>>;
    ],
    orders [;
        Greet, Talk, Call, WaveHands, Yes, No:
            actor = player;
            <Talk self>;
            rtrue;
    ],
  has animate male;

[ SayHollow holder;
    if (holder provides hollow) print_ret (string) holder.hollow;
    "It is empty.";
];

! What the library says badly of what is empty or fixed; true if it was said here. A
! story's StoryMessage returns it.
[ SceneryMessage;
    switch (action) {
        ##Open:
            if (lm_n ~= 4 || child(lm_o)) rfalse;
            print "You open ", (the) lm_o, ". ";
            return SayHollow(lm_o);
        ##Search:
            if (lm_n ~= 6) rfalse;
            return SayHollow(lm_o);
        ##Push, ##Pull, ##Turn:
            if (lm_n ~= 2 or 3) rfalse;
            if (noun has pluralname) "They do not move.";
            "It does not move.";
        ##Yes, ##No: "Nobody has asked you anything.";
    }
    rfalse;
];
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
