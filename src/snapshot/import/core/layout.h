/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: registers from the notes of a Linux core.
 */
#ifndef SNAPSHOT_IMPORT_CORE_LAYOUT_H
#define SNAPSHOT_IMPORT_CORE_LAYOUT_H

#include "arch/analysis/analysis.h"

#define CORE_NAME_SIZE 16u /* bytes of pr_fname in NT_PRPSINFO */
#define CORE_ARGS_SIZE 80u /* bytes of pr_psargs in NT_PRPSINFO */

static inline const struct core_layout *core_layout_get(const struct arch *arch)
{
    return &arch_analysis(arch)->core;
}

/*
 * The first `size` bytes of an NT_PRSTATUS, at least core_layout_least_size. Registers behind them
 * are not known.
 */
struct core_status {
    const uint8_t *desc;
    size_t size;
};

/* Returns the size of an NT_PRSTATUS from its beginning to the end of all registers. */
size_t core_layout_status_size(const struct arch *arch);

/* Returns the size of an NT_PRSTATUS up to the end of PC and SP: a shorter note is no thread. */
size_t core_layout_least_size(const struct arch *arch);

/*
 * Returns the word that has the number or argument with which a system call began (orig_rax,
 * orig_r0); 0: the architecture has none.
 */
uint64_t core_layout_orig(const struct arch *arch, const struct core_status *status);
/*
 * Returns the thread pointer from the registers and `note`, the `size` bytes of the note that the
 * architecture has for the thread pointer; 0: not known.
 */
uint64_t core_layout_pointer(const struct arch *arch, const struct core_status *status,
                             const uint8_t *note, size_t size);
void core_layout_regs(const struct arch *arch, const struct core_status *status, struct regs *out);

#endif
