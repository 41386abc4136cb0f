/* SPDX-License-Identifier: MIT */
/*
 * A filter of system calls, seccomp(2), as a program of the classic BPF. What call_rules.h does not
 * permit fails with EPERM, and what is younger than that with ENOSYS, as on an older kernel:
 * callers are told, nothing is killed.
 */
#ifndef CONFINE_CALL_FILTER_H
#define CONFINE_CALL_FILTER_H

/* What not every run needs. The filter of a child can only have less than its parent's. */
enum call_group {
    CALLS_DRAWING = 1,  /* a child process: fork, kill, and to confine that one further; also for
                           one that reads debug information (confine/child.h) */
    CALLS_FILES = 4,    /* be handed open files, and connections, by a helper process */
    CALLS_SEND = 16,    /* write to a socket that is open: to the cache's helper */
    CALLS_IN_ROOT = 8,  /* openat2, whose flags a filter does not see: for a sysroot */
    CALLS_RUN = 64,     /* become another program, which is confined as this one */
    CALLS_TERMINAL = 32 /* set how a terminal behaves, and stop as it asks for; not type into it */
};

/*
 * From here on for this thread, those that it starts, and children. 0, or an errno: nothing has
 * changed. Needs no_new_privs. Does nothing in a build with AddressSanitizer.
 */
int call_filter_install(unsigned groups);

/*
 * The same for a process that does nothing but compute and answer: it may read from `in`, write to
 * `out`, ask for memory without a file and without code, for random numbers, and for what time it
 * is, and end.
 */
int call_filter_install_helper(int in, int out);

#endif
