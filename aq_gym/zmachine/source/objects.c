/* The object table (section 12). Object 0 is "nothing": it has no relatives, attributes
   and properties, and changing it does nothing. */

#include "machine.h"

enum {
    SMALL_ENTRY = 9,            /* versions 1 to 3 */
    SMALL_DEFAULTS = 31,
    SMALL_RELATIVES = 4,
    SMALL_PROPERTIES = 7,
    SMALL_LAST = 255,
    LARGE_ENTRY = 14,
    LARGE_DEFAULTS = 63,
    LARGE_RELATIVES = 6,
    LARGE_PROPERTIES = 12,
    LAST_ENTRY = 0xfff0,
    MOST_SIBLINGS = 0x10000,    /* more than that is a loop */
    SIBLINGS_PER_CHARGE = 8,
};

enum relative { PARENT, SIBLING, CHILD };

static inline bool is_small(void) { return story.version < 4; }

static address entry_of(uint32_t object) {
    if (is_small() && object > SMALL_LAST) fail(BAD_OBJECT);
    address at = is_small() ? story.objects + 2 * SMALL_DEFAULTS + SMALL_ENTRY * (object - 1)
                            : story.objects + 2 * LARGE_DEFAULTS + LARGE_ENTRY * (object - 1);
    if (at > LAST_ENTRY) fail(BAD_OBJECT);
    return at;
}

/* ---- The tree ---- */

static inline uint32_t relative_of(uint32_t object, enum relative which) {
    if (object == 0) return 0;
    if (is_small()) return read_byte(entry_of(object) + SMALL_RELATIVES + which);
    return read_word(entry_of(object) + LARGE_RELATIVES + 2 * which);
}

static inline void set_relative(uint32_t object, enum relative which, uint32_t other) {
    if (is_small()) write_byte(entry_of(object) + SMALL_RELATIVES + which, other);
    else write_word(entry_of(object) + LARGE_RELATIVES + 2 * which, other);
}

uint32_t parent_of(uint32_t object) { return relative_of(object, PARENT); }
uint32_t sibling_of(uint32_t object) { return relative_of(object, SIBLING); }
uint32_t child_of(uint32_t object) { return relative_of(object, CHILD); }

/* Returns the sibling just before an object, or 0 where a damaged tree has none. */
static uint32_t elder_of(uint32_t object, uint32_t eldest) {
    uint32_t elder = eldest;
    for (uint32_t i = 0; elder && i < MOST_SIBLINGS; i++) {
        if (i % SIBLINGS_PER_CHARGE == 0) charge(1);
        uint32_t next = sibling_of(elder);
        if (next == object) return elder;
        elder = next;
    }
    if (elder) fail(BAD_OBJECT);
    return 0;
}

void remove_object(uint32_t object) {
    uint32_t parent = parent_of(object);
    if (parent == 0) return;
    uint32_t eldest = child_of(parent);
    if (eldest == object) set_relative(parent, CHILD, sibling_of(object));
    else {
        uint32_t elder = elder_of(object, eldest);
        if (elder) set_relative(elder, SIBLING, sibling_of(object));
    }
    set_relative(object, PARENT, 0);
    set_relative(object, SIBLING, 0);
}

void insert_object(uint32_t object, uint32_t target) {
    if (object == 0 || target == 0) return;
    remove_object(object);
    set_relative(object, PARENT, target);
    set_relative(object, SIBLING, child_of(target));
    set_relative(target, CHILD, object);
}

/* ---- Attributes ---- */

static inline bool has_attribute(uint32_t object, uint32_t attribute) {
    return object != 0 && attribute < (is_small() ? 32u : 48u);
}

bool test_attribute(uint32_t object, uint32_t attribute) {
    if (!has_attribute(object, attribute)) return false;
    return read_byte(entry_of(object) + attribute / 8) & 0x80u >> attribute % 8;
}

void set_attribute(uint32_t object, uint32_t attribute, bool on) {
    if (!has_attribute(object, attribute)) return;
    address at = entry_of(object) + attribute / 8;
    uint32_t mask = 0x80u >> attribute % 8, flags = read_byte(at);
    write_byte(at, on ? flags | mask : flags & ~mask);
}

/* ---- Properties ---- */

struct property {
    uint32_t number;            /* 0 ends the list */
    uint32_t length;
    address data;
};

static inline struct property property_at(address at) {
    if (at >= 0xffff) fail(BAD_PROPERTY);
    uint32_t size = read_byte(at);
    if (is_small()) return (struct property){ size & 31, (size >> 5) + 1, at + 1 };
    if (size & 0x80) {
        uint32_t length = read_byte(at + 1) & 63;
        return (struct property){ size & 63, length ? length : 64, at + 2 };
    }
    return (struct property){ size & 63, size & 0x40 ? 2 : 1, at + 1 };
}

static inline address property_table(uint32_t object) {
    return read_word(entry_of(object) + (is_small() ? SMALL_PROPERTIES : LARGE_PROPERTIES));
}

static inline struct property first_property(uint32_t object) {
    address table = property_table(object);
    return property_at(table + 1 + 2 * read_byte(table));
}

static inline struct property property_after(struct property property) {
    return property_at(property.data + property.length);
}

/* Lists are in descending order (12.4). Returns number 0 where the object lacks it. */
static inline struct property find_property(uint32_t object, uint32_t number) {
    struct property property = first_property(object);
    while (property.number > number) property = property_after(property);
    if (property.number != number) property.number = 0;
    return property;
}

static uint32_t default_property(uint32_t number) {
    uint32_t last = is_small() ? SMALL_DEFAULTS : LARGE_DEFAULTS;
    if (number == 0 || number > last) return 0;
    return read_word(story.objects + 2 * (number - 1));
}

uint32_t get_property(uint32_t object, uint32_t number) {
    if (object == 0) return 0;
    struct property property = find_property(object, number);
    if (property.number == 0) return default_property(number);
    return property.length == 1 ? read_byte(property.data) : read_word(property.data);
}

void put_property(uint32_t object, uint32_t number, uint32_t value) {
    if (object == 0) return;
    struct property property = find_property(object, number);
    if (property.number == 0) fail(BAD_PROPERTY);
    if (property.length == 1) write_byte(property.data, value);
    else write_word(property.data, value);
}

address property_address(uint32_t object, uint32_t number) {
    if (object == 0) return 0;
    struct property property = find_property(object, number);
    return property.number ? property.data : 0;
}

uint32_t property_length(address data) {
    if (data == 0) return 0;
    uint32_t size = read_byte(data - 1);
    if (is_small()) return (size >> 5) + 1;
    if ((size & 0x80) == 0) return size & 0x40 ? 2 : 1;
    return size & 63 ? size & 63 : 64;
}

uint32_t next_property(uint32_t object, uint32_t number) {
    if (object == 0) return 0;
    if (number == 0) return first_property(object).number;
    struct property property = find_property(object, number);
    if (property.number == 0) fail(BAD_PROPERTY);
    return property_after(property).number;
}

void print_name(uint32_t object) {
    if (object == 0) return;
    address table = property_table(object);
    if (read_byte(table)) print_text(table + 1);
}
