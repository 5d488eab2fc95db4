/* Text: Z-characters, ZSCII and Unicode (section 3). */

#include "machine.h"

enum {
    ALPHABET_SIZE = 26,
    ALPHABET_TOTAL = 3 * ALPHABET_SIZE,
    FIRST_OF_A2 = 2 * ALPHABET_SIZE,
    ESCAPE_CHARACTER = 6,       /* in alphabet A2: a ZSCII code of ten bits follows */
    NEWLINE_CHARACTER = 7,      /* in alphabet A2 */
    SHIFT_A1 = 4,
    SHIFT_A2 = 5,
    PADDING = 5,
    NOT_IN_ALPHABET = 0xff,
    FIRST_EXTRA = 155,
    LAST_EXTRA = 251,
    DEFAULT_EXTRA = 69,
};

static const char DEFAULT_ALPHABET[ALPHABET_TOTAL + 1] =
    "abcdefghijklmnopqrstuvwxyz"
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    " \n0123456789.,!?_#'\"/\\-:()";

/* ZSCII 155 to 223 unless the story has a table of its own (3.8.7). */
static const word DEFAULT_UNICODE[DEFAULT_EXTRA] = {
    0xe4, 0xf6, 0xfc, 0xc4, 0xd6, 0xdc, 0xdf, 0xbb, 0xab, 0xeb, 0xef, 0xff, 0xcb, 0xcf,
    0xe1, 0xe9, 0xed, 0xf3, 0xfa, 0xfd, 0xc1, 0xc9, 0xcd, 0xd3, 0xda, 0xdd, 0xe0, 0xe8,
    0xec, 0xf2, 0xf9, 0xc0, 0xc8, 0xcc, 0xd2, 0xd9, 0xe2, 0xea, 0xee, 0xf4, 0xfb, 0xc2,
    0xca, 0xce, 0xd4, 0xdb, 0xe5, 0xc5, 0xf8, 0xd8, 0xe3, 0xf1, 0xf5, 0xc3, 0xd1, 0xd5,
    0xe6, 0xc6, 0xe7, 0xc7, 0xfe, 0xf0, 0xde, 0xd0, 0xa3, 0x153, 0x152, 0xa1, 0xbf,
};

/* Where a ZSCII code is in the alphabets, for encoding. */
static byte alphabet_index[256];

static inline uint32_t letter(uint32_t index) {
    if (story.alphabet) return read_byte(story.alphabet + index);
    return (byte)DEFAULT_ALPHABET[index];
}

void prepare_alphabet(void) {
    for (uint32_t code = 0; code < 256; code++) alphabet_index[code] = NOT_IN_ALPHABET;
    for (uint32_t i = ALPHABET_TOTAL; i-- > 0;) {
        /* A2's first two stand for the escape and the newline in every alphabet. */
        if (i != FIRST_OF_A2 && i != FIRST_OF_A2 + 1) alphabet_index[letter(i)] = (byte)i;
    }
}

/* ---- Unicode ---- */

static uint32_t extra_count(void) {
    return story.unicode ? story.unicode_length : DEFAULT_EXTRA;
}

static uint32_t extra_character(uint32_t index) {
    if (story.unicode) return read_word(story.unicode + 1 + 2 * index);
    return DEFAULT_UNICODE[index];
}

uint32_t zscii_to_unicode(uint32_t code) {
    if (code == 13) return '\n';
    if (code == 9 || code == 11) return ' ';
    if (code >= 32 && code < 127) return code;
    if (code >= FIRST_EXTRA && code <= LAST_EXTRA && code - FIRST_EXTRA < extra_count())
        return extra_character(code - FIRST_EXTRA);
    return code == 0 ? 0 : '?';
}

uint32_t unicode_to_zscii(uint32_t character) {
    if (character == '\n' || character == '\r') return 13;
    if (character >= 32 && character < 127) return character;
    uint32_t count = extra_count();
    for (uint32_t i = 0; i < count; i++) {
        if (extra_character(i) == character) return FIRST_EXTRA + i;
    }
    return '?';
}

static bool is_between(uint32_t character, uint32_t first, uint32_t last) {
    return character >= first && character <= last;
}

static uint32_t lower_case(uint32_t character) {
    if (is_between(character, 'A', 'Z')) return character + 32;
    if (is_between(character, 0xc0, 0xde) && character != 0xd7) return character + 32;
    if (is_between(character, 0x391, 0x3a9)) return character + 32;      /* Greek */
    if (is_between(character, 0x410, 0x42f)) return character + 32;      /* Cyrillic */
    if (is_between(character, 0x400, 0x40f)) return character + 80;
    if (character == 0x152) return 0x153;
    return character == 0x178 ? 0xff : character;
}

