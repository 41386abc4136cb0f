/* SPDX-License-Identifier: MIT */
/*
 * The html format: a page for a browser that needs no server and no other file. Its script shows
 * the page's data, which are made here and described in docs/formats/page.md.
 */
#include <stdlib.h>

#include "base/vec.h"
#include "output/format.h"
#include "output/html/captures.h"
#include "output/html/container.h"
#include "output/html/page_entries.h"
#include "output/html/page_graph.h"
#include "output/html/page_head.h"
#include "output/html/page_profile.h"
#include "output/html/page_threads.h"
#include "output/html/page_timeline.h"
#include "output/html/page_values.h"
#include "output/html/page_waits.h"
#include "output/html/sample_log.h"
#include "output/html/value_log.h"

#define REST_PARTS 100u /* parts in which a process's CPU time without a sample is logged */

struct html_state {
    struct captures captures;
    struct sample_log log;
    struct value_log values; /* with variables */
    uint64_t *zero_ns;       /* owned; by snapshot of the history: the time of its first sample */
    size_t zero_count, zero_cap;
};

static enum status begin(struct output *o)
{
    struct html_state *state = o->state;

    return o->variables ? value_log_init(&state->values) : STATUS_OK;
}

static enum status input(struct output *o, const char *name)
{
    struct html_state *state = o->state;

    return captures_input(&state->captures, o, name);
}

static enum status first(struct output *o, uint64_t time_ns)
{
    struct html_state *state = o->state;
    const size_t snapshot = o->history->snapshot_count;

