/* The header (section 11): what the story says, and what the interpreter says of itself. */

#include "machine.h"

enum {
    AT_VERSION = 0x00,
    AT_FLAGS_1 = 0x01,
    AT_DICTIONARY = 0x08,
    AT_OBJECTS = 0x0a,
    AT_GLOBALS = 0x0c,
    AT_STATIC = 0x0e,
    AT_FLAGS_2 = 0x10,
    AT_ABBREVIATIONS = 0x18,
    AT_LENGTH = 0x1a,
    AT_CHECKSUM = 0x1c,
    AT_INTERPRETER = 0x1e,
    AT_SCREEN = 0x20,
    AT_COLOURS = 0x2c,
    AT_STANDARD = 0x32,
    AT_ALPHABET = 0x34,
    AT_EXTENSION = 0x36,
    HEADER_SIZE = 64,
};

enum {
    MOST_UNICODE = 97,          /* ZSCII 155 to 251 */
    INTERPRETER_NUMBER = 1,     /* DECSystem-20, a plain terminal */
    INTERPRETER_LETTER = 'F',
    DEFAULT_FOREGROUND = 9,
    DEFAULT_BACKGROUND = 2,
};

static bool checksum_is_right(uint32_t length) {
    uint32_t unit = story.version == 3 ? 2 : story.version == 8 ? 8 : 4;
    uint32_t end = read_word(AT_LENGTH) * unit, sum = 0;
    if (end > length) return false;
    for (uint32_t i = HEADER_SIZE; i < end; i++) sum += memory[i];
    return (sum & 0xffff) == read_word(AT_CHECKSUM);
}

static void find_unicode_table(void) {
    address extension = story.version >= 5 ? read_word(AT_EXTENSION) : 0;
    story.unicode = extension && read_word(extension) >= 3 ? read_word(extension + 6) : 0;
    uint32_t length = story.unicode ? read_byte(story.unicode) : 0;
    story.unicode_length = length < MOST_UNICODE ? length : MOST_UNICODE;
}

static uint32_t hash_of_story(uint32_t length) {
    uint32_t hash = 2166136261u;                         /* FNV-1a */
    for (uint32_t i = 0; i < length; i++) hash = (hash ^ memory[i]) * 16777619u;
    return hash;
}

enum error read_header(uint32_t length) {
    if (length < HEADER_SIZE || length > STORY_CAPACITY) return BAD_STORY;
    uint32_t version = read_byte(AT_VERSION);
    if (version != 3 && version != 4 && version != 5 && version != 8) return BAD_STORY;
    story.version = version;
    story.length = length;
    story.dynamic_size = read_word(AT_STATIC);
    story.globals = read_word(AT_GLOBALS);
    story.objects = read_word(AT_OBJECTS);
    story.dictionary = read_word(AT_DICTIONARY);
    story.abbreviations = read_word(AT_ABBREVIATIONS);
    story.packed_shift = version == 3 ? 1 : version == 8 ? 3 : 2;
    story.alphabet = version >= 5 ? read_word(AT_ALPHABET) : 0;
    if (story.dynamic_size < HEADER_SIZE || story.dynamic_size > length) return BAD_STORY;
    if (story.globals < HEADER_SIZE) return BAD_STORY;
    story.checksum_right = checksum_is_right(length);
    find_unicode_table();
    now.story = story.hash = hash_of_story(length);
    return NO_ERROR;
}

static void announce_screen(void) {
    memory[AT_INTERPRETER] = INTERPRETER_NUMBER;
    memory[AT_INTERPRETER + 1] = INTERPRETER_LETTER;
    memory[AT_SCREEN] = SCREEN_ROWS;
    memory[AT_SCREEN + 1] = SCREEN_COLUMNS;
    if (story.version < 5) return;
    memory[AT_SCREEN + 2] = 0;                           /* width and height in units */
    memory[AT_SCREEN + 3] = SCREEN_COLUMNS;
    memory[AT_SCREEN + 4] = 0;
    memory[AT_SCREEN + 5] = SCREEN_ROWS;
    memory[AT_SCREEN + 6] = 1;                           /* a unit is a character */
    memory[AT_SCREEN + 7] = 1;
    memory[AT_COLOURS] = DEFAULT_BACKGROUND;
    memory[AT_COLOURS + 1] = DEFAULT_FOREGROUND;
}

/* Flags 1: a split screen in version 3; no colours, styles, pictures, sounds or timed
   input in the others, whose bit 1 compilers keep as a mark of their own. Flags 2: no
   pictures, undo unless refused, no mouse, sounds or menus; its lowest two bits are the
   story's. */
void announce_interpreter(void) {
    byte *flags = &memory[AT_FLAGS_1];
    if (story.version == 3) *flags = (byte)((*flags & ~0x70) | 0x20);
    else {
        *flags &= 2;
        announce_screen();
    }
    memory[AT_FLAGS_2] &= (byte)~1;
    memory[AT_FLAGS_2 + 1] &= (byte)(now.undo_allowed ? ~0xe8 : ~0xf8);
    memory[AT_STANDARD] = 1;
    memory[AT_STANDARD + 1] = 1;
}
