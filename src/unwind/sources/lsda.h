/* SPDX-License-Identifier: MIT */
/*
 * The call-site table of a language-specific data area (LSDA): where calls that throw go on. It is
 * what C++, and every other language whose personality routine was made like GCC's (Itanium C++
 * ABI, exception handling level II, and GCC's unwind-pe.h for the encodings), keeps in
 * .gcc_except_table, and on Arm behind the unwind instructions in .ARM.extab.
 *
 *     @LPStart   encoding; base of the landing pads, the function's start when omitted
 *     @TType     encoding; ULEB128 distance of the type table
 *     encoding of the call sites; ULEB128 bytes of the call-site table
 *     ┌───────┬────────┬─────────────┬────────┐
 *     │ start │ length │ landing pad │ action │   start counts from the function's start,
 *     └───────┴────────┴─────────────┴────────┘   the landing pad (0: none) from @LPStart
 *
 * Actions and types say what is caught: they are not read.
 */
#ifndef UNWIND_SOURCES_LSDA_H
#define UNWIND_SOURCES_LSDA_H

#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"

#define LSDA_SITES_MAX 65536 /* of one function; LSDAs with more are BAD_DATA */

/* Where a function's LSDA is. */
struct lsda_place {
    uint64_t start_vaddr; /* of the function, as the table that led here has it */
    uint64_t lsda_vaddr;  /* 0: there is none, and so no landing pad */
};

/* Calls in [start, end) that throw go on at `landing_pad_vaddr`. */
struct landing_pad {
    uint64_t start_vaddr, end_vaddr, landing_pad_vaddr;
    /* bytes of pushed arguments that are off the stack there (DW_CFA_GNU_args_size) */
    uint32_t popped;
};

struct landing_pads {
    struct landing_pad *items; /* owned; ascending and disjoint */
    size_t count, cap;
};

void landing_pads_deinit(struct landing_pads *landing_pads);

/*
 * Adds one behind the others, or to the last one when it goes on with that. Only NO_MEMORY fails.
 */
MUST_CHECK enum status landing_pads_add(struct landing_pads *landing_pads,
                                        const struct landing_pad *landing_pad);

/*
 * Replaces `out` by the call sites that have a landing pad, without `popped`. `bytes` are the
 * file's from place->lsda_vaddr on. BAD_DATA: cut short, not in order (so are those of a function
 * in several sections, whose tables LLVM counts as one), or beyond the address space; UNSUPPORTED:
 * an encoding without meaning here. `out` is empty then.
 */
MUST_CHECK enum status lsda_read(const struct lsda_place *place, const struct arch *arch,
                                 const uint8_t *bytes, uint64_t size, struct landing_pads *out);

#endif
