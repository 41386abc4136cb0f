/* SPDX-License-Identifier: MIT */
/*
 * The call-site table of a language-specific data area (LSDA): at which landing pad a call that
 * throws continues. C++, and other languages with a personality routine like GCC's, keep it in
 * .gcc_except_table, and on Arm behind the unwind instructions in .ARM.extab. Sources: Itanium C++
 * ABI, exception handling level II; GCC's unwind-pe.h for the encodings.
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

#define LSDA_SITES_MAX 65536 /* call sites of one function; more are BAD_DATA */

struct lsda_place {
    uint64_t start_vaddr; /* of the function: start of its FDE or index entry */
    uint64_t lsda_vaddr;  /* 0: none, so the function has no landing pads */
};

/* Calls in [start, end) that throw continue at `landing_pad_vaddr`. */
struct landing_pad {
    uint64_t start_vaddr, end_vaddr, landing_pad_vaddr;
    uint32_t popped; /* bytes of arguments that are popped before it (DW_CFA_GNU_args_size) */
};

struct landing_pads {
    struct landing_pad *items; /* owned; ascending and disjoint */
    size_t count, cap;
};

void landing_pads_deinit(struct landing_pads *landing_pads);

/*
 * Appends `landing_pad`, or extends the last one if the two are adjacent and otherwise equal. Only
 * NO_MEMORY fails.
 */
MUST_CHECK enum status landing_pads_add(struct landing_pads *landing_pads,
                                        const struct landing_pad *landing_pad);

/*
 * Replaces the contents of `out` by the call sites that have a landing pad; `popped` is 0. `bytes`
 * are the file's from place->lsda_vaddr on. BAD_DATA: cut short, beyond the address space, over
 * LSDA_SITES_MAX, or unordered (as LLVM's one table for a function in several sections is);
 * UNSUPPORTED: an encoding without meaning here; NO_MEMORY. On failure `out` is empty.
 */
MUST_CHECK enum status lsda_read(const struct lsda_place *place, const struct arch *arch,
                                 const uint8_t *bytes, uint64_t size, struct landing_pads *out);

#endif
