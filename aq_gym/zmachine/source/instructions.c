/* Decoding and executing instructions (sections 4, 14 and 15). */

#include "routines.h"

enum { MOST_OPERANDS = 8 };
enum operand_type { LARGE_CONSTANT, SMALL_CONSTANT, VARIABLE, OMITTED };

struct operands {
    word value[MOST_OPERANDS];
    uint32_t count;
};

/* What follows an instruction is read through these, which move the program counter. */
#define FETCH() read_byte(pc++)
#define STORE(value) (pc = store(pc, (value)))
#define BRANCH(condition) (pc = branch(pc, (condition)))
#define CALL(count, keep) (pc = call(pc, o->value[0], &o->value[1], (count), (keep)))
#define FIRST ((uint32_t)o->value[0])
#define SECOND ((uint32_t)o->value[1])
#define THIRD ((uint32_t)o->value[2])
#define FOURTH ((uint32_t)o->value[3])
#define SIGNED(operand) ((int32_t)(int16_t)(operand))

static inline address store(address pc, uint32_t value) {
    uint32_t variable = read_byte(pc);
    set_variable(variable, value & 0xffff);
    return pc + 1;
}

/* Section 4.7: offsets 0 and 1 return false and true. */
static inline address branch(address pc, bool condition) {
    uint32_t first = FETCH();
    bool wanted = first & 0x80;
    int32_t offset = first & 0x3f;
    if ((first & 0x40) == 0) {
        offset = offset << 8 | (int32_t)FETCH();
        if (offset & 0x2000) offset -= 0x4000;
    }
    if (condition != wanted) return pc;
    if (offset == 0 || offset == 1) return leave((uint32_t)offset);
    return pc + (uint32_t)(offset - 2);
}

static inline void need(const struct operands *o, uint32_t count) {
    if (o->count < count) fail(UNKNOWN_INSTRUCTION);
}

/* Returns an operand, or what stands for it where it is left out. */
static inline uint32_t optional(const struct operands *o, uint32_t index, uint32_t otherwise) {
    return index < o->count ? o->value[index] : otherwise;
}

/* ---- Operands ---- */

static inline address fetch_operand(address pc, enum operand_type type, word *value) {
    switch (type) {
    case LARGE_CONSTANT:
        *value = (word)read_word(pc);
        return pc + 2;
    case SMALL_CONSTANT:
        *value = (word)read_byte(pc);
        return pc + 1;
    default:
        *value = (word)get_variable(read_byte(pc));
        return pc + 1;
    }
}

/* Types are two bits each, the first in the highest (4.4.3). */
static inline address fetch_operands(address pc, struct operands *o, uint32_t types,
                                     uint32_t most) {
    for (uint32_t i = 0; i < 4; i++) o->value[i] = 0;
    for (o->count = 0; o->count < most; o->count++) {
        enum operand_type type = types >> 2 * (most - 1 - o->count) & 3;
        if (type == OMITTED) break;
        pc = fetch_operand(pc, type, &o->value[o->count]);
    }
    return pc;
}

/* ---- Two operands (section 14, 2OP) ---- */

static inline bool equals_any(const struct operands *o) {
    for (uint32_t i = 1; i < o->count; i++)
        if (o->value[0] == o->value[i]) return true;
    return false;
}

static inline uint32_t add_to_variable(uint32_t variable, uint32_t amount) {
    uint32_t value = (peek_variable(variable) + amount) & 0xffff;
    poke_variable(variable, value);
    return value;
}

static inline int32_t divisor(uint32_t operand) {
    if (operand == 0) fail(DIVISION_BY_ZERO);
    return SIGNED(operand);
}

