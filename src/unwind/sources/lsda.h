/* SPDX-License-Identifier: MIT */
/*
 * Reads the call-site table of a language-specific data area (LSDA): at which landing pad a call
 * that throws continues. C++, and other languages with a personality routine like GCC's, keep the
 * LSDA in .gcc_except_table, and on Arm after the unwind instructions in .ARM.extab. Sources:
 * Itanium C++ ABI, exception handling level II; GCC's unwind-pe.h for the encodings.
 *
 *     @LPStart   encoding; base of the landing pads, the function's start when omitted
 *     @TType     encoding; ULEB128 distance of the type table
 *     encoding of the call sites; ULEB128 bytes of the call-site table
 *     ┌───────┬────────┬─────────────┬────────┐
 *     │ start │ length │ landing pad │ action │   start counts from the function's start,
 *     └───────┴────────┴─────────────┴────────┘   the landing pad (0: none) from @LPStart
 *
 * Actions and types, which say what is caught, are not read.
 */
#ifndef UNWIND_SOURCES_LSDA_H
#define UNWIND_SOURCES_LSDA_H

#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"

/* the most call sites of one function; with more lsda_read returns BAD_DATA */
#define LSDA_SITES_MAX 65536

struct lsda_place {
    uint64_t start_vaddr; /* start of the function, by its FDE or index entry */
    uint64_t lsda_vaddr;  /* 0: there is no LSDA, and so the function has no landing pads */
};

/* Calls in [start, end) that throw continue at `landing_pad_vaddr`. */
struct landing_pad {
    uint64_t start_vaddr, end_vaddr, landing_pad_vaddr;
    /* bytes of arguments that the unwinder pops before it (DW_CFA_GNU_args_size) */
    uint32_t popped;
};

struct landing_pads {
    struct landing_pad *items; /* the landing pads, ascending and disjoint; owned */
    size_t count, cap;
};

void landing_pads_deinit(struct landing_pads *landing_pads);

/*
 * Appends a copy of *landing_pad, or extends the last item if the two are adjacent and otherwise
 * equal. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status landing_pads_add(struct landing_pads *landing_pads,
                                        const struct landing_pad *landing_pad);

/*
 * Replaces the contents of *out by the table's call sites that have a landing pad; their `popped`
 * is 0. `bytes`: the file's `size` bytes from place->lsda_vaddr on. BAD_DATA: the table is cut
 * short, leads out of the address space, has more than LSDA_SITES_MAX entries, or is not ordered
 * (as LLVM's one table for a function in several sections is); UNSUPPORTED: an encoding has no
 * meaning here; NO_MEMORY. After a failure *out is empty.
 */
MUST_CHECK enum status lsda_read(const struct lsda_place *place, const struct arch *arch,
                                 const uint8_t *bytes, uint64_t size, struct landing_pads *out);

#endif
