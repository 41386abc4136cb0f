/* SPDX-License-Identifier: MIT */
/*
 * A process to be signalled later: the kernel gives its number to another one when it has ended. By
 * a pidfd (Linux 5.3); without, by its number and when it began.
 */
#ifndef BASE_PROCESS_REF_H
#define BASE_PROCESS_REF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_ref {
    pid_t pid; /* 0: none */
    int pidfd; /* owned; -1: the kernel has none */
    uint64_t start_ticks;
};

/* Refers to who has the number now; what is to hold of that one is looked at afterwards. */
struct process_ref process_ref_open(pid_t pid);
void process_ref_close(struct process_ref *ref);

/* False: it is not there any more, or may not be signalled. 0 as a signal sends none. */
bool process_ref_signal(const struct process_ref *ref, int sig);

#endif
