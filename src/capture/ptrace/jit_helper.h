/* SPDX-License-Identifier: MIT */
/* The process that looks for symbol files (jit_watch.h), and its protocol. */
#ifndef CAPTURE_PTRACE_JIT_HELPER_H
#define CAPTURE_PTRACE_JIT_HELPER_H

#include <stdint.h>
#include <sys/types.h>

enum jit_question_kind {
    JIT_BEGIN, /* comes with /proc/PID/mem; forgets what was known of the process */
    JIT_MAPS,  /* its mappings have changed */
    JIT_AGAIN,
    JIT_FORGET, /* it has ended; not answered */
};

struct jit_question {
    pid_t pid, tid;   /* the process; a live thread of it */
    uint32_t program; /* another number after each exec */
    uint32_t kind;    /* enum jit_question_kind */
};

/* One for each file that was found, with a descriptor of its copy; then one with is_done. */
struct jit_answer {
    pid_t pid;
    uint32_t program;
    uint32_t is_done;
    uint32_t watched;             /* is_done: __jit_debug_descriptors of the program */
    uint64_t cost_ns;             /* is_done: time that it took */
    uint64_t time_ns, addr, size; /* else: when the file was copied; where it is */
};

/* Answers questions until the socket's other end is closed (base/helper.h). */
void jit_helper_run(void *unused, int socket);

#endif
