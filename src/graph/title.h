/* SPDX-License-Identifier: MIT */
/*
 * The first line of an output: which programs were captured. Of each snapshot that is its first
 * process and those that it began with besides, or what they became by exec; a program of several
 * processes or snapshots is named once, without its pid where that was not the same. They are in
 * the order of their paths, whatever the order of the snapshots, and named as they were started
 * (program_name.h).
 *
 *     /usr/bin/prog (pid 7)
 *     /usr/bin/prog (pid 7), /usr/bin/other (pid 9), /bin/sh (pid 12) and 2 more
 *
 * A board has no pids; where its firmware is not known it is called "board (arm)".
 */
#ifndef GRAPH_TITLE_H
#define GRAPH_TITLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/program_name.h"
#include "snapshot/reader.h"

#define TITLE_PROGRAMS_MAX 3   /* that are named */
#define TITLE_PATH_MAX     300 /* bytes of a path, its last, where there are several */

struct title {       /* zeroed: of nothing */
    char text[1024]; /* of the snapshots that have ended; raw bytes of paths; may be cut */
    struct title_program {
        struct program_name name; /* of a profile, or a board, its text stands for the path */
        uint32_t pid;             /* 0: not known, or it is of several */
        bool is_board;
    } * programs; /* by path, then by what it was started as */
    /* Private: */
    struct title_program *current; /* owned; of the snapshot that is being read */
    size_t current_count, current_cap;
    size_t count, cap;
};

void title_deinit(struct title *title);

/*
 * A process as the snapshot tells of it: the first is in the title, others if `is_asked`: they are
 * no descendants that came to it, but what was to be captured.
 */
MUST_CHECK enum status title_process(struct title *title, const struct snap_process *process,
                                     bool is_asked);

/* A thread, which may tell how its process was started. */
MUST_CHECK enum status title_thread(struct title *title, const struct snap_thread *thread);

/* The process is no process, but a board of that machine, which may be empty. */
MUST_CHECK enum status title_board(struct title *title, uint32_t pid, const char *machine);

/*
 * A program as title_program_text gives it, with or without its pid: of a profile, which several
 * processes may have been in.
 */
MUST_CHECK enum status title_text(struct title *title, const char *text);

/* "/usr/bin/prog (pid 7)"; yours to free, NULL: out of memory. */
char *title_program_text(const struct title *title, size_t program);

/* The snapshot has ended; the next process is of another. */
MUST_CHECK enum status title_end(struct title *title);

/* The path of the first program, as the snapshot has it; empty: it has none. */
const char *title_program(const struct title *title);

#endif
