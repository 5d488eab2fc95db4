/* The Z-machine's parts and what they share.

   Written from the Z-Machine Standards Document 1.1; "section" in a comment means a
   section of it. Each chapter has a file of its own; ../README.md lists them, and
   describes the functions that a host calls. */

#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t byte;
typedef uint16_t word;
typedef uint32_t address;

enum {
    STORY_CAPACITY = 0x80000,   /* the longest story, of version 8 */
    STACK_WORDS = 8192,
    OUTPUT_CAPACITY = 0x10000,  /* bytes of text that one step can print */
    INPUT_CAPACITY = 1024,      /* bytes of text that one step can type */
    SCREEN_ROWS = 50,
    SCREEN_COLUMNS = 128,
    MOST_STREAMS = 16,          /* memory streams inside one another, section 7.1.2.1 */
    FRAME_WORDS = 4,
    FIRST_GLOBAL = 16,          /* variable numbers: 0 stack, 1 to 15 locals */
    FLAGS_2_LOW = 0x11,         /* a byte of the header that outlives a restart */
};

enum status { RUNNING, WANTS_LINE, WANTS_KEY, HALTED, FAILED };

/* The numbers are part of the interface: errors.py names them. */
enum error {
    NO_ERROR,
    WRITE_TO_STATIC,
    STACK_FULL,
    STACK_EMPTY,
    UNKNOWN_INSTRUCTION,
    MISSING_LOCAL,
    DIVISION_BY_ZERO,
    BAD_OBJECT,
    BAD_PROPERTY,
    BAD_ROUTINE,
    RETURN_FROM_MAIN,
    TOO_MUCH_OUTPUT,
    TOO_MANY_STREAMS,
    BUDGET_SPENT,
    BAD_STORY,
    BAD_STATE,
    BAD_THROW,
    OUTSIDE_MEMORY,
};

/* Everything that the story can consult again, apart from the stack's words, dynamic
   memory, the upper window's text and the undo slot. There is no padding, because a host
   compares states byte by byte; it knows the places of all up to "kept_rows". */
struct registers {
    uint64_t seed;              /* the host's */
    uint64_t random;            /* the generator's state, as the host's seed began it */
    uint64_t storys_random;     /* the same, as the story's seed began it */
    uint32_t story;             /* a hash of the story this state belongs to */
    uint32_t status;
    uint32_t error;
    uint32_t sp;                /* index of the first free word of the stack */
    uint32_t depth;             /* how many routines are running */
    uint32_t undo_kept;         /* whether the undo slot is filled */
    uint32_t kept_rows;         /* rows of the screen that are part of the state */
    uint32_t pc;
    uint32_t fp;                /* index of the running routine's first local */
    uint32_t locals;            /* how many it has */
    uint32_t undo_allowed;
    uint32_t random_kind;
    uint32_t random_mode;
    uint32_t cycle;             /* the length of the counting cycle, where it counts */
    uint32_t counter;           /* where in the cycle */
    uint32_t screen_selected;   /* output stream 1 */
    uint32_t streams;           /* memory streams that are open */
    uint32_t stream_table[MOST_STREAMS];
    uint32_t stream_length[MOST_STREAMS];
    uint32_t window;
    uint32_t upper_rows;
    uint32_t cursor_row;
    uint32_t cursor_column;
    uint32_t font;
    uint32_t read_text;         /* operands of the pending read */
    uint32_t read_parse;
    uint32_t read_store;
    uint32_t reserved;
};

_Static_assert(sizeof(struct registers) == 256, "no padding; the host knows the size");

/* Where a state begins; the stack follows at once, so that registers and the words in
   use are one run of bytes. */
struct state {
    struct registers registers;
    word words[STACK_WORDS];
};

/* What the header says, read once: a story can't change it (section 11). */
struct story {
    uint32_t hash;
    uint32_t version;
    uint32_t length;
    uint32_t dynamic_size;      /* bytes of dynamic memory: static memory begins here */
    uint32_t globals;
    uint32_t objects;
    uint32_t dictionary;
    uint32_t abbreviations;
    uint32_t packed_shift;      /* a packed address is shifted left by this */
    uint32_t alphabet;          /* own alphabet table, or 0 */
    uint32_t unicode;           /* own unicode table, or 0 */
    uint32_t unicode_length;
    uint32_t checksum_right;
};

