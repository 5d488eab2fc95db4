! What all the adventures share. A story includes "Parser", this, "answers.h",
! "VerbLib" and "manners.h", and at its end "Grammar" and "phrases.h". Its things are
! of one kind or the other: "scenery.h" and "ways.h" after this, or "things.h" after
! "VerbLib".
!
! A room is shown with its object's number, which changes where a class or an object
! is added before it.

Global lines_misread;
Global actions_done;

! The parser gives up on a line only through here: lets the reader of the
! story's memory tell a misread line from an action that changes nothing.
[ ParserError error_type;
    lines_misread = lines_misread + (error_type | 1 ~= 0);
    rfalse;
];

! Beside "before", for what it does, a thing can have answers that change nothing:
! whoever looks for what can be done needs to try only the former.
Property additive reply;

[ GamePreRoutine;
    actions_done++;
    if (inp1 > 1 && noun provides reply) return RunRoutines(noun, reply);
    rfalse;
];

! Everything that varies is drawn after the first key is pressed.
[ AwaitReader key;
    @read_char 1 -> key;
    return key;
];

Class Room has light;
Class Prop has scenery;
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
