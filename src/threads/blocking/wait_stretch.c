/* SPDX-License-Identifier: MIT */
#include "threads/blocking/wait_stretch.h"

#include <stdlib.h>

#include "base/vec.h"
#include "graph/profile.h"
#include "threads/history.h"

enum status stretches_add(struct stretches *to, struct stretch stretch)
{
    enum status status = vec_reserve(&to->list, &to->cap, to->count + 1, sizeof(*to->list));

    if (status == STATUS_OK)
        to->list[to->count++] = stretch;
    return status;
}

int stretch_compare(const void *a, const void *b)
{
    const struct stretch *sa = a, *sb = b;

    if (sa->thread != sb->thread)
        return sa->thread < sb->thread ? -1 : 1;
    if (sa->start_ns != sb->start_ns)
        return sa->start_ns < sb->start_ns ? -1 : 1;
    return sa->end_ns != sb->end_ns ? (sa->end_ns < sb->end_ns ? -1 : 1)
           : sa->chain < sb->chain  ? -1
                                    : sa->chain > sb->chain;
}

uint64_t stretches_covered(const struct stretch *list, size_t count)
{
    uint64_t sum = 0, end = 0;

    for (size_t i = 0; i < count; i++) {
        uint64_t from = list[i].start_ns > end ? list[i].start_ns : end;

        if (list[i].end_ns > from) {
            sum += list[i].end_ns - from;
            end = list[i].end_ns;
        }
    }
    return sum;
}

enum status chain_times_add(struct chain_times *times, uint32_t chain, uint64_t ns)
{
    enum status status =
        vec_reserve(&times->list, &times->cap, times->count + 1, sizeof(*times->list));

    if (status == STATUS_OK)
        times->list[times->count++] = (struct chain_time){.chain = chain, .ns = ns};
    return status;
}

static int compare_chains(const void *a, const void *b)
{
    const struct chain_time *ca = a, *cb = b;

    return ca->chain < cb->chain ? -1 : ca->chain > cb->chain;
}

struct chain_time chain_times_heaviest(struct chain_time *times, size_t count)
{
    struct chain_time best = {.chain = HISTORY_NONE};

    qsort(times, count, sizeof(*times), compare_chains);
    for (size_t i = 0; i < count;) {
        struct chain_time sum = {.chain = times[i].chain};

        for (; i < count && times[i].chain == sum.chain; i++) {
            sum.ns = weight_add(sum.ns, times[i].ns);
            sum.count++;
        }
        if (sum.chain != HISTORY_NONE && (best.chain == HISTORY_NONE || sum.ns > best.ns ||
                                          (sum.ns == best.ns && sum.count > best.count)))
            best = sum;
    }
    return best;
}
