/* SPDX-License-Identifier: MIT */
#include "snapshot/loss.h"

#include <inttypes.h>

#include "base/plural.h"

/* Reasons for lost samples; ticks have none. */
static const char *const words[SNAP_LOSS_REASONS] = {
    [0] = "unknown",
    [SNAP_LOSS_LATE] = "not stopped in time",
    [SNAP_LOSS_GONE] = "threads ended",
    [SNAP_LOSS_UNREADABLE] = "could not be read",
    [SNAP_LOSS_ROUND] = "rounds came late",
    [SNAP_LOSS_OUTPUT] = "the output took no more",
};

const char *snap_loss_name(unsigned reason)
{
    static const char *const names[SNAP_LOSS_REASONS] = {
        [0] = "unknown",
        [SNAP_LOSS_LATE] = "late",
        [SNAP_LOSS_GONE] = "gone",
        [SNAP_LOSS_UNREADABLE] = "unreadable",
        [SNAP_LOSS_ROUND] = "round",
        [SNAP_LOSS_OUTPUT] = "output",
        [SNAP_LOSS_TICK] = "tick",
    };

    return names[reason < SNAP_LOSS_REASONS ? reason : 0];
}

const char *snap_loss_words(unsigned reason)
{
    return words[reason < SNAP_LOSS_REASONS ? reason : 0];
}

uint64_t snap_loss_sum(const uint64_t lost[SNAP_LOSS_REASONS])
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < SNAP_LOSS_REASONS; i++)
        sum += words[i] ? lost[i] : 0;
    return sum;
}

void snap_loss_print_reasons(const uint64_t lost[SNAP_LOSS_REASONS], FILE *out)
{
    const char *before = " (";

    for (unsigned i = 0; i < SNAP_LOSS_REASONS; i++)
        if (lost[i] && words[i]) {
            fprintf(out, "%s%" PRIu64 ": %s", before, lost[i], words[i]);
            before = ", ";
        }
    if (*before == ',')
        fputc(')', out);
}

void snap_loss_print(const uint64_t lost[SNAP_LOSS_REASONS], FILE *out)
{
    const uint64_t sum = snap_loss_sum(lost);

    fprintf(out, "%" PRIu64 " sample%s lost", sum, plural(sum));
    snap_loss_print_reasons(lost, out);
}
