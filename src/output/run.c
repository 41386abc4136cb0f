/* SPDX-License-Identifier: MIT */
#include "output/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "graph/by_thread.h"
#include "output/json_line.h"
#include "output/refuse_weight.h"
#include "threads/identity.h"
#include "threads/process_label.h"

#define REPEAT_RATIO_MAX 2048u /* bytes of text for each byte of a snapshot */
#define REPEAT_FREE      8192u /* added to a snapshot's bytes */
#define FRAME_TEXT       64u   /* bytes of a line besides its module's path */

enum status output_begin(struct output *o)
{
    json_set_memory();
    if (o->format->state_size && !(o->state = calloc(1, o->format->state_size)))
        return STATUS_NO_MEMORY;
    return o->format->begin ? o->format->begin(o) : STATUS_OK;
}

enum status output_input(struct output *o, const char *name)
{
    return o->format->input ? o->format->input(o, name) : STATUS_OK;
}

static enum status on_first(void *context, uint64_t time_ns)
{
    struct output *o = context;

    return o->format->first(o, time_ns);
}

static enum status on_process(void *context, const struct snap_process *process)
{
    struct output *o = context;

    return o->format->process(o, process);
}

static enum status on_thread(void *context, const struct snap_thread *thread)
{
    struct output *o = context;

    return graph_filter_thread(o->filter, thread->tid, thread->name) ? o->format->thread(o, thread)
                                                                     : STATUS_OK;
}

/* Returns about how many bytes a chain takes in a format that writes each sample. */
static uint64_t text_size(const struct chain *chain)
{
    uint64_t size = FRAME_TEXT;

    for (size_t i = 0; i < chain->count; i++) {
        const struct module *module = chain->frames[i].module;

        size += FRAME_TEXT + (module ? strlen(module->file.path) : 0);
    }
    return size;
}

/*
 * A snapshot says in 30 bytes that thousands of threads did not run; writing their chains again
 * takes megabytes. So repeats may take REPEAT_RATIO_MAX times the snapshot's size: twice what 50
 * idle threads at 99 Hz need.
 */
static bool may_repeat(struct output *o, const struct ingest_sample *given)
{
    if (!given->sample->repeat)
        return true;
    if (o->repeat_size / REPEAT_RATIO_MAX > REPEAT_FREE + given->input_size) {
        o->repeats_omitted++;
        return false;
    }
    o->repeat_size += text_size(given->chain);
    return true;
}

void output_use_weight(struct output *o, enum weight_kind weight)
{
    o->with_weight = *o->view_options;
    o->with_weight.weight = weight;
    o->view_options = &o->with_weight;
}

static enum status take_sample(struct output *o, const struct ingest_sample *given,
                               enum status (*take)(struct output *o,
                                                   const struct ingest_sample *given))
{
    bool passes = graph_filter_thread(o->filter, given->sample->tid, given->thread_name) &&
                  graph_filter_state(o->filter, given->sample->state);
    enum status status = STATUS_OK;

    if (o->format->needs & NEEDS_ALL_SAMPLES)
        return take(o, given);
    if (passes)
        status = graph_filter_chain(o->filter, o->names, given->chain, &passes);
    o->left_out |= !passes;
    if (status != STATUS_OK || !passes)
        return status;
    o->shown = true;
    if (given->has_cpu_later && o->format->cpu && !map_put(&o->later, given->number, 0))
        return STATUS_NO_MEMORY;
    if (may_repeat(o, given))
        status = take(o, given);
    o->weighs |= given->weights->value[o->view_options->weight] > 0;
    return status;
}

static enum status on_sample(void *context, const struct ingest_sample *given)
{
    struct output *o = context;
    uint64_t start_ns = clock_now_ns();
    enum status status = take_sample(o, given, o->format->sample);

    o->symbolize_ns += clock_now_ns() - start_ns;
    return status;
}

static enum status on_tick(void *context, const struct ingest_sample *given)
{
    struct output *o = context;
    uint64_t start_ns = clock_now_ns();
    enum status status = take_sample(o, given, o->format->tick);

    o->symbolize_ns += clock_now_ns() - start_ns;
    return status;
}

/* Whether a process's CPU time without a sample passes the filter. */
static enum status rest_passes(const struct output *o, const struct ingest_cpu *rest, bool *passes)
{
    *passes =
        graph_filter_thread(o->filter, rest->tid, rest->name) && graph_filter_state(o->filter, 'R');
    return *passes ? graph_filter_chain(o->filter, o->names, rest->chain, passes) : STATUS_OK;
}

static enum status on_cpu(void *context, const struct ingest_cpu *cpu)
{
    struct output *o = context;
    const uint64_t number = cpu->place->number;
    bool passes = (o->format->needs & NEEDS_ALL_SAMPLES) || map_get(&o->later, number);
    enum status status = STATUS_OK;

    if (!passes && number == INGEST_NO_SAMPLE)
        status = rest_passes(o, cpu, &passes);
    map_remove(&o->later, number);
    if (status != STATUS_OK || !passes)
        return status;
    if (number != INGEST_NO_SAMPLE || o->weight_given)
        o->weighs |= o->view_options->weight == WEIGHT_CPU && cpu->cpu_ns > 0;
    return o->format->cpu(o, cpu);
}

