/* SPDX-License-Identifier: MIT */
/*
 * A reference to a process, to signal it later even if its PID may have been given to another
 * process meanwhile. Uses a pidfd (Linux 5.3); without pidfds, the PID and the time at which the
 * process began.
 */
#ifndef BASE_PROCESS_REF_H
#define BASE_PROCESS_REF_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct process_ref {
    pid_t pid;            /* 0: the reference is to no process */
    int pidfd;            /* owned; -1: the kernel has no pidfds */
    uint64_t start_ticks; /* without a pidfd: begin of the process, in clock ticks since boot */
};

/*
 * Returns a reference to the process that has this PID now; to none if no process has it. The
 * caller calls process_ref_close, and checks only after this call that the PID is the process
 * meant.
 */
struct process_ref process_ref_open(pid_t pid);
void process_ref_close(struct process_ref *ref);

/*
 * Sends the signal `sig` to the process; 0: only checks that it can be signalled. False: the
 * process has ended or may not be signalled, or `ref` refers to none.
 */
bool process_ref_signal(const struct process_ref *ref, int sig);

#endif
