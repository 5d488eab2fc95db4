/* Instructions that work on tables (section 15: copy_table, print_table, scan_table). */

#include "machine.h"

enum { FORM_LENGTH = 0x7f, FORM_WORDS = 0x80, CHARGED_PER_UNIT = 4 };

/* Table addresses are 16 bits wide, and so wrap. */
static inline address wrap(address at) { return at & 0xffff; }

uint32_t scan_table(uint32_t wanted, address table, uint32_t length, uint32_t form) {
    charge(length / CHARGED_PER_UNIT);
    for (uint32_t i = 0; i < length; i++) {
        address at = wrap(table + i * (form & FORM_LENGTH));
        uint32_t value = form & FORM_WORDS ? read_word(at) : read_byte(at);
        if (value == wanted) return at;
    }
    return 0;
}

/* A negative size forbids to save what would be overwritten before it is copied. */
void copy_table(address from, address to, int32_t size) {
    uint32_t length = (uint32_t)(size < 0 ? -size : size);
    charge(length / CHARGED_PER_UNIT);
    if (to == 0) {
        for (uint32_t i = 0; i < length; i++) write_byte(wrap(from + i), 0);
    } else if (size < 0 || from >= to) {
        for (uint32_t i = 0; i < length; i++) write_byte(wrap(to + i), read_byte(wrap(from + i)));
    } else {
        for (uint32_t i = length; i-- > 0;) write_byte(wrap(to + i), read_byte(wrap(from + i)));
    }
}

void print_table(address text, uint32_t width, uint32_t height, uint32_t skip) {
    uint32_t column = now.cursor_column;
    bool on_screen = now.window != 0 && now.streams == 0;
    for (uint32_t row = 0; row < height; row++) {
        charge(width + 1);
        if (row > 0 && on_screen) set_cursor((int32_t)now.cursor_row + 2, (int32_t)column + 1);
        else if (row > 0) print_zscii(13);
        for (uint32_t i = 0; i < width; i++) print_zscii(read_byte(wrap(text++)));
        text += skip;
    }
}
