/* The screen (section 8): an upper window of fixed size above one that scrolls. Only the
   upper one is kept; the lower one's text is what a step returns. */

#include "machine.h"

word screen[SCREEN_ROWS * SCREEN_COLUMNS];

enum { NORMAL_FONT = 1, FIXED_FONT = 4, STATUS_RIGHT = 60 };

/* In version 3 the status line is above the upper window (8.2). */
static uint32_t first_row(void) { return story.version == 3 ? 1 : 0; }

static word *cell(uint32_t row, uint32_t column) { return &screen[row * SCREEN_COLUMNS + column]; }

static void clear_cells(word *from, const word *to) {
    while (from < to) *from++ = ' ';
}

static void clear_rows(uint32_t from, uint32_t to) { clear_cells(cell(from, 0), cell(to, 0)); }

static void home(void) { now.cursor_row = now.cursor_column = 0; }

void clear_screen(void) {
    clear_rows(0, SCREEN_ROWS);
    home();
}

/* Rows that an upper window has given up, such as a quotation's, stay visible until the
   next input. */
void forget_shrunk_rows(void) { now.kept_rows = first_row() + now.upper_rows; }

static void keep_rows(uint32_t rows) {
    if (rows > now.kept_rows) {
        clear_rows(now.kept_rows, rows);
        now.kept_rows = rows;
    }
}

/* In version 3 the upper window opens clear (8.6.1.1). */
void split_window(uint32_t rows) {
    uint32_t most = SCREEN_ROWS - first_row();
    now.upper_rows = rows < most ? rows : most;
    keep_rows(first_row() + now.upper_rows);
    if (story.version == 3) clear_rows(1, now.kept_rows);
}

/* Many stories print menus below the window that they opened, which grows with it. */
static void grow_to_cursor(void) {
    bool outside = now.cursor_row >= now.upper_rows && now.cursor_row < SCREEN_ROWS;
    if (outside && story.version > 3) split_window(now.cursor_row + 1);
}

void put_on_screen(uint32_t character) {
    if (character == '\n') {
        now.cursor_row++;
        now.cursor_column = 0;
        return;
    }
    if (now.cursor_column >= SCREEN_COLUMNS) return;
    if (character != ' ') grow_to_cursor();
    uint32_t row = first_row() + now.cursor_row;
    if (row < now.kept_rows) *cell(row, now.cursor_column) = (word)character;
    now.cursor_column++;
}

void set_window(uint32_t window) {
    now.window = window & 1;
    if (now.window) home();
}

/* Window 1 is the upper one; -1 clears all and unsplits, -2 clears all (8.7.3.3). */
void erase_window(int32_t window) {
    if (window < 0 || window == 1) clear_screen();
    if (window == -1) now.window = now.upper_rows = 0;
}

void erase_line(void) {
    uint32_t row = first_row() + now.cursor_row;
    if (now.window == 0 || row >= now.kept_rows || now.cursor_column >= SCREEN_COLUMNS) return;
    clear_cells(cell(row, now.cursor_column), cell(row + 1, 0));
}

/* Rows and columns are counted from 1. */
void set_cursor(int32_t row, int32_t column) {
    if (now.window == 0) return;
    now.cursor_row = row > 0 ? (uint32_t)row - 1 : 0;
    now.cursor_column = column > 0 ? (uint32_t)column - 1 : 0;
}

/* Returns the font in use before, or 0 where the wanted one doesn't exist. */
uint32_t set_font(uint32_t font) {
    uint32_t before = now.font;
    if (font == 0) return before;
    if (font != NORMAL_FONT && font != FIXED_FONT) return 0;
    now.font = font;
    return before;
}

static void print_time_or_score(void) {
    int32_t left = (int16_t)read_word(story.globals + 2);
    int32_t right = (int16_t)read_word(story.globals + 4);
    bool time = initial_memory[1] & 2;
    print_number(left);
    print_zscii(time ? ':' : '/');
    if (time && right >= 0 && right < 10) print_zscii('0');
    print_number(right);
}

/* Version 3's status line: the first three globals (8.2). */
void show_status(void) {
    struct registers before = now;
    clear_rows(0, first_row());
    now.window = now.screen_selected = 1;
    now.streams = 0;
    now.cursor_row = 0 - first_row();                   /* so that it is the topmost */
    now.cursor_column = 0;
    print_name(read_word(story.globals));
    if (now.cursor_column < STATUS_RIGHT) now.cursor_column = STATUS_RIGHT;
    print_time_or_score();
    now = before;
}
