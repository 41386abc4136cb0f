/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: finds the system call that a thread of a core was blocked in,
 * where only the instruction at PC can tell (AArch64: snapshot/import/core/syscall.h), from the
 * code in the ELF file, which the core does not have.
 */
#ifndef THREADS_WAITS_WAIT_CODE_H
#define THREADS_WAITS_WAIT_CODE_H

#include "graph/ingest_sinks.h"

/*
 * Fills *out with a copy of given->sample to which the system call's number and arguments are
 * added. Pointers in the copy are borrowed from the sample. False: no system call instruction is at
 * PC, the code is not at hand, or `arch` needs none of this.
 */
bool wait_code_call(const struct arch *arch, const struct ingest_sample *given,
                    struct snap_sample *out);

#endif
