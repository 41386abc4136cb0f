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

#include "base/status.h"

#define INDEX_ID_MAX UINT32_C(0xfffffffe)

struct index_slot {
    uint32_t hash;
    uint32_t id_plus_1; /* 0: free */
};

struct index {
    struct index_slot *slots; /* owned */
    size_t cap;               /* a power of two, or 0 */
    size_t len;
};

struct index_probe {
    const struct index *index;
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
    return (struct index_probe){.index = index,
                                .pos = index->cap ? (uint32_t)hash & (index->cap - 1) : 0,
                                .hash = (uint32_t)hash};
}

/* The next id that was added with this hash; false: no more. */
static inline bool index_next(struct index_probe *probe, uint32_t *id)
{
    const struct index *index = probe->index;

    while (index->cap && index->slots[probe->pos].id_plus_1) {
        const struct index_slot *slot = &index->slots[probe->pos];

        probe->pos = (probe->pos + 1) & (index->cap - 1);
        if (slot->hash == probe->hash) {
            *id = slot->id_plus_1 - 1;
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
    struct index index;
};

static inline void pool_init(struct pool *pool)
{
    *pool = (struct pool){0};
}
void pool_deinit(struct pool *pool);
MUST_CHECK enum status pool_intern(struct pool *pool, const char *text, uint32_t *id);

uint64_t index_hash_text(const char *text);

#endif
