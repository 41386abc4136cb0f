/* SPDX-License-Identifier: MIT */
#include "output/threads/output_timeline.h"

#include "output/threads/output_report.h"

enum status output_timeline_check(const struct output *o, struct diag *diag)
{
    if (o->kind == SOURCE_CORE) {
        diag_set(diag, o->input, "is a core: one moment has no timeline");
        diag_hint(diag, "try -f chains");
        return STATUS_UNSUPPORTED;
    }
    if (o->history->first_ns >= o->history->last_ns) {
        diag_set(diag, o->input, "has samples of one moment only, which has no timeline");
        diag_hint(diag, "try -f chains, or a longer capture");
        return STATUS_UNSUPPORTED;
    }
    return STATUS_OK;
}

/* Returns the time between a thread's samples, by the rate reached or asked for; 0: not known. */
static uint64_t sample_period_ns(const struct snap_summary *summary)
{
    uint64_t rate_mhz = summary ? summary->rate_asked_mhz : 0;

    if (summary && summary->rate_reached_mhz && summary->rate_reached_mhz < rate_mhz)
        rate_mhz = summary->rate_reached_mhz;
    return rate_mhz ? UINT64_C(1000000000000) / rate_mhz : 0;
}

enum status output_timeline_init(struct output_timeline *made, const struct output *o)
{
    const struct timeline_source source = {.report = &made->report,
                                           .names = o->names,
                                           .period_ns = sample_period_ns(o->summary),
                                           .on_cpu_only = o->kind == SOURCE_PERF};
    enum status status = output_report_init(&made->report, o);

    made->timeline = NULL;
    return status == STATUS_OK ? timeline_create(&source, &made->timeline) : status;
}

void output_timeline_deinit(struct output_timeline *made)
{
    timeline_destroy(made->timeline);
    report_deinit(&made->report);
}
