/* SPDX-License-Identifier: MIT */
/*
 * A hash map from uint64_t to uint64_t, which compares whole keys. Where the key is a hash of
 * something longer (hash.h), the caller checks for collisions, or does without.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/status.h"

struct map {
    struct hash_table table;
};

static inline void map_init(struct map *map)
{
    *map = (struct map){0};
}
void map_deinit(struct map *map);
void map_clear(struct map *map);

/* How many keys there are. */
static inline size_t map_len(const struct map *map)
{
    return map->table.len;
}

/* The value's place, valid until the next map_put; NULL when absent. */
uint64_t *map_get(const struct map *map, uint64_t key);

/* The place of the key's value, made with `initial` when it was absent. NULL: out of memory. */
MUST_CHECK uint64_t *map_put(struct map *map, uint64_t key, uint64_t initial);

/* The next entry from *at on, which begins with 0, in no order; false: no more. */
bool map_next(const struct map *map, size_t *at, uint64_t *key, uint64_t *value);

/* Takes the key out; no harm when it is absent. Invalidates places. */
void map_remove(struct map *map, uint64_t key);

#endif
