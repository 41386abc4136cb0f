/* SPDX-License-Identifier: MIT */
/*
 * Rows of code that was made at run time, from the symbol files that a process has registered:
 * their .debug_frame and .eh_frame, with run-time addresses. Where files overlap the last one
 * added counts.
 */
#ifndef RUNTIME_JIT_MADE_ROWS_H
#define RUNTIME_JIT_MADE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "unwind/row/row.h"

/* Tables of one process; further ones are ignored. */
#define MADE_TABLES_MAX       16384u
#define MADE_TABLES_BYTES_MAX (UINT64_C(256) << 20)

struct made_rows;

MUST_CHECK enum status made_rows_create(struct made_rows **out);
void made_rows_destroy(struct made_rows *rows);

/* Sets the rows to look in where `rows` has none; borrowed. NULL, as at first: none. */
void made_rows_set_otherwise(struct made_rows *rows, struct made_rows *otherwise);

/*
 * Copies the tables of the file `image`; sets *changed to true if it has any with a row. Only
 * NO_MEMORY fails.
 */
MUST_CHECK enum status made_rows_add(struct made_rows *rows, struct elf_image *image,
                                     bool *changed);

/*
 * Returns the row for `addr`, borrowed until the next call. `source` is TRUST_DEBUG_FRAME or
 * TRUST_EH_FRAME. NOT_FOUND: no table has a row; BAD_DATA, UNSUPPORTED, NO_MEMORY: as cfi_find.
 */
MUST_CHECK enum status made_rows_find(struct made_rows *rows, enum trust source, uint64_t addr,
                                      const struct row **out);

#endif
