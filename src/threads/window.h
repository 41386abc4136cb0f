/* SPDX-License-Identifier: MIT */
/*
 * The part of a capture that --from and --to leave, as headings tell it. Times are counted from the
 * first sample of the snapshot, whether that is shown or not, in all that is shown of the part,
 * too.
 */
#ifndef THREADS_WINDOW_H
#define THREADS_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#define WINDOW_TEXT_MAX 160

struct window { /* zeroed: all of it */
    uint64_t from_ns;
    uint64_t to_ns;    /* 0: to the end */
    uint64_t whole_ns; /* how long the capture is; 0: not known, or of several */
};

/* Is it less than all? */
bool window_is_part(const struct window *window);

/* "1.00-1.30 s of 4.99 s", "1.00-1.30 s", "from 1.00 s": as finely as the part was asked for. */
const char *window_text(char buffer[WINDOW_TEXT_MAX], const struct window *window);

#endif
