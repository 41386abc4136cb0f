/* SPDX-License-Identifier: MIT */
/*
 * The part of a capture that --from and --to select, and its text for headings. All times are
 * relative to the first sample of the snapshot, even if the part begins later.
 */
#ifndef THREADS_WINDOW_H
#define THREADS_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#define WINDOW_TEXT_MAX 160

struct window { /* a part of the capture; all members zero: all of it */
    uint64_t from_ns;
    /* end of the part, in ns since the first sample; 0: it reaches to the capture's end */
    uint64_t to_ns;
    uint64_t whole_ns; /* length of the capture; 0: not known, or several captures */
};

/* Whether from_ns or to_ns limits the capture. */
bool window_is_part(const struct window *window);

/*
 * Writes the window to `buffer`, which it returns: "1.00-1.30 s of 4.99 s"; without whole_ns
 * "1.00-1.30 s", or without an end "from 1.00 s". Seconds have as many decimals as from_ns and
 * to_ns need, 2 to 9.
 */
const char *window_text(char buffer[WINDOW_TEXT_MAX], const struct window *window);

#endif
