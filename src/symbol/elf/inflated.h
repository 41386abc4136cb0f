/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the inflated contents of compressed sections. Those that take longer to
 * inflate than to load are kept in a cache between runs, by the identity of their file.
 */
#ifndef SYMBOL_ELF_INFLATED_H
#define SYMBOL_ELF_INFLATED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "cache/cache.h"
#include "symbol/elf/elf_image.h"

struct compressed { /* a compressed section of a file, whose bytes are all there */
    const struct elf_image *image;
    struct cache *cache; /* NULL: nothing is kept */
    uint64_t off, size;  /* of the compressed bytes in the file */
};

struct inflated {         /* zeroed: not inflated yet */
    const uint8_t *bytes; /* INFLATE_PAD zeroes are behind; owned where they are not kept's */
    uint64_t size;
    struct cache_view kept; /* of the cache */
};

/*
 * Inflates the section, a .zdebug_* one with `zdebug`, or loads what an earlier run inflated; at
 * most `max` bytes. Fails like inflate_section (inflate.h), and leaves *out as it was.
 */
MUST_CHECK enum status inflated_make(const struct compressed *from, bool zdebug, uint64_t max,
                                     struct inflated *out);
/* Frees the contents; stores them in the cache first if they were not loaded from it. */
void inflated_end(const struct compressed *from, struct inflated *inflated);

#endif
