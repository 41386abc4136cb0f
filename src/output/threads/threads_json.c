/* SPDX-License-Identifier: MIT */
#include "output/threads/threads_json.h"

#include <stdlib.h>

#include "base/text.h"
#include "output/json_line.h"
#include "output/threads/output_report.h"
#include "threads/chain_ends.h"
#include "threads/task_words.h"

static struct frame as_frame(const struct profile_frame *frame)
{
    return (struct frame){.lookup_vaddr = frame->addr,
                          .module = frame->module,
                          .vaddr_known = frame->vaddr_known,
                          .is_call = frame->is_call,
                          .trust = frame->trust,
                          .mark = frame->mark};
}

/* Adds the places of a frame of the profile, innermost first. */
static bool append_frame(const struct report *report, uint32_t id, json_t *array)
{
    const struct frame frame = as_frame(&report->profile->frames[id]);
    const struct places *places = report->profile->places[id];

    for (uint32_t i = 0; i < places->count; i++)
        if (json_array_append_new(array, json_of_place(report->profile->names, &frame, false,
                                                       &places->list[i])) != 0)
            return false;
    return true;
}

static json_t *make_chain(const struct report *report, uint32_t chain)
{
    const struct trie *trie = &report->profile->trie;
    json_t *array = json_array();

    for (uint32_t node = report->profile->chains[chain].leaf; array && node != TRIE_ROOT;
         node = trie->nodes[node].parent)
        if (!append_frame(report, trie->nodes[node].key, array)) {
            json_decref(array);
            return NULL;
        }
    return array;
}

static json_t *make_site(const struct report *report, uint32_t id)
{
    const struct frame frame = as_frame(&report->profile->frames[id]);
    const struct place *place = chain_ends_place(report->profile, id);

    return json_of_place(report->profile->names, &frame, false,
                         place ? place : &report->profile->places[id]->list[0]);
}

/* Returns the start routine, without the call in it, which differs between samples. */
static json_t *make_start(const struct report *report, const struct identity *identity)
{
    const struct function *function = chain_ends_function(report->profile, identity->start_frame);
    const struct module *module = function->module;
    struct json_line object = json_line_begin(NULL);

    if (module) {
        json_line_put(&object, "module", json_of_text(module->file.path));
        if (module->file.build_id_size)
            json_line_put(&object, "build_id",
                          json_of_bytes(module->file.build_id, module->file.build_id_size));
    }
    if (function->has_start)
        json_line_put(&object, "vaddr", json_of_hex(function->start_vaddr));
    if (function->has_name)
        json_line_put(&object, "function", json_of_text(function->name));
    if (identity->start_inferred)
        json_line_put(&object, "inferred", json_true());
    if (object.failed) {
        json_decref(object.json);
        return NULL;
    }
    return object.json;
}

static enum status put_process(const struct report *report, uint32_t id, FILE *out)
{
    const struct history_process *process = &report->history->processes[id];
    struct json_line line = json_line_begin("process");

    json_line_put(&line, "process", json_of_number(id));
    json_line_put(&line, "pid", json_of_number(process->pid));
    if (process->parent_pid)
        json_line_put(&line, "parent_pid", json_of_number(process->parent_pid));
    if (process->exe[0])
        json_line_put(&line, "exe", json_of_text(process->exe));
    if (process->time_ns)
        json_line_put(&line, "time_ns", json_of_number(process->time_ns));
    return json_line_end(out, &line);
}

static enum status put_identity(const struct report *report, uint32_t id, FILE *out)
{
    const struct identity *identity = &report->identities->list[id];
    struct json_line line = json_line_begin("identity");

    json_line_put(&line, "identity", json_of_number(id));
    json_line_put(&line, "hash", json_string(identity->hash));
    json_line_put(&line, "name", json_of_text(identity->name));
    json_line_put(&line, "threads", json_of_number(identity->thread_count));
    if (identity->is_main)
        json_line_put(&line, "main", json_true());
    if (identity->start_frame != IDENTITY_NONE)
        json_line_put(&line, "start_routine", make_start(report, identity));
    json_line_put(&line, "creation_seen", json_boolean(identity->creation_known));
    if (identity->creation_known) {
        uint32_t chain = identity->creation_chain;

        if (identity->site_frame != IDENTITY_NONE)
            json_line_put(&line, "creation_site", make_site(report, identity->site_frame));
        json_line_put(&line, "creation_chain", make_chain(report, chain));
        json_line_put(&line, "creation_stop",
                      json_string(stop_reason_name(report->profile->chains[chain].stop)));
    }
    return json_line_end(out, &line);
}

