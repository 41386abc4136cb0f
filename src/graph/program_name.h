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
 * If the program was started by a link, the first argument and the first thread have the link's
 * name. The name is used only if both agree, and if it is more than the file's name without its
 * version.
 * A title replaces all arguments, and begins with the program's name or the thread's
 * (setproctitle).
 */
#ifndef GRAPH_PROGRAM_NAME_H
#define GRAPH_PROGRAM_NAME_H

#include <stdbool.h>

#include "base/status.h"
#include "snapshot/event.h"

#define PROGRAM_NAME_MAX  4096 /* bytes; a longer first argument is ignored */
#define PROGRAM_TITLE_MAX 60   /* bytes kept of a title; an ellipsis is appended to a cut one */

struct program_name { /* zeroed: empty */
    char *exe;        /* owned; path of the executable; "": not known */
    char *started;    /* owned; absolute path or base name of the started link; NULL: as exe */
    char *title;      /* owned; the process's title; NULL: none */
    /* Private: */
    char *argument; /* owned; the first argument; NULL: `started` and `title` are final */
    bool is_alone;  /* there is no second argument */
};

/* Sets *out to the path and first argument of a process. NO_MEMORY: *out is empty. */
MUST_CHECK enum status program_name_read(struct program_name *out,
                                         const struct snap_process *process);

/*
 * Takes a thread of the process, in the snapshot's order. The first thread (tid == pid), or one
 * named like the first argument, decides `started` and `title`; later ones change nothing.
 * NO_MEMORY.
 */
MUST_CHECK enum status program_name_thread(struct program_name *name,
                                           const struct snap_thread *thread);

void program_name_deinit(struct program_name *name);

/* Returns `started`, or `exe` if that is NULL; lives as long as `name`. */
const char *program_name_text(const struct program_name *name);

#endif
