/* SPDX-License-Identifier: MIT */
/*
 * The locks of glibc 2.25 to 2.40 (sysdeps/nptl/bits and nptl/ of its sources), which are the same
 * on all architectures of a word size.
 */
#include <stddef.h>

#include "threads/waits/wait_lock.h"

#include "arch/analysis/analysis.h"

/* Bits of pthread_mutex_t's __kind. */
#define KIND_TYPE    3u
#define KIND_ROBUST  16u
#define KIND_INHERIT 32u
#define KIND_PROTECT 64u
#define KIND_SHARED  128u
#define KIND_KNOWN   0x3ffu /* with two for elision */

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
    if ((kind & KIND_SHARED) && !(kind & KIND_ROBUST)) /* which has the bit in any case */
        lock_describe(out, "shared");
    if ((kind & (KIND_ROBUST | KIND_INHERIT)) && (lock & FUTEX_DIED))
        lock_describe(out, "owner died");
}

/*
 * 64 bits: lock count owner nusers kind; 32 bits: lock count owner kind nusers. The lock is 0, 1 or
 * 2 (there are waiters), above that the ceiling; of robust and PI mutexes it is the owner.
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

/* Of __readers: what the lock is in, beside the count. */
#define PHASE_WRITE   1u
#define WRITE_LOCKED  2u
#define READERS_WAIT  4u
#define READERS_SHIFT 3
#define FUTEX_USED    2u /* of the words that threads wait on */

struct rwlock {
    uint32_t readers, writers, phase_futex, writers_futex, writer, shared;
};

static bool read_rwlock_words(const struct lock_view *view, uint64_t addr, struct rwlock *out)
{
    uint32_t words[8];

    if (!lock_words(view, addr, words, 8))
        return false;
    *out = (struct rwlock){.readers = words[0],
                           .writers = words[1],
                           .phase_futex = words[2],
                           .writers_futex = words[3]};
    if (view->arch->word_size == 8) {
        out->writer = words[6];
        out->shared = words[7];
    } else { /* words[6]: flags, shared, elision, padding */
        out->writer = words[7];
        out->shared = words[6] >> 8 & 0xff;
    }
    return !words[4] && !words[5] && out->phase_futex <= 3 && out->writers_futex <= 3 &&
           out->shared <= 1 && out->writer <= FUTEX_TID;
}

/* `kind`: what a thread does that waits on this word of the lock. */
static bool take_rwlock(const struct lock_view *view, uint64_t addr, enum wait_kind kind,
                        struct lock_found *out)
{
    struct rwlock lock;
    bool is_written;

    if (!read_rwlock_words(view, addr, &lock))
        return false;
    *out = (struct lock_found){.kind = kind, .addr = addr};
    if (lock.shared)
        lock_describe(out, "shared");
    is_written = (lock.readers & PHASE_WRITE) && (lock.readers & WRITE_LOCKED);
    if (is_written && lock.writer)
        out->is_sure = lock_take_owner(view, out, lock.writer, lock.shared);
    if (!(lock.readers & PHASE_WRITE)) {
        out->readers = lock.readers >> READERS_SHIFT;
        out->is_sure = out->readers && out->readers < LOCK_WAITERS_MAX &&
                       (lock.readers & WRITE_LOCKED) && !lock.writer && kind == WAIT_RWLOCK_WRITE &&
                       view->expected == FUTEX_USED && lock.phase_futex == FUTEX_USED;
    }
    return true;
}

/*
 * Readers wait on the word of the phase while it is 1, writers there while it is 0 (for readers to
 * leave) and on the word of writers (for another writer); where writers come first, readers wait
 * on the count of readers too.
 */
static bool read_rwlock(const struct lock_view *view, struct lock_found *out)
{
    uint64_t futex = view->futex_addr;
    bool reads = view->named == WAIT_RWLOCK_READ, writes = view->named == WAIT_RWLOCK_WRITE;

    if (view->is_pi)
        return false;
    if (view->expected == FUTEX_USED)
        return !reads && take_rwlock(view, futex - 8, WAIT_RWLOCK_WRITE, out);
    if (view->expected == (FUTEX_USED | 1)) {
        if (!writes && take_rwlock(view, futex - 8, WAIT_RWLOCK_READ, out) &&
            (reads || out->is_sure))
            return true;
        return !reads && take_rwlock(view, futex - 12, WAIT_RWLOCK_WRITE, out);
    }
    return reads && (view->expected & READERS_WAIT) &&
           take_rwlock(view, futex, WAIT_RWLOCK_READ, out);
}

