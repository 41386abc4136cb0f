/* SPDX-License-Identifier: MIT */
/* An arena allocator: objects are allocated one by one and freed all at once. They never move. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

#include "base/status.h"

struct arena_block;

struct arena {
    struct arena_block *blocks; /* owned; the first one is being filled */
    size_t used, cap;           /* bytes, of the first block */
    size_t total;               /* bytes allocated so far, in all blocks */
};

static inline void arena_init(struct arena *arena)
{
    *arena = (struct arena){0};
}
void arena_deinit(struct arena *arena);

/* Allocates `size` uninitialised bytes, aligned for any object. NULL: out of memory. */
MUST_CHECK void *arena_alloc(struct arena *arena, size_t size);

/* Joins the first `len` bytes of `text` and `suffix` to a new string. NULL: out of memory. */
MUST_CHECK char *arena_join(struct arena *arena, const char *text, size_t len, const char *suffix);

#endif
