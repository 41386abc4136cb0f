#include "base/map.h"

#include <stdlib.h>

/* The finalizer of MurmurHash3: every input bit affects every output bit. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 33;
    x *= UINT64_C(0xff51afd7ed558ccd);
    x ^= x >> 33;
    x *= UINT64_C(0xc4ceb9fe1a85ec53);
    x ^= x >> 33;
    return x;
}

uint64_t map_hash2(uint64_t a, uint64_t b)
{
    return mix(mix(a + UINT64_C(0x9e3779b97f4a7c15)) ^ b);
}

void map_deinit(struct map *map)
{
    free(map->slots);
    map_init(map);
}

void map_clear(struct map *map)
{
    for (size_t i = 0; i < map->cap; i++)
        map->slots[i].used = false;
    map->len = 0;
}

static struct map_slot *probe(const struct map *map, uint64_t key)
{
    size_t i = (size_t)mix(key) & (map->cap - 1);

    while (map->slots[i].used && map->slots[i].key != key)
        i = (i + 1) & (map->cap - 1);
    return &map->slots[i];
}

uint64_t *map_get(const struct map *map, uint64_t key)
{
    struct map_slot *slot = map->cap ? probe(map, key) : NULL;

    return slot && slot->used ? &slot->value : NULL;
}

static enum status grow(struct map *map)
{
    struct map bigger = {.cap = map->cap ? map->cap * 2 : 16};

    bigger.slots = calloc(bigger.cap, sizeof(*bigger.slots));
    if (!bigger.slots)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < map->cap; i++)
        if (map->slots[i].used)
            *probe(&bigger, map->slots[i].key) = map->slots[i];
    bigger.len = map->len;
    free(map->slots);
    *map = bigger;
    return STATUS_OK;
}

uint64_t *map_put(struct map *map, uint64_t key, uint64_t initial)
{
    struct map_slot *slot;

    if ((map->len + 1) * 4 > map->cap * 3 && grow(map) != STATUS_OK)
        return NULL;
    slot = probe(map, key);
    if (!slot->used) {
        *slot = (struct map_slot){.key = key, .value = initial, .used = true};
        map->len++;
    }
    return &slot->value;
}

/* Closes the gap by moving back every following entry whose probe sequence passes through it. */
void map_remove(struct map *map, uint64_t key)
{
    struct map_slot *slot = map->cap ? probe(map, key) : NULL;
    size_t mask = map->cap - 1;
    size_t gap, i;

    if (!slot || !slot->used)
        return;
    gap = (size_t)(slot - map->slots);
    for (i = (gap + 1) & mask; map->slots[i].used; i = (i + 1) & mask) {
        size_t home = (size_t)mix(map->slots[i].key) & mask;

        if (((i - home) & mask) >= ((i - gap) & mask)) {
            map->slots[gap] = map->slots[i];
            gap = i;
        }
    }
    map->slots[gap].used = false;
    map->len--;
}