/* The ZSCII code of a character in a line: of the small letter, if the story has it. */
uint32_t typed_zscii(uint32_t character) {
    uint32_t small = unicode_to_zscii(lower_case(character));
    return small == '?' ? unicode_to_zscii(character) : small;
}

/* ---- Decoding ---- */

enum expectation { A_CHARACTER, AN_ABBREVIATION, HIGH_BITS, LOW_BITS };

struct decoder {
    enum expectation expects;
    uint32_t shift;             /* 0, 1 or 2: the alphabet of the next character */
    uint32_t held;              /* the bank of an abbreviation, or high bits of a code */
    bool abbreviated;           /* whether this is an abbreviation's own text */
};

static address decode(address at, bool abbreviated);

/* An abbreviation can't hold another (3.3.1). */
static void print_abbreviation(const struct decoder *decoder, uint32_t index) {
    if (decoder->abbreviated) return;
    uint32_t entry = ALPHABET_SIZE + 6;
    decode(2 * read_word(story.abbreviations + 2 * (entry * (decoder->held - 1) + index)), true);
}

static void take_character(struct decoder *decoder, uint32_t c) {
    uint32_t shift = decoder->shift;
    decoder->shift = 0;
    if (c == 0) print_zscii(' ');
    else if (c < SHIFT_A1) {
        decoder->held = c;
        decoder->expects = AN_ABBREVIATION;
    } else if (c <= SHIFT_A2) decoder->shift = c - SHIFT_A1 + 1;
    else if (shift == 2 && c == ESCAPE_CHARACTER) decoder->expects = HIGH_BITS;
    else if (shift == 2 && c == NEWLINE_CHARACTER) print_zscii(13);
    else print_zscii(letter(shift * ALPHABET_SIZE + c - 6));
}

static inline void take(struct decoder *decoder, uint32_t c) {
    switch (decoder->expects) {
    case A_CHARACTER:
        take_character(decoder, c);
        return;
    case AN_ABBREVIATION:
        print_abbreviation(decoder, c);
        break;
    case HIGH_BITS:
        decoder->held = c << 5;
        decoder->expects = LOW_BITS;
        return;
    case LOW_BITS:
        print_zscii(decoder->held | c);
        break;
    }
    decoder->expects = A_CHARACTER;
}

/* Text ends where the story does: some stories print strings that aren't there in their
   own messages about errors, and play on. */
static address decode(address at, bool abbreviated) {
    struct decoder decoder = { A_CHARACTER, 0, 0, abbreviated };
    while (at + 1 < story.length) {
        charge(1);
        uint32_t three = read_word(at);
        at += 2;
        take(&decoder, three >> 10 & 31);
        take(&decoder, three >> 5 & 31);
        take(&decoder, three & 31);
        if (three & 0x8000) break;
    }
    return at;
}

/* Prints the text at a byte address; returns the address after it. */
address print_text(address at) { return decode(at, false); }

/* ---- Encoding, for the dictionary (3.7) ---- */

enum { LONGEST_KEY = 9, PER_WORD = 3 };

struct encoder {
    byte characters[LONGEST_KEY];
    uint32_t count;
    uint32_t room;
};

static inline void put(struct encoder *encoder, uint32_t c) {
    if (encoder->count < encoder->room) encoder->characters[encoder->count++] = (byte)c;
}

static void encode_character(struct encoder *encoder, uint32_t code) {
    uint32_t index = alphabet_index[code];
    if (code == ' ') put(encoder, 0);
    else if (index != NOT_IN_ALPHABET) {
        if (index >= ALPHABET_SIZE) put(encoder, index < FIRST_OF_A2 ? SHIFT_A1 : SHIFT_A2);
        put(encoder, index % ALPHABET_SIZE + 6);
    } else {
        put(encoder, SHIFT_A2);
        put(encoder, ESCAPE_CHARACTER);
        put(encoder, code >> 5);
        put(encoder, code & 31);
    }
}

/* Writes the two or three words that the dictionary has for a text. */
void encode(address text, uint32_t length, word *key) {
    struct encoder encoder = { .room = story.version < 4 ? 6 : LONGEST_KEY };
    for (uint32_t i = 0; i < length && encoder.count < encoder.room; i++) {
        encode_character(&encoder, read_byte((text + i) & 0xffff));
    }
    while (encoder.count < encoder.room) put(&encoder, PADDING);
    uint32_t words = encoder.room / PER_WORD;
    for (uint32_t i = 0; i < words; i++) {
        const byte *c = &encoder.characters[PER_WORD * i];
        key[i] = (word)(c[0] << 10 | c[1] << 5 | c[2]);
    }
    key[words - 1] |= 0x8000;
}
