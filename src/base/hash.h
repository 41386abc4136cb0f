/* SPDX-License-Identifier: MIT */
/*
 * Hashes, and the core of the hash tables map.h and index.h: open addressing with linear probing.
 *
 * The slots of a table are of its user's type, of which struct hash_slot is the first member;
 * `size` is always that type's. A new slot is reserved, then placed, then counted in `len`.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct hash_slot {
    uint32_t hash;
    uint32_t mark; /* 0: the slot is free; other values mean what the user wants */
};

struct hash_table {
    void *slots; /* owned */
    size_t cap;  /* a power of two, or 0 */
    size_t len;
};

static inline struct hash_slot *hash_slot_at(const struct hash_table *table, size_t size,
                                             size_t pos)
{
    return (struct hash_slot *)((char *)table->slots + pos * size);
}

static inline size_t hash_pos(const struct hash_table *table, size_t pos)
{
    return pos & (table->cap - 1);
}

MUST_CHECK enum status hash_grow(struct hash_table *table, size_t size);

/* Makes sure that there is a free slot for one more. Invalidates slots. Only NO_MEMORY fails. */
MUST_CHECK static inline enum status hash_reserve(struct hash_table *table, size_t size)
{
    return (table->len + 1) * 3 > table->cap * 2 ? hash_grow(table, size) : STATUS_OK;
}

/* The free slot for an item of this hash. There is a free one. */
static inline struct hash_slot *hash_free_slot(const struct hash_table *table, size_t size,
                                               uint32_t hash)
{
    size_t pos = hash_pos(table, hash);

    while (hash_slot_at(table, size, pos)->mark)
        pos = hash_pos(table, pos + 1);
    return hash_slot_at(table, size, pos);
}

/* Takes out a slot that is in use. Invalidates slots. */
void hash_remove(struct hash_table *table, size_t size, struct hash_slot *slot);

/* Takes out all; the memory stays. */
void hash_clear(struct hash_table *table, size_t size);
void hash_deinit(struct hash_table *table);

/* The finalizer of MurmurHash3: every input bit affects every output bit. */
static inline uint64_t hash_mix(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    x ^= x >> 33;
    return x;
}

/*
 * Well-mixed hashes of two words, and of a text. The hashes of threads' identities, which are
 * printed, are made of them: they never change.
 */
uint64_t hash_words(uint64_t a, uint64_t b);
uint64_t hash_text(const char *text);

#define HASH_BYTES UINT64_C(0xcbf29ce484222325) /* to begin with */

/* FNV-1a, continued from `hash` over `size` bytes. Its low bits are the better ones. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
