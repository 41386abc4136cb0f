/* SPDX-License-Identifier: MIT */
#include "output/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "graph/thread_state.h"
#include "output/format.h"
#include "output/json_line.h"
#include "output/json_task.h"
#include "snapshot/loss.h"
#include "boards/unwind/exceptions.h"
#include "symbol/module_set.h"

/* NUL-separated arguments. */
static json_t *command_line(const uint8_t *bytes, size_t size)
{
    json_t *array = json_array();

    for (size_t pos = 0; array && pos < size;) {
        size_t len = strnlen((const char *)bytes + pos, size - pos);
        char *argument = strndup((const char *)bytes + pos, len);
        json_t *value = argument ? json_of_text(argument) : NULL;

        free(argument);
        if (!value || json_array_append_new(array, value) != 0) {
            json_decref(array);
            return NULL;
        }
        pos += len + 1;
    }
    return array;
}

enum status json_out_snapshot(struct json_out *out, const struct snap_process *process,
                              const struct arch *arch, uint64_t clock_offset_ns)
{
    struct json_line object = json_line_begin("snapshot");

    json_line_put(&object, "pid", json_of_number(process->pid));
    if (process->parent_pid)
        json_line_put(&object, "parent_pid", json_of_number(process->parent_pid));
    json_line_put(&object, "time_ns", json_of_number(process->time_ns));
    json_line_put(&object, "realtime_offset_ns", json_of_number(clock_offset_ns));
    json_line_put(&object, "arch", json_string(arch->name));
    if (process->exe && *process->exe)
        json_line_put(&object, "exe", json_of_text(process->exe));
    if (process->command_line_size)
        json_line_put(&object, "command",
                      command_line(process->command_line, process->command_line_size));
    if (process->host && *process->host)
        json_line_put(&object, "host", json_of_text(process->host));
    if (process->kernel && *process->kernel)
        json_line_put(&object, "kernel", json_of_text(process->kernel));
    if (process->exec)
        json_line_put(&object, "exec", json_true());
    if (process->has_ticks)
        json_line_put(&object, "clock", json_string("perf"));
    else if (process->tells_ready)
        json_line_put(&object, "clock", json_string("ptrace"));
    return json_line_end(out->file, &object);
}

enum status json_out_thread(struct json_out *out, const struct snap_thread *thread)
{
    struct json_line object = json_line_begin("thread");

    json_line_put(&object, "pid", json_of_number(thread->pid));
    json_line_put(&object, "tid", json_of_number(thread->tid));
    json_line_put(&object, "time_ns", json_of_number(thread->time_ns));
    if (thread->name)
        json_line_put(&object, "name", json_of_text(thread->name));
    return json_line_end(out->file, &object);
}

/* Returns the object of one of a frame's places; NULL: out of memory. */
static json_t *place_object(const struct json_out *out, const struct frame *frame,
                            const struct place *place)
{
    json_t *object = json_of_place(out->names, frame, true, place);
    struct json_line exception;
    char name[EXCEPTION_TEXT_MAX];

    if (!object || place->is_inline || !exceptions_name(out->arch, frame, name, sizeof(name)))
        return object;
    exception = json_line_begin(NULL);
    json_line_put(&exception, "number", json_of_number(exceptions_number(frame)));
    json_line_put(&exception, "name", json_string(name));
    if (!exception.failed && json_object_set(object, "exception", exception.json) != 0)
        exception.failed = true;
    json_decref(exception.json);
    if (!exception.failed)
        return object;
    json_decref(object);
    return NULL;
}

/* Makes a frame's objects, "{…},{…}", for frame_texts_find. */
static enum status make_frame_text(void *context, const struct frame *frame, char **text_out)
{
    struct json_out *out = context;
    const struct places *places;
    enum status status = names_find_frame(out->names, frame, &places);
    json_t *array = json_array();

    for (uint32_t i = 0; status == STATUS_OK && i < places->count; i++)
        if (json_array_append_new(array, place_object(out, frame, &places->list[i])) != 0)
            status = STATUS_NO_MEMORY;
    *text_out = status == STATUS_OK ? json_dumps(array, JSON_COMPACT | JSON_EMBED) : NULL;
    json_decref(array);
    if (status == STATUS_OK && !*text_out)
        status = STATUS_NO_MEMORY;
    return status;
}

