/* SPDX-License-Identifier: MIT */
#include "output/perf_script.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "output/format.h"
#include "output/refuse_weight.h"
#include "output/run.h"

/* The text before the weight, and the chain's lines, borrowed from `texts`. */
struct kept_sample {
    char *head;
    size_t count;
    const char *lines[];
};

static void free_kept(struct kept_sample *kept)
{
    free(kept->head);
    free(kept);
}

void perf_script_deinit(struct perf_script *out)
{
    uint64_t number, kept;
    size_t at = 0;

    while (map_next(&out->kept, &at, &number, &kept))
        free_kept((struct kept_sample *)(uintptr_t)kept);
    map_deinit(&out->kept);
    frame_texts_deinit(&out->texts);
}

/* Writes " (FILE)" at the end of a frame's line. */
static enum status put_file(FILE *text, const struct place *place, const struct frame *frame)
{
    const char *path = frame->module ? frame->module->file.path : "[unknown]";
    char *clean = text_clean(place->is_inline ? "inlined" : path, TEXT_REPLACE_CONTROLS);

    if (!clean)
        return STATUS_NO_MEMORY;
    for (char *c = clean; *c; c++)
        if (*c == ' ')
            *c = '_';
    fprintf(text, " (%s)\n", clean);
    free(clean);
    return STATUS_OK;
}

static enum status put_place(const struct perf_script *out, FILE *text, const struct frame *frame,
                             const struct place *place)
{
    const struct function *function = names_function(out->names, place->function);
    char *name = text_clean(function->name, TEXT_REPLACE_CONTROLS);

    if (!name)
        return STATUS_NO_MEMORY;
    fprintf(text, "\t%16" PRIx64 " %s", frame->pc_addr, name);
    free(name);
    if (!place->is_inline && function->has_start)
        fprintf(text, "+0x%" PRIx64, frame->lookup_vaddr + frame->is_call - function->start_vaddr);
    else if (!place->is_inline && !function->has_name)
        fputs("+0x0", text);
    return put_file(text, place, frame);
}

/* Makes the lines of a frame, for frame_texts_find. */
static enum status make_lines(void *context, const struct frame *frame, char **lines)
{
    const struct perf_script *out = context;
    const struct places *places;
    enum status status = names_find_frame(out->names, frame, &places);
    size_t size;
    FILE *text;

    if (status != STATUS_OK)
        return status;
    *lines = NULL;
    text = open_memstream(lines, &size);
    if (!text)
        return STATUS_NO_MEMORY;
    for (uint32_t i = 0; i < places->count && status == STATUS_OK; i++)
        status = put_place(out, text, frame, &places->list[i]);
    if (text_close(text, lines) != STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status != STATUS_OK)
        free(*lines);
    return status;
}

static const char *event_name(enum weight_kind weight)
{
    switch (weight) {
    case WEIGHT_SAMPLES:
        return "samples";
    case WEIGHT_WALL:
        return "wall-clock";
    case WEIGHT_CPU:
        return "cpu-clock";
    case WEIGHT_OFFCPU:
        return "offcpu-time";
    case WEIGHT_CALLS:
        return "calls";
    }
    return "";
}

static enum status put_head(FILE *file, const char *thread_name, const struct snap_sample *sample)
{
    char *name = text_clean(thread_name, TEXT_REPLACE_CONTROLS);

    if (!name)
        return STATUS_NO_MEMORY;
    for (char *c = name; *c; c++)
        if (*c == ' ' && (c == name || (c[1] >= '0' && c[1] <= '9')))
            *c = '_';
    if (*name)
        fputs(name, file);
    else
        fprintf(file, ":%" PRIu32, sample->tid);
    free(name);
    fprintf(file, " %5" PRIu32 "/%-5" PRIu32 " %5" PRIu64 ".%06" PRIu64 ":", sample->pid,
            sample->tid, sample->time_ns / 1000000000, sample->time_ns / 1000 % 1000000);
    return STATUS_OK;
}

static void put_weight(FILE *file, uint64_t weight)
{
    fprintf(file, " %10" PRIu64, weight);
}

static enum status find_lines(struct perf_script *out, const struct frame *frame,
                              const char **lines)
{
    return frame_texts_find(&out->texts, frame, make_lines, out, lines);
}

static void put_event(const struct perf_script *out)
{
    fprintf(out->file, " %s: \n", event_name(out->weight));
}

static enum status put_chain(struct perf_script *out, const struct chain *chain)
{
    enum status status = STATUS_OK;

    put_event(out);
    for (size_t i = 0; i < chain->count && status == STATUS_OK; i++) {
        const char *lines;

        status = find_lines(out, &chain->frames[i], &lines);
        if (status == STATUS_OK)
            fputs(lines, out->file);
    }
    fputc('\n', out->file);
    return status == STATUS_OK && ferror(out->file) ? STATUS_IO : status;
}

enum status perf_script_sample(struct perf_script *out, const char *thread_name,
                               const struct snap_sample *sample, const struct chain *chain,
                               const struct weights *weights)
{
    uint64_t weight = weights->value[out->weight];
    enum status status;

    if (weight == 0)
        return STATUS_OK;
    status = put_head(out->file, thread_name, sample);
    put_weight(out->file, weight);
    return status == STATUS_OK ? put_chain(out, chain) : status;
}

static enum status keep_head(const char *thread_name, const struct snap_sample *sample, char **head)
{
    size_t size;
    FILE *memory = open_memstream(head, &size);
    enum status status;

    if (!memory)
        return STATUS_NO_MEMORY;
    status = put_head(memory, thread_name, sample);
    return text_close(memory, head) == STATUS_OK ? status : STATUS_NO_MEMORY;
}

