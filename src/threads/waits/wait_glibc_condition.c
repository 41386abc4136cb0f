/* SPDX-License-Identifier: MIT */
/*
 * glibc's conditions, 48 bytes each: with sequences to 2.24 (nptl/pthread_cond_wait.c), with two
 * groups since 2.25 (commit ed19993b5b0d), without references since 2.41 (commit c36fc50781995,
 * "nptl: Remove g_refs from condition variables", and "nptl: Use all of g1_start and g_signals").
 */
#include "threads/waits/wait_glibc.h"

#define WORDS 12

static uint64_t long_word(const uint32_t *words)
{
    return words[0] | (uint64_t)words[1] << 32;
}

/*
 *     lock futex total_seq wakeup_seq woken_seq (64 bits each) mutex nwaiters broadcast_seq
 *
 * Threads wait on the futex, to which each wait and each wake-up adds 1. Bit 0 of nwaiters is the
 * clock; a shared condition's mutex is -1.
 */
static bool read_sequences(const struct lock_view *view, struct lock_found *out)
{
    const unsigned nwaiters = view->arch->word_size == 8 ? 10 : 9;
    uint64_t addr = view->futex_addr - 4, total, wakeup, woken;
    uint32_t words[WORDS], waiters;

    if (!lock_words(view, addr, words, WORDS))
        return false;
    total = long_word(words + 2);
    wakeup = long_word(words + 4);
    woken = long_word(words + 6);
    waiters = words[nwaiters] >> 1;
    if (words[0] > 2 || !total || total < wakeup || wakeup < woken ||
        total - woken > LOCK_WAITERS_MAX || words[1] != (uint32_t)(total + wakeup) || !waiters ||
        waiters > LOCK_WAITERS_MAX)
        return false;
    *out = (struct lock_found){.kind = WAIT_CONDITION,
                               .addr = addr,
                               .layout = CONDITION_GLIBC_2_24,
                               .is_sure = true};
    if (words[8] == UINT32_MAX)
        lock_describe(out, "shared");
    return true;
}

/*
 *     wseq g1_start (64 bits each)  g_refs[2]  g_size[2] g1_orig_size wrefs g_signals[2]
 *                                   to 2.40    since 2.41: and two words that are 0
 *
 * Threads wait on g_signals of a group. Numbers begin at bit 1 of wseq, g1_start (to 2.40) and
 * g_refs, at bit 3 of wrefs. A group's size may be below 0 for a while, as waiters give up.
 */
struct groups {
    enum condition_layout layout;
    uint8_t refs;  /* index of g_refs; 0: there are none */
    uint8_t sizes; /* index of g_size */
    uint8_t start_bits;
};

static const struct groups groups_2_25 = {CONDITION_GLIBC_2_25, 4, 6, 1};
static const struct groups groups_2_41 = {CONDITION_GLIBC_2_41, 0, 4, 0};

struct seen { /* a condition, as a waiter of one of its groups sees it */
    uint64_t addr, sequence, start;
    uint32_t waiters, refs, others; /* references of that group, of the other group */
    uint32_t signals;
    bool is_shared, is_empty; /* is_empty: the two words at its end are 0 */
    bool is_whole;            /* no word contradicts another */
};

static bool is_size(uint32_t size)
{
    return size + LOCK_WAITERS_MAX <= 2 * LOCK_WAITERS_MAX;
}

static bool see(const struct lock_view *view, const struct groups *groups, unsigned group,
                struct seen *out)
{
    uint32_t words[WORDS];
    const uint32_t *sizes = words + groups->sizes;

    out->addr = view->futex_addr - 4 * (groups->sizes + 4u + group);
    if (!lock_words(view, out->addr, words, WORDS))
        return false;
    out->sequence = long_word(words) >> 1;
    out->start = long_word(words + 2) >> groups->start_bits;
    out->waiters = sizes[3] >> 3;
    out->refs = groups->refs ? words[groups->refs + group] >> 1 : out->waiters;
    out->others = groups->refs ? words[groups->refs + 1 - group] >> 1 : 0;
    out->signals = sizes[4 + group];
    out->is_shared = sizes[3] & 1;
    out->is_empty = groups->refs || (!words[10] && !words[11]);
    out->is_whole = out->sequence >= out->start && out->sequence - out->start <= LOCK_WAITERS_MAX &&
                    is_size(sizes[0]) && is_size(sizes[1]) && sizes[2] >> 2 <= LOCK_WAITERS_MAX;
    return true;
}

