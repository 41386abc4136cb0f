/* SPDX-License-Identifier: MIT */
/*
 * Finds which machine's program a process runs: by the header of its file or, if that cannot be
 * read, by the word size of its auxiliary vector.
 */
#ifndef CAPTURE_PTRACE_PROGRAM_H
#define CAPTURE_PTRACE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/capture.h"

struct program {
    uint16_t machine; /* ELF's e_machine; 0: only the word size is known */
    unsigned word_size;
};

/*
 * Fills `out` for the process or thread `pid`. If it is a first thread that has ended, whose files
 * in /proc are gone, asks another thread. False: not readable. Opens the program's file, which may
 * block: no thread may be held meanwhile.
 */
MUST_CHECK bool program_read(pid_t pid, struct program *out);

/* Returns the word size by the program's auxiliary vector, without its file; 0: not known. */
unsigned program_word_size(pid_t tid);

/* Returns the registers to use for the program; NULL: this build cannot capture it. */
const struct arch_capture *program_backend(const struct program *program);

/* Has the thread given up its memory (it is ending)? Then nothing of its program can be read. */
bool program_has_ended(pid_t tid);

/* Returns the word size of an auxiliary vector, by its AT_PAGESZ; 0: not known. */
unsigned program_auxv_word_size(const void *auxv, size_t size, uint64_t page_size);

#endif
