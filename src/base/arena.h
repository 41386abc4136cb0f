/* SPDX-License-Identifier: MIT */
/* An arena allocates objects one by one and frees all at once (arena_deinit). They never move. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/status.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* owned; new objects go to the first block of the list */
    size_t used, cap;           /* bytes used and available in the first block */
    size_t total;               /* bytes that arena_alloc has given out so far */
};

static inline void arena_init(struct arena *arena)
{
    *arena = (struct arena){0};
}
void arena_deinit(struct arena *arena);

/*
 * Returns `size` uninitialised bytes, aligned for any object, which arena_deinit frees. NULL: out
 * of memory.
 */
MUST_CHECK void *arena_alloc(struct arena *arena, size_t size);

/*
 * Returns a new string in the arena: the first `len` bytes of `text`, then `suffix`. NULL: out of
 * memory.
 */
MUST_CHECK char *arena_join(struct arena *arena, const char *text, size_t len, const char *suffix);

#endif
