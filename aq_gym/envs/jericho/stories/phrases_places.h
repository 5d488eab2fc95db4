! Sentences for looking around and for going about.

Verb 'stare' = 'look';
Verb 'head' 'proceed' 'step' = 'go';
Verb 'dance' = 'jump';

Extend 'look' first
    *                                   -> Look
    * 'around'/'about'/'out'            -> Look
    * 'behind'/'beneath'/'underneath'/'below' noun -> LookUnder
    * 'out'/'over'/'between' noun       -> Search
    * 'out' 'of' noun                   -> Search;
Verb 'peer' 'gaze' 'glance'
    * 'at' noun                         -> Examine
    * 'in'/'into'/'through'/'under'/'behind' noun -> Search;
Extend 'search' first
    *                                   -> Look
    * 'in'/'inside'/'for' noun          -> Search;
Verb 'find' 'locate' 'seek' 'where'
    * noun                              -> Examine
    * topic                             -> Seek;
Verb 'exits' 'directions'
    *                                   -> VagueGo;

Verb 'north' 'n//'
    *                                   -> North;
Verb 'south' 's//'
    *                                   -> South;
Verb 'east' 'e//'
    *                                   -> East;
Verb 'west' 'w//'
    *                                   -> West;
Verb 'up' 'u//' 'upstairs' 'upwards' 'ascend'
    *                                   -> Up
    * noun                              -> Climb;
Verb 'down' 'd//' 'downstairs' 'downwards' 'descend'
    *                                   -> Down
    * noun                              -> GetOff;
Extend 'go'
    * 'to'/'toward'/'towards' noun      -> Enter
    * 'aboard'/'across'                 -> GoIn
    * 'on'/'onto'/'aboard'/'across' noun -> Enter
    * 'up' noun                         -> Climb
    * 'down' noun                       -> GetOff
    * 'upstairs'                        -> Up
    * 'downstairs'                      -> Down
    * 'back'                            -> VagueGo;
Verb 'follow'
    * noun                              -> Enter;
Verb 'approach'
    * noun                              -> Approach;
Verb 'board' 'embark' 'ride'
    *                                   -> GoIn
    * 'on'/'in' noun                    -> Enter
    * noun                              -> Enter;
Extend 'climb' first
    * noun=ADirection                   -> Go
    * 'down'/'off' noun                 -> GetOff;
Extend 'climb'
    * 'on'/'onto'/'into' noun           -> Climb
    * 'aboard'                          -> GoIn
    * 'aboard' noun                     -> Enter;
Extend 'jump'
    * 'off' noun                        -> GetOff
    * 'aboard'                          -> GoIn;
Extend 'swim'
    * topic                             -> Swim;
Extend 'sit' first
    *                                   -> Rest
    * 'down'                            -> Rest
    * 'at'/'by' noun                    -> Enter
    * 'down' 'on'/'in'/'at' noun        -> Enter;
Extend only 'stand' replace
    *                                   -> Stand
    * 'up'                              -> Stand
    * 'on'/'in'/'at'/'by' noun          -> Enter;
Extend 'get' first
    * 'up'                              -> Stand
    * 'out'                             -> Exit;
Extend 'get'
    * 'aboard'                          -> GoIn
    * 'aboard' noun                     -> Enter;
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
