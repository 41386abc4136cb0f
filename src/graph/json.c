#include "graph/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "graph/text.h"

/* An object in the making. Building goes on after a failure; the object is then not written. */
struct object {
    json_t *json;
    bool failed;
};

static void put(struct object *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new(object->json, key, value) != 0)
        object->failed = true;
}

static struct object begin(const char *type)
{
    struct object object = {.json = json_object()};

    if (!object.json)
        object.failed = true;
    if (type)
        put(&object, "type", json_string(type));
    return object;
}

static json_t *text(const char *raw)
{
    char *clean = text_clean(raw, TEXT_KEEP_CONTROLS);
    json_t *value = clean ? json_string_nocheck(clean) : NULL;

    free(clean);
    return value;
}

/* JSON integers of other programs end at 63 bits. */
static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)(value > INT64_MAX ? INT64_MAX : value));
}

static json_t *hex(uint64_t value)
{
    char buffer[20];

    snprintf(buffer, sizeof(buffer), "0x%" PRIx64, value);
    return json_string_nocheck(buffer);
}

static json_t *hex_bytes(const uint8_t *bytes, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    char buffer[2 * 64];

    if (size > sizeof(buffer) / 2)
        size = sizeof(buffer) / 2;
    for (size_t i = 0; i < size; i++) {
        buffer[2 * i] = digits[bytes[i] >> 4];
        buffer[2 * i + 1] = digits[bytes[i] & 15];
    }
    return json_stringn_nocheck(buffer, 2 * size);
}

/* Writes the line and lets go of the object. */
static enum status finish(struct json_out *out, struct object *object)
{
    enum status status = STATUS_OK;

    if (object->failed)
        status = STATUS_NO_MEMORY;
    else if (json_dumpf(object->json, out->file, JSON_COMPACT) != 0 ||
             fputc('\n', out->file) == EOF)
        status = STATUS_IO;
    json_decref(object->json);
    return status;
}