static json_t *json_of_variable(const struct told_variable *variable)
{
    struct json_line object = json_line_begin(NULL);

    json_line_put(&object, "name", json_of_text(variable->name));
    json_line_put(&object, "kind",
                  json_string(variable->kind == VARIABLE_PARAMETER ? "parameter" : "local"));
    if (variable->type)
        json_line_put(&object, "type", json_of_text(variable->type));
    if (variable->value)
        json_line_put(&object, "value", json_of_text(variable->value));
    if (variable->is_partial)
        json_line_put(&object, "state", json_string("partial"));
    else if (!is_known(variable->known))
        json_line_put(&object, "state", json_string(known_state_name(variable->known.state)));
    if (!is_known(variable->known) && variable->known.why)
        json_line_put(&object, "why", json_string(variable->known.why));
    if (object.failed) {
        json_decref(object.json);
        return NULL;
    }
    return object.json;
}

/* Adds "variables" to a place's object, if there are any. */
static enum status put_variables(json_t *place, const struct told_level *level)
{
    json_t *array;

    if (!level || level->count == 0)
        return STATUS_OK;
    array = json_array();
    for (size_t i = 0; array && i < level->count; i++)
        if (json_array_append_new(array, json_of_variable(&level->list[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    return array && json_object_set_new(place, "variables", array) == 0 ? STATUS_OK
                                                                        : STATUS_NO_MEMORY;
}

/* Writes a sample's frame with its variables. */
static enum status put_frame(struct json_out *out, const struct variables_frame *where)
{
    const struct frame *frame = &where->chain->frames[where->index];
    const struct told_frame *told;
    const struct places *places;
    enum status status = names_find_frame(out->names, frame, &places);

    if (status == STATUS_OK)
        status = variables_tell(out->variables, where, &told);
    for (uint32_t i = 0; status == STATUS_OK && i < places->count; i++) {
        json_t *place = place_object(out, frame, &places->list[i]);

        status = place ? put_variables(place, told_frame_level(told, i, places->count))
                       : STATUS_NO_MEMORY;
        if (i)
            fputc(',', out->file);
        if (status == STATUS_OK && json_dumpf(place, out->file, JSON_COMPACT) != 0)
            status = STATUS_IO;
        json_decref(place);
    }
    return status;
}

void json_out_deinit(struct json_out *out)
{
    frame_texts_deinit(&out->texts);
}

static void put_syscall(struct json_line *object, const struct snap_sample *sample)
{
    json_t *arguments = json_array();

    json_line_put(object, "syscall", json_integer(sample->syscall));
    for (size_t i = 0; arguments && i < 6; i++)
        if (json_array_append_new(arguments, json_of_hex(sample->syscall_args[i])) != 0)
            object->failed = true;
    json_line_put(object, "syscall_args", arguments);
}

static struct json_line make_sample(const char *type, const struct snap_sample *sample)
{
    struct json_line object = json_line_begin(type);
    const char *state = thread_state_name(sample->state);

    json_line_put(&object, "pid", json_of_number(sample->pid));
    json_line_put(&object, "tid", json_of_number(sample->tid));
    json_line_put(&object, "time_ns", json_of_number(sample->time_ns));
    if (sample->wall_ns)
        json_line_put(&object, "wall_ns", json_of_number(sample->wall_ns));
    if (sample->cpu_ns)
        json_line_put(&object, "cpu_ns", json_of_number(sample->cpu_ns));
    if (sample->delay_ns)
        json_line_put(&object, "ready_ns", json_of_number(sample->delay_ns));
    if (state)
        json_line_put(&object, "state", json_string(state));
    if (sample->signal)
        json_line_put(&object, "signal", json_of_number(sample->signal));
    if (sample->goroutine_id)
        json_line_put(&object, "goroutine", json_of_number(sample->goroutine_id));
    if (sample->repeat)
        json_line_put(&object, "repeat", json_true());
    if (sample->has_syscall)
        put_syscall(&object, sample);
    if (sample->task)
        json_line_put(&object, "task", json_of_task(sample->task));
    return object;
}

static enum status put_frames(struct json_out *out, const struct snap_sample *sample,
                              struct address_space *space, const struct chain *chain)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < chain->count && status == STATUS_OK; i++) {
        const char *frame_text;

        if (i)
            fputc(',', out->file);
        if (out->variables) {
            status = put_frame(out, &(struct variables_frame){.space = space,
                                                              .sample = sample,
                                                              .chain = chain,
                                                              .index = i});
            continue;
        }
        status =
            frame_texts_find(&out->texts, &chain->frames[i], make_frame_text, out, &frame_text);
        if (status == STATUS_OK)
            fputs(frame_text, out->file);
    }
    return status;
}

static enum status put_chain(struct json_out *out, const char *type,
                             const struct snap_sample *sample, struct address_space *space,
                             const struct chain *chain)
{
    struct json_line object = make_sample(type, sample);
    char fault[EXCEPTION_TEXT_MAX];
    enum status status;

    if (exceptions_fault(out->arch, space, sample, chain, fault, sizeof(fault)))
        json_line_put(&object, "fault", json_string(fault));
    status = object.failed ? STATUS_NO_MEMORY : STATUS_OK;
    fputc('{', out->file);
    if (status == STATUS_OK && json_dumpf(object.json, out->file, JSON_COMPACT | JSON_EMBED) != 0)
        status = STATUS_IO;
    json_decref(object.json);
    fputs(",\"frames\":[", out->file);
    if (status == STATUS_OK)
        status = put_frames(out, sample, space, chain);
    if (status != STATUS_OK)
        return status;
    fprintf(out->file, "],\"stop\":\"%s\"}\n", stop_reason_name(chain->stop));
    return ferror(out->file) ? STATUS_IO : STATUS_OK;
}

enum status json_out_sample(struct json_out *out, const struct snap_sample *sample,
                            struct address_space *space, const struct chain *chain)
{
    return put_chain(out, "sample", sample, space, chain);
}

enum status json_out_tick(struct json_out *out, const struct snap_sample *tick,
                          struct address_space *space, const struct chain *chain)
{
    return put_chain(out, "tick", tick, space, chain);
}

static json_t *missing_modules(const struct module_set *modules)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < module_set_count(modules); i++) {
        const struct module *module = module_set_at(modules, i);
        struct json_line object;
        char problem[sizeof(struct diag)];

        if (!quality_module_missing(module))
            continue;
        object = json_line_begin(NULL);
        json_line_put(&object, "path", json_of_text(module->file.path));
        if (module->file.build_id_size)
            json_line_put(&object, "build_id",
                          json_of_bytes(module->file.build_id, module->file.build_id_size));
        if (module->problem.what[0])
            json_line_put(&object, "problem",
                          json_of_text(diag_format(&module->problem, problem, sizeof(problem))));
        if (object.failed || json_array_append(array, object.json) != 0) {
            json_decref(array);
            array = NULL;
        }
        json_decref(object.json);
    }
    return array;
}

