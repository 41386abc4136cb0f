/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: the system call that a thread of a core was blocked in, where
 * only the instruction at PC can tell (AArch64: snapshot/import/core/syscall.h) and the core does
 * not have the code: the ELF file has.
 */
#ifndef THREADS_WAITS_WAIT_CODE_H
#define THREADS_WAITS_WAIT_CODE_H

#include "graph/ingest.h"

/* Fills `out` with a copy of the sample that has the system call; false: nothing tells. */
bool wait_code_call(const struct arch *arch, const struct ingest_sample *given,
                    struct snap_sample *out);

#endif
