/* SPDX-License-Identifier: MIT */
/*
 * Times of a page: since the first sample of the snapshot that they are of, as --from and --to
 * count. That is the first that was read: one may come later that was taken a little earlier.
 */
#ifndef OUTPUT_HTML_PAGE_CLOCK_H
#define OUTPUT_HTML_PAGE_CLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "threads/history.h"

struct page_clock {
    const struct history *history; /* borrowed */
    const uint64_t *zero_ns;       /* borrowed; by snapshot of the history */
    size_t count;
};

/* When a snapshot begins; where it had no sample, when the history does. */
static inline uint64_t page_clock_zero(const struct page_clock *clock, uint32_t snapshot)
{
    return snapshot < clock->count ? clock->zero_ns[snapshot] : clock->history->zero_ns;
}

/* How long after that a time of a process of the history is; 0: before. */
static inline uint64_t page_clock_ns(const struct page_clock *clock, uint32_t process,
                                     uint64_t time_ns)
{
    const uint64_t zero_ns = page_clock_zero(clock, clock->history->processes[process].snapshot);

    return time_ns > zero_ns ? time_ns - zero_ns : 0;
}

#endif
