/* SPDX-License-Identifier: MIT */
/*
 * Finds rows of code that was made at run time, in the symbol files that a process has registered:
 * in their .debug_frame and .eh_frame, with run-time addresses. Where files overlap, the last one
 * added counts.
 */
#ifndef RUNTIME_JIT_ROWS_MADE_ROWS_H
#define RUNTIME_JIT_ROWS_MADE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "unwind/row/row.h"

/* The most tables of one process, and their bytes together; further tables are ignored. */
#define MADE_TABLES_MAX       16384u
#define MADE_TABLES_BYTES_MAX (UINT64_C(256) << 20)

struct made_rows;

MUST_CHECK enum status made_rows_create(struct made_rows **out);
void made_rows_destroy(struct made_rows *rows);

/*
 * Sets the rows that made_rows_find asks for addresses where `rows` has none; borrowed. NULL, as at
 * first: none are asked.
 */
void made_rows_set_otherwise(struct made_rows *rows, struct made_rows *otherwise);

/*
 * Adds copies of the tables of the file `image` that have rows; sets *changed to true if any was
 * added, never to false. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status made_rows_add(struct made_rows *rows, struct elf_image *image,
                                     bool *changed);

/*
 * Sets *out to the row for the run-time address `addr`; valid until the next call. `source`: the
 * tables to look in, TRUST_DEBUG_FRAME or TRUST_EH_FRAME. NOT_FOUND: no table has a row; BAD_DATA,
 * UNSUPPORTED, NO_MEMORY: as cfi_find.
 */
MUST_CHECK enum status made_rows_find(struct made_rows *rows, enum trust source, uint64_t addr,
                                      const struct row **out);

#endif
