/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: reads glibc's locks in the layouts of its versions 2.x.
 *
 *                   to 2.24                  2.25 to 2.40                2.41 and 2.42
 *     condition     futex, three sequences   two groups with references  without references
 *     rwlock        counts of who queues     two phases                  =
 *     mutex, semaphore (since 2.21), barrier (since 2.23), tid in struct pthread: all the same
 *
 * A distribution may have patched a version with a later layout: the fix of bug 25847 removed the
 * references of conditions. So the version decides which layouts are tried, and the memory which of
 * them fits.
 */
#ifndef THREADS_WAITS_WAIT_GLIBC_H
#define THREADS_WAITS_WAIT_GLIBC_H

#include "threads/waits/wait_lock.h"

/* The first and last version whose locks are known. A version is the x of 2.x; 0: not known. */
#define GLIBC_OLDEST 24u
#define GLIBC_NEWEST 42u

struct glibc_layout {
    uint8_t first, last; /* first and last version that was released with this layout */
    uint8_t mended;      /* first version that may have been patched to this layout; 0: none */
    lock_reader *read;
};

/* Whether the locks of this version are known; true also for 0, a version that is not known. */
static inline bool glibc_is_known(unsigned version)
{
    return !version || (version >= GLIBC_OLDEST && version <= GLIBC_NEWEST);
}

/*
 * Reads a lock of view->glibc into *out, in the first of `count` layouts that this version can have
 * and that is sure (is_sure of lock_found); else in the first readable one that the version was
 * released with. Version 0 can have any layout; a version outside of the known ones, too, but then
 * only a sure one counts. False: no layout fits, *out is not set.
 */
MUST_CHECK bool glibc_read(const struct glibc_layout *layouts, size_t count,
                           const struct lock_view *view, struct lock_found *out);

lock_reader glibc_read_condition, glibc_read_rwlock;

#endif
