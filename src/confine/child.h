/* SPDX-License-Identifier: MIT */
/*
 * A process that reads bytes which may be hostile in our place. It has what is mapped already,
 * computes, and answers over a pipe; it can do nothing else (call_filter_install_helper), has no
 * capabilities, a limited amount of memory, and ends with its parent. What it answers is to be
 * taken for hostile as well.
 */
#ifndef CONFINE_CHILD_H
#define CONFINE_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

#define CHILD_NOTES_SIZE 64u

struct child {
    pid_t pid; /* 0: there is none */
    int to, from;
    int held;    /* the other end of `to`: to write to it is no reason to be killed (SIGPIPE) */
    void *notes; /* mapped, and zeroes at first: what the child left us when it died */
};

struct child_limits {
    uint64_t memory;  /* bytes besides what the parent has mapped */
    unsigned seconds; /* of a CPU, of all that it does */
};

/* What the child does, with its ends of the pipes; it must not come back. */
typedef void child_serve(void *context, const struct child *parent, int in, int out);

/* IO: it cannot be begun, errno says why. */
MUST_CHECK enum status child_start(struct child *child, const struct child_limits *limits,
                                   child_serve *serve, void *context);

/*
 * Kills it, and waits for its end. Returns the status that it has ended with by itself, of _exit;
 * 0: it had not, or by a signal.
 */
int child_kill(struct child *child);

/* The same, for good: also of one that was not begun. */
void child_end(struct child *child);

/*
 * One question: the bytes that `serve`, in a child for it alone, ends with (child_return), `most`
 * of them, in `limits` of time also by the clock. *bytes is the caller's to free, with a byte of
 * room behind; NULL where there are none. Its status; BAD_DATA: it has died, was too late, or made
 * no sense. NO_MEMORY; IO: it cannot be begun, errno says why.
 */
MUST_CHECK enum status child_compute(const struct child_limits *limits, child_serve *serve,
                                     void *context, size_t most, uint8_t **bytes, size_t *size);
_Noreturn void child_return(int out, enum status status, const void *bytes, size_t size);

/* CLOCK_MONOTONIC */
int64_t child_now_ms(void);

/* Sends and receives, for so long at most. END: the child has ended, or is too late. */
struct child_wait {
    int64_t deadline_ms; /* of CLOCK_MONOTONIC */
};
struct child_wait child_wait_begin(unsigned seconds);
MUST_CHECK enum status child_send(const struct child *child, const void *bytes, size_t size,
                                  struct child_wait wait);
MUST_CHECK enum status child_receive(const struct child *child, void *buffer, size_t size,
                                     struct child_wait wait);

#endif
