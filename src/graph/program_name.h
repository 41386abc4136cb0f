/* SPDX-License-Identifier: MIT */
/*
 * The name by which a process's program was started, and the title that the process gives itself.
 *
 *     exe                       first argument         thread        name          title
 *     /usr/bin/redis-check-rdb  redis-server *:6379    redis-server  redis-server  the argument
 *     /usr/bin/postgres         postgres: walwriter    postgres      the file's    the argument
 *     /usr/bin/busybox          sh                     sh            sh            none
 *     /usr/bin/python3.11       python3                python3       the file's    none
 *
 * The first argument has the name of a link that was started, and the kernel gives it to the first
 * thread; it is used only if both agree, and unless it is just the file's name without its version.
 * A title replaces all arguments, and begins with the program's name or the thread's
 * (setproctitle).
 */
#ifndef GRAPH_PROGRAM_NAME_H
#define GRAPH_PROGRAM_NAME_H

#include <stdbool.h>

#include "base/status.h"
#include "snapshot/event.h"

#define PROGRAM_NAME_MAX  4096 /* bytes; a longer first argument is ignored */
#define PROGRAM_TITLE_MAX 60   /* bytes kept of a title; a cut one ends in an ellipsis */

struct program_name { /* zeroed: empty */
    char *exe;        /* owned; its path; "": not known */
    char *started;    /* owned; name it was started by, an absolute path as it is; NULL: exe */
    char *title;      /* owned; NULL: none */
    /* Private: */
    char *argument; /* owned; the first argument; NULL: all is decided */
    bool is_alone;  /* it is the only argument */
};

/* Reads path and first argument of a process. Only NO_MEMORY fails, here and below. */
MUST_CHECK enum status program_name_read(struct program_name *out,
                                         const struct snap_process *process);

/*
 * Takes a thread of the process, in the snapshot's order. The first thread, or one named like the
 * program as started, decides `started` and `title`; later ones change nothing.
 */
MUST_CHECK enum status program_name_thread(struct program_name *name,
                                           const struct snap_thread *thread);

void program_name_deinit(struct program_name *name);

/* Returns `started`, else the file's path; lives as long as the name. */
const char *program_name_text(const struct program_name *name);

#endif
