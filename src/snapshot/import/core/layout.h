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

/* Bytes of NT_PRSTATUS up to the end of its registers. */
size_t core_layout_status_size(const struct arch *arch);

/* `desc` has core_layout_status_size bytes at least. */
uint64_t core_layout_orig(const struct arch *arch, const uint8_t *desc);
/* `note`: the one with the thread pointer, `size` bytes; 0: that is not known. */
uint64_t core_layout_pointer(const struct arch *arch, const uint8_t *desc, const uint8_t *note,
                             size_t size);
void core_layout_regs(const struct arch *arch, const uint8_t *desc, struct regs *out);

#endif
