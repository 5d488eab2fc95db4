! Sentences for handling things. Lists of what can be done name the shortest verb of a
! set, the first of that length.

Verb 'inspect' 'study' 'observe' 'investigate' = 'examine';
Verb 'seize' 'collect' 'fetch' 'snatch' 'steal' 'catch' = 'take';
Verb 'pluck' 'harvest' = 'pick';
Verb 'place' = 'put';
Verb 'chuck' 'toss' = 'throw';
Verb 'shove' = 'push';
Verb 'kick' = 'attack';
Verb 'tear' 'rip' = 'cut';
Verb 'stroke' = 'touch';
Verb 'ignite' 'kindle' 'smoke' = 'light';

Verb 'view' 'count'
    * noun                              -> Examine;
Verb 'pet' 'pat' 'prod' 'poke' 'nudge'
    * noun                              -> Touch;
Verb 'lean'
    * 'on'/'over'/'against' noun        -> Touch;
Verb 'knock' 'rap' 'bang' 'tap'
    * 'on'/'at'/'upon' noun             -> Knock
    * noun                              -> Knock;
Verb 'shake' 'rattle' 'tickle'
    * noun                              -> Shake;
Verb 'use' 'operate'
    * noun                              -> Use
    * noun 'on'/'with'/'in'/'to'/'for' noun -> UseOn;

Verb 'grab'
    * multi                             -> Take
    * multiinside 'from'/'off' noun     -> Remove;
Extend 'take'
    * 'out' multi                       -> Take
    * multi 'out'                       -> Take
    * multiinside 'out' 'of' noun       -> Remove
    * noun 'from'/'off' topic           -> Take;
Extend 'get'
    * multiinside 'out' 'of' noun       -> Remove
    * noun 'from'/'off' topic           -> Take;
Extend 'pick' first
    * multi                             -> Take
    * noun 'from'/'off' topic           -> Take;
Extend only 'remove' replace
    * multi                             -> Take
    * worn                              -> Disrobe
    * multiinside 'from'/'off' noun     -> Remove
    * noun 'from'/'off' topic           -> Take;
Verb 'lift' 'raise'
    * noun                              -> Lift
    * 'up' noun                         -> Lift
    * multi                             -> Take;
Verb 'reach' 'rummage'
    * 'in'/'into'/'inside' noun         -> Search
    * 'for' noun                        -> Take
    * noun                              -> Take;
Verb 'lay'
    * multiexcept 'in'/'into'/'inside' noun -> Insert
    * multiexcept 'on'/'onto' noun      -> PutOn
    * multiheld 'down'                  -> Drop;
Extend 'throw'
    * held 'to' creature                -> Give
    * held 'in'/'into'/'down' noun      -> Insert;

Extend 'pull'
    * 'off'/'out'/'down' noun           -> Pull
    * noun 'off'/'out'/'down'           -> Pull
    * noun 'from'/'off' topic           -> Pull
    * noun 'out' 'of' topic             -> Pull
    * 'open' noun                       -> Open
    * noun 'open'                       -> Open;
Verb 'draw' 'extract' 'withdraw' 'release' 'unfasten'
    * noun                              -> Pull
    * noun 'out'                        -> Pull
    * noun 'from'/'off' topic           -> Pull
    * noun 'out' 'of' topic             -> Pull;
Verb 'yank' 'tug'
    * noun                              -> Pull
    * noun 'out'                        -> Pull;
Extend 'push'
    * noun 'open'                       -> Open
    * noun 'shut'/'closed'              -> Close;
Verb 'spin'
    * noun                              -> Turn;
Verb 'start' 'activate' 'engage' 'flip' 'flick' 'toggle'
    * noun                              -> SwitchOn
    * 'up' noun                         -> SwitchOn;
Verb 'stop' 'deactivate'
    * noun                              -> SwitchOff;

Verb 'seal' 'slam' 'secure' 'lower'
    * noun                              -> Close;
Extend 'lock' first
    * noun                              -> LockBare;
Extend 'unlock' first
    * noun                              -> UnlockBare;
Extend 'pry' first
    * noun                              -> Attack
    * 'open' noun                       -> Attack;
Extend 'dig' first
    *                                   -> Dig;

Extend 'drink'
    * 'from'/'at' noun                  -> Drink;
Extend only 'eat' replace
    * noun                              -> Eat;
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
