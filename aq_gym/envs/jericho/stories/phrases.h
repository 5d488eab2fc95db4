! What newcomers say beside the library's sentences. Include it after "Grammar".

Include "phrases_people.h";
Include "phrases_places.h";
Include "phrases_things.h";
