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
    int fd; /* the terminal, opened anew; -1: standard error is no terminal */
    uint32_t rate_mhz, overhead;
    uint64_t told_ns; /* sampling period that was reported last; 0: none was */
};

/*
 * Sets the watch functions of set->capture, before the capture starts. With --quiet it sets none;
 * else watch_rate; and watch (progress) if standard error is a terminal, unless the capture is
 * shorter than 2 s or runs a command, which uses the terminal itself. *telling must outlive the
 * capture.
 */
void telling_begin(struct capture_telling *telling, struct settings *set);

/*
 * Erases the progress line and closes the terminal; call it before other output. Does nothing
 * without a terminal.
 */
void telling_end(struct capture_telling *telling);

#endif
