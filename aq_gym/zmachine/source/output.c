/* Output streams (section 7). The first is the screen: its lower window is the text that
   a step returns. The transcript (2) and the command file (4) don't exist. */

#include "machine.h"

byte output[OUTPUT_CAPACITY];
uint32_t output_length;

static void write_utf8(uint32_t c) {
    if (output_length + 3 > OUTPUT_CAPACITY) fail(TOO_MUCH_OUTPUT);
    byte *end = &output[output_length];
    if (c < 0x80) {
        end[0] = (byte)c;
        output_length += 1;
    } else if (c < 0x800) {
        end[0] = (byte)(0xc0 | c >> 6);
        end[1] = (byte)(0x80 | (c & 63));
        output_length += 2;
    } else {
        end[0] = (byte)(0xe0 | c >> 12);
        end[1] = (byte)(0x80 | (c >> 6 & 63));
        end[2] = (byte)(0x80 | (c & 63));
        output_length += 3;
    }
}

/* Control characters would command a terminal, and surrogates aren't characters. */
static bool is_printable(uint32_t c) {
    bool control = (c < 32 && c != '\n') || (c >= 0x7f && c < 0xa0);
    return !control && (c < 0xd800 || c > 0xdfff);
}

static void print_to_screen(uint32_t character) {
    if (!now.screen_selected || character == 0) return;
    if (!is_printable(character)) character = '?';
    if (now.window) put_on_screen(character);
    else write_utf8(character);
}

static void print_to_memory(uint32_t code) {
    uint32_t innermost = now.streams - 1;
    if (code == 0) return;
    address end = now.stream_table[innermost] + 2 + now.stream_length[innermost];
    write_byte(end, code);
    now.stream_length[innermost]++;
}

/* While a memory stream is open nothing is printed elsewhere (7.1.2.2). */
void print_zscii(uint32_t code) {
    if (now.streams) print_to_memory(code);
    else print_to_screen(zscii_to_unicode(code));
}

void print_unicode(uint32_t character) {
    if (now.streams) print_to_memory(unicode_to_zscii(character));
    else print_to_screen(character);
}

void print_number(int32_t value) {
    char digits[12];
    uint32_t count = 0, rest = (uint32_t)(value < 0 ? -value : value);
    do digits[count++] = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0) print_zscii('-');
    while (count) print_zscii((byte)digits[--count]);
}

static void open_memory_stream(address table) {
    if (now.streams == MOST_STREAMS) fail(TOO_MANY_STREAMS);
    write_word(table, 0);
    now.stream_table[now.streams] = table;
    now.stream_length[now.streams] = 0;
    now.streams++;
}

/* Equal states must have equal bytes, so that nothing is left behind. */
void forget_stream(void) {
    now.streams--;
    now.stream_table[now.streams] = now.stream_length[now.streams] = 0;
}

static void close_memory_stream(void) {
    if (now.streams == 0) return;
    uint32_t innermost = now.streams - 1;
    write_word(now.stream_table[innermost], now.stream_length[innermost]);
    forget_stream();
}

/* A positive number selects a stream, a negative one deselects it. */
void select_stream(int32_t number, address table) {
    switch (number) {
    case 1: now.screen_selected = 1; break;
    case -1: now.screen_selected = 0; break;
    case 3: open_memory_stream(table); break;
    case -3: close_memory_stream(); break;
    default: break;
    }
}
