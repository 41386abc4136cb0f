/* SPDX-License-Identifier: MIT */
/*
 * Which registers a sample has: perf numbers them by architecture (asm/perf_regs.h), and a mask
 * says which were recorded.
 */
#ifndef SNAPSHOT_IMPORT_PERF_REGS_H
#define SNAPSHOT_IMPORT_PERF_REGS_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"

/* Where the words of a sample's registers belong. */
struct perf_regs_layout {
    uint8_t count;    /* words */
    uint8_t regs[64]; /* of each word the register's number; REG_NONE: none of ours */
    bool is_complete; /* PC and SP are there */
};

/* Fills `out` for registers of which bits are set in `mask`. */
void perf_regs_layout(const struct arch *arch, uint64_t mask, struct perf_regs_layout *out);

/* Reads layout->count words. */
void perf_regs_read(const struct perf_regs_layout *layout, const uint8_t *words, struct regs *out);

/* `uname -m`'s word for an architecture; NULL: none that is known. */
const struct arch *perf_arch_by_name(const char *name);

/* Whose registers a mask means, where one can tell; NULL: not known. */
const struct arch *perf_arch_by_mask(uint64_t mask);

#endif
