/* SPDX-License-Identifier: MIT */
/*
 * A hash index over an array of the caller's: maps a hash to the ids (positions in the array) that
 * were added with this hash, in the order in which they were added. Only the low 32 bits of a hash
 * count, so the caller compares the elements themselves. Ids cannot be removed. Hashes are those of
 * keyed_hash.h, so that no file can choose elements that collide.
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

#include "base/arena.h"
#include "base/hash.h"
#include "base/status.h"

#define INDEX_ID_MAX UINT32_C(0xfffffffe)

struct index {
    struct hash_table table; /* slots are struct hash_slot; mark: id + 1 */
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

/* Has the CPU bring what index_find and index_next read for the hash: several may be on the way. */
static inline void index_prefetch(const struct index *index, uint64_t hash)
{
    if (index->table.cap)
        __builtin_prefetch(hash_slot_at(&index->table, sizeof(struct hash_slot),
                                        hash_pos(&index->table, (uint32_t)hash)));
}

/*
 * Sets *id to the next id whose hash agrees with that of index_find in the low 32 bits. False:
 * there are no more.
 */
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

/*
 * Adds `id`, which must not be in the index and is at most INDEX_ID_MAX, under `hash`. Fails with
 * NO_MEMORY only.
 */
MUST_CHECK enum status index_add(struct index *index, uint64_t hash, uint32_t id);

/* A pool of strings: equal texts get the same id and pointer, valid until pool_deinit. */
struct pool {
    char **texts; /* the list is owned, the texts are the arena's; texts[id] */
    size_t len, cap;
    uint64_t bytes; /* size of all texts together, NULs included */
    struct index index;
    struct arena arena;
};

static inline void pool_init(struct pool *pool)
{
    *pool = (struct pool){0};
}
void pool_deinit(struct pool *pool);
/*
 * Sets *id to the id of `text`, which is copied into the pool if it is new. Ids count from 0. Fails
 * with NO_MEMORY only.
 */
MUST_CHECK enum status pool_intern(struct pool *pool, const char *text, uint32_t *id);

#endif
