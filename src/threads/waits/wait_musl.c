/* SPDX-License-Identifier: MIT */
/*
 * Locks of musl 1.1 and 1.2 (src/internal/pthread_impl.h and src/thread of its sources). They
 * depend on the word size only, not on the architecture.
 */
#include "threads/waits/wait_lock.h"

#include "arch/analysis/analysis.h"

/* Bits of _m_type. */
#define TYPE_KIND    3u
#define TYPE_ROBUST  4u
#define TYPE_INHERIT 8u
#define TYPE_SHARED  128u
#define TYPE_KNOWN   0x8fu

#define LOCK_BUSY   16u         /* value of a locked mutex without an owner: EBUSY */
#define WORD_MASK   0x7fffffffu /* without the bit "there are waiters" */
#define LOST        0x3fffffffu /* as an owner: the mutex can never be locked again */
#define JOINABLE    2u
#define NODES_MAX   4096 /* to visit in lists of waiters, in all, in search of one node */
#define SEARCH_SIZE 1024 /* bytes of the waiter's stack to search */

static void describe_mutex(struct lock_found *out, uint32_t type, uint32_t lock)
{
    static const char *const types[] = {"", "recursive", "errorcheck", ""};

    lock_describe(out, types[type & TYPE_KIND]);
    if (type & TYPE_ROBUST)
        lock_describe(out, "robust");
    if (type & TYPE_INHERIT)
        lock_describe(out, "PI");
    if (type & TYPE_SHARED)
        lock_describe(out, "shared");
    if ((type & 15) && (lock & FUTEX_DIED))
        lock_describe(out, "owner died");
}

/* type lock waiters. A plain mutex has no owner. */
static bool read_mutex(const struct lock_view *view, struct lock_found *out)
{
    uint64_t addr = view->futex_addr - 4;
    uint32_t words[3], type, lock, waiters, tid;
    bool fits;

    if (!lock_words(view, addr, words, 3))
        return false;
    type = words[0];
    lock = words[1];
    waiters = words[2];
    if (type & ~TYPE_KNOWN || (type & TYPE_KIND) == 3 || waiters > LOCK_WAITERS_MAX)
        return false;
    *out = (struct lock_found){.kind = WAIT_MUTEX, .addr = addr};
    describe_mutex(out, type, lock);
    if (!(type & 15)) {
        out->is_sure = view->expected == (LOCK_BUSY | FUTEX_WAITED) && waiters && !view->is_pi;
        return !(lock & WORD_MASK) || (lock & WORD_MASK) == LOCK_BUSY;
    }
    fits = type & TYPE_INHERIT ? view->is_pi : (view->expected & FUTEX_WAITED) && waiters;
    tid = lock & FUTEX_TID;
    if (tid && tid != LOST)
        out->is_sure = lock_take_owner(view, out, tid, type & TYPE_SHARED) && fits;
    return true;
}

/* lock waiters shared. The lock is the number of readers; WORD_MASK: a writer. */
static bool read_rwlock(const struct lock_view *view, struct lock_found *out)
{
    uint32_t words[3], count;

    if (!lock_words(view, view->futex_addr, words, 3) || words[1] > LOCK_WAITERS_MAX ||
        (words[2] && words[2] != FUTEX_PRIVATE))
        return false;
    count = words[0] & WORD_MASK;
    if (count != WORD_MASK && count > LOCK_WAITERS_MAX)
        return false;
    *out = (struct lock_found){.kind = view->named, .addr = view->futex_addr};
    if (words[2])
        lock_describe(out, "shared");
    if (count != WORD_MASK)
        out->readers = count;
    return true;
}

/*
 *     words of a pointer's size: shared (0: not) head ... tail (the sixth)
 *
 * Whether the waiter's node is in the list of the condition at `addr`. Other memory may have a
 * list that is a circle: the search ends when it comes back to `mark`. `budget`: nodes that may
 * still be visited.
 */
static bool has_node(const struct lock_view *view, uint64_t addr, uint64_t node, unsigned *budget)
{
    unsigned word = view->arch->word_size, met = 0;
    uint64_t shared, at, tail, mark = 0;
    bool found = false;

    if (!lock_pointer(view, addr, &shared) || shared != 0 ||
        !lock_pointer(view, addr + word, &at) || !lock_pointer(view, addr + 5 * word, &tail))
        return false;
    for (; at && at != mark && *budget; (*budget)--) {
        found = found || at == node;
        if (at == tail)
            return found;
        if ((met & (met + 1)) == 0) /* ever farther apart, so that any circle is noticed */
            mark = at;
        met++;
        if (!lock_pointer(view, at + word, &at))
            return false;
    }
    return false;
}