static inline address two_operands(address pc, uint32_t opcode, uint32_t first, uint32_t second) {
    word argument = (word)second;
    switch (opcode) {
    case 0x01: BRANCH(first == second); break;
    case 0x02: BRANCH(SIGNED(first) < SIGNED(second)); break;
    case 0x03: BRANCH(SIGNED(first) > SIGNED(second)); break;
    case 0x04: BRANCH(SIGNED(add_to_variable(first, 0xffff)) < SIGNED(second)); break;
    case 0x05: BRANCH(SIGNED(add_to_variable(first, 1)) > SIGNED(second)); break;
    case 0x06: BRANCH(parent_of(first) == second); break;
    case 0x07: BRANCH((first & second) == second); break;
    case 0x08: STORE(first | second); break;
    case 0x09: STORE(first & second); break;
    case 0x0a: BRANCH(test_attribute(first, second)); break;
    case 0x0b: set_attribute(first, second, true); break;
    case 0x0c: set_attribute(first, second, false); break;
    case 0x0d: poke_variable(first, second); break;
    case 0x0e: insert_object(first, second); break;
    case 0x0f: STORE(read_word((first + 2 * second) & 0xffff)); break;
    case 0x10: STORE(read_byte((first + second) & 0xffff)); break;
    case 0x11: STORE(get_property(first, second)); break;
    case 0x12: STORE(property_address(first, second)); break;
    case 0x13: STORE(next_property(first, second)); break;
    case 0x14: STORE(first + second); break;
    case 0x15: STORE(first - second); break;
    case 0x16: STORE(first * second); break;
    case 0x17: STORE((uint32_t)(SIGNED(first) / divisor(second))); break;
    case 0x18: STORE((uint32_t)(SIGNED(first) % divisor(second))); break;
    case 0x19: pc = call(pc, first, &argument, 1, true); break;
    case 0x1a: pc = call(pc, first, &argument, 1, false); break;
    case 0x1b: break;                                    /* set_colour: none here */
    case 0x1c: pc = throw_to(second, first); break;
    default: fail(UNKNOWN_INSTRUCTION);
    }
    return pc;
}

/* ---- One operand (1OP) ---- */

static inline address store_and_branch(address pc, uint32_t value) {
    STORE(value);
    return branch(pc, value != 0);
}

static inline address one_operand(address pc, uint32_t opcode, uint32_t first) {
    switch (opcode) {
    case 0x0: BRANCH(first == 0); break;
    case 0x1: pc = store_and_branch(pc, sibling_of(first)); break;
    case 0x2: pc = store_and_branch(pc, child_of(first)); break;
    case 0x3: STORE(parent_of(first)); break;
    case 0x4: STORE(property_length(first)); break;
    case 0x5: add_to_variable(first, 1); break;
    case 0x6: add_to_variable(first, 0xffff); break;
    case 0x7: print_text(first); break;
    case 0x8: pc = call(pc, first, NULL, 0, true); break;
    case 0x9: remove_object(first); break;
    case 0xa: print_name(first); break;
    case 0xb: pc = leave(first); break;
    case 0xc: pc = pc + (uint32_t)(SIGNED(first) - 2); break;
    case 0xd: print_text(unpack(first)); break;
    case 0xe: STORE(peek_variable(first)); break;
    case 0xf:
        if (story.version < 5) STORE(~first);
        else pc = call(pc, first, NULL, 0, false);
        break;
    }
    return pc;
}

/* ---- No operands (0OP) ---- */

/* Saving and restoring fail: there are no files. Until version 3 they branch. */
static address save_or_restore(address pc) {
    if (story.version == 3) return branch(pc, false);
    if (story.version == 4) return store(pc, 0);
    fail(UNKNOWN_INSTRUCTION);
}

static address pop_or_catch(address pc) {
    if (story.version >= 5) return store(pc, now.fp);
    pop();
    return pc;
}

