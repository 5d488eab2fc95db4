/* The stack, variables and routines (sections 4.2, 5 and 6).

   A frame is four words (the caller's program counter, high and low; the caller's
   frame; locals, arguments and what becomes of the result), the locals, then the
   routine's evaluation stack. */

#ifndef ROUTINES_H
#define ROUTINES_H

#include "machine.h"

enum { FRAME_PC_HIGH, FRAME_PC_LOW, FRAME_CALLER, FRAME_FLAGS };
enum { LOCALS_MASK = 15, ARGUMENTS_SHIFT = 4, ARGUMENTS_MASK = 15, KEEPS_RESULT = 256 };

static inline uint32_t frame_flags(uint32_t fp) {
    return stack[fp - FRAME_WORDS + FRAME_FLAGS];
}

static inline uint32_t local_count(void) { return now.locals; }

static inline void push(uint32_t value) {
    if (now.sp >= STACK_WORDS) fail(STACK_FULL);
    stack[now.sp++] = (word)value;
}

/* Seastalker takes a value too many from its stack, which the standard forbids (6.3).
   Interpreters that don't check find the last local variable there. */
static inline uint32_t pop(void) {
    if (now.sp > now.fp + local_count()) return stack[--now.sp];
    if (local_count() == 0) fail(STACK_EMPTY);
    return stack[now.sp - 1];
}

static inline word *local(uint32_t variable) {
    if (variable > local_count()) fail(MISSING_LOCAL);
    return &stack[now.fp + variable - 1];
}

static inline uint32_t get_variable(uint32_t variable) {
    if (variable == 0) return pop();
    if (variable < FIRST_GLOBAL) return *local(variable);
    return read_word(story.globals + 2 * (variable - FIRST_GLOBAL));
}

static inline void set_variable(uint32_t variable, uint32_t value) {
    if (variable == 0) push(value);
    else if (variable < FIRST_GLOBAL) *local(variable) = (word)value;
    else write_word(story.globals + 2 * (variable - FIRST_GLOBAL), value);
}

/* An indirect reference to the stack reads and writes its top in place (6.3.4). */
static inline uint32_t peek_variable(uint32_t variable) {
    uint32_t before = now.sp;
    uint32_t value = get_variable(variable & 0xff);
    now.sp = before;
    return value;
}

static inline void poke_variable(uint32_t variable, uint32_t value) {
    if ((variable & 0xff) == 0) pop();
    set_variable(variable & 0xff, value);
}

#endif
