/* SPDX-License-Identifier: MIT */
/*
 * The part of a capture that --from and --to select, and its text for headings. All times that are
 * shown count from the first sample of the snapshot, even if the part begins later.
 */
#ifndef THREADS_WINDOW_H
#define THREADS_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#define WINDOW_TEXT_MAX 160

struct window { /* zeroed: the whole capture */
    uint64_t from_ns;
    uint64_t to_ns;    /* 0: to the end */
    uint64_t whole_ns; /* length of the capture; 0: not known, or several captures */
};

/* Whether --from or --to were given. */
bool window_is_part(const struct window *window);

/*
 * Writes "1.00-1.30 s of 4.99 s", "1.00-1.30 s" or "from 1.00 s", and returns `buffer`. Seconds get
 * the digits that from_ns and to_ns need, 2 to 9.
 */
const char *window_text(char buffer[WINDOW_TEXT_MAX], const struct window *window);

#endif
