/* SPDX-License-Identifier: MIT */
/*
 * Which machine's program a process runs: by the header of its file, or where that cannot be read
 * by the size of the words in its auxiliary vector.
 */
#ifndef CAPTURE_PTRACE_PROGRAM_H
#define CAPTURE_PTRACE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "arch/capture.h"

struct program {
    uint16_t machine; /* as in ELF; 0: only the word size is known */
    unsigned word_size;
};

/*
 * Of the process, or the thread, `pid`. Where a first thread has ended, which takes its files in
 * /proc with it, another thread is asked. False: it cannot be told. The program's file is opened,
 * whose file system may not answer: so nothing may be held meanwhile.
 */
MUST_CHECK bool program_read(pid_t pid, struct program *out);

/* Without its file, by what the kernel has told the program (auxv); 0: it cannot be told. */
unsigned program_word_size(pid_t tid);

/* NULL: this build cannot capture it. */
const struct arch_capture *program_backend(const struct program *program);

/* Has the thread given up its memory? Then nothing of its program can be read any more. */
bool program_has_ended(pid_t tid);

/* The word size that an auxiliary vector has, by its AT_PAGESZ; 0: it cannot be told. */
unsigned program_auxv_word_size(const void *auxv, size_t size, uint64_t page_size);

#endif
