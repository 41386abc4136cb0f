/* SPDX-License-Identifier: MIT */
/*
 * Shows a capture's progress on a terminal:
 *
 *     cgsnap: sampling 7 threads at 99 Hz, Ctrl-C ends
 *     cgsnap: 12 s, 8316 samples, 0 lost, 1234567 bytes
 *
 * The second line is rewritten in place, and erased at the end. On standard error, terminal or not,
 * it also reports that the rate will be lower than asked, as soon as that is known:
 *
 *     cgsnap: 999 Hz asked, 33 kept for --overhead 3; --overhead 100 keeps 999
 *
 * Never blocks, even when the terminal is stopped (Ctrl-S): it is opened anew, as non-blocking.
 */
#ifndef TOOLS_CGSNAP_PROGRESS_H
#define TOOLS_CGSNAP_PROGRESS_H

#include "tools/cgsnap/cgsnap.h"
#include "tools/progress_line.h"

struct capture_telling {
    struct progress_line line;
    int fd; /* the terminal; -1: standard error is none */
    uint32_t rate_mhz, overhead;
    uint64_t told_ns; /* the sampling period that was reported last; 0: none */
};

/*
 * To be called before the capture starts: sets the watch functions of set->capture. With --quiet
 * none; else for the rate; and for the progress, if standard error is a terminal, unless the
 * capture is shorter than 2 s or of a command, which has the terminal itself.
 */
void telling_begin(struct capture_telling *telling, struct settings *set);

/* Erases the line and closes the terminal. To be called before other output. */
void telling_end(struct capture_telling *telling);

#endif