static enum status keep_lines(struct perf_script *out, const struct chain *chain,
                              struct kept_sample *kept)
{
    enum status status = STATUS_OK;

    while (kept->count < chain->count && status == STATUS_OK) {
        status = find_lines(out, &chain->frames[kept->count], &kept->lines[kept->count]);
        kept->count += status == STATUS_OK;
    }
    return status;
}

/* Owns `kept`, whatever it returns. */
static enum status keep(struct perf_script *out, uint64_t number, struct kept_sample *kept)
{
    if (!map_put(&out->kept, number, (uint64_t)(uintptr_t)kept)) {
        free_kept(kept);
        return STATUS_NO_MEMORY;
    }
    out->kept_frames += kept->count;
    return STATUS_OK;
}

enum status perf_script_keep(struct perf_script *out, uint64_t number, const char *thread_name,
                             const struct snap_sample *sample, const struct chain *chain)
{
    const struct weights own = {.value = {[WEIGHT_CPU] = sample->cpu_ns}};
    struct kept_sample *kept;
    enum status status;

    if (out->kept_frames + chain->count > PERF_SCRIPT_KEPT_MAX)
        return perf_script_sample(out, thread_name, sample, chain, &own);
    kept = calloc(1, sizeof(*kept) + chain->count * sizeof(kept->lines[0]));
    if (!kept)
        return STATUS_NO_MEMORY;
    status = keep_head(thread_name, sample, &kept->head);
    if (status == STATUS_OK)
        status = keep_lines(out, chain, kept);
    if (status == STATUS_OK)
        return keep(out, number, kept);
    free_kept(kept);
    return status;
}

enum status perf_script_cpu(struct perf_script *out, uint64_t number, uint64_t cpu_ns)
{
    const uint64_t *found = map_get(&out->kept, number);
    struct kept_sample *kept = found ? (struct kept_sample *)(uintptr_t)*found : NULL;

    if (!kept)
        return STATUS_OK;
    if (cpu_ns) {
        fputs(kept->head, out->file);
        put_weight(out->file, cpu_ns);
        put_event(out);
        for (size_t i = 0; i < kept->count; i++)
            fputs(kept->lines[i], out->file);
        fputc('\n', out->file);
    }
    out->kept_frames -= kept->count;
    map_remove(&out->kept, number);
    free_kept(kept);
    return ferror(out->file) ? STATUS_IO : STATUS_OK;
}

static enum status begin(struct output *o)
{
    *(struct perf_script *)o->state =
        (struct perf_script){.file = o->file, .names = o->names, .weight = o->view_options->weight};
    return STATUS_OK;
}

/*
 * Chooses a weight by the first sample, as output begins before the others are read: CPU time for a
 * snapshot, wall time if its running samples are filtered out; for other inputs CPU time if the
 * sample has any, else samples.
 */
static enum weight_kind weight_of(const struct output *o, const struct ingest_sample *first)
{
    const bool has_times = o->kind == SOURCE_SNAPSHOT;

    if (has_times && !graph_filter_state(o->filter, 'R'))
        return WEIGHT_WALL;
    return has_times || first->weights->value[WEIGHT_CPU] > 0 ? WEIGHT_CPU : WEIGHT_SAMPLES;
}

/* Chooses the weight at the first sample, unless one was given. */
static void choose_weight(struct output *o, const struct ingest_sample *first)
{
    struct perf_script *out = o->state;

    if (o->weight_given || out->has_begun)
        return;
    out->weight = weight_of(o, first);
    output_use_weight(o, out->weight);
    out->has_begun = true;
}

static enum status sample(struct output *o, const struct ingest_sample *given)
{
    struct perf_script *out = o->state;

    choose_weight(o, given);
    if (given->has_cpu_later && out->weight == WEIGHT_CPU)
        return perf_script_keep(out, given->number, given->thread_name, given->sample,
                                given->chain);
    return perf_script_sample(o->state, given->thread_name, given->sample, given->chain,
                              given->weights);
}

/* Writes a process's CPU time without a sample like another thread's. */
static enum status put_rest(struct perf_script *out, const struct ingest_cpu *rest)
{
    const struct snap_sample sample = {.pid = rest->pid,
                                       .tid = rest->tid,
                                       .time_ns = rest->place->time_ns};
    const struct weights weights = {.value = {[WEIGHT_CPU] = rest->cpu_ns}};

    return perf_script_sample(out, rest->name, &sample, rest->chain, &weights);
}

static enum status cpu(struct output *o, const struct ingest_cpu *given)
{
    if (given->place->number == INGEST_NO_SAMPLE)
        return put_rest(o->state, given);
    return perf_script_cpu(o->state, given->place->number, given->cpu_ns);
}

static enum status finish(struct output *o, struct diag *diag)
{
    return o->shown && !o->weighs ? refuse_weight(o->view_options->weight, o->kind,
                                                  o->one_input && !o->left_out, "the samples", diag)
                                  : STATUS_OK;
}

static void end(struct output *o)
{
    perf_script_deinit(o->state);
}

const struct output_format output_format_perf_script = {
    .name = "perf-script",
    .help = "every sample as perf script prints it",
    .begins = "^[^\n]* (samples|wall-clock|cpu-clock|offcpu-time): \n",
    .needs = NEEDS_STREAM | NEEDS_LINES,
    .honours = HONOURS_SAMPLES | HONOURS_TRIMMING,
    .state_size = sizeof(struct perf_script),
    .begin = begin,
    .sample = sample,
    .tick = sample,
    .cpu = cpu,
    .finish = finish,
    .end = end,
};