/*
 * In a condition of one process each waiter has a node on its stack (prev next state barrier
 * notify), and waits for its own barrier to fall. The condition is found by a pointer to it on the
 * waiter's stack: its list has the node.
 */
static bool read_condition(const struct lock_view *view, struct lock_found *out)
{
    unsigned word = view->arch->word_size, budget = NODES_MAX;
    uint64_t node = view->futex_addr - 2 * word - 4, addr, sp;
    uint32_t words[2];

    if (view->is_pi || !lock_words(view, view->futex_addr - 4, words, 2))
        return false;
    *out = (struct lock_found){.kind = WAIT_CONDITION, .layout = CONDITION_MUSL};
    if (view->expected != 2 || !view->is_private) { /* shared by processes: waits on its sequence */
        out->addr = view->futex_addr - 8;
        lock_describe(out, "shared");
        return !view->is_private;
    }
    sp = view->sample->regs.value[view->arch->sp];
    for (unsigned off = 0; words[0] == 0 && off < SEARCH_SIZE; off += word)
        if (lock_pointer(view, sp + off, &addr) && addr != node &&
            has_node(view, addr, node, &budget)) {
            out->addr = addr;
            out->is_sure = true;
            break;
        }
    return true;
}

/* value waiters private */
static bool read_semaphore(const struct lock_view *view, struct lock_found *out)
{
    uint32_t words[3];

    if (!lock_words(view, view->futex_addr, words, 3) || words[1] > LOCK_WAITERS_MAX ||
        (words[2] && words[2] != FUTEX_PRIVATE))
        return false;
    *out = (struct lock_found){.kind = WAIT_SEMAPHORE, .addr = view->futex_addr};
    if (!words[2])
        lock_describe(out, "shared");
    return true;
}

/*
 *     count last waiters finished, on the stack of the thread that came first
 *
 * This thread waits on `finished`, the others on `last`.
 */
static bool read_barrier(const struct lock_view *view, struct lock_found *out)
{
    uint64_t addr = view->futex_addr - (view->expected == 1 ? 12 : 4);
    uint32_t words[4];

    if (view->expected > 1 || !lock_words(view, addr, words, 4) || words[0] > LOCK_WAITERS_MAX ||
        words[1] > 1 || words[2] > LOCK_WAITERS_MAX || words[3] > 2)
        return false;
    *out = (struct lock_found){.kind = WAIT_BARRIER, .addr = addr};
    out->is_sure = words[0] && !words[1] && words[2] <= words[0] &&
                   words[view->expected ? 3 : 1] == view->expected;
    return true;
}

/*
 * struct pthread begins with a pointer to itself, and has tid, errno, detach_state. Since 1.1.20
 * threads wait on detach_state, before on tid.
 */
static bool read_join(const struct lock_view *view, struct lock_found *out)
{
    bool on_state = view->expected == JOINABLE;
    uint64_t tid_addr = on_state ? view->futex_addr - 8 : view->futex_addr, self, addr;
    uint32_t tid;

    if (!lock_words(view, tid_addr, &tid, 1) || !tid || tid > FUTEX_TID ||
        (!on_state && tid != view->expected))
        return false;
    addr = tid_addr -
           (uint64_t)arch_analysis(view->arch)->musl_words_before_tid * view->arch->word_size;
    if (!lock_pointer(view, addr, &self) || self != addr)
        self = 0; /* another release, with another structure */
    *out = (struct lock_found){.kind = WAIT_JOIN, .addr = self ? self : view->futex_addr};
    out->is_sure =
        lock_take_owner(view, out, tid, false) && self && out->owner_tid != view->sample->tid;
    return true;
}

static bool read_once(const struct lock_view *view, struct lock_found *out)
{
    uint32_t word;

    if (view->expected != 3 || !lock_words(view, view->futex_addr, &word, 1) || word > 3)
        return false;
    *out = (struct lock_found){.kind = WAIT_ONCE, .addr = view->futex_addr};
    return true;
}

lock_reader *const musl_readers[WAIT_KIND_COUNT] = {
    [WAIT_MUTEX] = read_mutex,         [WAIT_RWLOCK_READ] = read_rwlock,
    [WAIT_RWLOCK_WRITE] = read_rwlock, [WAIT_CONDITION] = read_condition,
    [WAIT_SEMAPHORE] = read_semaphore, [WAIT_BARRIER] = read_barrier,
    [WAIT_JOIN] = read_join,           [WAIT_ONCE] = read_once,
};
