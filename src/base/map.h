/*
 * A hash map from uint64_t to uint64_t: open addressing, linear probing.
 *
 * Composite keys: mix them with map_hash2 only where a collision is checked by the caller; the map
 * itself compares whole keys.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct map_slot {
    uint64_t key;
    uint64_t value;
    bool used;
};

struct map {
    struct map_slot *slots; /* owned */
    size_t cap;             /* a power of two, or 0 */
    size_t len;
};

static inline void map_init(struct map *map)
{
    *map = (struct map){0};
}
void map_deinit(struct map *map);
void map_clear(struct map *map);

/* The value's place, valid until the next map_put; NULL when absent. */
uint64_t *map_get(const struct map *map, uint64_t key);

/* The place of the key's value, made with `initial` when it was absent. NULL: out of memory. */
MUST_CHECK uint64_t *map_put(struct map *map, uint64_t key, uint64_t initial);

/* Takes the key out; no harm when it is absent. Invalidates places. */
void map_remove(struct map *map, uint64_t key);

/* A well-mixed hash of two words. */
uint64_t map_hash2(uint64_t a, uint64_t b);

#endif