    if (vec_reserve(&state->zero_ns, &state->zero_cap, snapshot + 1, sizeof(*state->zero_ns)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    while (state->zero_count <= snapshot) /* snapshots without samples get the next one's time */
        state->zero_ns[state->zero_count++] = time_ns;
    return STATUS_OK;
}

static enum status process(struct output *o, const struct snap_process *given)
{
    struct html_state *state = o->state;

    return captures_process(&state->captures, given);
}

/* Returns a sample's source, cell and time for the logs; cell UINT32_MAX: it is not logged. */
static struct value_sample place_sample(const struct output *o, const struct ingest_sample *given)
{
    const struct html_state *state = o->state;
    const uint64_t time_ns = given->sample->time_ns;
    const uint64_t zero_ns = state->zero_count ? state->zero_ns[state->zero_count - 1] : time_ns;
    const uint32_t thread = history_find(o->history, given->sample->tid);

    return (struct value_sample){.thread = thread == HISTORY_NONE
                                               ? page_source_of_profile(given->thread_id)
                                               : page_source_of_history(thread),
                                 .cell = profile_cell(o->profile, given->thread_id, given->chain_id,
                                                      given->sample->state),
                                 .time_ns = time_ns > zero_ns ? time_ns - zero_ns : 0,
                                 .given = given,
                                 .names = o->names,
                                 .variables = o->variables};
}

/* The baseline's samples are not logged: their sums are in the profile. */
static enum status sample(struct output *o, const struct ingest_sample *given)
{
    struct html_state *state = o->state;
    const struct value_sample at = place_sample(o, given);
    enum status status;

    if (o->profile->weighs_base || at.cell == UINT32_MAX)
        return STATUS_OK;
    status = sample_log_add(&state->log, at.thread, at.cell, at.time_ns, given->weights);
    return status == STATUS_OK && o->variables ? value_log_add(&state->values, &at) : status;
}

/* Spreads a process's CPU time without a sample evenly over the snapshot's time. */
static enum status spread_rest(struct html_state *state, const struct ingest_cpu *rest,
                               struct log_entry entry)
{
    const uint64_t zero_ns = state->zero_count ? state->zero_ns[state->zero_count - 1] : 0;
    const uint64_t end_ns = rest->place->time_ns > zero_ns ? rest->place->time_ns - zero_ns : 0;
    enum status status = STATUS_OK;

    for (uint64_t i = 0; i < REST_PARTS && status == STATUS_OK; i++) {
        struct weights part = {.value = {[WEIGHT_CPU] = rest->cpu_ns / REST_PARTS}};

        if (i == 0)
            part.value[WEIGHT_CPU] += rest->cpu_ns % REST_PARTS;
        status = sample_log_add(&state->log, entry.thread, entry.cell,
                                end_ns / REST_PARTS * i + end_ns / REST_PARTS / 2, &part);
    }
    return status;
}

static enum status cpu(struct output *o, const struct ingest_cpu *given)
{
    struct html_state *state = o->state;
    const struct cpu_place *place = given->place;
    const bool is_rest = place->number == INGEST_NO_SAMPLE;
    const uint64_t zero_ns = state->zero_count ? state->zero_ns[state->zero_count - 1] : 0;
    const uint32_t thread = given->tid ? history_find(o->history, given->tid) : HISTORY_NONE;
    const struct weights weights = {.value = {[WEIGHT_CPU] = given->cpu_ns}};
    const struct log_entry entry = {.thread = thread == HISTORY_NONE
                                                  ? page_source_of_profile(place->thread_id)
                                                  : page_source_of_history(thread),
                                    .cell = profile_cell(o->profile, place->thread_id,
                                                         place->chain_id, place->state)};

    if (!given->cpu_ns || o->profile->weighs_base || entry.cell == UINT32_MAX)
        return STATUS_OK;
    return is_rest
               ? spread_rest(state, given, entry)
               : sample_log_add(&state->log, entry.thread, entry.cell,
                                place->time_ns > zero_ns ? place->time_ns - zero_ns : 0, &weights);
}

/* A page that is being made. */
struct page {
    struct page_entries entries;
    struct page_chains chains;
    struct page_threads threads;
    struct output_waits found;
    bool has_history; /* `found` is set */
    struct page_wait_list waits;
    uint32_t *order; /* owned; of chains */
    struct json_line head;
    struct page_columns columns;
};

static void page_deinit(struct page *page)
{
    page_entries_deinit(&page->entries);
    page_chains_deinit(&page->chains);
    page_threads_deinit(&page->threads);
    if (page->has_history)
        output_waits_deinit(&page->found);
    page_wait_list_deinit(&page->waits);
    free(page->order);
    json_decref(page->head.json);
    page_columns_deinit(&page->columns);
}

/* Makes entries, chains and threads. */
static enum status make(struct page *page, const struct output *o)
{
    struct html_state *state = o->state;
    enum status status = STATUS_OK;

    page->has_history = o->history && o->history->thread_count > 0;
    if (page->has_history)
        status = output_waits_init(&page->found, o);
    if (status == STATUS_OK)
        status = page_entries_take(&page->entries, o, &state->log, state->captures.has_sums);
    if (status == STATUS_OK)
        status = page_chains_init(&page->chains, o->view, page->entries.is_used);
    if (status == STATUS_OK)
        status =
            page_threads_init(&page->threads, o,
                              page->has_history ? &page->found.made.report : NULL, &page->entries);
    if (status == STATUS_OK)
        status = page_entries_place(&page->entries, page->threads.source, &page->chains);
    if (status == STATUS_OK && !(page->order = page_profile_order(&page->chains)))
        status = STATUS_NO_MEMORY;
    return status;
}

static enum status describe(struct page *page, const struct output *o, struct diag *diag)
{
    struct html_state *state = o->state;
    enum status status;

    page_head_write(o, &page->head);
    captures_write(&state->captures, &page->head);
    status = page_profile_write(&page->chains, page->order, &page->head, &page->columns);
    if (status != STATUS_OK)
        return status;
    page_entries_write(&page->entries, page->order, page_threads_count(&page->threads), &page->head,
                       &page->columns);
    status = page_threads_write(&page->threads, o, page->has_history ? &page->found.made : NULL,
                                &page->found.words, &page->head);
    if (status == STATUS_OK && page->entries.has_time)
        status = page_timeline_write(&page->threads, &page->entries, &page->found.made,
                                     &page->waits, &page->head, &page->columns);
    if (status == STATUS_OK && page->entries.has_time && o->variables)
        status = page_values_write(&(struct page_values){.log = &state->values,
                                                         .entries = &page->entries,
                                                         .chains = &page->chains,
                                                         .threads = &page->threads,
                                                         .order = page->order},
                                   &page->head, &page->columns);
    if (status == STATUS_OK && page->has_history)
        status = page_waits_write(&(struct page_waits){.output = o,
                                                       .threads = &page->threads,
                                                       .found = &page->found,
                                                       .list = &page->waits},
                                  &page->head, &page->columns);
    return status == STATUS_OK
               ? page_graph_write(o, &page->chains, &page->head, &page->columns, diag)
               : status;
}

static enum status write_all(struct page *page, const struct output *o)
{
    enum status status = page_columns_status(&page->columns);

    json_line_put(&page->head, "columns", page_columns_describe(&page->columns));
    if (status == STATUS_OK && page->head.failed)
        status = STATUS_NO_MEMORY;
    return status == STATUS_OK
               ? container_write(o->title ? o->title : "", page->head.json, &page->columns, o->file)
               : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    struct page page = {.head = json_line_begin(NULL)};
    enum status status = make(&page, o);

    if (status == STATUS_OK)
        status = describe(&page, o, diag);
    if (status == STATUS_OK)
        status = write_all(&page, o);
    page_deinit(&page);
    return status;
}

static void end(struct output *o)
{
    struct html_state *state = o->state;

    captures_deinit(&state->captures);
    sample_log_deinit(&state->log);
    value_log_deinit(&state->values);
    free(state->zero_ns);
}

const struct output_format output_format_html = {
    .name = "html",
    .suffixes = {".html"},
    .help = "a page to look through all of it in a browser",
    .begins = "^<!DOCTYPE html>\n<html lang=\"en\" data-generator=\"cgunwind\">",
    .needs = NEEDS_VIEW | NEEDS_HISTORY | NEEDS_LINES | NEEDS_TIDS | NEEDS_ALL_SAMPLES,
    .honours = HONOURS_SAMPLES | HONOURS_TRIMMING | HONOURS(LABEL_CALLS) | HONOURS(HIDE) |
               HONOURS(DIFF_BASE) | HONOURS(VARIABLES),
    .calls = CALLS_GRAPH,
    .drawing = DRAWN_WITHIN,
    .takes_sums = true,
    .state_size = sizeof(struct html_state),
    .begin = begin,
    .input = input,
    .first = first,
    .process = process,
    .sample = sample,
    .cpu = cpu,
    .finish = finish,
    .end = end,
};
