/* Calls and returns (section 6.4). */

#include "routines.h"

address call(address pc, uint32_t packed, const word *arguments, uint32_t count, bool keep) {
    if (packed == 0) {
        if (keep) set_variable(read_byte(pc++), 0);
        return pc;
    }
    address at = unpack(packed);
    if (at >= story.length) fail(BAD_ROUTINE);
    uint32_t locals = read_byte(at++);
    if (locals > 15) fail(BAD_ROUTINE);
    if (now.sp + FRAME_WORDS + locals > STACK_WORDS) fail(STACK_FULL);

    word *frame = &stack[now.sp];
    frame[FRAME_PC_HIGH] = (word)(pc >> 16);
    frame[FRAME_PC_LOW] = (word)pc;
    frame[FRAME_CALLER] = (word)now.fp;
    frame[FRAME_FLAGS] = (word)(locals | count << ARGUMENTS_SHIFT | (keep ? KEEPS_RESULT : 0));
    now.fp = now.sp + FRAME_WORDS;
    now.sp = now.fp + locals;
    now.locals = locals;
    now.depth++;

    word *variable = frame + FRAME_WORDS;
    uint32_t given = count < locals ? count : locals;
    for (uint32_t i = 0; i < given; i++) variable[i] = arguments[i];
    if (story.version < 5) {
        for (uint32_t i = given; i < locals; i++) variable[i] = (word)read_word(at + 2 * i);
        return at + 2 * locals;
    }
    for (uint32_t i = given; i < locals; i++) variable[i] = 0;
    return at;
}

address leave(uint32_t value) {
    if (now.fp <= FRAME_WORDS) fail(RETURN_FROM_MAIN);
    const word *frame = &stack[now.fp - FRAME_WORDS];
    address pc = (uint32_t)frame[FRAME_PC_HIGH] << 16 | frame[FRAME_PC_LOW];
    bool keeps = frame[FRAME_FLAGS] & KEEPS_RESULT;
    now.sp = now.fp - FRAME_WORDS;
    now.fp = frame[FRAME_CALLER];
    now.locals = frame_flags(now.fp) & LOCALS_MASK;
    now.depth--;
    if (keeps) set_variable(read_byte(pc++), value);
    return pc;
}

/* "catch" answers with a frame's index, and this returns from that frame. */
address throw_to(uint32_t frame, uint32_t value) {
    while (now.fp != frame) {
        if (now.fp <= FRAME_WORDS) fail(BAD_THROW);
        now.fp = stack[now.fp - FRAME_WORDS + FRAME_CALLER];
        now.depth--;
    }
    return leave(value);
}

uint32_t argument_count(void) {
    return frame_flags(now.fp) >> ARGUMENTS_SHIFT & ARGUMENTS_MASK;
}