static inline address no_operands(address pc, uint32_t opcode) {
    switch (opcode) {
    case 0x0: return leave(1);
    case 0x1: return leave(0);
    case 0x2: return print_text(pc);
    case 0x3:
        print_text(pc);
        print_zscii(13);
        return leave(1);
    case 0x4: return pc;
    case 0x5: case 0x6: return save_or_restore(pc);
    case 0x7:
        restart();
        return now.pc;
    case 0x8: return leave(pop());
    case 0x9: return pop_or_catch(pc);
    case 0xa:
        now.status = HALTED;
        return pc;
    case 0xb:
        print_zscii(13);
        return pc;
    case 0xc:
        if (story.version == 3) show_status();
        return pc;
    case 0xd: return branch(pc, story.checksum_right);
    case 0xf: return branch(pc, true);                   /* an original disk */
    default: fail(UNKNOWN_INSTRUCTION);
    }
}

/* ---- Any number of operands (VAR) ---- */

static address scan(address pc, const struct operands *o) {
    need(o, 3);
    return store_and_branch(pc, scan_table(FIRST, SECOND, THIRD, optional(o, 3, 0x82)));
}

static void encode_text(const struct operands *o) {
    word key[3];
    need(o, 4);
    encode((FIRST + THIRD) & 0xffff, SECOND, key);
    for (uint32_t i = 0; i < (story.version < 4 ? 2u : 3u); i++) write_word(FOURTH + 2 * i, key[i]);
}

static void tokenise_again(const struct operands *o) {
    need(o, 2);
    tokenise(FIRST, SECOND, THIRD ? THIRD : story.dictionary, FOURTH != 0);
}

static void pull(uint32_t variable) {
    uint32_t value = pop();
    poke_variable(variable, value);
}

static void get_cursor(address table) {
    write_word(table, now.cursor_row + 1);
    write_word(table + 2, now.cursor_column + 1);
}

static inline address any_operands(address pc, uint32_t opcode, struct operands *o) {
    switch (opcode) {
    case 0x00: case 0x0c: need(o, 1); CALL(o->count - 1, true); break;
    case 0x01: need(o, 3); write_word((FIRST + 2 * SECOND) & 0xffff, THIRD); break;
    case 0x02: need(o, 3); write_byte((FIRST + SECOND) & 0xffff, THIRD); break;
    case 0x03: need(o, 3); put_property(FIRST, SECOND, THIRD); break;
    case 0x04: need(o, 1); pc = begin_line(pc, FIRST, SECOND); break;
    case 0x05: print_zscii(FIRST & 0x3ff); break;
    case 0x06: print_number(SIGNED(FIRST)); break;
    case 0x07: STORE(random_number(SIGNED(FIRST))); break;
    case 0x08: push(FIRST); break;
    case 0x09: pull(FIRST); break;
    case 0x0a: split_window(FIRST); break;
    case 0x0b: set_window(FIRST); break;
    case 0x0d: erase_window(SIGNED(FIRST)); break;
    case 0x0e: erase_line(); break;
    case 0x0f: set_cursor(SIGNED(FIRST), SIGNED(SECOND)); break;
    case 0x10: get_cursor(FIRST); break;
    case 0x11: case 0x12: case 0x14: case 0x15: break;   /* styles, buffering, input, sound */
    case 0x13: select_stream(SIGNED(FIRST), SECOND); break;
    case 0x16: pc = begin_key(pc); break;
    case 0x17: pc = scan(pc, o); break;
    case 0x18: STORE(~FIRST); break;
    case 0x19: case 0x1a: need(o, 1); CALL(o->count - 1, false); break;
    case 0x1b: tokenise_again(o); break;
    case 0x1c: encode_text(o); break;
    case 0x1d: need(o, 3); copy_table(FIRST, SECOND, SIGNED(THIRD)); break;
    case 0x1e: need(o, 2); print_table(FIRST, SECOND, optional(o, 2, 1), FOURTH); break;
    case 0x1f: BRANCH(argument_count() >= FIRST); break;
    }
    return pc;
}

/* ---- Extended (EXT) ---- */