/*
 * Whether a thread goes to sleep for this value of g_signals: to 2.40 for 0; since 2.41 for a
 * g1_start of some time up to now.
 */
static bool is_expected(const struct seen *seen, const struct groups *groups, uint32_t expected)
{
    return groups->refs ? !expected : (uint32_t)seen->start - expected <= LOCK_WAITERS_MAX;
}

/*
 * A condition of 2.25 looks like one of 2.41 that begins 8 bytes later. If the version does not
 * tell, it is one of 2.25 unless its words contradict that: before one of 2.41 lies another object.
 */
static bool may_be_older(const struct lock_view *view, unsigned group)
{
    struct seen seen;

    return view->glibc < 41 && see(view, &groups_2_25, group, &seen) && seen.is_whole &&
           seen.sequence;
}

/*
 * Whether all threads were woken before the memory was read, so that the condition has no waiters:
 * it is taken for a condition only if the chain says so.
 */
static bool is_left(const struct lock_view *view, const struct groups *groups,
                    const struct seen *seen)
{
    return view->named == WAIT_CONDITION && seen->is_whole && seen->sequence && !seen->waiters &&
           !seen->refs && !seen->others && is_expected(seen, groups, view->expected);
}

static bool is_waited_for(const struct groups *groups, const struct seen *seen)
{
    return seen->waiters && seen->waiters <= LOCK_WAITERS_MAX && seen->refs &&
           seen->refs <= seen->waiters && seen->sequence >= seen->start &&
           (groups->refs || seen->is_whole);
}

static bool take_group(const struct lock_view *view, const struct groups *groups, unsigned group,
                       struct lock_found *out)
{
    struct seen seen;
    bool is_awaited;

    if ((!groups->refs && may_be_older(view, group)) || !see(view, groups, group, &seen) ||
        (!is_left(view, groups, &seen) && !is_waited_for(groups, &seen)))
        return false;
    *out = (struct lock_found){.kind = WAIT_CONDITION, .addr = seen.addr, .layout = groups->layout};
    if (seen.is_shared)
        lock_describe(out, "shared");
    is_awaited = groups->refs || (int32_t)(seen.signals - (uint32_t)seen.start) <= 0;
    out->is_awaited = !groups->refs && seen.waiters && is_awaited;
    out->is_sure = seen.waiters && seen.is_whole && seen.is_empty && is_awaited &&
                   seen.others <= seen.waiters && is_expected(&seen, groups, view->expected);
    return true;
}

static bool take_either(const struct lock_view *view, const struct groups *groups,
                        struct lock_found *out)
{
    struct lock_found second;
    bool is_first = take_group(view, groups, 0, out);

    if ((is_first && out->is_sure) || !take_group(view, groups, 1, &second))
        return is_first;
    if (!is_first || second.is_sure)
        *out = second;
    return true;
}

static bool read_2_25(const struct lock_view *view, struct lock_found *out)
{
    return take_either(view, &groups_2_25, out);
}

static bool read_2_41(const struct lock_view *view, struct lock_found *out)
{
    return take_either(view, &groups_2_41, out);
}

bool glibc_read_condition(const struct lock_view *view, struct lock_found *out)
{
    static const struct glibc_layout layouts[] = {
        {.first = 4, .last = 24, .read = read_sequences},
        {.first = 25, .last = 40, .read = read_2_25},
        {.first = 41, .last = GLIBC_NEWEST, .mended = 25, .read = read_2_41},
    };

    return !view->is_pi && glibc_read(layouts, sizeof(layouts) / sizeof(layouts[0]), view, out);
}
