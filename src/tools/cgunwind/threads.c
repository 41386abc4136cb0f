/* The formats of cgunwind that tell of threads: from the history that they share to what is asked for. */
#include "output/threads/chrome.h"
#include "output/threads/stats_text.h"
#include "output/threads/threads_dot.h"
#include "output/threads/threads_json.h"
#include "output/threads/threads_text.h"
#include "output/threads/timeline_svg.h"
#include "threads/identity.h"
#include "threads/report.h"
#include "tools/cgunwind/cgunwind.h"

static enum status on_begin(void *context, uint64_t time_ns)
{
    return history_begin(context, time_ns);
}

static enum status on_process(void *context, const struct snap_process *process)
{
    return history_process(context, process);
}

static enum status on_thread(void *context, const struct snap_thread *thread)
{
    return history_thread(context, thread);
}

static enum status on_thread_end(void *context, const struct snap_thread *thread)
{
    return history_thread_end(context, thread);
}

static enum status on_sample(void *context, const struct ingest_sample *sample)
{
    return history_sample(context, sample);
}

static enum status on_creation(void *context, const struct ingest_creation *creation)
{
    return history_creation(context, creation);
}

struct ingest_sink threads_sink(struct history *history)
{
    return (struct ingest_sink){.begin = on_begin,
                                .process = on_process,
                                .thread = on_thread,
                                .thread_end = on_thread_end,
                                .sample = on_sample,
                                .creation = on_creation,
                                .context = history};
}

enum status threads_label(const struct history *history, struct profile *profile)
{
    struct identities *identities = NULL;
    enum status status = identities_create(history, profile, &identities);

    for (size_t i = 0; i < history->profile_thread_count && status == STATUS_OK; i++) {
        uint32_t thread = history->by_profile_thread[i];

        if (thread)
            status =
                profile_label_thread(profile, (uint32_t)i,
                                     identity_label(
                                         &identities->list[identities->of_thread[thread - 1]]));
    }
    identities_destroy(identities);
    return status;
}

struct report_graph {
    const struct report *report;
    uint32_t nodes;
};

static enum status report_dot(const void *context, FILE *out)
{
    const struct report_graph *graph = context;

    return threads_dot_write(graph->report, graph->nodes, out);
}

/* The formats that tell who the threads are. */
static enum status write_format(const struct threads_facts *facts, const struct report *report,
                                FILE *out, struct diag *diag)
{
    const struct report_graph graph = {.report = report, .nodes = facts->options->graph.nodes};

    if (facts->options->format == THREADS)
        return threads_text_write(report, out);
    if (facts->options->format == THREADS_JSON)
        return threads_json_write(report, out);
    if (facts->options->format == STATS)
        return stats_text_write(report, out);
    return picture_write(facts->options, report_dot, &graph, out, diag);
}

static enum status write_report(const struct threads_facts *facts, FILE *out, struct diag *diag)
{
    struct report report = {
        .history = facts->history,
        .profile = facts->profile,
        .title = facts->title,
        .is_core = facts->is_core,
        .verbose = facts->options->verbose,
    };
    enum status status = report_prepare(&report, &facts->options->filter);

    if (status == STATUS_OK)
        status = write_format(facts, &report, out, diag);
    report_deinit(&report);
    return status;
}

/* A thread's samples come at the rate that was reached, at most the one asked for. */
static uint64_t sample_period_ns(const struct snap_summary *summary)
{
    uint64_t rate_mhz = summary ? summary->rate_asked_mhz : 0;

    if (summary && summary->rate_reached_mhz && summary->rate_reached_mhz < rate_mhz)
        rate_mhz = summary->rate_reached_mhz;
    return rate_mhz ? UINT64_C(1000000000000) / rate_mhz : 0;
}

enum status threads_check(const struct threads_facts *facts, struct diag *diag)
{
    if (facts->options->format != TIMELINE_SVG && facts->options->format != CHROME)
        return STATUS_OK;
    if (facts->is_core) {
        diag_set(diag, facts->options->snapshots[0], "is a core: one moment has no timeline");
        diag_hint(diag, "try -f chains");
        return STATUS_UNSUPPORTED;
    }
    if (facts->history->first_ns >= facts->history->last_ns) {
        diag_set(diag, facts->options->snapshots[0],
                 "has samples of one moment only, which has no timeline");
        diag_hint(diag, "try -f chains, or a longer capture");
        return STATUS_UNSUPPORTED;
    }
    return STATUS_OK;
}

/* What the threads did when. */
static enum status write_timeline(const struct threads_facts *facts, FILE *out)
{
    struct report report = {.history = facts->history, .profile = facts->profile};
    const struct timeline_source source = {.report = &report,
                                           .names = facts->names,
                                           .period_ns = sample_period_ns(facts->summary),
                                           .on_cpu_only = facts->is_perf};
    struct timeline *timeline = NULL;
    enum status status = report_prepare(&report, &facts->options->filter);

    if (status == STATUS_OK)
        status = timeline_create(&source, &timeline);
    if (status == STATUS_OK && facts->options->format == CHROME)
        status = chrome_write(timeline, facts->title, facts->clock_offset, out);
    else if (status == STATUS_OK)
        status = timeline_svg_write(timeline, facts->title, out);
    timeline_destroy(timeline);
    report_deinit(&report);
    return status;
}

enum status threads_write(const struct threads_facts *facts, FILE *out, struct diag *diag)
{
    const enum format format = facts->options->format;

    if (format == TIMELINE_SVG || format == CHROME)
        return write_timeline(facts, out);
    if (format == WAITS || format == WAITS_DOT || format == WAITS_SVG)
        return waits_write(facts, out, diag);
    return write_report(facts, out, diag);
}
