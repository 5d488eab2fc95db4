/* The dictionary and lexical analysis (section 13). */

#include "machine.h"

enum { KEY_WORDS = 3, CHARGED_PER_WORD = 8 };

struct dictionary {
    address separators;
    uint32_t separator_count;
    address entries;
    uint32_t entry_length;
    int32_t count;              /* negative where the entries are in no order */
    uint32_t key_words;
};

static struct dictionary open_dictionary(address at) {
    uint32_t separators = read_byte(at);
    address start = at + 1 + separators;
    return (struct dictionary){
        .separators = at + 1,
        .separator_count = separators,
        .entries = start + 3,
        .entry_length = read_byte(start),
        .count = (int16_t)read_word(start + 1),
        .key_words = story.version < 4 ? 2 : KEY_WORDS,
    };
}

static inline int32_t compare(const struct dictionary *dictionary, const word *key, address entry) {
    for (uint32_t i = 0; i < dictionary->key_words; i++) {
        int32_t difference = (int32_t)key[i] - (int32_t)read_word(entry + 2 * i);
        if (difference) return difference;
    }
    return 0;
}

static address search_in_order(const struct dictionary *dictionary, const word *key) {
    int32_t low = 0, high = dictionary->count - 1;
    while (low <= high) {
        int32_t middle = (low + high) / 2;
        address entry = dictionary->entries + (uint32_t)middle * dictionary->entry_length;
        int32_t difference = compare(dictionary, key, entry);
        if (difference == 0) return entry;
        if (difference < 0) high = middle - 1;
        else low = middle + 1;
    }
    return 0;
}

static address search_all(const struct dictionary *dictionary, const word *key) {
    address entry = dictionary->entries;
    for (int32_t i = dictionary->count; i < 0; i++, entry += dictionary->entry_length) {
        charge(1);
        if (compare(dictionary, key, entry) == 0) return entry;
    }
    return 0;
}

static address find_word(const struct dictionary *dictionary, address text, uint32_t length) {
    word key[KEY_WORDS];
    if (dictionary->entry_length < 2 * dictionary->key_words) return 0;
    encode(text, length, key);
    return dictionary->count < 0 ? search_all(dictionary, key) : search_in_order(dictionary, key);
}

static bool is_separator(const struct dictionary *dictionary, uint32_t code) {
    for (uint32_t i = 0; i < dictionary->separator_count; i++)
        if (read_byte(dictionary->separators + i) == code) return true;
    return false;
}

/* From version 5 on the length is given, but a zero ends the text all the same: it can't
   be typed, and the Inform library counts one in when it corrects a word ("oops"). */
static uint32_t text_length(address text, address first) {
    uint32_t most = story.version < 5 ? 255 : read_byte(text + 1), length = 0;
    while (length < most && read_byte(first + length)) length++;
    return length;
}

/* A word is a separator by itself, or all up to the next separator or space (13.6). */
static uint32_t word_length(const struct dictionary *dictionary, address at, address end) {
    if (is_separator(dictionary, read_byte(at))) return 1;
    address last = at;
    while (last < end && read_byte(last) != ' ' && !is_separator(dictionary, read_byte(last)))
        last++;
    return last - at;
}

/* Splits the text buffer into words and writes the parse buffer: the number of words,
   then each one's entry or 0, its length and its place. */
void tokenise(address text, address parse, address at, bool keep_unknown) {
    struct dictionary dictionary = open_dictionary(at);
    address first = text + (story.version < 5 ? 1 : 2), end = first + text_length(text, first);
    uint32_t room = read_byte(parse), count = 0;
    for (address here = first; here < end && count < room;) {
        if (read_byte(here) == ' ') {
            here++;
            continue;
        }
        uint32_t length = word_length(&dictionary, here, end);
        address entry = find_word(&dictionary, here, length);
        address block = parse + 2 + 4 * count++;
        charge(CHARGED_PER_WORD + length);
        if (entry || !keep_unknown) write_word(block, entry);
        write_byte(block + 2, length);
        write_byte(block + 3, here - text);
        here += length;
    }
    write_byte(parse + 1, count);
}
