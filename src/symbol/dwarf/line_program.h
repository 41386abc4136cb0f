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
    uint64_t file;      /* index in line_files.files */
    uint32_t line;      /* line of the source file; 0: none */
    bool ends;          /* ends a sequence: `addr` is the first address behind the code */
    bool jumps;         /* the program has set the address, not advanced to it */
    bool ends_prologue; /* a breakpoint at the function's entry belongs here */
};

/* Takes a row. A status other than OK ends line_program_run. */
typedef enum status line_row_fn(void *context, const struct line_row *row);

/*
 * Runs the program and calls `report` for each row, up to damage, which is no failure. Returns the
 * first status of `report` that is not OK; else OK.
 */
MUST_CHECK enum status line_program_run(const struct line_header *header, line_row_fn *report,
                                        void *context);

#endif
