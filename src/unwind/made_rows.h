/* SPDX-License-Identifier: MIT */
/*
 * Rows of code that was made at run time, by the tables in the symbol files that a process has
 * registered: .debug_frame and .eh_frame, whose addresses are those in memory. Where files tell of
 * the same address the last one holds.
 */
#ifndef UNWIND_MADE_ROWS_H
#define UNWIND_MADE_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "unwind/row/row.h"

/* Of one process; what is more is left out. */
#define MADE_TABLES_MAX       16384u
#define MADE_TABLES_BYTES_MAX (UINT64_C(256) << 20)

struct made_rows;

MUST_CHECK enum status made_rows_create(struct made_rows **out);
void made_rows_destroy(struct made_rows *rows);

/* What holds where these have nothing; borrowed. NULL, as at first: nothing. */
void made_rows_set_otherwise(struct made_rows *rows, struct made_rows *otherwise);

/*
 * Takes what it needs of the file, which may have no tables; else *changed is set to true. Only
 * NO_MEMORY fails.
 */
MUST_CHECK enum status made_rows_add(struct made_rows *rows, struct elf_image *image,
                                     bool *changed);

/*
 * The row at the address, of TRUST_DEBUG_FRAME or TRUST_EH_FRAME. NOT_FOUND, BAD_DATA, UNSUPPORTED,
 * NO_MEMORY. Borrowed until the next call.
 */
MUST_CHECK enum status made_rows_find(struct made_rows *rows, enum trust source, uint64_t addr,
                                      const struct row **out);

#endif
