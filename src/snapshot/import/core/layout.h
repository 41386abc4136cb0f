/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: registers from the notes of a Linux core.
 */
#ifndef SNAPSHOT_IMPORT_CORE_LAYOUT_H
#define SNAPSHOT_IMPORT_CORE_LAYOUT_H

#include "arch/analysis/analysis.h"

#define CORE_NAME_SIZE 16u /* bytes of pr_fname */
#define CORE_ARGS_SIZE 80u /* bytes of pr_psargs */

static inline const struct core_layout *core_layout_get(const struct arch *arch)
{
    return &arch_analysis(arch)->core;
}

/*
 * The first `size` bytes of an NT_PRSTATUS, at least core_layout_least_size; words behind them are
 * not known.
 */
struct core_status {
    const uint8_t *desc;
    size_t size;
};

/* Returns the bytes of NT_PRSTATUS up to the end of its registers. */
size_t core_layout_status_size(const struct arch *arch);

/* Returns the bytes up to the end of PC and SP: a shorter note is no thread. */
size_t core_layout_least_size(const struct arch *arch);

uint64_t core_layout_orig(const struct arch *arch, const struct core_status *status);
/*
 * Returns the thread pointer from the registers and from `note`, the note of `size` bytes that has
 * it on this architecture; 0: not known.
 */
uint64_t core_layout_pointer(const struct arch *arch, const struct core_status *status,
                             const uint8_t *note, size_t size);
void core_layout_regs(const struct arch *arch, const struct core_status *status, struct regs *out);

#endif
