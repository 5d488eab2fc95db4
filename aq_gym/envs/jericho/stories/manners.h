! What is done where "phrases.h" has a word that the library lacks. Include it after
! "VerbLib".

! Whether the line has a word in it.
[ Said word old found;
    old = wn;
    for (wn = 1 : wn <= num_words :) if (NextWord() == word) found = true;
    wn = old;
    return found;
];

! The first one here who could answer.
[ PersonHere who;
    objectloop (who in location) if (who has animate && who ~= player) return who;
    return nothing;
];

[ TalkSub;
    if (noun == player) "You tell yourself nothing new.";
    if (noun has animate && RunLife(noun, ##Talk)) rtrue;
    L__M(##Ask, 1, noun);
];

! To be polite to someone, or to whoever is here.
[ GreetSub;
    if (noun == nothing) noun = PersonHere();
    if (noun) <<Talk noun>>;
    "Nobody answers.";
];

! To make oneself heard.
[ CallSub who;
    who = noun;
    if (who == nothing || who hasnt animate) who = PersonHere();
    if (who) <<Talk who>>;
    "You call out. Nobody answers.";
];

! Words that are said to nobody by name, of which the parser would ask to whom.
[ ToNobody;
    if (Said('to')) return GPR_FAIL;
    while (NextWordStopped() ~= -1) ;
    return GPR_PREPOSITION;
];

[ GiveBackSub who;
    who = PersonHere();
    if (who) <<Give noun who>>;
    "There is nobody here to give it to.";
];

[ GiveWhatSub; "Say what you want to give."; ];

[ RestSub; L__M(##Rest); ];

[ EmoteSub; L__M(##Emote); ];

[ StandSub; "You are on your feet."; ];

[ SeekSub; "You will have to look around for that."; ];

! To go to what is elsewhere, and to look at what is here.
[ ApproachSub; <<Examine noun>>; ];

! To tap is to touch where there is nothing to knock on.
[ KnockSub;
    if (verb_word == 'tap') <<Touch noun>>;
    if (noun has animate) "That would be no way to begin a conversation.";
    "You knock. Nobody answers.";
];

[ ShakeSub; <<Squeeze noun>>; ];

[ LiftSub; <<Take noun>>; ];

[ UseSub lock;
    if (noun has switchable) <<SwitchOn noun>>;
    if (noun has openable && noun hasnt open) <<Open noun>>;
    if (noun has enterable) <<Enter noun>>;
    objectloop (lock in location)
        if (lock has locked && lock.with_key == noun) <<Unlock lock noun>>;
    SayHow();
];

[ UseOnSub;
    if (second has animate) <<Give noun second>>;
    if (noun notin player && ImplicitTake(noun) && noun notin player)
        "You are not holding that.";
    if (second has lockable) {
        if (second has locked) <<Unlock second noun>>;
        if (second hasnt container) "No need: it is not locked.";
    }
    if (second has container) <<Insert noun second>>;
    if (second has supporter) <<PutOn noun second>>;
    SayHow();
];

[ SayHow;
    "You will have to say what you want to do: read, open, light, fill, pull, put it
     somewhere and so on.";
];

[ LockBareSub;
    if (noun has lockable && noun hasnt locked && noun hasnt open)
        "It will do as it is.";
    <<Close noun>>;
];

[ UnlockBareSub key;
    if (noun hasnt lockable || noun hasnt locked) <<Unlock noun>>;
    objectloop (key in player) {
        if (noun.with_key ~= key) continue;
        print "(with ", (the) key, ")^";
        <<Unlock noun key>>;
    }
    "You have no key that fits.";
];

! A direction is a sentence of its own, so that it is never taken for the answer to
! the parser's "What do you want to unlock it with?"
[ NorthSub; <<Go n_obj>>; ];
[ SouthSub; <<Go s_obj>>; ];
[ EastSub; <<Go e_obj>>; ];
[ WestSub; <<Go w_obj>>; ];
[ UpSub; <<Go u_obj>>; ];
[ DownSub; <<Go d_obj>>; ];
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
