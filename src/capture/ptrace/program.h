/* SPDX-License-Identifier: MIT */
/*
 * Finds the machine of the program that a process runs, and whether this build can capture it: by
 * the header of the program's file or, if that cannot be read, by the word size of the auxiliary
 * vector.
 */
#ifndef CAPTURE_PTRACE_PROGRAM_H
#define CAPTURE_PTRACE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/capture.h"
#include "capture/ptrace/tracees.h"

struct program {
    uint16_t machine;   /* ELF's e_machine; 0: only the word size is known */
    unsigned word_size; /* bytes: 4 or 8 */
};

/*
 * Fills `out` for the program of the process or thread `pid`; if that is a first thread that has
 * ended, whose files in /proc are gone, through another thread. False: nothing could be read. Opens
 * the program's file, which may block: the caller must keep no thread stopped meanwhile.
 */
MUST_CHECK bool program_read(pid_t pid, struct program *out);

/* Returns the word size in bytes by the program's auxiliary vector alone; 0: not known. */
unsigned program_word_size(pid_t tid);

/* Returns the table for capturing the program (static storage); NULL: this build cannot do so. */
const struct arch_capture *program_backend(const struct program *program);

/*
 * Whether the thread has no memory any more (it is ending, or gone), so that nothing of its program
 * can be read.
 */
bool program_has_ended(pid_t tid);

/*
 * Sets st->regs and fills `machine` for the program that `pid` runs, before that is attached to: a
 * 32-bit tracer must not touch a 64-bit process, of which an AArch64 kernel silently gives wrong
 * registers. UNSUPPORTED: this build cannot capture the program. A program that cannot be read is
 * taken to be of cgsnap's own architecture; program_fits checks that later.
 */
MUST_CHECK enum status program_choose(struct ptrace_state *st, pid_t pid,
                                      struct target_machine *machine, struct diag *diag);

/*
 * Whether st->regs have the word size of the program of `tid`, to be called once the thread is
 * attached, and after an exec. If that cannot be read, a 64-bit build returns true, as the size of
 * the registers will tell, a 32-bit build false, unless the thread has ended.
 */
bool program_fits(const struct ptrace_state *st, pid_t tid);
/* Returns OK if the word size fits (program_fits); else UNSUPPORTED, and `diag` says why. */
MUST_CHECK enum status program_verify(const struct ptrace_state *st, pid_t tid, struct diag *diag);

/*
 * Returns the word size (4 or 8 bytes) of an auxiliary vector of `size` bytes, in which AT_PAGESZ
 * must be `page_size`; 0: it fits neither.
 */
unsigned program_auxv_word_size(const void *auxv, size_t size, uint64_t page_size);

#endif
