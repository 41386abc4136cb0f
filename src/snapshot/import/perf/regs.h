/* SPDX-License-Identifier: MIT */
/*
 * The registers of a perf sample: a word for each bit of a mask, whose bits are perf's numbers of
 * registers (asm/perf_regs.h).
 */
#ifndef SNAPSHOT_IMPORT_PERF_REGS_H
#define SNAPSHOT_IMPORT_PERF_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"

/* Register numbers of struct arch for the words of a sample's registers. */
struct perf_regs_layout {
    uint8_t count;    /* number of words */
    uint8_t regs[64]; /* register number of each word; REG_NONE: not one of struct arch's */
    bool is_complete; /* PC and SP are among the words */
};

/* Fills *out for samples whose registers are those with bits in `mask`. */
void perf_regs_layout(const struct arch *arch, uint64_t mask, struct perf_regs_layout *out);

/*
 * Sets *out to the registers in layout->count words of 8 bytes (unaligned); others are not known.
 */
void perf_regs_read(const struct perf_regs_layout *layout, const uint8_t *words, struct regs *out);

/* Returns the architecture that `uname -m` calls `name`; NULL: unknown. */
const struct arch *perf_arch_by_name(const char *name);

/*
 * Returns the architecture for which perf by default records the registers in `mask`; NULL: none.
 */
const struct arch *perf_arch_by_mask(uint64_t mask);

#endif
