/* Random numbers (section 2.4 and its remarks).

   They follow from the seed that the host gave, until the story asks for a predictable
   sequence: counting 1, 2, ... up to a number below 1000, as the remarks suggest, or the
   generator seeded with a greater one. */

#include "machine.h"

enum { FIRST_SEED_OF_GENERATOR = 1000 };
enum mode { FROM_HOSTS_SEED, FROM_STORYS_SEED, COUNTING };

/* The output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014). */
static uint64_t mix(uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static uint32_t own(uint64_t *generator, uint32_t range) {
    *generator += 0x9e3779b97f4a7c15ull;
    return (uint32_t)((mix(*generator) >> 32) * range >> 32);
}

/* A linear congruence with the constants of Borland's C library. */
static uint32_t jericho(uint64_t *generator, uint32_t range) {
    *generator = (uint32_t)*generator * 22695477u + 1;
    return ((uint32_t)*generator >> 16 & 0x7fff) % range;
}

static uint32_t generate(uint64_t *generator, uint32_t range) {
    return now.random_kind == RANDOM_JERICHO ? jericho(generator, range) : own(generator, range);
}

static uint32_t count(uint32_t range) {
    uint32_t value = now.counter++;
    if (now.counter == now.cycle) now.counter = 0;
    return value % range;
}

void seed_random(uint64_t seed, uint32_t kind) {
    now.random_kind = kind;
    now.random_mode = FROM_HOSTS_SEED;
    now.seed = now.random = seed;
    now.storys_random = 0;
    now.cycle = now.counter = 0;
}

static void make_predictable(uint32_t seed) {
    bool counting = seed < FIRST_SEED_OF_GENERATOR;
    now.random_mode = counting ? COUNTING : FROM_STORYS_SEED;
    now.cycle = counting ? seed : 0;
    now.counter = 0;
    now.storys_random = seed;
}

/* Our own stream continues where the story left it; Jericho's begins again at the seed. */
void make_unpredictable(void) {
    uint64_t begin = now.random_kind == RANDOM_JERICHO ? now.seed : now.random;
    uint64_t seed = now.seed;
    seed_random(begin, now.random_kind);
    now.seed = seed;
}

uint32_t random_number(int32_t range) {
    if (range == 0) make_unpredictable();
    if (range < 0) make_predictable((uint32_t)-range);
    if (range <= 0) return 0;
    switch (now.random_mode) {
    case COUNTING: return count((uint32_t)range) + 1;
    case FROM_STORYS_SEED: return generate(&now.storys_random, (uint32_t)range) + 1;
    default: return generate(&now.random, (uint32_t)range) + 1;
    }
}

/* What an undo doesn't undo: dice don't fall the same way again. */
void keep_random(const struct registers *before) {
    now.random = before->random;
    now.storys_random = before->storys_random;
    now.random_mode = before->random_mode;
    now.cycle = before->cycle;
    now.counter = before->counter;
}
