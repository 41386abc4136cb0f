/* SPDX-License-Identifier: MIT */
/*
 * Turns the unwind instructions of Arm's exception tables into a row (IHI 0038, EHABI32: section
 * 7.3 the compact models, section 10.3 the instructions).
 *
 * The instructions pop one frame. The virtual stack pointer (vsp) begins as the frame's SP and ends
 * as the caller's, which is the CFA. The instructions are run on symbolic values, "entry value of a
 * register + k":
 *
 *        higher addresses
 *      │ caller's frame │ ◄── vsp at the end: CFA = sp + 16
 *      │ lr             │         pop {r4, lr}: lr at CFA-4
 *      │ r4             │                       r4 at CFA-8
 *      │ locals         │ ◄── vsp after "vsp = vsp + 8"
 *      └────────────────┘ ◄── SP: vsp at the beginning
 *
 * An entry that restores every register is a signal trampoline's (signal_frame).
 *
 * A frame has one list of instructions, which holds at calls only (call_site_only): prologue and
 * epilogue are not described. Floating-point and WMMX registers are not in a row; the vsp skips
 * their words.
 */
#ifndef UNWIND_SOURCES_EHABI_H
#define UNWIND_SOURCES_EHABI_H

#include <stddef.h>

#include "base/diag.h"
#include "base/status.h"
#include "unwind/row/row.h"

/* An exception-handling table entry, in .ARM.extab or in the second word of an index entry. */
struct ehabi_entry {
    /* from the entry's first word up to the end of what the file has there; borrowed */
    const uint8_t *bytes;
    uint64_t size;
    const char *file; /* path of the file and offset of the entry in it, for `diag` */
    uint64_t file_off;
};

/*
 * Fills the rules for CFA, return address and registers, and the flags, of `row`; its range and
 * source stay. If the status is not OK, `row` is unchanged and `diag` (may be NULL) says why. In an
 * entry of the generic model the instructions are expected where GCC's and LLVM's personality
 * routines have them.
 *
 * NOT_FOUND: the instructions refuse to unwind. BAD_DATA: an instruction is reserved, spare or cut
 * short. UNSUPPORTED: an unknown compact model, or a frame that no row describes.
 */
MUST_CHECK enum status ehabi_row(const struct ehabi_entry *entry, struct row *row,
                                 struct diag *diag);

#endif