static void put_counts(struct json_line *summary, const struct quality *quality)
{
    struct json_line trusts = json_line_begin(NULL);
    struct json_line stops = json_line_begin(NULL);

    for (enum trust trust = 0; trust < TRUST_COUNT; trust++)
        if (quality->frames_by_trust[trust])
            json_line_put(&trusts, trust_name(trust),
                          json_of_number(quality->frames_by_trust[trust]));
    for (enum stop_reason stop = 0; stop < STOP_COUNT; stop++)
        if (quality->chains_by_stop[stop])
            json_line_put(&stops, stop_reason_name(stop),
                          json_of_number(quality->chains_by_stop[stop]));
    summary->failed |= trusts.failed || stops.failed;
    json_line_put(summary, "frames_by_trust", trusts.json);
    json_line_put(summary, "samples_by_stop", stops.json);
}

/* Puts the reasons for which samples were lost. */
static void put_losses(struct json_line *summary, const struct quality *quality)
{
    struct json_line object = json_line_begin(NULL);

    for (unsigned reason = 0; reason < SNAP_LOSS_REASONS; reason++)
        if (quality->all.lost[reason])
            json_line_put(&object, snap_loss_name(reason),
                          json_of_number(quality->all.lost[reason]));
    summary->failed |= object.failed;
    json_line_put(summary, "lost_by_reason", object.json);
}

static void put_capture(struct json_line *summary, const struct snap_summary *capture)
{
    struct json_line object = json_line_begin(NULL);

    json_line_put(&object, "samples", json_of_number(capture->samples));
    json_line_put(&object, "repeats", json_of_number(capture->repeats));
    json_line_put(&object, "lost", json_of_number(capture->lost));
    json_line_put(&object, "rounds", json_of_number(capture->rounds));
    json_line_put(&object, "rate_asked_mhz", json_of_number(capture->rate_asked_mhz));
    json_line_put(&object, "rate_reached_mhz", json_of_number(capture->rate_reached_mhz));
    json_line_put(&object, "stopped_ns", json_of_number(capture->stopped_ns));
    json_line_put(&object, "stopped_max_ns", json_of_number(capture->stopped_max_ns));
    summary->failed |= object.failed;
    json_line_put(summary, "capture", object.json);
}

