/* SPDX-License-Identifier: MIT */
/*
 * A hash map from uint64_t to uint64_t. Whole keys are compared. Where a key is itself a hash of
 * something longer (keyed_hash.h), the caller deals with collisions of that hash. Keys may be
 * chosen by a file: the map hashes them with the process's secret.
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

/* Returns the number of keys. */
static inline size_t map_len(const struct map *map)
{
    return map->table.len;
}

/*
 * Returns a pointer to the key's value, valid until the next map_put, map_remove or map_clear.
 * NULL: the map does not have the key.
 */
uint64_t *map_get(const struct map *map, uint64_t key);

/*
 * Returns a pointer to the key's value, valid as long as map_get's. A key that is not in the map is
 * added with the value `initial`; otherwise the value stays. NULL: out of memory.
 */
MUST_CHECK uint64_t *map_put(struct map *map, uint64_t key, uint64_t initial);

/*
 * Iterates in an order that is another one in each run: fills *key and *value with the next pair
 * and advances *at, which the caller sets to 0 before the first call. False: there are no more.
 * Between calls the map must not change.
 */
bool map_next(const struct map *map, size_t *at, uint64_t *key, uint64_t *value);

/* A pair, as map_list copies it. */
struct map_pair {
    uint64_t key, value;
};

/* Copies all pairs to out[0 .. map_len - 1], in ascending order of the keys. */
void map_list(const struct map *map, struct map_pair *out);

/* Removes the key, if present. Invalidates pointers to values. */
void map_remove(struct map *map, uint64_t key);

#endif
