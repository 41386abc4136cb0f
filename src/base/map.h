/* SPDX-License-Identifier: MIT */
/*
 * A hash map from uint64_t to uint64_t. It compares whole keys. Where a key is itself a hash of
 * something longer (hash.h), collisions of that hash are the caller's business.
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

/* Returns a pointer to the key's value, until the next map_put or map_remove. NULL: absent. */
uint64_t *map_get(const struct map *map, uint64_t key);

/*
 * Returns a pointer to the key's value, valid as map_get's. An absent key is added with the value
 * `initial`; a present one keeps its value. NULL: out of memory.
 */
MUST_CHECK uint64_t *map_put(struct map *map, uint64_t key, uint64_t initial);

/*
 * Iterates in no particular order: fills *key and *value and advances *at, which is 0 to begin
 * with. False: no more. The map must not change meanwhile.
 */
bool map_next(const struct map *map, size_t *at, uint64_t *key, uint64_t *value);

/* Removes the key, if present. Invalidates pointers to values. */
void map_remove(struct map *map, uint64_t key);

#endif