enum status json_out_summary(struct json_out *out, const struct quality *quality)
{
    struct json_line object = json_line_begin("summary");
    enum status status;

    json_line_put(&object, "samples", json_of_number(quality->samples));
    json_line_put(&object, "repeats", json_of_number(quality->repeats));
    json_line_put(&object, "chains_unwound", json_of_number(quality->chains_unwound));
    json_line_put(&object, "chains_distinct", json_of_number(quality->chains_distinct));
    json_line_put(&object, "frames", json_of_number(quality->frames));
    put_counts(&object, quality);
    json_line_put(&object, "reached_thread_start",
                  json_of_number(quality->chains_by_stop[STOP_THREAD_START]));
    json_line_put(&object, "runnable", json_of_number(quality->running));
    json_line_put(&object, "runnable_reached_thread_start",
                  json_of_number(quality->running_complete));
    json_line_put(&object, "frames_without_name", json_of_number(quality->frames_unnamed));
    if (quality->modules)
        json_line_put(&object, "modules_not_found", missing_modules(quality->modules));
    if (quality->all.cpu.used_ns) {
        json_line_put(&object, "cpu_ns", json_of_number(quality->all.cpu.used_ns));
        json_line_put(&object, "cpu_placed_ns", json_of_number(quality->all.cpu.placed_ns));
        if (quality->all.cpu.by_clock)
            json_line_put(&object, "ticks", json_of_number(quality->all.cpu.ticks));
        if (!quality->all.cpu.untold)
            json_line_put(&object, "ready_ns", json_of_number(quality->all.cpu.waited_ns));
    }
    json_line_put(&object, "unwind_ns", json_of_number(quality->unwind_ns));
    json_line_put(&object, "symbolize_ns", json_of_number(quality->symbolize_ns));
    if (quality->has_capture)
        put_capture(&object, &quality->capture);
    if (snap_loss_sum(quality->all.lost) || quality->all.lost[SNAP_LOSS_TICK])
        put_losses(&object, quality);
    if (quality->cut_short)
        json_line_put(&object, "cut_short", json_true());
    status = json_line_end(out->file, &object);
    return status == STATUS_OK ? text_finish(out->file) : status;
}

static enum status put_called_function(struct json_out *out, const struct callgraph *graph,
                                       const struct calltrace *trace,
                                       const struct callgraph_node *node)
{
    const struct view *view = graph->view;
    const struct view_node *what = &view->nodes[node->view_node];
    struct json_line object = json_line_begin("function");

    json_line_put(&object, "function", json_of_text(what->label));
    json_line_put(&object, "module", json_of_text(what->module));
    json_line_put(&object, "calls", json_of_number(node->self));
    if (!trace->has_pairs)
        json_line_put(&object, "calls_with_callees", json_of_number(node->total));
    if (view->first_call_node == node->view_node)
        json_line_put(&object, "first", json_true());
    if (view->last_call_node == node->view_node)
        json_line_put(&object, "last", json_true());
    return json_line_end(out->file, &object);
}

