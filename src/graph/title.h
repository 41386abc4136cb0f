/* SPDX-License-Identifier: MIT */
/*
 * The first line of an output: the captured programs. From a snapshot these are the programs of its
 * first process and of the others that the capture was asked for, after their last exec. A program
 * of several processes or snapshots is named once, without a pid if pids differ. Programs are in
 * the order of their paths, and named as they were started (program_name.h).
 *
 *     /usr/bin/prog (pid 7)
 *     /usr/bin/prog (pid 7), /usr/bin/other (pid 9), /bin/sh (pid 12) and 2 more
 *
 * A board is named without a pid; if its firmware is not known: "board (arm)".
 */
#ifndef GRAPH_TITLE_H
#define GRAPH_TITLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/program_name.h"
#include "snapshot/reader.h"

#define TITLE_PROGRAMS_MAX 3 /* most programs named in the text; the others are counted */
/* bytes kept of a path's end, if there are several programs */
#define TITLE_PATH_MAX 300

struct title {       /* zeroed: empty */
    char text[1024]; /* the line, for all ended snapshots and profiles; raw bytes; may be cut */
    struct title_program {
        struct program_name name; /* for a profile's program or a board: exe is the text to show */
        uint32_t pid;             /* 0: not known, or several processes */
        bool is_board;            /* a board, named without a pid */
    } * programs;                 /* owned; `count`, sorted by path, then by name as started */
    /* Private: */
    struct title_program *current; /* owned; the programs of the snapshot being read */
    size_t current_count, current_cap;
    size_t count, cap;
};

void title_deinit(struct title *title);

/*
 * Takes a PROCESS event. The snapshot's first process is in the title, others only if `is_asked`:
 * the capture was asked for them, they are no descendants that came later. NO_MEMORY.
 */
MUST_CHECK enum status title_process(struct title *title, const struct snap_process *process,
                                     bool is_asked);

/* Takes a THREAD event, which may show how its process was started. NO_MEMORY. */
MUST_CHECK enum status title_thread(struct title *title, const struct snap_thread *thread);

/*
 * Makes the title's process `pid` a board: named "board (MACHINE)" if its path is not known, or
 * "board" if `machine` is "". NO_MEMORY.
 */
MUST_CHECK enum status title_board(struct title *title, uint32_t pid, const char *machine);

/* Adds the program `text` of a profile, "PATH (pid 7)" or "PATH", to the title. NO_MEMORY. */
MUST_CHECK enum status title_text(struct title *title, const char *text);

/* Returns "PATH (pid 7)" or "PATH" for programs[program], malloc'ed; NULL: no memory. */
char *title_program_text(const struct title *title, size_t program);

/* Ends a snapshot: adds its programs to `programs` and the text. NO_MEMORY. */
MUST_CHECK enum status title_end(struct title *title);

/* Returns the path of programs[0], owned by the title; "": there is none. */
const char *title_program(const struct title *title);

#endif