/* NUL-separated arguments. */
static json_t *command_line(const uint8_t *bytes, size_t size)
{
    json_t *array = json_array();

    for (size_t pos = 0; array && pos < size;) {
        size_t len = strnlen((const char *)bytes + pos, size - pos);
        char *argument = strndup((const char *)bytes + pos, len);
        json_t *value = argument ? text(argument) : NULL;

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
    struct object object = begin("snapshot");

    put(&object, "pid", number(process->pid));
    if (process->parent_pid)
        put(&object, "parent_pid", number(process->parent_pid));
    put(&object, "time_ns", number(process->time_ns));
    put(&object, "realtime_offset_ns", number(clock_offset_ns));
    put(&object, "arch", json_string(arch->name));
    if (process->exe && *process->exe)
        put(&object, "exe", text(process->exe));
    if (process->command_line_size)
        put(&object, "command", command_line(process->command_line, process->command_line_size));
    if (process->host && *process->host)
        put(&object, "host", text(process->host));
    if (process->kernel && *process->kernel)
        put(&object, "kernel", text(process->kernel));
    if (process->exec)
        put(&object, "exec", json_true());
    return finish(out, &object);
}

enum status json_out_thread(struct json_out *out, const struct snap_thread *thread)
{
    struct object object = begin("thread");

    put(&object, "pid", number(thread->pid));
    put(&object, "tid", number(thread->tid));
    put(&object, "time_ns", number(thread->time_ns));
    if (thread->name)
        put(&object, "name", text(thread->name));
    return finish(out, &object);
}

static void put_module(struct object *object, const struct frame *frame)
{
    const struct module *module = frame->module;
    uint64_t vaddr = frame->lookup_vaddr + frame->is_call;

    put(object, "module", text(module->path));
    if (module->build_id_size)
        put(object, "build_id", hex_bytes(module->build_id, module->build_id_size));
    if (frame->vaddr_known)
        put(object, "vaddr", hex(vaddr));
    else if (module->kind == MODULE_FILE)
        put(object, "file_offset", hex(vaddr));
}

static json_t *make_place(const struct json_out *out, const struct frame *frame,
                          const struct place *place)
{
    const struct function *function = names_function(out->names, place->function);
    struct object object = begin(NULL);

    put(&object, "pc", hex(frame->pc_addr));
    if (frame->module)
        put_module(&object, frame);
    if (function->has_name)
        put(&object, "function", text(function->name));
    if (!place->is_inline && function->has_start)
        put(&object, "offset",
            number(frame->lookup_vaddr + frame->is_call - function->start_vaddr));
    if (place->file)
        put(&object, "file", text(place->file));
    if (place->line)
        put(&object, "line", number(place->line));
    if (place->is_inline)
        put(&object, "inline", json_true());
    put(&object, "trust", json_string(trust_name(frame->trust)));
    if (object.failed) {
        json_decref(object.json);
        return NULL;
    }
    return object.json;
}

/* For frame_texts_find: a frame's objects, without the brackets around them: "{…},{…}". */
static enum status make_frame_text(void *context, const struct frame *frame, char **text_out)
{
    struct json_out *out = context;
    const struct places *places;
    enum status status = names_find_frame(out->names, frame, &places);
    json_t *array = json_array();

    for (uint32_t i = 0; status == STATUS_OK && i < places->count; i++)
        if (json_array_append_new(array, make_place(out, frame, &places->list[i])) != 0)
            status = STATUS_NO_MEMORY;
    *text_out = status == STATUS_OK ? json_dumps(array, JSON_COMPACT | JSON_EMBED) : NULL;
    json_decref(array);
    if (status == STATUS_OK && !*text_out)
        status = STATUS_NO_MEMORY;
    return status;
}

void json_out_deinit(struct json_out *out)
{
    frame_texts_deinit(&out->texts);
}

static void put_syscall(struct object *object, const struct snap_sample *sample)
{
    json_t *arguments = json_array();

    put(object, "syscall", json_integer(sample->syscall));
    for (size_t i = 0; arguments && i < 6; i++)
        if (json_array_append_new(arguments, hex(sample->syscall_args[i])) != 0)
            object->failed = true;
    put(object, "syscall_args", arguments);
}

static struct object make_sample(const struct snap_sample *sample)
{
    struct object object = begin("sample");
    const char *state = text_state_name(sample->state);

    put(&object, "pid", number(sample->pid));
    put(&object, "tid", number(sample->tid));
    put(&object, "time_ns", number(sample->time_ns));
    if (sample->wall_ns)
        put(&object, "wall_ns", number(sample->wall_ns));
    if (sample->cpu_ns)
        put(&object, "cpu_ns", number(sample->cpu_ns));
    if (state)
        put(&object, "state", json_string(state));
    if (sample->signal)
        put(&object, "signal", number(sample->signal));
    if (sample->repeat)
        put(&object, "repeat", json_true());
    if (sample->has_syscall)
        put_syscall(&object, sample);
    return object;
}

enum status json_out_sample(struct json_out *out, const struct snap_sample *sample,
                            const struct chain *chain)
{
    struct object object = make_sample(sample);
    enum status status = object.failed ? STATUS_NO_MEMORY : STATUS_OK;

    fputc('{', out->file);
    if (status == STATUS_OK && json_dumpf(object.json, out->file, JSON_COMPACT | JSON_EMBED) != 0)
        status = STATUS_IO;
    json_decref(object.json);
    fputs(",\"frames\":[", out->file);
    for (size_t i = 0; i < chain->count && status == STATUS_OK; i++) {
        const char *frame_text;

        status =
            frame_texts_find(&out->texts, &chain->frames[i], make_frame_text, out, &frame_text);
        if (status != STATUS_OK)
            return status;
        if (i)
            fputc(',', out->file);
        fputs(frame_text, out->file);
    }
    fprintf(out->file, "],\"stop\":\"%s\"}\n", stop_reason_name(chain->stop));
    return status == STATUS_OK && ferror(out->file) ? STATUS_IO : status;
}

static json_t *missing_modules(const struct module_set *modules)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < module_set_count(modules); i++) {
        const struct module *module = module_set_at(modules, i);
        struct object object;
        char problem[sizeof(struct diag)];

        if (!quality_module_missing(module))
            continue;
        object = begin(NULL);
        put(&object, "path", text(module->path));
        if (module->build_id_size)
            put(&object, "build_id", hex_bytes(module->build_id, module->build_id_size));
        if (module->problem.what[0])
            put(&object, "problem", text(diag_format(&module->problem, problem, sizeof(problem))));
        if (object.failed || json_array_append(array, object.json) != 0) {
            json_decref(array);
            array = NULL;
        }
        json_decref(object.json);
    }
    return array;
}

static void put_counts(struct object *summary, const struct quality *quality)
{
    struct object trusts = begin(NULL);
    struct object stops = begin(NULL);

    for (enum trust trust = 0; trust < TRUST_COUNT; trust++)
        if (quality->frames_by_trust[trust])
            put(&trusts, trust_name(trust), number(quality->frames_by_trust[trust]));
    for (enum stop_reason stop = 0; stop < STOP_COUNT; stop++)
        if (quality->chains_by_stop[stop])
            put(&stops, stop_reason_name(stop), number(quality->chains_by_stop[stop]));
    summary->failed |= trusts.failed || stops.failed;
    put(summary, "frames_by_trust", trusts.json);
    put(summary, "samples_by_stop", stops.json);
}

