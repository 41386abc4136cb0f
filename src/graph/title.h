/* SPDX-License-Identifier: MIT */
/*
 * The first line of an output: the captured programs. A snapshot's are its first process and the
 * others that it was begun with, or what these became by exec. A program of several processes or
 * snapshots is named once, without a pid if that differs. Programs are in the order of their paths,
 * whatever the order of snapshots, and named as they were started (program_name.h).
 *
 *     /usr/bin/prog (pid 7)
 *     /usr/bin/prog (pid 7), /usr/bin/other (pid 9), /bin/sh (pid 12) and 2 more
 *
 * A board has no pids; if its firmware is not known it is called "board (arm)".
 */
#ifndef GRAPH_TITLE_H
#define GRAPH_TITLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/program_name.h"
#include "snapshot/reader.h"

#define TITLE_PROGRAMS_MAX 3 /* programs that are named */
/* last bytes of a path that are kept, if there are several programs */
#define TITLE_PATH_MAX 300

struct title {       /* zeroed: empty */
    char text[1024]; /* of all ended snapshots; raw bytes of paths; may be cut */
    struct title_program {
        struct program_name name; /* of a profile or a board the text is in exe */
        uint32_t pid;             /* 0: not known, or several */
        bool is_board;
    } * programs; /* owned; by path, then by name as started */
    /* Private: */
    struct title_program *current; /* owned; of the snapshot being read */
    size_t current_count, current_cap;
    size_t count, cap;
};

void title_deinit(struct title *title);

/*
 * Takes a PROCESS event. The snapshot's first process is in the title, others if `is_asked`: they
 * were to be captured, and are no descendants that came later. NO_MEMORY.
 */
MUST_CHECK enum status title_process(struct title *title, const struct snap_process *process,
                                     bool is_asked);

/* Takes a THREAD event, which may show how its process was started. NO_MEMORY. */
MUST_CHECK enum status title_thread(struct title *title, const struct snap_thread *thread);

/* Makes the process a board; `machine` may be "". NO_MEMORY. */
MUST_CHECK enum status title_board(struct title *title, uint32_t pid, const char *machine);

/* Adds a program from a profile, formatted by title_program_text, pid or not. NO_MEMORY. */
MUST_CHECK enum status title_text(struct title *title, const char *text);

/* Returns "/usr/bin/prog (pid 7)", malloc'ed; NULL: no memory. */
char *title_program_text(const struct title *title, size_t program);

/* Ends a snapshot: adds its programs. NO_MEMORY. */
MUST_CHECK enum status title_end(struct title *title);

/* Returns the path of the first program in the title; "": none. */
const char *title_program(const struct title *title);

#endif
