/*
 * What a thread does, and whether it has run since its last sample, from /proc, without stopping
 * it.
 */
#ifndef CAPTURE_ACTIVITY_H
#define CAPTURE_ACTIVITY_H

#include <stdbool.h>

#include "capture/session.h"

enum look {
    LOOK_SAME, /* has not run since its last sample */
    LOOK_RAN,
    LOOK_GONE, /* there is no such thread any more: waitpid will say so */
};

/* Reads /proc/PID/task/TID/schedstat; false when it cannot be read. One system call. */
MUST_CHECK bool activity_read_schedstat(struct capture *cap, struct thread *thread,
                                        struct proc_schedstat *out);

/* Has it run, given what activity_read_schedstat just gave? */
enum look activity_look(struct capture *cap, struct thread *thread,
                        const struct proc_schedstat *now);

/*
 * State and system call of a thread that is about to be interrupted. False when it has ended: a
 * first thread that called pthread_exit stays as a zombie, which nothing reports until the others
 * have ended.
 */
MUST_CHECK bool activity_read(struct capture *cap, struct thread *thread, struct activity *out);

#endif
