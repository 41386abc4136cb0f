/* SPDX-License-Identifier: MIT */
/*
 * glibc's rwlocks: to 2.24 (sysdeps/x86/bits/pthreadtypes.h and its like), and since 2.25 (commit
 * cc25c8b4c119, nptl/pthread_rwlock_common.c, bits/struct_rwlock.h).
 */
#include "threads/waits/wait_glibc.h"

/* Bits of __readers, below the count. */
#define PHASE_WRITE   1u
#define WRITE_LOCKED  2u
#define READERS_WAIT  4u
#define READERS_SHIFT 3
#define FUTEX_USED    2u /* bit of the words that threads wait on */

/*
 *                to 2.24                                  since 2.25
 *     0          lock                                     readers
 *     4          nr_readers                               writers
 *     8, 12      readers_wakeup writer_wakeup             wrphase_futex writers_futex
 *     16, 20     nr_readers_queued nr_writers_queued      unused, 0
 *     24, 28     64 bits: the writer's tid, shared; 32 bits: flags and shared, bytes, the tid
 */
struct rwlock {
    uint32_t words[6], writer, shared;
};

static bool read_words(const struct lock_view *view, uint64_t addr, struct rwlock *out)
{
    uint32_t words[8];

    if (!lock_words(view, addr, words, 8))
        return false;
    for (unsigned i = 0; i < 6; i++)
        out->words[i] = words[i];
    if (view->arch->word_size == 8) {
        out->writer = words[6];
        out->shared = words[7];
    } else {
        out->writer = words[7];
        out->shared = words[6] >> 8 & 0xff;
    }
    return out->writer <= FUTEX_TID;
}

/* `kind`: of a wait on this word of the lock. */
static bool take_phases(const struct lock_view *view, uint64_t addr, enum wait_kind kind,
                        struct lock_found *out)
{
    struct rwlock lock;
    uint32_t readers;

    if (!read_words(view, addr, &lock) || lock.words[2] > 3 || lock.words[3] > 3 || lock.words[4] ||
        lock.words[5] || lock.shared > 1)
        return false;
    readers = lock.words[0];
    *out = (struct lock_found){.kind = kind, .addr = addr};
    if (lock.shared)
        lock_describe(out, "shared");
    if ((readers & PHASE_WRITE) && (readers & WRITE_LOCKED) && lock.writer)
        out->is_sure = lock_take_owner(view, out, lock.writer, lock.shared);
    if (!(readers & PHASE_WRITE)) {
        out->readers = readers >> READERS_SHIFT;
        out->is_sure = out->readers && out->readers < LOCK_WAITERS_MAX &&
                       (readers & WRITE_LOCKED) && !lock.writer && kind == WAIT_RWLOCK_WRITE &&
                       view->expected == FUTEX_USED && lock.words[2] == FUTEX_USED;
    }
    return true;
}

/*
 *     wrphase_futex   readers wait while it is 1, writers while it is 0: for readers to leave
 *     writers_futex   writers wait for another writer
 *     readers         readers wait if writers have precedence
 */
static bool read_phases(const struct lock_view *view, struct lock_found *out)
{
    uint64_t futex = view->futex_addr;
    bool reads = view->named == WAIT_RWLOCK_READ, writes = view->named == WAIT_RWLOCK_WRITE;

    if (view->expected == FUTEX_USED)
        return !reads && take_phases(view, futex - 8, WAIT_RWLOCK_WRITE, out);
    if (view->expected == (FUTEX_USED | 1)) {
        if (!writes && take_phases(view, futex - 8, WAIT_RWLOCK_READ, out) &&
            (reads || out->is_sure))
            return true;
        return !reads && take_phases(view, futex - 12, WAIT_RWLOCK_WRITE, out);
    }
    return reads && (view->expected & READERS_WAIT) &&
           take_phases(view, futex, WAIT_RWLOCK_READ, out);
}

/* The queues are counts of waiters; `shared` is 0 or FUTEX_PRIVATE, inverted. */
static bool take_queues(const struct lock_view *view, uint64_t addr, enum wait_kind kind,
                        struct lock_found *out)
{
    struct rwlock lock;
    uint32_t queued;

    if (!read_words(view, addr, &lock))
        return false;
    queued = lock.words[kind == WAIT_RWLOCK_READ ? 4 : 5];
    if (lock.words[0] > 2 || lock.words[1] > LOCK_WAITERS_MAX || !queued ||
        queued > LOCK_WAITERS_MAX || (lock.writer && lock.words[1]) ||
        (lock.shared && lock.shared != FUTEX_PRIVATE))
        return false;
    *out = (struct lock_found){.kind = kind, .addr = addr};
    if (lock.shared)
        lock_describe(out, "shared");
    if (lock.writer)
        out->is_sure = lock_take_owner(view, out, lock.writer, lock.shared);
    else
        out->readers = lock.words[1];
    out->is_sure = out->is_sure || (out->readers && kind == WAIT_RWLOCK_WRITE);
    return true;
}

static bool read_queues(const struct lock_view *view, struct lock_found *out)
{
    bool reads = view->named == WAIT_RWLOCK_READ, writes = view->named == WAIT_RWLOCK_WRITE;

    if (!writes && take_queues(view, view->futex_addr - 8, WAIT_RWLOCK_READ, out) &&
        (reads || out->is_sure))
        return true;
    return !reads && take_queues(view, view->futex_addr - 12, WAIT_RWLOCK_WRITE, out);
}

bool glibc_read_rwlock(const struct lock_view *view, struct lock_found *out)
{
    static const struct glibc_layout layouts[] = {
        {.first = 4, .last = 24, .read = read_queues},
        {.first = 25, .last = GLIBC_NEWEST, .read = read_phases},
    };

    return !view->is_pi && glibc_read(layouts, sizeof(layouts) / sizeof(layouts[0]), view, out);
}
