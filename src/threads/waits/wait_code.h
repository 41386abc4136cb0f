/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: finds the system call that a thread of a core was blocked in,
 * where only the instruction at PC can tell (AArch64: snapshot/import/core/syscall.h), from the
 * code in the ELF file, which the core does not have.
 */
#ifndef THREADS_WAITS_WAIT_CODE_H
#define THREADS_WAITS_WAIT_CODE_H

#include "graph/ingest.h"

/*
 * Fills `out` with a copy of the sample that has the system call; false: there is no system call
 * instruction at PC, or it is not known. Pointers in the copy are the sample's.
 */
bool wait_code_call(const struct arch *arch, const struct ingest_sample *given,
                    struct snap_sample *out);

#endif