/* Returns the RTOS's words about a thread. */
static json_t *make_task(const struct history_task *task)
{
    struct json_line object = json_line_begin(NULL);

    json_line_put(&object, "state", json_string(task_state_name(task->state)));
    json_line_put(&object, "priority", json_integer(task->priority));
    json_line_put(&object, "own_priority", json_integer(task->own_priority));
    if (task->low_first)
        json_line_put(&object, "low_first", json_true());
    if (task->stack_size)
        json_line_put(&object, "stack_size", json_of_number(task->stack_size));
    if (task->stack_used)
        json_line_put(&object, "stack_used", json_of_number(task->stack_used));
    if (task->wake_tick)
        json_line_put(&object, "wake_tick", json_of_number(task->wake_tick));
    if (task->tick)
        json_line_put(&object, "tick", json_of_number(task->tick));
    if (object.failed) {
        json_decref(object.json);
        return NULL;
    }
    return object.json;
}

static enum status put_thread(const struct report *report, uint32_t id, FILE *out)
{
    const struct history_thread *thread = &report->history->threads[id];
    const struct identity *identity = &report->identities->list[report->identities->of_thread[id]];
    struct json_line line = json_line_begin("thread");

    json_line_put(&line, "thread", json_of_number(id));
    json_line_put(&line, "pid", json_of_number(thread->pid));
    json_line_put(&line, "tid", json_of_number(thread->tid));
    json_line_put(&line, "process", json_of_number(thread->process));
    json_line_put(&line, "name", json_of_text(thread->name));
    json_line_put(&line, "identity", json_of_number(report->identities->of_thread[id]));
    json_line_put(&line, "hash", json_string(identity->hash));
    if (thread->maker != HISTORY_NONE) {
        json_line_put(&line, "maker", json_of_number(thread->maker));
        json_line_put(&line, "maker_tid",
                      json_of_number(report->history->threads[thread->maker].tid));
    }
    if (!report->is_core && !thread->found_running)
        json_line_put(&line, "start_ns", json_of_number(thread->found_ns));
    if (thread->end_ns)
        json_line_put(&line, "end_ns", json_of_number(thread->end_ns));
    if (thread->start_ticks)
        json_line_put(&line, "start_ticks", json_of_number(thread->start_ticks));
    if (thread->task.is_known)
        json_line_put(&line, "task", make_task(&thread->task));
    json_line_put(&line, "samples", json_of_number(thread->samples));
    if (!report->is_core)
        json_line_put(&line, "cpu_ns", json_of_number(thread->cpu_ns));
    return json_line_end(out, &line);
}

/* Marks the processes and identities of threads that pass the filter. */
static enum status mark(const struct report *report, bool *process, bool *identity)
{
    if (!process || !identity)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < report->history->thread_count; i++) {
        if (!report->shown[i])
            continue;
        process[report->history->threads[i].process] = true;
        identity[report->identities->of_thread[i]] = true;
    }
    return STATUS_OK;
}

enum status threads_json_write(const struct report *report, FILE *out)
{
    const struct hierarchy *tree = report->hierarchy;
    bool *process = calloc(report->history->process_count + 1, sizeof(*process));
    bool *identity = calloc(report->identities->count + 1, sizeof(*identity));
    enum status status = mark(report, process, identity);

    for (uint32_t i = 0; i < report->history->process_count && status == STATUS_OK; i++)
        if (process[i])
            status = put_process(report, i, out);
    for (uint32_t i = 0; i < report->identities->count && status == STATUS_OK; i++)
        if (identity[i])
            status = put_identity(report, i, out);
    for (size_t i = 0; i < report->history->thread_count && status == STATUS_OK; i++)
        if (report->shown[tree->order[i]])
            status = put_thread(report, tree->order[i], out);
    free(process);
    free(identity);
    return status == STATUS_OK ? text_finish(out) : status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    (void)diag;
    return output_report_write(o, threads_json_write);
}

const struct output_format output_format_threads_json = {
    .name = "threads-json",
    .help = "which thread made which, as JSON Lines",
    .begins = "^\\{\"type\":\"(snapshot|process|thread|sample|tick|trace|summary)\"",
    .needs = NEEDS_HISTORY | NEEDS_LINES,
    .finish = finish,
};
