/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_SIZE ((size_t)64 << 10)

struct arena_block {
    struct arena_block *next;
    alignas(max_align_t) uint8_t bytes[];
};

void arena_deinit(struct arena *arena)
{
    struct arena_block *block = arena->blocks;

    while (block) {
        struct arena_block *next = block->next;

        free(block);
        block = next;
    }
    arena_init(arena);
}

void *arena_alloc(struct arena *arena, size_t size)
{
    struct arena_block *block;
    void *place;

    if (size > SIZE_MAX / 2)
        return NULL;
    size = (size + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    if (size > arena->cap - arena->used) {
        size_t cap = size > BLOCK_SIZE ? size : BLOCK_SIZE;

        block = malloc(sizeof(*block) + cap);
        if (!block)
            return NULL;
        block->next = arena->blocks;
        arena->blocks = block;
        arena->cap = cap;
        arena->used = 0;
    }
    place = arena->blocks->bytes + arena->used;
    arena->used += size;
    arena->total += size;
    return place;
}

char *arena_join(struct arena *arena, const char *text, size_t len, const char *suffix)
{
    size_t suffix_len = strlen(suffix);
    char *copy = arena_alloc(arena, len + suffix_len + 1);

    if (!copy)
        return NULL;
    memcpy(copy, text, len);
    memcpy(copy + len, suffix, suffix_len + 1);
    return copy;
}
