/* SPDX-License-Identifier: MIT */
/*
 * A child process that reads untrusted bytes in its parent's place. It has the parent's memory as
 * of its start, computes, and answers over a pipe; it can do nothing else
 * (call_filter_install_helper), has no capabilities and limited memory, and ends with its parent.
 * Its answers are untrusted, too.
 */
#ifndef CONFINE_CHILD_H
#define CONFINE_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

#define CHILD_NOTES_SIZE 64u

struct child {
    pid_t pid;    /* PID of the child; 0: none runs */
    int to, from; /* pipes to and from the child; do not block */
    int held;     /* the read end of `to`, kept open so that writing raises no SIGPIPE */
    void *notes;  /* CHILD_NOTES_SIZE bytes shared with the child, 0 at its start; outlive it */
};

struct child_limits {
    uint64_t memory;  /* bytes that it may map in addition to the parent's mappings */
    unsigned seconds; /* most CPU time */
};

/*
 * The child's work: reads questions from `in`, writes answers to `out` (its ends of the pipes).
 * `parent` is the parent's struct, for its notes. If the function returns, the child exits with 0.
 */
typedef void child_serve(void *context, const struct child *parent, int in, int out);

/*
 * Starts a child that calls `serve`; the caller calls child_end. `child` is zeroed, or was killed
 * by child_kill. IO: errno says why.
 */
MUST_CHECK enum status child_start(struct child *child, const struct child_limits *limits,
                                   child_serve *serve, void *context);

/*
 * Kills the child and waits for its end; child->notes stays. Returns the status with which the
 * child had exited before; 0: it had not, or exited with 0.
 */
int child_kill(struct child *child);

/* Calls child_kill and frees child->notes; does nothing for a zeroed child. */
void child_end(struct child *child);

/* Up to when child_send, child_receive and child_compute wait. */
struct child_wait {
    int64_t deadline_ms; /* CLOCK_MONOTONIC */
    int end_fd;          /* that this descriptor is readable ends the wait as well; -1: none */
};
/* Returns the deadline `seconds` from now, without end_fd. */
struct child_wait child_wait_begin(unsigned seconds);

/*
 * Runs `serve` in a child until it calls child_return, and returns its status, with its bytes, at
 * most `most`, in *bytes and *size. *bytes is malloc'ed, with a spare byte at the end, for the
 * caller to free in any case; NULL: no bytes. BAD_DATA: the child died, was too late, or answered
 * nonsense. NO_MEMORY; IO: the child cannot be started, errno says why.
 */
MUST_CHECK enum status child_compute(const struct child_limits *limits, struct child_wait wait,
                                     child_serve *serve, void *context, size_t most,
                                     uint8_t **bytes, size_t *size);
/*
 * Ends the child of child_compute, with these results for the parent. `out`: that of child_serve.
 */
_Noreturn void child_return(int out, enum status status, const void *bytes, size_t size);

/* Send to, receive from the child all `size` bytes. END: the child has ended, or is too late. */
MUST_CHECK enum status child_send(const struct child *child, const void *bytes, size_t size,
                                  struct child_wait wait);
MUST_CHECK enum status child_receive(const struct child *child, void *buffer, size_t size,
                                     struct child_wait wait);

#endif
