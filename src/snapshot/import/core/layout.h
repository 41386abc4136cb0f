/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: registers from the notes of a Linux core.
 */
#ifndef SNAPSHOT_IMPORT_CORE_LAYOUT_H
#define SNAPSHOT_IMPORT_CORE_LAYOUT_H

#include "arch/analysis/analysis.h"

#define CORE_NAME_SIZE 16u /* of pr_fname */
#define CORE_ARGS_SIZE 80u /* of pr_psargs */

static inline const struct core_layout *core_layout_get(const struct arch *arch)
{
    return &arch_analysis(arch)->core;
}

/* NT_PRSTATUS, `size` bytes: core_layout_least_size at least. What is behind them is not known. */
struct core_status {
    const uint8_t *desc;
    size_t size;
};

/* Bytes of NT_PRSTATUS up to the end of its registers. */
size_t core_layout_status_size(const struct arch *arch);

/* The same up to the end of PC and SP: without them there is no thread. */
size_t core_layout_least_size(const struct arch *arch);

uint64_t core_layout_orig(const struct arch *arch, const struct core_status *status);
/* `note`: the one with the thread pointer, `size` bytes; 0: that is not known. */
uint64_t core_layout_pointer(const struct arch *arch, const struct core_status *status,
                             const uint8_t *note, size_t size);
void core_layout_regs(const struct arch *arch, const struct core_status *status, struct regs *out);

#endif