static uint64_t long_word(const uint32_t *words)
{
    return words[0] | (uint64_t)words[1] << 32;
}

/*
 * wseq (64 bits) g1_start (64 bits) g_refs[2] g_size[2] g1_orig_size wrefs g_signals[2]: threads
 * wait on the signals of one of the two groups. Counts of waiters stand above 3 bits of flags,
 * those of a group above 1.
 *
 * Memory that is younger than the wait may be of a condition that has woken all: none waits there
 * any more. Where the chain names a condition that is one; no other kind is taken for one by it.
 */
static bool take_condition(const struct lock_view *view, unsigned group, struct lock_found *out)
{
    uint64_t addr = view->futex_addr - 40 - 4 * group, sequence, start;
    uint32_t words[12], waiters, refs, others;
    bool is_whole, is_left;

    if (!lock_words(view, addr, words, 12))
        return false;
    sequence = long_word(words) >> 1;
    start = long_word(words + 2) >> 1;
    refs = words[4 + group] >> 1;
    others = words[5 - group] >> 1;
    waiters = words[9] >> 3;
    is_whole = sequence >= start && sequence - start <= LOCK_WAITERS_MAX &&
               words[6] <= LOCK_WAITERS_MAX && words[7] <= LOCK_WAITERS_MAX &&
               words[8] >> 2 <= LOCK_WAITERS_MAX;
    is_left = view->named == WAIT_CONDITION && is_whole && sequence && !waiters && !refs &&
              !others && view->expected != 2;
    if (!is_left &&
        (!waiters || waiters > LOCK_WAITERS_MAX || !refs || refs > waiters || sequence < start))
        return false;
    *out = (struct lock_found){.kind = WAIT_CONDITION, .addr = addr};
    if (words[9] & 1)
        lock_describe(out, "shared");
    out->is_sure = !is_left && is_whole && others <= waiters && view->expected != 2;
    return true;
}

static bool read_condition(const struct lock_view *view, struct lock_found *out)
{
    return !view->is_pi && (take_condition(view, 0, out) || take_condition(view, 1, out));
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
 * in current_round count shared out: threads wait on current_round, which is what `in` was when the
 * round began.
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
 * The kernel knows whom the thread waits for. Memory that is younger than the wait may have the
 * tid of another: the stack of a thread that has ended, with its struct pthread, is given to the
 * next. Where the chain names a join that is one, of a thread that lives.
 */
static bool read_join(const struct lock_view *view, struct lock_found *out)
{
    uint32_t word, tid = view->expected;

    if (!lock_words(view, view->futex_addr, &word, 1) || !tid || tid > FUTEX_TID)
        return false;
    if (word && word != tid &&
        (view->named != WAIT_JOIN ||
         !wait_threads_owner(view->threads, view->sample->pid, tid, false)))
        return false;
    *out = (struct lock_found){.kind = WAIT_JOIN,
                               .addr = view->futex_addr - arch_analysis(view->arch)->glibc_tid_off};
    /* the kernel's wake-up is for any process */
    out->is_sure = lock_take_owner(view, out, tid, false) && word == tid && !view->is_private &&
                   out->owner_tid != view->sample->tid;
    return true;
}

/* Being run: bit 0; above 2 bits a number that fork changes. Of C++ guards a byte each. */
static bool read_once(const struct lock_view *view, struct lock_found *out)
{
    uint32_t word;

    if (!lock_words(view, view->futex_addr, &word, 1))
        return false;
    *out = (struct lock_found){.kind = WAIT_ONCE, .addr = view->futex_addr};
    return true;
}

lock_reader *const glibc_readers[WAIT_KIND_COUNT] = {
    [WAIT_MUTEX] = read_mutex,         [WAIT_RWLOCK_READ] = read_rwlock,
    [WAIT_RWLOCK_WRITE] = read_rwlock, [WAIT_CONDITION] = read_condition,
    [WAIT_SEMAPHORE] = read_semaphore, [WAIT_BARRIER] = read_barrier,
    [WAIT_JOIN] = read_join,           [WAIT_ONCE] = read_once,
};
