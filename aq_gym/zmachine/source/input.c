/* Input (section 10): the machine stops at a read, and the next step answers it. There is
   no clock, so that timed input never runs out (the header says that it isn't there). */

#include "routines.h"

byte input[INPUT_CAPACITY];

enum { KEY_ENTER = 13, KEY_ESCAPE = 27, KEY_DELETE = 8, FIRST_CURSOR = 129, LAST_FUNCTION = 154 };

address begin_line(address pc, address text, address parse) {
    if (story.version == 3) show_status();
    now.read_text = text;
    now.read_parse = parse;
    now.read_store = story.version >= 5 ? read_byte(pc++) : 0;
    now.status = WANTS_LINE;
    return pc;
}

address begin_key(address pc) {
    now.read_store = read_byte(pc++);
    now.status = WANTS_KEY;
    return pc;
}

/* Takes one character of UTF-8 from the input; a broken sequence gives some character. */
static uint32_t next_character(uint32_t *at, uint32_t length) {
    uint32_t first = input[(*at)++];
    if (first < 0xc0) return first;
    uint32_t rest = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    uint32_t character = first & (0x3f >> rest);
    while (rest-- && *at < length && (input[*at] & 0xc0) == 0x80)
        character = character << 6 | (input[(*at)++] & 63);
    return character;
}

static uint32_t key_of(uint32_t character) {
    if (character == KEY_ESCAPE || character == KEY_DELETE) return character;
    if (character == 127) return KEY_DELETE;
    if (character < 32) return KEY_ENTER;
    if (character >= FIRST_CURSOR && character <= LAST_FUNCTION) return character;
    return unicode_to_zscii(character);
}

static void take_key(uint32_t length) {
    uint32_t at = 0, key = length ? key_of(next_character(&at, length)) : KEY_ENTER;
    now.status = RUNNING;
    set_variable(now.read_store, key);
}

/* Returns the length of the text, of which the first "kept" characters were there. */
static uint32_t take_text(address start, uint32_t kept, uint32_t room, uint32_t length) {
    uint32_t count = kept;
    for (uint32_t at = 0; at < length && count < room;) {
        uint32_t character = next_character(&at, length);
        if (character < 32 || (character >= 127 && character < 160)) continue;
        write_byte(start + count++, typed_zscii(character));
    }
    return count;
}

/* Until version 4 the text ends in a zero; from 5 on its length stands before it, and
   what a story left there is kept (section 15, "read"). */
static void take_line(uint32_t length) {
    address text = now.read_text;
    uint32_t room = read_byte(text);
    now.status = RUNNING;
    if (story.version < 5) {
        uint32_t count = take_text(text + 1, 0, room ? room - 1 : 0, length);
        write_byte(text + 1 + count, 0);
    } else {
        uint32_t count = take_text(text + 2, read_byte(text + 1), room, length);
        write_byte(text + 1, count);
    }
    if (now.read_parse) tokenise(text, now.read_parse, story.dictionary, false);
    if (story.version >= 5) set_variable(now.read_store, KEY_ENTER);
}

/* Answers the pending read with so many bytes of UTF-8 from the input buffer. */
void take_input(uint32_t length) {
    if (length > INPUT_CAPACITY) length = INPUT_CAPACITY;
    if (now.status == WANTS_KEY) take_key(length);
    else if (now.status == WANTS_LINE) take_line(length);
}
