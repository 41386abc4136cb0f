/* SPDX-License-Identifier: MIT */
#include "threads/blocking/deadlock.h"

#include <stdlib.h>

#include "base/vec.h"

struct deadlock_finder {
    const struct wait_graph *graph;
    const struct history *history;
    struct deadlocks *out;
};

void deadlocks_destroy(struct deadlocks *deadlocks)
{
    if (!deadlocks)
        return;
    free(deadlocks->list);
    free(deadlocks->members);
    free(deadlocks->standstills);
    free(deadlocks->owner);
    free(deadlocks->of_thread);
    free(deadlocks);
}

static bool one_moment(const struct deadlock_finder *f, uint32_t thread)
{
    return f->history->processes[f->history->threads[thread].process].one_moment;
}

/* Whether the owner was read off what `thread` waits for while the owner was blocked itself. */
static bool read_while_blocked(const struct deadlock_finder *f, uint32_t thread, uint32_t owner)
{
    const struct span *span = wait_graph_last(f->graph, thread);
    const struct span *owners = wait_graph_last(f->graph, owner);
    const uint64_t sure_ns = f->history->threads[owner].proof.sure_ns;
    const uint64_t times[] = {span->read_ns, f->history->threads[thread].proof.earlier_read_ns};

    for (size_t i = 0; i < 2; i++)
        if (times[i] && times[i] >= sure_ns && times[i] <= owners->seen_ns)
            return true;
    return false;
}

/* See the header. Each of `members` waits for the next. */
static bool is_proved(const struct deadlock_finder *f, const uint32_t *members, size_t count)
{
    uint64_t from = 0, to = UINT64_MAX;

    if (f->history->full) /* the threads' last spans are missing */
        return false;
    if (one_moment(f, members[0]))
        return true;
    for (size_t i = 0; i < count; i++) {
        const struct span *span = wait_graph_last(f->graph, members[i]);
        const uint64_t sure_ns = f->history->threads[members[i]].proof.sure_ns;

        if (!sure_ns || !read_while_blocked(f, members[i], members[(i + 1) % count]))
            return false;
        if (sure_ns > from)
            from = sure_ns;
        if (span->seen_ns < to)
            to = span->seen_ns;
    }
    return from <= to;
}

static enum status add_deadlock(struct deadlock_finder *f, uint32_t start)
{
    struct deadlocks *out = f->out;
    struct deadlock found = {.first = (uint32_t)out->member_count};
    uint32_t thread = start;