extern struct state state;
extern struct story story;
extern byte initial_memory[];

/* The linker's name for the end of all other data: what is behind the story reads as
   zero, and what is behind that is outside the sandbox. */
extern byte memory[] __asm__("__heap_base");
extern int32_t fuel;            /* instructions left in this step */

#define now (state.registers)
#define stack (state.words)

/* interface.c */
_Noreturn void fail(enum error error);

/* Charges work inside one instruction, such as copying a table. */
static inline void charge(uint32_t amount) {
    fuel -= (int32_t)amount;
    if (fuel < 0) fail(BUDGET_SPENT);
}

/* Memory (section 1). Addresses of more than 16 bits come from packed addresses and the
   program counter alone. */
static inline uint32_t read_byte(address at) { return memory[at]; }

static inline uint32_t read_word(address at) {
    word value;
    __builtin_memcpy(&value, &memory[at], 2);
    return __builtin_bswap16(value);
}

static inline void write_byte(address at, uint32_t value) {
    if (at >= story.dynamic_size) fail(WRITE_TO_STATIC);
    memory[at] = (byte)value;
}

static inline void write_word(address at, uint32_t value) {
    if (at + 1 >= story.dynamic_size) fail(WRITE_TO_STATIC);
    word swapped = __builtin_bswap16((word)value);
    __builtin_memcpy(&memory[at], &swapped, 2);
}

static inline address unpack(uint32_t packed) { return packed << story.packed_shift; }

/* tables.c */
uint32_t scan_table(uint32_t wanted, address table, uint32_t length, uint32_t form);
void copy_table(address from, address to, int32_t size);
void print_table(address text, uint32_t width, uint32_t height, uint32_t skip);

/* header.c */
enum error read_header(uint32_t length);
void announce_interpreter(void);

/* routines.c */
address call(address pc, uint32_t packed, const word *arguments, uint32_t count, bool keep);
address leave(uint32_t value);
address throw_to(uint32_t frame, uint32_t value);
uint32_t argument_count(void);

/* text.c */
address print_text(address at);
void encode(address text, uint32_t length, word *key);
uint32_t zscii_to_unicode(uint32_t code);
uint32_t unicode_to_zscii(uint32_t character);
uint32_t typed_zscii(uint32_t character);
void prepare_alphabet(void);

/* output.c */
extern uint32_t output_length;
void print_zscii(uint32_t code);
void print_unicode(uint32_t character);
void print_number(int32_t value);
void select_stream(int32_t number, address table);
void forget_stream(void);

/* screen.c */
void clear_screen(void);
void forget_shrunk_rows(void);
void put_on_screen(uint32_t character);
void split_window(uint32_t rows);
void set_window(uint32_t window);
void erase_window(int32_t window);
void erase_line(void);
void set_cursor(int32_t row, int32_t column);
void show_status(void);
uint32_t set_font(uint32_t font);

/* input.c */
address begin_line(address pc, address text, address parse);
address begin_key(address pc);
void take_input(uint32_t length);

/* objects.c */
uint32_t parent_of(uint32_t object);
uint32_t sibling_of(uint32_t object);
uint32_t child_of(uint32_t object);
void remove_object(uint32_t object);
void insert_object(uint32_t object, uint32_t target);
bool test_attribute(uint32_t object, uint32_t attribute);
void set_attribute(uint32_t object, uint32_t attribute, bool on);
uint32_t get_property(uint32_t object, uint32_t number);
void put_property(uint32_t object, uint32_t number, uint32_t value);
address property_address(uint32_t object, uint32_t number);
uint32_t property_length(address data);
uint32_t next_property(uint32_t object, uint32_t number);
void print_name(uint32_t object);

/* dictionary.c */
void tokenise(address text, address parse, address dictionary, bool keep_unknown);

/* random.c */
enum random_kind { RANDOM_OWN, RANDOM_JERICHO };
void seed_random(uint64_t seed, uint32_t kind);
uint32_t random_number(int32_t range);
void make_unpredictable(void);
void keep_random(const struct registers *before);

/* state.c */
extern struct state undo_state;
extern byte undo_memory[];
extern uint32_t undo_saves;     /* grows with each save: a host knows an unchanged slot */
void restart(void);
uint32_t save_undo(address pc);
bool restore_undo(void);
bool state_is_sound(void);

/* instructions.c */
void run(void);

#endif
