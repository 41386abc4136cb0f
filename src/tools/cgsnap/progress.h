/* SPDX-License-Identifier: MIT */
/*
 * How a capture gets on, on a terminal, for whoever waits for it:
 *
 *     cgsnap: sampling 7 threads at 99 Hz, Ctrl-C ends
 *     cgsnap: 12 s, 8316 samples, 0 lost, 1234567 bytes
 *
 * The second line is renewed, and erased at the end. No terminal can hold the capture up, whoever
 * stops it (Ctrl-S) or writes to it: it is opened anew, so that it never blocks us.
 *
 * Not in agents, where nobody looks.
 */
#ifndef TOOLS_CGSNAP_PROGRESS_H
#define TOOLS_CGSNAP_PROGRESS_H

#include "tools/cgsnap/cgsnap.h"
#include "tools/progress_line.h"

struct capture_telling {
    struct progress_line line;
    int fd; /* -1: nothing is told */
    uint32_t rate_mhz;
};

/*
 * Before the capture starts. Has it watched where standard error is a terminal, unless the capture
 * is short, is of a command, which has the terminal itself, or is to be quiet.
 */
void telling_begin(struct capture_telling *telling, struct settings *set);

/* Before something else is printed there. */
void telling_end(struct capture_telling *telling);

#endif
