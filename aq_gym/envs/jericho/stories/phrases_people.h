! Sentences to people, and of feelings.

Verb 'question' 'interrogate' = 'ask';
Verb 'hand' = 'give';

Verb 'talk' 'chat' 'converse'
    *                                   -> Call
    * 'to'/'with'/'at' noun             -> Talk
    * noun                              -> Talk;
Verb 'greet' 'hail' 'hello' 'hi' 'hey' 'goodbye' 'bye'
    *                                   -> Call
    * noun                              -> Greet
    * 'to' noun                         -> Greet
    * 'at' creature                     -> Greet
    * topic                             -> Call;
Verb 'thank' 'thanks' 'nod' 'bow' 'smile'
    *                                   -> Greet
    * noun                              -> Greet
    * 'to' noun                         -> Greet
    * 'at' creature                     -> Greet
    * topic                             -> Greet;
Verb 'good'
    * 'morning'/'day'/'evening'/'night' -> Call;
Verb 'call' 'yell' 'scream' 'whistle'
    *                                   -> Call
    * noun                              -> Call
    * 'for'/'to'/'at' noun              -> Call
    * topic                             -> Call;
Extend 'answer' first
    *                                   -> Call
    * 'to'/'with'/'at' noun             -> Talk
    * ToNobody                          -> Call;
Extend 'answer' last
    * topic                             -> Call;
Extend 'ask' first
    * noun                              -> Talk;
Extend 'ask'
    * 'about' topic                     -> Call
    * creature 'for' topic              -> Ask
    * creature topic                    -> Ask
    * noun 'about'/'for' topic          -> Talk;
Extend 'tell'
    * noun                              -> Talk
    * creature topic                    -> Tell;
Extend 'wave'
    * 'to' noun                         -> WaveHands;
Extend 'wake'
    * noun                              -> WakeOther;
Extend 'kiss'
    * noun                              -> Kiss;

Extend 'give' first
    * creature                          -> GiveWhat;
Extend 'give'
    * held 'back'                       -> GiveBack
    * 'back' held                       -> GiveBack
    * held 'back' 'to' creature         -> Give;
Verb 'return'
    * held                              -> GiveBack
    * held 'to' creature                -> Give
    * held 'to' noun                    -> Insert;
Extend 'buy'
    * topic                             -> Buy;

Verb 'laugh' 'cry' 'weep' 'hum'
    *                                   -> Emote;
Verb 'rest' 'relax'
    *                                   -> Rest;
Extend 'wait'
    * topic                             -> Wait;
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
