/* What a host calls; ../README.md describes it.

   Functions take and return nothing, and what is passed is written to and read from the
   exchange: that is by far the cheapest for a host whose calls convert arguments. */

#include "machine.h"

#define EXPORT(name) __attribute__((export_name(#name))) name

struct state state;
struct story story;
int32_t fuel;
byte initial_memory[0x10000];

extern byte output[], input[];
extern word screen[];

static struct exchange {
    /* Where the host finds what. */
    byte *story;                /* memory: the story file is written here */
    byte *input;                /* UTF-8 */
    byte *output;               /* UTF-8 */
    struct state *state;
    word *screen;               /* rows of UTF-16 */
    struct state *undo_state;
    byte *undo_memory;
    uint32_t *undo_saves;       /* changes whenever the story fills the undo slot */
    /* From the host. */
    uint64_t seed;
    uint32_t random_kind;
    uint32_t undo_allowed;
    uint32_t length;            /* of the story or the input, in bytes */
    uint32_t budget;            /* instructions */
    /* To the host. */
    uint32_t output_length;
    uint32_t answer;            /* of load: an error; of check: whether it is sound */
    uint64_t instructions;      /* executed in this step */
} exchange = {
    .story = memory,
    .input = input,
    .output = output,
    .state = &state,
    .screen = screen,
    .undo_state = &undo_state,
    .undo_memory = undo_memory,
    .undo_saves = &undo_saves,
};

void *EXPORT(exchange_address)(void) { return &exchange; }

void EXPORT(load)(void) {
    exchange.answer = read_header(exchange.length);
    if (exchange.answer) return;
    now.undo_allowed = exchange.undo_allowed != 0;
    now.status = HALTED;
    prepare_alphabet();
    __builtin_memcpy(initial_memory, memory, story.dynamic_size);
}

static void begin(void) {
    fuel = exchange.budget < INT32_MAX ? (int32_t)exchange.budget : INT32_MAX;
    exchange.output_length = 0;
    output_length = 0;
}

static void end(void) {
    exchange.output_length = output_length;
    exchange.instructions = (uint64_t)((int64_t)exchange.budget - fuel);
}

_Noreturn void fail(enum error error) {
    now.status = FAILED;
    now.error = error;
    end();
    __builtin_trap();
}

/* Nothing is left of what was played before. */
void EXPORT(start)(void) {
    uint32_t undo_allowed = now.undo_allowed;
    begin();
    now = (struct registers){ .story = story.hash, .undo_allowed = undo_allowed };
    memory[FLAGS_2_LOW] = initial_memory[FLAGS_2_LOW];
    seed_random(exchange.seed, exchange.random_kind);
    restart();
    run();
    end();
}

void EXPORT(step)(void) {
    begin();
    forget_shrunk_rows();
    take_input(exchange.length);
    run();
    end();
}

void EXPORT(check)(void) { exchange.answer = state_is_sound(); }
