/* SPDX-License-Identifier: MIT */
/*
 * Locks of glibc 2.24 to 2.42 (sysdeps/nptl/bits and nptl/ of its sources) that are the same in
 * all these versions. They depend on the word size only, not on the architecture.
 */
#include "threads/waits/wait_glibc.h"

#include <stddef.h>

#include "arch/analysis/analysis.h"

static bool is_own(const struct glibc_layout *layout, unsigned version)
{
    return !version || (version >= layout->first && version <= layout->last);
}

static bool is_possible(const struct glibc_layout *layout, unsigned version)
{
    return is_own(layout, version) || !glibc_is_known(version) ||
           (layout->mended && version >= layout->mended);
}

bool glibc_read(const struct glibc_layout *layouts, size_t count, const struct lock_view *view,
                struct lock_found *out)
{
    bool is_found = false;

    for (size_t i = 0; i < count && !(is_found && out->is_sure); i++) {
        struct lock_found found;

        if (!is_possible(&layouts[i], view->glibc) || !layouts[i].read(view, &found) ||
            (!found.is_sure && (is_found || !is_own(&layouts[i], view->glibc))))
            continue;
        *out = found;
        is_found = true;
    }
    return is_found;
}

/* Bits of pthread_mutex_t's __kind. */
#define KIND_TYPE    3u
#define KIND_ROBUST  16u
#define KIND_INHERIT 32u
#define KIND_PROTECT 64u
#define KIND_SHARED  128u
#define KIND_KNOWN   0x3ffu /* with two bits for elision */

static void describe_mutex(struct lock_found *out, uint32_t kind, uint32_t lock)
{
    static const char *const types[] = {"", "recursive", "errorcheck", "adaptive"};

    lock_describe(out, types[kind & KIND_TYPE]);
    if (kind & KIND_ROBUST)
        lock_describe(out, "robust");
    if (kind & KIND_INHERIT)
        lock_describe(out, "PI");
    if (kind & KIND_PROTECT)
        lock_describe(out, "priority ceiling");
    if ((kind & KIND_SHARED) && !(kind & KIND_ROBUST)) /* robust mutexes have the bit in any case */
        lock_describe(out, "shared");
    if ((kind & (KIND_ROBUST | KIND_INHERIT)) && (lock & FUTEX_DIED))
        lock_describe(out, "owner died");
}

/*
 *     64 bits   lock count owner nusers kind
 *     32 bits   lock count owner kind nusers
 *
 * The lock is 0, 1 or 2 (there are waiters), above these bits the ceiling; in robust and PI mutexes
 * it is the owner.
 */
static bool read_mutex(const struct lock_view *view, struct lock_found *out)
{
    bool is_64 = view->arch->word_size == 8, by_tid, fits, lives = false;
    uint32_t words[5], lock, kind, users, tid;

    if (!lock_words(view, view->futex_addr, words, 5))
        return false;
    lock = words[0];
    kind = words[is_64 ? 4 : 3];
    users = words[is_64 ? 3 : 4];
    by_tid = kind & (KIND_ROBUST | KIND_INHERIT);
    tid = by_tid ? lock & FUTEX_TID : lock ? words[2] : 0;
    if (kind & ~KIND_KNOWN || tid > FUTEX_TID ||
        (!by_tid && (kind & KIND_PROTECT ? lock & 0x7ffff : lock) > 2))
        return false;
    *out = (struct lock_found){.kind = WAIT_MUTEX, .addr = view->futex_addr};
    describe_mutex(out, kind, lock);
    if (tid)
        lives = lock_take_owner(view, out, tid, kind & KIND_SHARED);
    if (kind & KIND_INHERIT)
        fits = view->is_pi;
    else if (kind & KIND_ROBUST)
        fits = !view->is_pi && (view->expected & FUTEX_WAITED) && (words[2] == tid || !words[2]);
    else
        fits = !view->is_pi && view->expected == 2 && users >= 1 && users < LOCK_WAITERS_MAX;
    out->is_sure = lives && fits;
    return true;
}

/* 64 bits: value, count of waiters, private; 32 bits: value, private, padding, count of waiters. */
static bool read_semaphore(const struct lock_view *view, struct lock_found *out)
{
    bool is_64 = view->arch->word_size == 8;
    uint32_t words[4], waiters, shared;

    if (!lock_words(view, view->futex_addr, words, 4))
        return false;
    waiters = words[is_64 ? 1 : 3];
    shared = words[is_64 ? 2 : 1];
    if (waiters > LOCK_WAITERS_MAX || (shared && shared != FUTEX_PRIVATE))
        return false;
    *out = (struct lock_found){.kind = WAIT_SEMAPHORE, .addr = view->futex_addr};
    if (shared)
        lock_describe(out, "shared");
    return true;
}

/*
 *     in current_round count shared out
 *
 * Threads wait on current_round: the value of `in` when the round began.
 */
static bool read_barrier(const struct lock_view *view, struct lock_found *out)
{
    uint32_t words[5], arrived;

    if (!lock_words(view, view->futex_addr - 4, words, 5) || !words[2] ||
        words[2] > LOCK_WAITERS_MAX || (words[3] && words[3] != FUTEX_PRIVATE))
        return false;
    arrived = words[0] - words[1];
    if (arrived > LOCK_WAITERS_MAX)
        return false;
    *out = (struct lock_found){.kind = WAIT_BARRIER, .addr = view->futex_addr - 4};
    if (words[3])
        lock_describe(out, "shared");
    out->is_sure = arrived && arrived < words[2] && words[1] == view->expected;
    return true;
}

/*
 * The system call has the tid that the thread waits for. Memory that was read later may have
 * another tid: an ended thread's stack, with its struct pthread, is given to the next thread. Then
 * it is a join only if the chain says so, and the thread is alive.
 */
static bool read_join(const struct lock_view *view, struct lock_found *out)
{
    uint32_t word, tid = view->expected;
    bool is_thread;

    if (!lock_words(view, view->futex_addr, &word, 1) || !tid || tid > FUTEX_TID)
        return false;
    is_thread = wait_threads_owner(view->threads, view->sample->pid, tid, false);
    if (word && word != tid && (view->named != WAIT_JOIN || !is_thread))
        return false;
    if (!view->glibc && !is_thread) /* since 2.43 the word may be a state */
        return false;
    *out = (struct lock_found){.kind = WAIT_JOIN,
                               .addr = view->futex_addr - arch_analysis(view->arch)->glibc_tid_off};
    /* the kernel wakes futexes that are not private */
    out->is_sure = lock_take_owner(view, out, tid, false) && word == tid && !view->is_private &&
                   out->owner_tid != view->sample->tid;
    return true;
}

/* Bit 0: it runs; above 2 bits: a number that fork changes. C++ guards have a byte for each. */
static bool read_once(const struct lock_view *view, struct lock_found *out)
{
    uint32_t word;

    if (!lock_words(view, view->futex_addr, &word, 1))
        return false;
    *out = (struct lock_found){.kind = WAIT_ONCE, .addr = view->futex_addr};
    return true;
}

lock_reader *const glibc_readers[WAIT_KIND_COUNT] = {
    [WAIT_MUTEX] = read_mutex,
    [WAIT_RWLOCK_READ] = glibc_read_rwlock,
    [WAIT_RWLOCK_WRITE] = glibc_read_rwlock,
    [WAIT_CONDITION] = glibc_read_condition,
    [WAIT_SEMAPHORE] = read_semaphore,
    [WAIT_BARRIER] = read_barrier,
    [WAIT_JOIN] = read_join,
    [WAIT_ONCE] = read_once,
};
