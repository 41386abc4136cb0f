/* SPDX-License-Identifier: MIT */
/*
 * The code that CODE records bring of one module (FORMAT.md, type 4), by its place in the file:
 * pieces, in any order, with holes between.
 */
#ifndef SNAPSHOT_CODE_PAGES_H
#define SNAPSHOT_CODE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Of one module; what is beyond is left out. */
#define CODE_PAGES_MAX (UINT64_C(256) << 20)

struct code_extent {
    uint64_t off; /* place of its first byte */
    size_t size, cap;
    uint8_t *bytes; /* owned */
};

struct code_pages {
    struct code_extent *extents; /* owned; ascending, with a hole between any two */
    size_t len, cap;
    uint64_t total; /* bytes in all extents */
};

void code_pages_deinit(struct code_pages *pages);

/*
 * Copies `size` bytes at `off` in. Bytes that are there already stay as they are. NO_MEMORY also
 * beyond CODE_PAGES_MAX or where off + size wraps around; `pages` is good in every case.
 */
MUST_CHECK enum status code_pages_add(struct code_pages *pages, uint64_t off, const uint8_t *bytes,
                                      size_t size);

/*
 * The same, but that bytes which are there already become these. *changed: some were others; it is
 * set to true only.
 */
MUST_CHECK enum status code_pages_replace(struct code_pages *pages, uint64_t off,
                                          const uint8_t *bytes, size_t size, bool *changed);

/*
 * The bytes from `off` on, *avail of them up to the next hole; NULL: there are none. Valid until
 * the next code_pages_add.
 */
const uint8_t *code_pages_at(const struct code_pages *pages, uint64_t off, uint64_t *avail);

#endif