static void put_capture(struct object *summary, const struct snap_summary *capture)
{
    struct object object = begin(NULL);

    put(&object, "samples", number(capture->samples));
    put(&object, "repeats", number(capture->repeats));
    put(&object, "lost", number(capture->lost));
    put(&object, "rounds", number(capture->rounds));
    put(&object, "rate_asked_mhz", number(capture->rate_asked_mhz));
    put(&object, "rate_reached_mhz", number(capture->rate_reached_mhz));
    put(&object, "stopped_ns", number(capture->stopped_ns));
    put(&object, "stopped_max_ns", number(capture->stopped_max_ns));
    summary->failed |= object.failed;
    put(summary, "capture", object.json);
}

enum status json_out_summary(struct json_out *out, const struct quality *quality)
{
    struct object object = begin("summary");
    enum status status;

    put(&object, "samples", number(quality->samples));
    put(&object, "repeats", number(quality->repeats));
    put(&object, "chains_unwound", number(quality->chains_unwound));
    put(&object, "chains_distinct", number(quality->chains_distinct));
    put(&object, "frames", number(quality->frames));
    put_counts(&object, quality);
    put(&object, "reached_thread_start", number(quality->chains_by_stop[STOP_THREAD_START]));
    put(&object, "frames_without_name", number(quality->frames_unnamed));
    if (quality->modules)
        put(&object, "modules_not_found", missing_modules(quality->modules));
    put(&object, "unwind_ns", number(quality->unwind_ns));
    put(&object, "symbolize_ns", number(quality->symbolize_ns));
    if (quality->has_capture)
        put_capture(&object, &quality->capture);
    if (quality->cut_short)
        put(&object, "cut_short", json_true());
    status = finish(out, &object);
    return status == STATUS_OK ? text_finish(out->file) : status;
}

static enum status put_called_function(struct json_out *out, const struct callgraph *graph,
                                       const struct calltrace *trace,
                                       const struct callgraph_node *node)
{
    const struct view *view = graph->view;
    const struct view_node *what = &view->nodes[node->view_node];
    struct object object = begin("function");

    put(&object, "function", text(what->label));
    put(&object, "module", text(what->module));
    put(&object, "calls", number(node->self));
    if (!trace->has_pairs)
        put(&object, "calls_with_callees", number(node->total));
    if (view->first_call_node == node->view_node)
        put(&object, "first", json_true());
    if (view->last_call_node == node->view_node)
        put(&object, "last", json_true());
    return finish(out, &object);
}

static json_t *call_sites(const struct callgraph *graph, const struct callgraph_edge *edge)
{
    json_t *array = json_array();

    for (size_t i = 0; array && i < edge->site_count; i++) {
        const struct callgraph_site *site = &graph->sites[edge->site_first + i];
        struct object object = begin(NULL);

        put(&object, "file", text(site->file));
        put(&object, "line", number(site->line));
        put(&object, "calls", number(site->weight));
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
    struct object object = begin("call");

    put(&object, "caller", text(view->nodes[graph->nodes[edge->from].view_node].label));
    put(&object, "callee", text(view->nodes[graph->nodes[edge->to].view_node].label));
    put(&object, "calls", number(edge->calls));
    put(&object, "first", number(edge->first));
    if (edge->site_count)
        put(&object, "sites", call_sites(graph, edge));
    return finish(out, &object);
}

enum status json_out_calls(struct json_out *out, const struct callgraph *graph,
                           const struct calltrace *trace, const char *elf_file)
{
    struct object head = begin("trace");
    struct object summary = begin("summary");
    enum status status, end;

    put(&head, "elf", text(elf_file));
    put(&head, "kind", json_string(trace->has_pairs ? "pairs" : "entries"));
    status = finish(out, &head);
    for (size_t i = 0; i < graph->node_count && status == STATUS_OK; i++)
        status = put_called_function(out, graph, trace, &graph->nodes[i]);
    for (size_t i = 0; i < graph->edge_count && status == STATUS_OK; i++)
        status = put_call(out, graph, &graph->edges[i]);
    put(&summary, "lines", number(trace->lines));
    put(&summary, "calls", number(trace->calls));
    if (!trace->has_pairs)
        put(&summary, "max_depth", number(trace->max_depth));
    put(&summary, "lines_not_read", number(trace->bad.count));
    put(&summary, "exits_unpaired", number(trace->unpaired.count));
    put(&summary, "left_open", number(trace->left_open));
    put(&summary, "calls_left_out", number(trace->left_out));
    if (trace->cut_short)
        put(&summary, "cut_short", json_true());
    end = finish(out, &summary);
    if (status == STATUS_OK)
        status = end;
    return status == STATUS_OK ? text_finish(out->file) : status;
}
