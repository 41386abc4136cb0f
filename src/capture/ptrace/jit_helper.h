/* SPDX-License-Identifier: MIT */
/* The helper process that looks for registered symbol files (jit_watch.h), and its protocol. */
#ifndef CAPTURE_PTRACE_JIT_HELPER_H
#define CAPTURE_PTRACE_JIT_HELPER_H

#include <stdint.h>
#include <sys/types.h>

enum jit_question_kind {
    JIT_BEGIN,  /* comes with an open /proc/PID/mem; the helper forgets the process's old program */
    JIT_MAPS,   /* the process's mappings have changed: look for new descriptors, too */
    JIT_AGAIN,  /* look at the known descriptors again */
    JIT_FORGET, /* the process has ended; there is no answer */
};

struct jit_question {
    pid_t pid, tid;   /* the process; a live thread of the process */
    uint32_t program; /* cgsnap's number of the program, another after each exec */
    uint32_t kind;    /* enum jit_question_kind */
};

/*
 * The answers to a question: one for each new symbol file, sent with a descriptor of its copy; then
 * one with is_done.
 */
struct jit_answer {
    pid_t pid;                    /* member `pid` of the question */
    uint32_t program;             /* member `program` of the question */
    uint32_t is_done;             /* 1: the last answer; 0: a file */
    uint32_t watched;             /* is_done: number of the program's __jit_debug_descriptors */
    uint64_t cost_ns;             /* is_done: time that the search took */
    uint64_t time_ns, addr, size; /* a file: time of the copy; place in the program's memory */
};

/* Answers questions (struct jit_question) until the socket's other end is closed: base/helper.h. */
void jit_helper_run(void *unused, int socket);

#endif
