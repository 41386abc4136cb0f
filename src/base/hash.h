/* SPDX-License-Identifier: MIT */
/*
 * Hash functions, and the common part of the hash tables map.h and index.h: open addressing with
 * linear probing.
 *
 * A table's user defines the type of its slots, whose first member is a struct hash_slot; `size` is
 * always sizeof of that type. To add an item: call hash_reserve, fill the slot that hash_free_slot
 * returns, add 1 to `len`.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct hash_slot {
    uint32_t hash;
    uint32_t mark; /* 0: the slot is free; other values are the user's */
};

struct hash_table {
    void *slots; /* owned; `cap` of them */
    size_t cap;  /* a power of two, or 0 */
    size_t len;  /* number of slots in use */
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

/* Makes room for one more item. Invalidates pointers to slots. Fails with NO_MEMORY only. */
MUST_CHECK static inline enum status hash_reserve(struct hash_table *table, size_t size)
{
    return (table->len + 1) * 3 > table->cap * 2 ? hash_grow(table, size) : STATUS_OK;
}

/* Returns the free slot where an item with this hash belongs; call hash_reserve before. */
static inline struct hash_slot *hash_free_slot(const struct hash_table *table, size_t size,
                                               uint32_t hash)
{
    size_t pos = hash_pos(table, hash);

    while (hash_slot_at(table, size, pos)->mark)
        pos = hash_pos(table, pos + 1);
    return hash_slot_at(table, size, pos);
}

/* Removes the item in `slot` from the table. Invalidates pointers to slots. */
void hash_remove(struct hash_table *table, size_t size, struct hash_slot *slot);

/* Removes all items and keeps the table's memory for new ones. */
void hash_clear(struct hash_table *table, size_t size);
void hash_deinit(struct hash_table *table);

/* Returns x mixed by MurmurHash3's finalizer: every input bit affects every output bit. */
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
 * Return the hash of two words, of a NUL-terminated text. All bits of the result are well mixed.
 * Outputs print thread identities made of such hashes, so these functions never change. Tables have
 * those of keyed_hash.h.
 */
uint64_t hash_words(uint64_t a, uint64_t b);
uint64_t hash_text(const char *text);

#define HASH_BYTES UINT64_C(0xcbf29ce484222325) /* the first `hash` for hash_bytes */

/*
 * Returns the FNV-1a hash `hash` continued over `size` bytes (first `hash`: HASH_BYTES). Its low
 * bits are the better mixed ones.
 */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
