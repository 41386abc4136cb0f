/* SPDX-License-Identifier: MIT */
/*
 * Memory that is freed all at once. What it hands out never moves.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/status.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* owned; the first one is being filled */
    size_t used, cap;           /* of the first block */
    size_t total;               /* bytes handed out */
};

static inline void arena_init(struct arena *arena)
{
    *arena = (struct arena){0};
}
void arena_deinit(struct arena *arena);

/* `size` bytes, aligned for any object; NULL: out of memory. */
MUST_CHECK void *arena_alloc(struct arena *arena, size_t size);

/* A NUL-terminated copy of the first `len` bytes of `text` followed by `suffix`. NULL: out of
 * memory. */
MUST_CHECK char *arena_join(struct arena *arena, const char *text, size_t len, const char *suffix);

#endif
