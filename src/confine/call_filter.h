/* SPDX-License-Identifier: MIT */
/*
 * Filters system calls by seccomp(2), with a program of classic BPF. Calls that call_rules.h does
 * not permit fail with EPERM, calls younger than the filter with ENOSYS, as on an older kernel:
 * callers are told, nothing is killed.
 */
#ifndef CONFINE_CALL_FILTER_H
#define CONFINE_CALL_FILTER_H

/* Calls that not every run needs. A child's filter can only be stricter than its parent's. */
enum call_group {
    /* fork, kill, confining a child further: for drawing, and for confine/child.h */
    CALLS_DRAWING = 1,
    CALLS_FILES = 4,    /* receive open files and connections from a helper process */
    CALLS_SEND = 16,    /* write to an open socket: the cache's helper */
    CALLS_IN_ROOT = 8,  /* openat2, whose flags a filter does not see: for a sysroot */
    CALLS_RUN = 64,     /* execute another program, which is confined in the same way */
    CALLS_TERMINAL = 32 /* set a terminal's modes, and stop for it; not type into it */
};

/*
 * Filters the calls of this thread, threads and children that it makes. Returns 0, or an errno if
 * nothing has changed. Needs no_new_privs. Does nothing in a build with AddressSanitizer.
 */
int call_filter_install(unsigned groups);

/*
 * call_filter_install for a process that only computes and answers: it may read from `in`, write to
 * `out`, get memory without a file and without code, random numbers and the time, and end.
 */
int call_filter_install_helper(int in, int out);

#endif
