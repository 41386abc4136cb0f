/* SPDX-License-Identifier: MIT */
/*
 * What a process's program is called by those who started it, and what the process calls itself.
 *
 *     exe                       first argument         thread        name          title
 *     /usr/bin/redis-check-rdb  redis-server *:6379    redis-server  redis-server  the argument
 *     /usr/bin/postgres         postgres: walwriter    postgres      the file's    the argument
 *     /usr/bin/busybox          sh                     sh            sh            none
 *     /usr/bin/python3.11       python3                python3       the file's    none
 *
 * A link's name is what was started: the first argument has it, and the kernel gives it to the
 * first thread; only where both agree it is believed. One that leaves off the version of the file's
 * name says less than that. A title takes the place of all arguments, and begins with the
 * program's name or the thread's (setproctitle).
 */
#ifndef GRAPH_PROGRAM_NAME_H
#define GRAPH_PROGRAM_NAME_H

#include <stdbool.h>

#include "base/status.h"
#include "snapshot/event.h"

#define PROGRAM_NAME_MAX  4096 /* bytes of a first argument that are looked at */
#define PROGRAM_TITLE_MAX 60   /* bytes of a title that are kept; what is cut ends in "…" */

struct program_name { /* zeroed: of nothing */
    char *exe;        /* owned; its path, "" when it is not known */
    char *started;    /* owned, NULL: the same; a path, if it was started by an absolute one */
    char *title;      /* owned; NULL: the process has none */
    /* Private: */
    char *argument; /* owned; the first one, until that is decided; NULL: it is */
    bool is_alone;  /* there are no others */
};

/* Both fail only for memory. */
MUST_CHECK enum status program_name_read(struct program_name *out,
                                         const struct snap_process *process);

/*
 * A thread of it as the snapshot tells of it: of the first one, or one that is called as the
 * program was started, what it is called decides; what comes then changes nothing.
 */
MUST_CHECK enum status program_name_thread(struct program_name *name,
                                           const struct snap_thread *thread);

void program_name_deinit(struct program_name *name);

/* As it was started, else the file's path. Lives as long as the name. */
const char *program_name_text(const struct program_name *name);

#endif
