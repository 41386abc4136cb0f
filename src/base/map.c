/* SPDX-License-Identifier: MIT */
#include "base/map.h"

#include <stdlib.h>

#include "base/keyed_hash.h"

struct map_slot {
    struct hash_slot head;
    uint64_t key;
    uint64_t value;
};

static uint32_t place_of(uint64_t key)
{
    return (uint32_t)keyed_words(key, 0);
}

void map_deinit(struct map *map)
{
    hash_deinit(&map->table);
}

void map_clear(struct map *map)
{
    hash_clear(&map->table, sizeof(struct map_slot));
}

/* Returns the key's slot, or the free one where it belongs. */
static struct map_slot *probe(const struct map *map, uint64_t key, uint32_t hash)
{
    struct map_slot *slots = map->table.slots;
    size_t pos = hash_pos(&map->table, hash);

    while (slots[pos].head.mark && slots[pos].key != key)
        pos = hash_pos(&map->table, pos + 1);
    return &slots[pos];
}

uint64_t *map_get(const struct map *map, uint64_t key)
{
    struct map_slot *slot = map->table.cap ? probe(map, key, place_of(key)) : NULL;

    return slot && slot->head.mark ? &slot->value : NULL;
}

uint64_t *map_put(struct map *map, uint64_t key, uint64_t initial)
{
    uint32_t hash = place_of(key);
    struct map_slot *slot;

    if (hash_reserve(&map->table, sizeof(*slot)) != STATUS_OK)
        return NULL;
    slot = probe(map, key, hash);
    if (!slot->head.mark) {
        *slot = (struct map_slot){.head = {.hash = hash, .mark = 1}, .key = key, .value = initial};
        map->table.len++;
    }
    return &slot->value;
}

bool map_next(const struct map *map, size_t *at, uint64_t *key, uint64_t *value)
{
    const struct map_slot *slots = map->table.slots;

    for (; *at < map->table.cap; ++*at)
        if (slots[*at].head.mark) {
            *key = slots[*at].key;
            *value = slots[(*at)++].value;
            return true;
        }
    return false;
}

static int compare_keys(const void *a, const void *b)
{
    const struct map_pair *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

void map_list(const struct map *map, struct map_pair *out)
{
    const size_t count = map_len(map);
    size_t at = 0;

    for (size_t i = 0; i < count; i++)
        (void)map_next(map, &at, &out[i].key, &out[i].value);
    if (count)
        qsort(out, count, sizeof(*out), compare_keys);
}

void map_remove(struct map *map, uint64_t key)
{
    struct map_slot *slot = map->table.cap ? probe(map, key, place_of(key)) : NULL;

    if (slot && slot->head.mark)
        hash_remove(&map->table, sizeof(*slot), &slot->head);
}
