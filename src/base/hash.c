/* SPDX-License-Identifier: MIT */
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define CAP_MIN 16

enum status hash_grow(struct hash_table *table, size_t size)
{
    struct hash_table bigger = {.cap = table->cap ? table->cap * 2 : CAP_MIN, .len = table->len};
    size_t first = 0;

    bigger.slots = calloc(bigger.cap, size);
    if (!bigger.slots)
        return STATUS_NO_MEMORY;
    /* From a free slot on, so that items with one hash are moved in the order of their probe. */
    while (first < table->cap && hash_slot_at(table, size, first)->mark)
        first++;
    for (size_t i = 0; i < table->cap; i++) {
        const struct hash_slot *slot = hash_slot_at(table, size, hash_pos(table, first + i));

        if (slot->mark)
            memcpy(hash_free_slot(&bigger, size, slot->hash), slot, size);
    }
    free(table->slots);
    *table = bigger;
    return STATUS_OK;
}

/* Closes the gap by moving back every following slot whose probe sequence passes through it. */
void hash_remove(struct hash_table *table, size_t size, struct hash_slot *slot)
{
    size_t gap = (size_t)((char *)slot - (char *)table->slots) / size;

    for (size_t pos = hash_pos(table, gap + 1); (slot = hash_slot_at(table, size, pos))->mark;
         pos = hash_pos(table, pos + 1)) {
        if (hash_pos(table, pos - slot->hash) >= hash_pos(table, pos - gap)) {
            memcpy(hash_slot_at(table, size, gap), slot, size);
            gap = pos;
        }
    }
    hash_slot_at(table, size, gap)->mark = 0;
    table->len--;
}

void hash_clear(struct hash_table *table, size_t size)
{
    if (table->len > 0)
        memset(table->slots, 0, table->cap * size);
    table->len = 0;
}

void hash_deinit(struct hash_table *table)
{
    free(table->slots);
    *table = (struct hash_table){0};
}

uint64_t hash_words(uint64_t a, uint64_t b)
{
    return hash_mix(hash_mix(a + UINT64_C(0x9e3779b97f4a7c15)) ^ b);
}

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *byte = bytes;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

uint64_t hash_text(const char *text)
{
    uint64_t hash = hash_bytes(HASH_BYTES, text, strlen(text));

    return hash ^ hash >> 32;
}