static json_t *call_sites(const struct callgraph *graph, const struct callgraph_edge *edge)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < edge->site_count; i++) {
        const struct callgraph_site *site = &graph->sites[edge->site_first + i];
        struct json_line object = json_line_begin(NULL);

        json_line_put(&object, "file", json_of_text(site->file));
        json_line_put(&object, "line", json_of_number(site->line));
        json_line_put(&object, "calls", json_of_number(site->weight));
        if (object.failed || json_array_append_new(array, object.json) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

static enum status put_call(struct json_out *out, const struct callgraph *graph,
                            const struct callgraph_edge *edge)
{
    const struct view *view = graph->view;
    struct json_line object = json_line_begin("call");

    json_line_put(&object, "caller",
                  json_of_text(view->nodes[graph->nodes[edge->from].view_node].label));
    json_line_put(&object, "callee",
                  json_of_text(view->nodes[graph->nodes[edge->to].view_node].label));
    json_line_put(&object, "calls", json_of_number(edge->calls));
    json_line_put(&object, "first", json_of_number(edge->first));
    if (edge->site_count)
        json_line_put(&object, "sites", call_sites(graph, edge));
    return json_line_end(out->file, &object);
}

enum status json_out_calls(struct json_out *out, const struct callgraph *graph,
                           const struct calltrace *trace, const char *elf_file)
{
    struct json_line head = json_line_begin("trace");
    struct json_line summary = json_line_begin("summary");
    enum status status, end;

    json_line_put(&head, "elf", json_of_text(elf_file));
    json_line_put(&head, "kind", json_string(trace->has_pairs ? "pairs" : "entries"));
    status = json_line_end(out->file, &head);
    for (size_t i = 0; i < graph->node_count && status == STATUS_OK; i++)
        status = put_called_function(out, graph, trace, &graph->nodes[i]);
    for (size_t i = 0; i < graph->edge_count && status == STATUS_OK; i++)
        status = put_call(out, graph, &graph->edges[i]);
    json_line_put(&summary, "lines", json_of_number(trace->lines));
    json_line_put(&summary, "calls", json_of_number(trace->calls));
    if (!trace->has_pairs)
        json_line_put(&summary, "max_depth", json_of_number(trace->max_depth));
    json_line_put(&summary, "lines_not_read", json_of_number(trace->bad.count));
    json_line_put(&summary, "exits_unpaired", json_of_number(trace->unpaired.count));
    json_line_put(&summary, "left_open", json_of_number(trace->left_open));
    json_line_put(&summary, "calls_left_out", json_of_number(trace->left_out));
    if (trace->cut_short)
        json_line_put(&summary, "cut_short", json_true());
    end = json_line_end(out->file, &summary);
    if (status == STATUS_OK)
        status = end;
    return status == STATUS_OK ? text_finish(out->file) : status;
}

static enum status begin(struct output *o)
{
    *(struct json_out *)o->state = (struct json_out){.file = o->file,
                                                     .names = o->names,
                                                     .arch = o->arch,
                                                     .variables = o->variables};
    return STATUS_OK;
}

static enum status process(struct output *o, const struct snap_process *given)
{
    return json_out_snapshot(o->state, given, o->arch, o->clock_offset);
}

static enum status thread(struct output *o, const struct snap_thread *given)
{
    return json_out_thread(o->state, given);
}

static enum status sample(struct output *o, const struct ingest_sample *given)
{
    return json_out_sample(o->state, given->sample, given->space, given->chain);
}

static enum status tick(struct output *o, const struct ingest_sample *given)
{
    return json_out_tick(o->state, given->sample, given->space, given->chain);
}

/* Behind its sample or tick, which it names by tid and time. */
static enum status cpu(struct output *o, const struct ingest_cpu *given)
{
    const struct json_out *out = o->state;
    struct json_line object;

    if (!given->cpu_ns)
        return STATUS_OK;
    object = json_line_begin("cpu");
    json_line_put(&object, "pid", json_of_number(given->pid));
    if (given->tid)
        json_line_put(&object, "tid", json_of_number(given->tid));
    if (given->place->number != INGEST_NO_SAMPLE) {
        json_line_put(&object, "time_ns", json_of_number(given->place->time_ns));
    }
    json_line_put(&object, "cpu_ns", json_of_number(given->cpu_ns));
    return json_line_end(out->file, &object);
}

static enum status finish_calls(struct output *o)
{
    const struct callgraph_options all = {0};
    struct callgraph *graph = NULL;
    struct view *view = NULL;
    enum status status = view_create(o->profile, o->view_options, &view);

    if (status != STATUS_OK)
        return status;
    o->shown = view->shown > 0;
    status = callgraph_create(view, &all, &graph);
    if (status == STATUS_OK)
        status = json_out_calls(o->state, graph, o->trace, o->elf_file);
    callgraph_destroy(graph);
    view_destroy(view);
    return status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    (void)diag;
    return o->trace ? finish_calls(o) : json_out_summary(o->state, o->quality);
}

static void end(struct output *o)
{
    json_out_deinit(o->state);
}

const struct output_format output_format_json = {
    .name = "json",
    .suffixes = {".json"},
    .help = "every sample and all that is known of it, as JSON Lines",
    .begins = "^\\{\"type\":\"(snapshot|process|thread|sample|tick|trace|summary)\"",
    .needs = NEEDS_STREAM | NEEDS_LINES,
    .honours = HONOURS_SAMPLES | HONOURS_TRIMMING | HONOURS(SEQUENCE) | HONOURS(VARIABLES),
    .calls = CALLS_GRAPH,
    .state_size = sizeof(struct json_out),
    .begin = begin,
    .process = process,
    .thread = thread,
    .sample = sample,
    .tick = tick,
    .cpu = cpu,
    .finish = finish,
    .end = end,
};