static uint32_t shift_logically(uint32_t number, int32_t places) {
    if (places >= 16 || places <= -16) return 0;
    return places >= 0 ? number << places : number >> -places;
}

static uint32_t shift_arithmetically(int32_t number, int32_t places) {
    if (places >= 16) return 0;
    if (places >= 0) return (uint32_t)number << places;
    return (uint32_t)(number >> (places <= -16 ? 15 : -places));
}

/* Bit 0: it can be printed; bit 1: it can be typed (section 15, "check_unicode"). */
static uint32_t check_unicode(uint32_t character) {
    bool control = character < 32 || (character >= 127 && character < 160);
    if (control) return 0;
    return unicode_to_zscii(character) != '?' || character == '?' ? 3 : 1;
}

static address undo(address pc) {
    if (!restore_undo()) return store(pc, 0);
    return store(now.pc, 2);
}

static address extended(address pc, uint32_t opcode, struct operands *o) {
    switch (opcode) {
    case 0x00: case 0x01: STORE(0); break;               /* save and restore fail */
    case 0x02: STORE(shift_logically(FIRST, SIGNED(SECOND))); break;
    case 0x03: STORE(shift_arithmetically(SIGNED(FIRST), SIGNED(SECOND))); break;
    case 0x04: STORE(set_font(FIRST)); break;
    case 0x09: STORE(save_undo(pc)); break;
    case 0x0a: pc = undo(pc); break;
    case 0x0b: print_unicode(FIRST); break;
    case 0x0c: STORE(check_unicode(FIRST)); break;
    case 0x0d: break;                                    /* set_true_colour: none here */
    default: fail(UNKNOWN_INSTRUCTION);
    }
    return pc;
}

/* ---- Decoding (4.3) ---- */

static inline address long_form(address pc, uint32_t opcode) {
    word first, second;
    pc = fetch_operand(pc, opcode & 0x40 ? VARIABLE : SMALL_CONSTANT, &first);
    pc = fetch_operand(pc, opcode & 0x20 ? VARIABLE : SMALL_CONSTANT, &second);
    return two_operands(pc, opcode & 31, first, second);
}

static inline address short_form(address pc, uint32_t opcode) {
    word operand;
    enum operand_type type = opcode >> 4 & 3;
    if (type == OMITTED) return no_operands(pc, opcode & 15);
    pc = fetch_operand(pc, type, &operand);
    return one_operand(pc, opcode & 15, operand);
}

/* An instruction of two operands may be written in this form; "je" then has up to four. */
static inline address variable_form(address pc, uint32_t opcode) {
    struct operands operands, *o = &operands;
    bool two_type_bytes = opcode == 0xec || opcode == 0xfa;
    uint32_t types = FETCH();
    if (two_type_bytes) types = types << 8 | FETCH();
    pc = fetch_operands(pc, o, types, two_type_bytes ? 8 : 4);
    if (opcode & 0x20) return any_operands(pc, opcode & 31, o);
    if (opcode == 0xc1) return branch(pc, equals_any(o));
    need(o, 2);
    return two_operands(pc, opcode & 31, FIRST, SECOND);
}

static address extended_form(address pc) {
    struct operands o;
    uint32_t opcode = FETCH(), types = FETCH();
    pc = fetch_operands(pc, &o, types, 4);
    return extended(pc, opcode, &o);
}

/* Executes instructions until the story waits, halts or fails. */
void run(void) {
    address pc = now.pc;
    while (now.status == RUNNING) {
        if (--fuel < 0) fail(BUDGET_SPENT);
        uint32_t opcode = FETCH();
        if (opcode < 0x80) pc = long_form(pc, opcode);
        else if (opcode >= 0xc0) pc = variable_form(pc, opcode);
        else if (opcode == 0xbe && story.version >= 5) pc = extended_form(pc);
        else pc = short_form(pc, opcode);
    }
    now.pc = pc;
}
