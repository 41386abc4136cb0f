/* SPDX-License-Identifier: MIT */
#include "output/perf_script.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/text.h"
#include "output/format.h"
#include "output/refuse_weight.h"

void perf_script_deinit(struct perf_script *out)
{
    frame_texts_deinit(&out->texts);
}

/* The file that a frame lies in, in the parentheses at the end of its line. */
static enum status put_file(FILE *text, const struct place *place, const struct frame *frame)
{
    const char *path = frame->module ? frame->module->path : "[unknown]";
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

/* The lines of a frame: for frame_texts_find. */
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

static enum status put_head(struct perf_script *out, const char *thread_name,
                            const struct snap_sample *sample, uint64_t weight)
{
    char *name = text_clean(thread_name, TEXT_REPLACE_CONTROLS);

    if (!name)
        return STATUS_NO_MEMORY;
    for (char *c = name; *c; c++)
        if (*c == ' ' && (c == name || (c[1] >= '0' && c[1] <= '9')))
            *c = '_';
    if (*name)
        fputs(name, out->file);
    else
        fprintf(out->file, ":%" PRIu32, sample->tid);
    free(name);
    fprintf(out->file,
            " %5" PRIu32 "/%-5" PRIu32 " %5" PRIu64 ".%06" PRIu64 ": %10" PRIu64 " %s: \n",
            sample->pid, sample->tid, sample->time_ns / 1000000000,
            sample->time_ns / 1000 % 1000000, weight, event_name(out->weight));
    return STATUS_OK;
}

enum status perf_script_sample(struct perf_script *out, const char *thread_name,
                               const struct snap_sample *sample, const struct chain *chain,
                               const struct weights *weights)
{
    uint64_t weight = weights->value[out->weight];
    enum status status;

    if (weight == 0)
        return STATUS_OK;
    status = put_head(out, thread_name, sample, weight);
    for (size_t i = 0; i < chain->count && status == STATUS_OK; i++) {
        const char *lines;

        status = frame_texts_find(&out->texts, &chain->frames[i], make_lines, out, &lines);
        if (status == STATUS_OK)
            fputs(lines, out->file);
    }
    fputc('\n', out->file);
    return status == STATUS_OK && ferror(out->file) ? STATUS_IO : status;
}

static enum status begin(struct output *o)
{
    *(struct perf_script *)o->state =
        (struct perf_script){.file = o->file, .names = o->names, .weight = o->view_options->weight};
    return STATUS_OK;
}

static enum status sample(struct output *o, const struct ingest_sample *given)
{
    return perf_script_sample(o->state, given->thread_name, given->sample, given->chain,
                              given->weights);
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
    .finish = finish,
    .end = end,
};
