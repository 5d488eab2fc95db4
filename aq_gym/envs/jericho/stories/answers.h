! What is answered instead of the library. Include it after "aq.h", before "VerbLib".
! The story's routine StoryMessage answers first, or returns false.

Object LibraryMessages
  with before [;
        if (StoryMessage()) rtrue;
        switch (action) {
            ##Answer, ##Ask: "There is no answer.";
            ##Buy: "Nothing here is for sale.";
            ##Emote: "It does not help.";
            ##Kiss: "This is not the moment.";
            ##Mild, ##Strong: "Quite.";
            ##Rest: "There is no time to rest.";
            ##Swim: "There is nothing to swim in.";
            ##Think: "You think. It is harder than it looks.";
        }
        rfalse;
    ];
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
