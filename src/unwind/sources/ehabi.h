/* SPDX-License-Identifier: MIT */
/*
 * The unwind instructions of Arm's exception tables as a row (IHI 0038, EHABI32: section 7.3 the
 * compact models, section 10.3 the instructions).
 *
 * They say how to pop one frame. The virtual stack pointer (vsp) begins as the frame's SP and ends
 * as the caller's, which is the CFA; they are run on symbols, "entry value of a register + k":
 *
 *        higher addresses
 *      │ caller's frame │ ◄── vsp at the end: CFA = sp + 16
 *      │ lr             │         pop {r4, lr}: lr at CFA-4
 *      │ r4             │                       r4 at CFA-8
 *      │ locals         │ ◄── vsp after "vsp = vsp + 8"
 *      └────────────────┘ ◄── SP: vsp at the beginning
 *
 * Entries that restore every register are a signal trampoline's (signal_frame).
 *
 * A frame has one such list and it holds at calls only: prologue and epilogue are not described.
 * Floating-point and WMMX registers are not in a row, the words they are popped from are stepped
 * over.
 */
#ifndef UNWIND_SOURCES_EHABI_H
#define UNWIND_SOURCES_EHABI_H

#include <stddef.h>

#include "base/diag.h"
#include "base/status.h"
#include "unwind/row/row.h"

/* An exception-handling table entry: of .ARM.extab, or the second word of an index entry. */
struct ehabi_entry {
    const uint8_t *bytes; /* borrowed; what is there from the entry's first word on */
    uint64_t size;
    const char *file; /* for messages, as the next */
    uint64_t file_off;
};

/*
 * Fills CFA, return address and registers of `row`; its range and source stay. An entry of the
 * generic model is taken to have the instructions where GCC's and LLVM's personality routines have
 * theirs. `row` is written when the status is OK only. `diag` (may be NULL) is set by:
 *
 * NOT_FOUND: the instructions refuse to unwind. BAD_DATA: a reserved or spare instruction, or one
 * that is cut short. UNSUPPORTED: a personality routine without a meaning yet, or a frame that a
 * row cannot say.
 */
MUST_CHECK enum status ehabi_row(const struct ehabi_entry *entry, struct row *row,
                                 struct diag *diag);

#endif
