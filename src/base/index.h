/* SPDX-License-Identifier: MIT */
/*
 * A hash index over an array of the caller's: from a hash to the ids that have it. The caller
 * compares the elements, so that composite keys are exact whatever the hash does. No removal.
 *
 *     struct index_probe probe = index_find(&index, hash);
 *     while (index_next(&probe, &id))
 *         if (items[id] is the one) ...
 */
#ifndef BASE_INDEX_H
#define BASE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/status.h"

#define INDEX_ID_MAX UINT32_C(0xfffffffe)

struct index {
    struct hash_table table; /* of struct hash_slot: the mark is the id plus 1 */
};

struct index_probe {
    const struct hash_table *table;
    size_t pos;
    uint32_t hash;
};

static inline void index_init(struct index *index)
{
    *index = (struct index){0};
}
void index_deinit(struct index *index);

static inline struct index_probe index_find(const struct index *index, uint64_t hash)
{
    return (struct index_probe){.table = &index->table,
                                .pos =
                                    index->table.cap ? hash_pos(&index->table, (uint32_t)hash) : 0,
                                .hash = (uint32_t)hash};
}

/* The next id that was added with this hash; false: no more. */
static inline bool index_next(struct index_probe *probe, uint32_t *id)
{
    const struct hash_table *table = probe->table;
    const struct hash_slot *slots = table->slots;

    while (table->cap && slots[probe->pos].mark) {
        const struct hash_slot *slot = &slots[probe->pos];

        probe->pos = hash_pos(table, probe->pos + 1);
        if (slot->hash == probe->hash) {
            *id = slot->mark - 1;
            return true;
        }
    }
    return false;
}

/* Adds an id, which the caller has made sure is not there. At most INDEX_ID_MAX. */
MUST_CHECK enum status index_add(struct index *index, uint64_t hash, uint32_t id);

/* Strings kept once: the same text has the same id and the same pointer, as long as the pool lives.
 */
struct pool {
    char **texts; /* owned, by id */
    size_t len, cap;
    uint64_t bytes; /* of all texts, with their NULs */
    struct index index;
};

static inline void pool_init(struct pool *pool)
{
    *pool = (struct pool){0};
}
void pool_deinit(struct pool *pool);
MUST_CHECK enum status pool_intern(struct pool *pool, const char *text, uint32_t *id);

#endif
