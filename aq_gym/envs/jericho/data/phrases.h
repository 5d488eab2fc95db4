! What newcomers say beside the library's verbs. Include it after "Grammar".

[ PersonHere who;
    objectloop (who in location) if (who ofclass Person) return who;
    return nothing;
];

[ TalkSub;
    if (noun == player) "You tell yourself nothing new.";
    if (RunLife(noun, ##Talk)) rtrue;
    "There is no answer.";
];

[ GreetSub;
    if (noun has animate) <<Talk noun>>;
    "There is no answer.";
];

[ HelloSub who;
    who = PersonHere();
    if (who) <<Talk who>>;
    "Nobody answers.";
];

[ KnockSub; "Nobody answers."; ];

[ RestSub; "There is no time to rest."; ];

[ EmoteSub; "It does not help."; ];

[ SeekSub; "You will have to look around for that."; ];

[ ShakeSub;
    if (noun has animate) <<WakeOther noun>>;
    if (noun has container && noun hasnt open && child(noun)) "Something moves in it.";
    "Nothing comes of it.";
];

[ UseSub;
    if (noun has switchable) <<SwitchOn noun>>;
    if (noun has openable && noun hasnt open) <<Open noun>>;
    if (noun has enterable) <<Enter noun>>;
    "Say what you want to do with it.";
];

[ UseWithSub;
    if (second has animate) <<Give noun second>>;
    if (second has lockable && second has locked) <<Unlock second noun>>;
    if (second has container) <<Insert noun second>>;
    if (second has supporter) <<PutOn noun second>>;
    "Say what you want to do with them.";
];

[ UnlockBareSub key;
    if (noun hasnt lockable || noun hasnt locked) <<Unlock noun noun>>;
    objectloop (key in player) {
        if (noun.with_key ~= key) continue;
        print "(with ", (the) key, ")^";
        <<Unlock noun key>>;
    }
    "You have no key that fits.";
];

Verb 'inspect' 'study' 'observe' = 'examine';
Verb 'grab' 'snatch' 'collect' 'steal' = 'take';
Verb 'place' = 'put';
Verb 'shove' = 'push';
Verb 'tug' 'yank' = 'pull';
Verb 'spin' = 'turn';
Verb 'kick' = 'attack';
Verb 'tear' 'rip' = 'cut';
Verb 'hand' = 'give';
Verb 'toss' 'chuck' = 'throw';
Verb 'head' 'proceed' = 'go';

Verb 'talk' 'chat' 'converse'
    * 'to'/'with' creature              -> Talk
    * creature                          -> Talk;
Verb 'greet' 'hail' 'thank' 'nod' 'bow' 'smile'
    *                                   -> Hello
    * creature                          -> Greet
    * 'to'/'at' creature                -> Greet
    * noun                              -> Greet;
Verb 'hello' 'hi' 'hey' 'goodbye' 'bye' 'thanks'
    *                                   -> Hello
    * creature                          -> Greet
    * topic                             -> Hello;
Extend 'wave' first
    * 'at'/'to' creature                -> Greet;
Extend 'ask'
    * creature                          -> Talk
    * 'about' topic                     -> Hello
    * creature 'for' topic              -> Ask;
Extend 'tell'
    * creature                          -> Talk
    * creature topic                    -> Tell;
Extend 'answer' first
    *                                   -> Hello
    * 'to'/'with'/'at' creature         -> Talk;
Extend 'answer' last
    * topic                             -> Hello;
Verb 'yell' 'scream' 'call'
    *                                   -> Hello
    * creature                          -> Greet
    * 'to'/'at' creature                -> Greet
    * topic                             -> Hello;
Verb 'knock' 'rap' 'tap'
    * 'on'/'at' noun                    -> Knock
    * noun                              -> Knock;
Verb 'shake' 'rattle'
    * noun                              -> Shake;
Verb 'use'
    * noun                              -> Use
    * held 'on'/'with'/'in' noun        -> UseWith;
Verb 'find' 'locate' 'seek' 'where'
    * topic                             -> Seek;
Verb 'dance' 'laugh' 'cry' 'weep' 'whistle' 'hum'
    *                                   -> Emote;
Verb 'rest' 'relax'
    *                                   -> Rest;
Verb 'draw' 'extract' 'withdraw' 'release'
    * noun                              -> Pull;
Verb 'lift' 'raise'
    * noun                              -> Open;
Verb 'lower'
    * noun                              -> Close;
Verb 'start' 'activate' 'flip' 'flick' 'toggle'
    * noun                              -> SwitchOn;
Verb 'stop' 'deactivate'
    * noun                              -> SwitchOff;
Verb 'board'
    * noun                              -> Enter;
Verb 'reach'
    * 'in'/'into'/'inside' noun         -> Search;
Verb 'return'
    * held 'to' creature                -> Give
    * held 'to' noun                    -> Insert;
Verb 'smoke'
    * noun                              -> Burn;

Extend 'give' first
    * held 'back' 'to' creature         -> Give;
Extend 'go'
    * 'to'/'toward'/'towards' noun      -> Enter;
Extend 'climb'
    * 'down'/'on'/'onto'/'into' noun    -> Climb;
Extend 'look'
    * 'around'/'about'                  -> Look
    * 'behind'/'beneath'/'below' noun   -> LookUnder
    * 'out' 'of' noun                   -> Search;
Extend 'pick' first
    * multi                             -> Take;
Extend only 'remove' replace
    * multi                             -> Take
    * worn                              -> Disrobe
    * multiinside 'from'/'off' noun     -> Remove;
Extend 'sit'
    *                                   -> Rest
    * 'down'                            -> Rest
    * 'down' 'on'/'in'/'at' noun        -> Enter
    * 'at'/'by' noun                    -> Enter;
Extend 'swim'
    * 'in'/'across'/'over' noun         -> Swim
    * 'to' noun                         -> Swim;
Extend 'unlock'
    * noun                              -> UnlockBare;
