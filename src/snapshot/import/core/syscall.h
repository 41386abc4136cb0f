/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: the system call in which a thread was blocked when the core was
 * written, recognized by a method of the architecture (arch/analysis/core.h). A thread that was in
 * no system call has -1 in orig_rax or orig_r0.
 */
#ifndef SNAPSHOT_IMPORT_CORE_SYSCALL_H
#define SNAPSHOT_IMPORT_CORE_SYSCALL_H

#include "snapshot/event.h"
#include "snapshot/import/core/image.h"

/*
 * Sets has_syscall, syscall and syscall_args of the sample from sample->regs and `orig`, from
 * core_layout_orig; changes nothing if the thread was in no system call.
 */
void core_syscall_find(const struct core_image *image, uint64_t orig, struct snap_sample *sample);

#endif
