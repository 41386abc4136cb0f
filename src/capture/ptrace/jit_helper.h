/* SPDX-License-Identifier: MIT */
/* The process that looks for symbol files (jit_watch.h), and what is said between it and us. */
#ifndef CAPTURE_PTRACE_JIT_HELPER_H
#define CAPTURE_PTRACE_JIT_HELPER_H

#include <stdint.h>
#include <sys/types.h>

enum jit_question_kind {
    JIT_BEGIN, /* comes with the open memory of the process; what was known of it is forgotten */
    JIT_MAPS,  /* what it maps has changed */
    JIT_AGAIN,
    JIT_FORGET, /* it has ended; is not answered */
};

struct jit_question {
    pid_t pid, tid;   /* the process; a thread of it that lives */
    uint32_t program; /* a number that is another after each exec */
    uint32_t kind;    /* enum jit_question_kind */
};

/* All files that a question has come to, each with its copy, then one that says `is_done`. */
struct jit_answer {
    pid_t pid;
    uint32_t program;
    uint32_t is_done;
    uint32_t watched;             /* is_done: how many descriptors the program has */
    uint64_t cost_ns;             /* is_done: how long it took */
    uint64_t time_ns, addr, size; /* else: of the file; when it was copied */
};

/* Answers questions until the socket's other end is closed. */
_Noreturn void jit_helper_run(int socket);

#endif
