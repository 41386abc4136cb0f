/* SPDX-License-Identifier: MIT */
/*
 * A process that reads untrusted bytes in our place. It has what is mapped already, computes, and
 * answers over a pipe; it can do nothing else (call_filter_install_helper), has no capabilities and
 * limited memory, and ends with its parent. Its answers are untrusted, too.
 */
#ifndef CONFINE_CHILD_H
#define CONFINE_CHILD_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/status.h"

#define CHILD_NOTES_SIZE 64u

struct child {
    pid_t pid; /* 0: none */
    int to, from;
    int held;    /* the read end of `to`, kept open so that writing raises no SIGPIPE */
    void *notes; /* CHILD_NOTES_SIZE shared bytes, zero at start; readable after its death */
};

struct child_limits {
    uint64_t memory;  /* bytes in addition to what the parent has mapped */
    unsigned seconds; /* of CPU time, in all */
};

/* Runs in the child, with its ends of the pipes. If it returns, the child exits with 0. */
typedef void child_serve(void *context, const struct child *parent, int in, int out);

/* Starts a child; `child` is zeroed or was killed. IO: errno says why. */
MUST_CHECK enum status child_start(struct child *child, const struct child_limits *limits,
                                   child_serve *serve, void *context);

/* Kills the child, waits for its end, keeps `notes`. Returns its own exit status; else 0. */
int child_kill(struct child *child);

/* child_kill, and frees `notes`; also for a zeroed child. */
void child_end(struct child *child);

/*
 * Asks one question: runs `serve` in a child, and returns the status and bytes of its child_return,
 * at most `most` bytes. limits->seconds also bounds the clock's time. *bytes is malloc'ed, with a
 * spare byte at the end, and to be freed in any case; NULL: none. BAD_DATA: the child died, was too
 * late, or answered nonsense. NO_MEMORY; IO: it cannot be started, errno says why.
 */
MUST_CHECK enum status child_compute(const struct child_limits *limits, child_serve *serve,
                                     void *context, size_t most, uint8_t **bytes, size_t *size);
_Noreturn void child_return(int out, enum status status, const void *bytes, size_t size);

/* Send and receive all bytes, until a deadline. END: the child has ended, or is too late. */
struct child_wait {
    int64_t deadline_ms; /* CLOCK_MONOTONIC */
};
struct child_wait child_wait_begin(unsigned seconds);
MUST_CHECK enum status child_send(const struct child *child, const void *bytes, size_t size,
                                  struct child_wait wait);
MUST_CHECK enum status child_receive(const struct child *child, void *buffer, size_t size,
                                     struct child_wait wait);

#endif
