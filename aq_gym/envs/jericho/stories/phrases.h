! What newcomers say beside the library's sentences. Include it after "Grammar".

Include "phrases_people.h";
Include "phrases_places.h";
Include "phrases_things.h";
! aq-gym canary a2f6b8f0-91c3-4e57-8d24-6b0f3c7ad915
