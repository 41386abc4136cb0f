/* SPDX-License-Identifier: MIT */
#include "tools/cgtop/moment.h"

#include <unistd.h>

#include "graph/weight_choice.h"
#include "snapshot/loss.h"

/* Finds names, and prepares threads and the timeline, when all samples are read. */
static enum status finish(struct moment *moment, struct engine *engine)
{
    const struct timeline_source source = {.report = &moment->report,
                                           .names = engine->names,
                                           .period_ns = UINT64_C(1000000000000) /
                                                        moment->summary.rate_asked_mhz};
    enum status status = profile_resolve(moment->profile, engine->names);

    if (status != STATUS_OK)
        return status;
    moment->report = (struct report){.history = &moment->history, .profile = moment->profile};
    status = report_prepare(&moment->report, NULL);
    return status == STATUS_OK ? timeline_create(&source, &moment->timeline) : status;
}

/* Fills the summary: the capture's, if there is one, else that of these seconds. */
static void sum_up(struct moment *moment, uint32_t rate_mhz)
{
    const struct history *history = &moment->history;
    struct snap_summary *summary = &moment->summary;
    const uint64_t elapsed_us = moment->ingest.duration_ns / 1000;

    if (moment->ingest.has_summary) {
        *summary = moment->ingest.summary;
        return;
    }
    *summary = (struct snap_summary){.time_ns = history->last_ns,
                                     .samples = moment->profile->chains_unwound,
                                     .lost = snap_loss_sum(moment->ingest.account.lost),
                                     .rate_asked_mhz = rate_mhz,
                                     .end = SNAP_END_LIMIT};
    summary->repeats = moment->ingest.samples - summary->samples;
    for (size_t i = 0; i < history->thread_count; i++)
        if (history->threads[i].samples > summary->rounds)
            summary->rounds = history->threads[i].samples;
    if (elapsed_us && summary->rounds)
        summary->rate_reached_mhz =
            ((summary->rounds - 1) * UINT64_C(1000000000) + elapsed_us / 2) / elapsed_us;
    /* Rounds that are cut by the window's ends count as whole ones. */
    if (summary->rate_reached_mhz > rate_mhz)
        summary->rate_reached_mhz = rate_mhz;
}

static enum status read_source(struct moment *moment, struct engine *engine,
                               struct snap_source *source, struct diag *diag)
{
    struct ingest *in = &moment->ingest;
    enum status status = engine_open(engine, source->arch);

    if (status == STATUS_OK)
        status = profile_create(&moment->profile);
    if (status == STATUS_OK)
        status = waits_create(engine->arch, engine->modules, engine->names, &moment->waits);
    history_init(&moment->history, moment->waits, engine->arch);
    if (status != STATUS_OK)
        return status;
    *in = (struct ingest){.modules = engine->modules,
                          .unwinder = engine->unwinder,
                          .profile = moment->profile,
                          .by_tid = true};
    ingest_sinks_add(&in->sinks, ingest_profile_sink(moment->profile));
    ingest_sinks_add(&in->sinks, history_sink(&moment->history));
    status = ingest_run(in, source, diag);
    history_end(&moment->history);
    return status;
}

enum status moment_read(struct moment *moment, struct engine *engine, int fd, uint32_t rate_mhz,
                        struct diag *diag)
{
    struct snap_source *source;
    enum status status;

    *moment = (struct moment){.profile = NULL};
    if (lseek(fd, 0, SEEK_SET) != 0)
        return STATUS_IO;
    status = snap_source_open(fd, "the last seconds", &source, diag);
    if (status != STATUS_OK)
        return status;
    status = read_source(moment, engine, source, diag);
    snap_source_close(source);
    if (status != STATUS_OK)
        return status;
    sum_up(moment, rate_mhz);
    return finish(moment, engine);
}

enum weight_kind moment_weight(const struct moment *moment)
{
    const struct ingest *in = &moment->ingest;

    return weight_choose(moment->profile, NULL, &in->account, NULL, in->duration_ns).weight;
}

void moment_deinit(struct moment *moment)
{
    timeline_destroy(moment->timeline);
    report_deinit(&moment->report);
    ingest_deinit(&moment->ingest);
    history_deinit(&moment->history);
    waits_destroy(moment->waits);
    profile_destroy(moment->profile);
    *moment = (struct moment){.profile = NULL};
}

enum status aspect_make(struct aspect *aspect, const struct moment *moment, enum weight_kind weight,
                        const struct graph_filter *filter)
{
    const struct view_options options = {.weight = weight, .filter = filter};
    enum status status;

    *aspect = (struct aspect){.view = NULL};
    status = view_create(moment->profile, &options, &aspect->view);
    if (status == STATUS_OK)
        status = callgraph_create_nodes(aspect->view, &aspect->graph);
    if (status == STATUS_OK)
        status = fold_create(aspect->view, FOLD_NODES, &aspect->fold);
    return status;
}

void aspect_deinit(struct aspect *aspect)
{
    fold_destroy(aspect->fold);
    callgraph_destroy(aspect->graph);
    view_destroy(aspect->view);
    *aspect = (struct aspect){.view = NULL};
}