struct ingest_sink output_sink(struct output *o)
{
    return (struct ingest_sink){.begin = o->format->first ? on_first : NULL,
                                .process = o->format->process ? on_process : NULL,
                                .thread = o->format->thread ? on_thread : NULL,
                                .sample = o->format->sample ? on_sample : NULL,
                                .tick = o->format->tick ? on_tick : NULL,
                                .cpu = o->format->cpu ? on_cpu : NULL,
                                .context = o};
}

bool output_needs_history(const struct output *o)
{
    return (o->format->needs & NEEDS_HISTORY) || o->by_thread; /* labels are identities */
}

static bool shows_threads(const struct output *o)
{
    for (size_t i = 0; i < o->history->thread_count; i++)
        if (graph_filter_thread(o->filter, o->history->threads[i].tid, o->history->threads[i].name))
            return true;
    return false;
}

static bool shows_samples(const struct view *view)
{
    const struct profile *profile = view->profile;

    for (size_t i = 0; i < profile->cell_count; i++)
        if (view->cell_shown[i] && !profile->cells[i].is_base)
            return true;
    return false;
}

static enum status check_weight(const struct output *o, struct diag *diag)
{
    const enum weight_kind weight = o->view_options->weight;

    /* Code that has no weight any more is worth seeing. */
    if (o->view->compare)
        return o->view->base_all > 0
                   ? STATUS_OK
                   : refuse_weight(weight, o->base_kind, true, "the samples of --diff-base", diag);
    if (o->view->all == 0)
        return refuse_weight(weight, o->kind, o->one_input, "the samples", diag);
    return o->view->shown > 0 || !o->shown
               ? STATUS_OK
               : refuse_weight(weight, o->kind, false, "the samples that pass", diag);
}

/* Chooses the next weight, as no sample that passes has this one; false if one was given. */
static bool use_next_weight(struct output *o)
{
    struct weight_choice choice = {o->view_options->weight, o->reason};

    if (o->weight_given || o->trace || o->view->compare || !weight_choose_next(&choice))
        return false;
    output_use_weight(o, choice.weight);
    o->reason = choice.reason;
    return true;
}

static enum status make_view(struct output *o, struct diag *diag)
{
    const struct profile *profile = o->profile;
    enum status status = STATUS_OK;

    if (o->by_thread)
        status = o->by_process ? processes_label_threads(o->history, o->profile)
                               : identities_label_threads(o->history, o->profile);
    if (status == STATUS_OK && o->by_thread && !(o->format->needs & NEEDS_PLAIN_CHAINS)) {
        status = profile_by_thread(o->profile, &o->by_thread_profile);
        profile = o->by_thread_profile;
    }
    if (status == STATUS_OK)
        status = view_create(profile, o->view_options, &o->view);
    while (status == STATUS_OK && !o->view->shown && shows_samples(o->view) && use_next_weight(o)) {
        view_destroy(o->view);
        o->view = NULL;
        status = view_create(profile, o->view_options, &o->view);
    }
    if (status != STATUS_OK)
        return status;
    o->shown |= shows_samples(o->view);
    return check_weight(o, diag);
}

static void choose_weight(struct output *o)
{
    struct weight_choice choice;

    o->with_weight = *o->view_options;
    o->view_options = &o->with_weight;
    if (o->quality) {
        o->with_weight.carriers = weight_worth(&o->quality->own);
        o->with_weight.base_carriers = weight_worth(&o->quality->base);
    }
    if (o->weight_given || o->trace)
        return;
    choice = weight_choose(o->profile, o->filter, o->quality ? &o->quality->own : NULL,
                           o->quality ? &o->quality->base : NULL, o->duration_ns);
    output_use_weight(o, choice.weight);
    o->reason = choice.reason;
}

enum status output_prepare(struct output *o, struct diag *diag)
{
    const unsigned needs = o->format->needs;
    enum status status = o->format->check ? o->format->check(o, diag) : STATUS_OK;

    if (status == STATUS_OK && (needs & NEEDS_HISTORY))
        o->shown |= shows_threads(o);
    if (status == STATUS_OK && (needs & NEEDS_VIEW)) {
        choose_weight(o);
        status = make_view(o, diag);
    }
    return status;
}

/* Lists losses of the captures, then limits of the view. */
static void tell_caveats(struct output *o)
{
    char text[CAVEATS_MAX];

    if (o->quality)
        strcat(o->caveats_text, caveats_of_captures(o->quality, text));
    if (o->view)
        strcat(o->caveats_text,
               caveats_of_view(o->view,
                               &(struct caveats_facts){.quality = o->quality,
                                                       .reason = o->reason,
                                                       .duration_ns = o->duration_ns,
                                                       .of_states = o->filter->has_states,
                                                       .is_chosen = o->chosen},
                               text));
    o->caveats = o->caveats_text;
}

enum status output_finish(struct output *o, struct diag *diag)
{
    tell_caveats(o);
    return o->format->finish ? o->format->finish(o, diag) : STATUS_OK;
}

void output_end(struct output *o)
{
    if (o->state && o->format->end)
        o->format->end(o);
    free(o->state);
    map_deinit(&o->later);
    view_destroy(o->view);
    profile_destroy(o->by_thread_profile);
    o->state = NULL;
    o->view = NULL;
    o->by_thread_profile = NULL;
}