    do {
        const struct span *span = wait_graph_last(f->graph, thread);
        const struct wait *wait = &f->history->waits->list[span->wait];
        uint64_t since_ns = wait_graph_since(f->graph, thread);

        if (vec_reserve(&out->members, &out->member_cap, out->member_count + 1,
                        sizeof(*out->members)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        out->members[out->member_count++] = thread;
        found.inferred |= wait->owner_evidence == WAIT_INFERRED;
        found.timed |= f->history->threads[thread].proof.now.timed;
        if (since_ns > found.since_ns)
            found.since_ns = since_ns;
        thread = out->owner[thread];
    } while (thread != start);
    found.count = (uint32_t)out->member_count - found.first;
    found.proved = is_proved(f, out->members + found.first, found.count);
    if (vec_reserve(&out->list, &out->cap, out->count + 1, sizeof(found)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    out->list[out->count++] = found;
    return STATUS_OK;
}

/*
 * Each thread waits for at most one other. So a walk from each thread, which ends at a thread that
 * was met before, finds every circle once. `walk`: the walk in which a thread was met, 0: none.
 */
static enum status find_circles(struct deadlock_finder *f)
{
    size_t count = f->history->thread_count;
    uint32_t *walk = calloc(count + 1, sizeof(*walk));
    enum status status = walk ? STATUS_OK : STATUS_NO_MEMORY;

    for (uint32_t i = 0; i < count && status == STATUS_OK; i++) {
        uint32_t thread = i;

        while (thread != HISTORY_NONE && !walk[thread]) {
            walk[thread] = i + 1;
            thread = f->out->owner[thread];
        }
        if (thread != HISTORY_NONE && walk[thread] == i + 1) {
            /* The thread that was found first leads, whichever the walk met first. */
            uint32_t first = thread;

            for (uint32_t t = f->out->owner[thread]; t != thread; t = f->out->owner[t])
                if (t < first)
                    first = t;
            status = add_deadlock(f, first);
        }
    }
    free(walk);
    return status;
}

static int rank(const struct deadlock *d)
{
    return d->proved ? (d->inferred ? 1 : 0) : 2;
}

static int compare_deadlocks(const void *a, const void *b, void *context)
{
    const uint32_t *members = context;
    const struct deadlock *da = a, *db = b;

    if (rank(da) != rank(db))
        return rank(da) - rank(db);
    return members[da->first] < members[db->first] ? -1 : 1;
}

/* Sets of_thread and behind: follows the owners from each thread to a circle, if there is one. */
static void note_behind(struct deadlock_finder *f)
{
    const uint32_t none = WAIT_GRAPH_NONE, open = WAIT_GRAPH_NONE - 1;
    struct deadlocks *out = f->out;
    size_t count = f->history->thread_count;

    for (size_t i = 0; i < count; i++)
        out->of_thread[i] = open;
    for (uint32_t i = 0; i < out->count; i++)
        for (uint32_t m = 0; m < out->list[i].count; m++)
            out->of_thread[out->members[out->list[i].first + m]] = i;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t end = i, found;

        while (end != HISTORY_NONE && out->of_thread[end] == open)
            end = out->owner[end];
        found = end == HISTORY_NONE ? none : out->of_thread[end];
        for (uint32_t t = i; t != HISTORY_NONE && out->of_thread[t] == open; t = out->owner[t]) {
            out->of_thread[t] = found;
            if (found != none)
                out->list[found].behind++;
        }
    }
}

/* Whether threads of the same process end such a wait. */
static bool is_of_threads(enum wait_kind kind)
{
    return kind <= WAIT_ONCE;
}

static enum status add_standstill(struct deadlock_finder *f, const struct standstill *still,
                                  uint64_t from, uint64_t to)
{
    struct deadlocks *out = f->out;

    if (!still->thread_count || (!f->history->processes[still->process].one_moment && from > to))
        return STATUS_OK;
    if (vec_reserve(&out->standstills, &out->standstill_cap, out->standstill_count + 1,
                    sizeof(*still)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    out->standstills[out->standstill_count++] = *still;
    return STATUS_OK;
}

struct stillness { /* of a process: the time that the waits of all its threads share */
    uint32_t thread_count;
    bool moves, others, inferred; /* others: a thread waits for no lock and no join */
    uint64_t from, to;
};

/* By a timeout, as its futex has changed already, or woken by another process. */
static bool may_go_on(const struct deadlock_finder *f, uint32_t thread)
{
    const struct wait_now *now = &f->history->threads[thread].proof.now;

    return now->timed || now->over || (now->shared && f->out->owner[thread] == HISTORY_NONE);
}

static void note_stillness(const struct deadlock_finder *f, uint32_t thread,
                           struct stillness *still)
{
    const struct history_thread *t = &f->history->threads[thread];
    const struct span *span = wait_graph_last(f->graph, thread);
    const struct wait *wait = span ? &f->history->waits->list[span->wait] : NULL;

    still->thread_count++;
    if (!f->history->processes[t->process].whole || !wait || wait->doubt ||
        !is_of_threads(wait->kind) || may_go_on(f, thread) ||
        (!one_moment(f, thread) && !t->proof.sure_ns)) {
        still->moves = true;
        return;
    }
    still->inferred |= wait->kind_evidence == WAIT_INFERRED;
    still->others |= wait->kind != WAIT_MUTEX && wait->kind != WAIT_RWLOCK_READ &&
                     wait->kind != WAIT_RWLOCK_WRITE && wait->kind != WAIT_JOIN;
    if (t->proof.sure_ns > still->from)
        still->from = t->proof.sure_ns;
    if (span->seen_ns < still->to)
        still->to = span->seen_ns;
}

static enum status find_standstills(struct deadlock_finder *f)
{
    size_t count = f->history->process_count;
    struct stillness *still = calloc(count + 1, sizeof(*still));
    enum status status = still ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        still[i].to = UINT64_MAX;
    for (uint32_t i = 0; i < f->history->thread_count && status == STATUS_OK; i++)
        if (!f->history->threads[i].end_ns)
            note_stillness(f, i, &still[f->history->threads[i].process]);
    for (uint32_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct standstill found = {.process = i,
                                         .thread_count = still[i].thread_count,
                                         .locks_only = !still[i].others,
                                         .inferred = still[i].inferred};

        if (!still[i].moves && !f->history->full)
            status = add_standstill(f, &found, still[i].from, still[i].to);
    }
    free(still);
    return status;
}

static enum status find_all(struct deadlock_finder *f)
{
    size_t count = f->history->thread_count;
    enum status status;

    f->out->owner = calloc(count + 1, sizeof(*f->out->owner));
    f->out->of_thread = calloc(count + 1, sizeof(*f->out->of_thread));
    if (!f->out->owner || !f->out->of_thread)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < count; i++) {
        const struct span *span = wait_graph_last(f->graph, i);

        f->out->owner[i] = span ? wait_graph_owner(f->graph, i, span) : HISTORY_NONE;
    }
    status = find_circles(f);
    if (status == STATUS_OK && f->out->count)
        qsort_r(f->out->list, f->out->count, sizeof(*f->out->list), compare_deadlocks,
                f->out->members);
    if (status != STATUS_OK)
        return status;
    note_behind(f);
    return find_standstills(f);
}

enum status deadlocks_find(const struct wait_graph *graph, struct deadlocks **out)
{
    struct deadlock_finder finder = {.graph = graph, .history = graph->history};
    enum status status;

    *out = NULL;
    finder.out = calloc(1, sizeof(*finder.out));
    if (!finder.out)
        return STATUS_NO_MEMORY;
    status = find_all(&finder);
    if (status != STATUS_OK) {
        deadlocks_destroy(finder.out);
        return status;
    }
    *out = finder.out;
    return STATUS_OK;
}
