/* SPDX-License-Identifier: MIT */
/* Evaluates call frame instructions to rows (DWARF 5 section 6.4.2). */
#ifndef UNWIND_SOURCES_CFI_PROGRAM_H
#define UNWIND_SOURCES_CFI_PROGRAM_H

#include "base/status.h"
#include "unwind/row/row.h"
#include "unwind/sources/cfi_entry.h"

#define CFI_REMEMBER_MAX 32 /* the deepest nesting of DW_CFA_remember_state */
/* the most bytes of instructions of an FDE; the longest of Debian's node has 3 KiB */
#define CFI_PROGRAM_MAX 65536

/*
 * Receives one row, valid during the call; rows come in ascending order. Returns false to get no
 * more.
 */
typedef bool cfi_row_fn(void *context, const struct row *row);

/*
 * Runs the CIE's initial instructions, then the FDE's, and passes the rows, whose `source` is as
 * given, to `deliver`. The rows are disjoint, ascending and cover the FDE's range; their
 * expressions point into the section. BAD_DATA, UNSUPPORTED: an instruction is damaged or not
 * known, or a limit above is exceeded; the rows delivered before are valid, and the rest of the
 * range has none.
 */
MUST_CHECK enum status cfi_program_run(const struct cfi_section *section, enum trust source,
                                       const struct cfi_cie *cie, const struct cfi_fde *fde,
                                       cfi_row_fn *deliver, void *context);

#endif
