/*
 * Private to the core importer: the system call in which a thread was blocked when the core was
 * written.
 *
 * A core does not say so. But to stop a thread the kernel makes its system call return early, with
 * a result that programs see never (ERESTARTSYS and its like, linux/errno.h) or seldom (EINTR);
 * what the registers show then depends on the architecture:
 *
 *     x86-64, i386   the number in orig_rax, the result in rax
 *     arm            PC back at the instruction, r0 as it was: equal to orig_r0
 *     aarch64        the same, without an orig_x0: the instruction at PC has to be looked at
 *
 * A thread that was not in a system call has -1 in orig_rax or orig_r0.
 */
#ifndef SNAPSHOT_IMPORT_CORE_SYSCALL_H
#define SNAPSHOT_IMPORT_CORE_SYSCALL_H

#include "snapshot/event.h"
#include "snapshot/import/core/image.h"

/* `orig` is the word that core_layout.h names; fills has_syscall, syscall and syscall_args. */
void core_syscall_find(const struct core_image *image, uint64_t orig, struct snap_sample *sample);

#endif
