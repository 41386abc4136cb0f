/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: runs a line number program (DWARF 5, 6.2; versions 2 to 5) and reports its
 * rows.
 */
#ifndef SYMBOL_DWARF_LINE_PROGRAM_H
#define SYMBOL_DWARF_LINE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/dwarf/line_header.h"

struct line_row {
    uint64_t addr;
    uint64_t file; /* index in line_files.files */
    uint32_t line; /* 0: no line */
    bool ends;     /* the first address after a sequence */
    bool jumps;    /* the address was set, not advanced to */
};

typedef enum status line_row_fn(void *context, const struct line_row *row);

/*
 * Runs the program and calls `report` for each row. Damage ends it with OK. A status of `report`
 * other than OK ends it and is returned.
 */
MUST_CHECK enum status line_program_run(const struct line_header *header, line_row_fn *report,
                                        void *context);

#endif
