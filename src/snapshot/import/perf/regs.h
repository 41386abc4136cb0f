/* SPDX-License-Identifier: MIT */
/* The registers of a sample, as perf numbers them (asm/perf_regs.h) and a mask selects them. */
#ifndef SNAPSHOT_IMPORT_PERF_REGS_H
#define SNAPSHOT_IMPORT_PERF_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"

/* Maps the words of a sample's registers to our register numbers. */
struct perf_regs_layout {
    uint8_t count;    /* words */
    uint8_t regs[64]; /* the register of each word; REG_NONE: none of ours */
    bool is_complete; /* PC and SP are among them */
};

/* Fills *out for the registers whose bits are set in `mask`. */
void perf_regs_layout(const struct arch *arch, uint64_t mask, struct perf_regs_layout *out);

/* Reads layout->count words of 8 bytes (unaligned) into *out. */
void perf_regs_read(const struct perf_regs_layout *layout, const uint8_t *words, struct regs *out);

/* Returns the architecture that `uname -m` calls `name`; NULL: unknown. */
const struct arch *perf_arch_by_name(const char *name);

/* Returns the architecture whose registers `mask` selects; NULL: ambiguous, or unknown. */
const struct arch *perf_arch_by_mask(uint64_t mask);

#endif
