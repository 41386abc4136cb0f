/* SPDX-License-Identifier: MIT */
/*
 * Hash functions, and the common part of the hash tables map.h and index.h: open addressing with
 * linear probing.
 *
 * A table's user defines the type of its slots. Its first member is a struct hash_slot; `size` is
 * always sizeof of the user's type. To add: hash_reserve, fill the slot that hash_free_slot
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

/* Makes room for one more item. Invalidates pointers to slots. Fails with NO_MEMORY only. */
MUST_CHECK static inline enum status hash_reserve(struct hash_table *table, size_t size)
{
    return (table->len + 1) * 3 > table->cap * 2 ? hash_grow(table, size) : STATUS_OK;
}

/* Returns the free slot where an item with this hash belongs; the caller has reserved one. */
static inline struct hash_slot *hash_free_slot(const struct hash_table *table, size_t size,
                                               uint32_t hash)
{
    size_t pos = hash_pos(table, hash);

    while (hash_slot_at(table, size, pos)->mark)
        pos = hash_pos(table, pos + 1);
    return hash_slot_at(table, size, pos);
}

/* Frees a slot in use. Invalidates pointers to slots. */
void hash_remove(struct hash_table *table, size_t size, struct hash_slot *slot);

/* Frees all slots and keeps the memory. */
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
 * Hash two words, or a NUL-terminated text. All bits of the result are well mixed. Outputs print
 * thread identities made of them, so these functions never change.
 */
uint64_t hash_words(uint64_t a, uint64_t b);
uint64_t hash_text(const char *text);

#define HASH_BYTES UINT64_C(0xcbf29ce484222325) /* the first `hash` for hash_bytes */

/* Continues the FNV-1a hash `hash` over `size` bytes. The low bits are the better mixed ones. */
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size);

#endif
