/* SPDX-License-Identifier: MIT */
/*
 * The code of one module that CODE records bring (FORMAT.md, type 4), by file offset: pieces in any
 * order, with holes between.
 */
#ifndef SNAPSHOT_CODE_PAGES_H
#define SNAPSHOT_CODE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Bytes of one module; code beyond is left out. */
#define CODE_PAGES_MAX (UINT64_C(256) << 20)

struct code_extent {
    uint64_t off; /* file offset of its first byte */
    size_t size, cap;
    uint8_t *bytes; /* owned */
};

struct code_pages {
    struct code_extent *extents; /* owned; ascending, a hole between any two */
    size_t len, cap;
    uint64_t total; /* bytes in all extents */
};

void code_pages_deinit(struct code_pages *pages);

/*
 * Copies in `size` bytes at `off`; bytes that are there already stay as they are. NO_MEMORY, also
 * beyond CODE_PAGES_MAX or if off + size wraps around; `pages` stays sound in every case.
 */
MUST_CHECK enum status code_pages_add(struct code_pages *pages, uint64_t off, const uint8_t *bytes,
                                      size_t size);

/*
 * Like code_pages_add, but overwrites bytes that are there already. Sets *changed to true if any of
 * them differed, else leaves it alone.
 */
MUST_CHECK enum status code_pages_replace(struct code_pages *pages, uint64_t off,
                                          const uint8_t *bytes, size_t size, bool *changed);

/*
 * Returns the bytes from `off` on, with *avail of them up to the next hole; NULL: none. Valid until
 * the next code_pages_add or code_pages_replace.
 */
const uint8_t *code_pages_at(const struct code_pages *pages, uint64_t off, uint64_t *avail);

#endif
