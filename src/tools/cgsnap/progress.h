/* SPDX-License-Identifier: MIT */
/*
 * How a capture gets on, on a terminal, for whoever waits for it:
 *
 *     cgsnap: sampling 7 threads at 99 Hz, Ctrl-C ends
 *     cgsnap: 12 s, 8316 samples, 0 lost, 1234567 bytes
 *
 * The second line is renewed, and erased at the end. And, wherever standard error goes, that the
 * rate will be lower than asked, once that is known:
 *
 *     cgsnap: 999 Hz asked, 33 kept for --overhead 3; --overhead 100 keeps 999
 *
 * No terminal can hold the capture up, whoever stops it (Ctrl-S) or writes to it: it is opened
 * anew, so that it never blocks us.
 */
#ifndef TOOLS_CGSNAP_PROGRESS_H
#define TOOLS_CGSNAP_PROGRESS_H

#include "tools/cgsnap/cgsnap.h"
#include "tools/progress_line.h"

struct capture_telling {
    struct progress_line line;
    int fd; /* the terminal; -1: it is none */
    uint32_t rate_mhz, overhead;
    uint64_t told_ns; /* the period that was told last; 0: none */
};

/*
 * Before the capture starts. Has it watched, unless it is to be quiet: for its rate; and for how it
 * gets on where standard error is a terminal, unless it is short, or of a command, which has the
 * terminal itself.
 */
void telling_begin(struct capture_telling *telling, struct settings *set);

/* Before something else is printed there. */
void telling_end(struct capture_telling *telling);

#endif
