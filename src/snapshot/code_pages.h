/* SPDX-License-Identifier: MIT */
/*
 * The code of one module from CODE records (FORMAT.md, type 4), by file offset: pieces come in any
 * order, and there may be holes between them.
 */
#ifndef SNAPSHOT_CODE_PAGES_H
#define SNAPSHOT_CODE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Most bytes of one module; code beyond is refused. */
#define CODE_PAGES_MAX (UINT64_C(256) << 20)

struct code_extent {
    uint64_t off; /* file offset of the first byte */
    size_t size, cap;
    uint8_t *bytes; /* owned */
};

struct code_pages {
    struct code_extent *extents; /* owned; ascending, a hole between any two */
    size_t len, cap;
    uint64_t total; /* sum of the bytes in all extents */
};

void code_pages_deinit(struct code_pages *pages);

/*
 * Copies `size` bytes to the file offset `off` of `pages`; bytes that are there already stay as
 * they are. NO_MEMORY, also beyond CODE_PAGES_MAX or if off + size wraps around; `pages` may have a
 * part of the bytes then, and can be used.
 */
MUST_CHECK enum status code_pages_add(struct code_pages *pages, uint64_t off, const uint8_t *bytes,
                                      size_t size);

/*
 * Does what code_pages_add does, but overwrites bytes that are there already. Sets *changed to true
 * if any of these bytes differed, else leaves *changed as it is.
 */
MUST_CHECK enum status code_pages_replace(struct code_pages *pages, uint64_t off,
                                          const uint8_t *bytes, size_t size, bool *changed);

/*
 * Returns the bytes from file offset `off` on, valid until the next code_pages_add or
 * code_pages_replace, and sets *avail to their number up to the next hole; NULL: a hole is at
 * `off`.
 */
const uint8_t *code_pages_at(const struct code_pages *pages, uint64_t off, uint64_t *avail);

#endif
