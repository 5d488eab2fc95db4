/* Restarting, undo, and whether a state from outside can be run (sections 5.9 and 6.1). */

#include "routines.h"

struct state undo_state;
byte undo_memory[0x10000];
uint32_t undo_saves;

enum { AT_START = 6, STORYS_OWN_BITS = 3, UNDO_CHARGE = 64 };

static void copy(void *to, const void *from, uint32_t size) { __builtin_memcpy(to, from, size); }

static uint32_t used_bytes(const struct registers *registers) {
    return sizeof(struct registers) + registers->sp * sizeof(word);
}

/* Transcripts and the fixed-pitch font outlive a restart and an undo (6.1.2.2). */
static void keep_flags(uint32_t before) {
    memory[FLAGS_2_LOW] = (byte)((memory[FLAGS_2_LOW] & ~STORYS_OWN_BITS) | before);
}

/* The undo slot isn't touched. */
void restart(void) {
    uint32_t flags = memory[FLAGS_2_LOW] & STORYS_OWN_BITS;
    copy(memory, initial_memory, story.dynamic_size);
    announce_interpreter();
    keep_flags(flags);
    make_unpredictable();
    for (uint32_t i = 0; i < FRAME_WORDS; i++) stack[i] = 0;
    now.sp = now.fp = FRAME_WORDS;
    now.depth = now.locals = 0;
    now.pc = read_word(AT_START);
    now.status = RUNNING;
    now.error = NO_ERROR;
    now.screen_selected = 1;
    while (now.streams) forget_stream();
    now.window = 0;
    now.font = 1;
    split_window(0);
    clear_screen();
}

/* Returns what the instruction stores: 1 for saved, -1 for not available. */
uint32_t save_undo(address pc) {
    if (!now.undo_allowed) return 0xffff;
    charge(UNDO_CHARGE);
    now.pc = pc;
    now.undo_kept = 1;
    copy(&undo_state, &state, used_bytes(&now));
    copy(undo_memory, memory, story.dynamic_size);
    undo_saves++;
    return 1;
}

/* An undo can be used once. Dice don't fall the same way again: the stream goes on. */
bool restore_undo(void) {
    if (!now.undo_kept) return false;
    charge(UNDO_CHARGE);
    struct registers before = now;
    uint32_t flags = memory[FLAGS_2_LOW] & STORYS_OWN_BITS;
    copy(&state, &undo_state, used_bytes(&undo_state.registers));
    copy(memory, undo_memory, story.dynamic_size);
    keep_flags(flags);
    keep_random(&before);
    now.undo_kept = 0;
    return true;
}

static bool registers_are_sound(const struct registers *r) {
    return r->story == story.hash && r->status <= FAILED && r->random_kind <= RANDOM_JERICHO &&
           r->sp <= STACK_WORDS && r->fp <= r->sp && r->fp >= FRAME_WORDS &&
           r->depth < STACK_WORDS && r->streams <= MOST_STREAMS &&
           r->upper_rows <= SCREEN_ROWS && r->kept_rows <= SCREEN_ROWS;
}

/* Each frame begins above its caller's, and the last one is the main routine's. */
static bool frames_are_sound(const struct state *of) {
    uint32_t fp = of->registers.fp, top = of->registers.sp;
    uint32_t locals = of->registers.locals;
    for (uint32_t depth = of->registers.depth;; depth--) {
        const word *frame = &of->words[fp - FRAME_WORDS];
        if (locals != (frame[FRAME_FLAGS] & LOCALS_MASK) || fp + locals > top) return false;
        if (fp == FRAME_WORDS) return depth == 0;
        uint32_t caller = frame[FRAME_CALLER];
        if (depth == 0 || caller < FRAME_WORDS || caller + FRAME_WORDS > fp) return false;
        top = fp - FRAME_WORDS;
        fp = caller;
        locals = of->words[fp - FRAME_WORDS + FRAME_FLAGS] & LOCALS_MASK;
    }
}

static bool is_sound(const struct state *of) {
    return registers_are_sound(&of->registers) && frames_are_sound(of);
}

/* Returns whether the state that the host has written is one that this story can be in. */
bool state_is_sound(void) {
    return is_sound(&state) && (!now.undo_kept || is_sound(&undo_state));
}
