/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: the versions of glibc, and which layout each has.
 *
 *                   to 2.24                  2.25 to 2.40                2.41 and 2.42
 *     condition     futex, three sequences   two groups with references  without references
 *     rwlock        counts of who queues     two phases                  =
 *     mutex, semaphore (since 2.21), barrier (since 2.23), tid in struct pthread: all the same
 *
 * A distribution may have mended a version with what a later one has: bug 25847 of conditions took
 * their references away. So the memory has the last word, and the version decides what is tried.
 */
#ifndef THREADS_WAITS_WAIT_GLIBC_H
#define THREADS_WAITS_WAIT_GLIBC_H

#include "threads/waits/wait_lock.h"

/* A version is the x of 2.x; 0: nothing tells it. Of these the locks are known. */
#define GLIBC_OLDEST 24u
#define GLIBC_NEWEST 42u

struct glibc_layout {
    uint8_t first, last; /* versions, as they were released */
    uint8_t mended;      /* the first that may have been mended to have it; 0: none */
    lock_reader *read;
};

/* Are the version's locks known? Where nothing tells the version they may be. */
static inline bool glibc_is_known(unsigned version)
{
    return !version || (version >= GLIBC_OLDEST && version <= GLIBC_NEWEST);
}

/*
 * In the first layout that the memory is surely in, of those that the version can have, and any may
 * be that of a version that is not known; else in the first that the version was released with.
 */
MUST_CHECK bool glibc_read(const struct glibc_layout *layouts, size_t count,
                           const struct lock_view *view, struct lock_found *out);

lock_reader glibc_read_condition, glibc_read_rwlock;

#endif
