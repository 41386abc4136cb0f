/* SPDX-License-Identifier: MIT */
/*
 * Filters system calls by seccomp(2), with a program of classic BPF. Calls that call_rules.h does
 * not permit fail with EPERM, calls younger than the filter with ENOSYS, as on an older kernel:
 * callers are told, nothing is killed.
 */
#ifndef CONFINE_CALL_FILTER_H
#define CONFINE_CALL_FILTER_H

/*
 * Groups of system calls that only some runs need, as bits. A child's filter can only be stricter
 * than its parent's.
 */
enum call_group {
    /* fork, kill, confining a child further: for drawing, and for confine/child.h */
    CALLS_DRAWING = 1,
    CALLS_FILES = 4,    /* receive open files and connections from a helper process */
    CALLS_SEND = 16,    /* write to an open socket: the cache's helper */
    CALLS_RUN = 64,     /* execute another program, which is confined in the same way */
    CALLS_TERMINAL = 32 /* set a terminal's modes, and stop for job control; not type into it */
};

/*
 * Filters the system calls of the calling thread, and of threads and children that it makes later,
 * for good: always permitted calls, and those of `groups` (enum call_group). Returns 0, or an
 * errno: nothing has changed. The thread must have no_new_privs. Does nothing in a build with
 * AddressSanitizer.
 */
int call_filter_install(unsigned groups);

/*
 * Filters system calls as call_filter_install, for a process that only computes and answers: it may
 * read from `in`, write to `out`, get memory without a file and without code, random numbers and
 * the time, and end. Returns 0, or an errno: nothing has changed.
 */
int call_filter_install_helper(int in, int out);

#endif
