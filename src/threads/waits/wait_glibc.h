/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: layouts of glibc's locks by version 2.x.
 *
 *                   to 2.24                  2.25 to 2.40                2.41 and 2.42
 *     condition     futex, three sequences   two groups with references  without references
 *     rwlock        counts of who queues     two phases                  =
 *     mutex, semaphore (since 2.21), barrier (since 2.23), tid in struct pthread: all the same
 *
 * A distribution may have patched a version with a later layout: the fix of bug 25847 removed the
 * references of conditions. So the version decides which layouts are tried, the memory which fits.
 */
#ifndef THREADS_WAITS_WAIT_GLIBC_H
#define THREADS_WAITS_WAIT_GLIBC_H

#include "threads/waits/wait_lock.h"

/* Versions with known locks. A version is the x of 2.x; 0: not known. */
#define GLIBC_OLDEST 24u
#define GLIBC_NEWEST 42u

struct glibc_layout {
    uint8_t first, last; /* versions released with it */
    uint8_t mended;      /* the first version that may have been patched to have it; 0: none */
    lock_reader *read;
};

/* Whether the version's locks are known, or the version is not. */
static inline bool glibc_is_known(unsigned version)
{
    return !version || (version >= GLIBC_OLDEST && version <= GLIBC_NEWEST);
}

/*
 * Reads a lock in the first layout that is sure (lock_found) of those that the version can have;
 * else in the first readable one that the version was released with. A version outside of the known
 * ones can have any layout, but only a sure one counts; version 0 can have any. False: none.
 */
MUST_CHECK bool glibc_read(const struct glibc_layout *layouts, size_t count,
                           const struct lock_view *view, struct lock_found *out);

lock_reader glibc_read_condition, glibc_read_rwlock;

#endif
