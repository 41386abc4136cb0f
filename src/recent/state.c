/* SPDX-License-Identifier: MIT */
#include "recent/state.h"

#include <stdlib.h>

#include "base/cursor.h"
#include "base/vec.h"
#include "recent/encode.h"
#include "recent/recent.h"

void recent_state_deinit(struct recent_state *state)
{
    snap_records_deinit(&state->records);
    kept_deinit(&state->processes);
    map_deinit(&state->usage_places);
    free(state->usages);
    kept_deinit(&state->maps);
    kept_deinit(&state->codes);
    kept_deinit(&state->names);
    kept_deinit(&state->files);
    kept_deinit(&state->threads);
}

static struct snap_usage *usage_of(const struct recent_state *state, uint32_t pid)
{
    const uint64_t *place = map_get(&state->usage_places, pid);

    return place ? &state->usages[*place] : NULL;
}

static void forget_usage(struct recent_state *state, uint32_t pid)
{
    struct snap_usage *usage = usage_of(state, pid);

    if (usage)
        usage->time_ns = 0;
}

/* Keeps PROCESS, and drops all that was before, as after exec. */
static enum status keep_process(struct recent_state *state, struct record_bytes record,
                                const struct snap_process *process)
{
    const uint32_t pid = process->pid;

    kept_remove_pid(&state->processes, pid);
    forget_usage(state, pid);
    kept_remove_pid(&state->maps, pid);
    kept_remove_pid(&state->codes, pid);
    kept_remove_pid(&state->names, pid);
    kept_remove_pid(&state->files, pid);
    kept_remove_pid(&state->threads, pid);
    return kept_add(&state->processes, record, (struct recent_record){.pid = pid});
}

/* Drops what was mapped there, and its code. */
static enum status unmap(struct recent_state *state, uint32_t pid, uint64_t start, uint64_t end)
{
    kept_remove_overlapped(&state->codes, pid, start, end);
    return kept_cut_maps(&state->maps, pid, start, end);
}

static enum status keep_map(struct recent_state *state, struct record_bytes record,
                            const struct snap_map *map)
{
    enum status status = unmap(state, map->pid, map->start_addr, map->end_addr);

    return status == STATUS_OK ? kept_add(&state->maps, record,
                                          (struct recent_record){.pid = map->pid,
                                                                 .start = map->start_addr,
                                                                 .end = map->end_addr})
                               : status;
}

/* Keeps a piece of code instead of those that lie in it. */
static enum status keep_code(struct recent_state *state, struct record_bytes record,
                             const struct snap_range *code)
{
    kept_remove_covered(&state->codes, code->pid, code->start_addr, code->end_addr);
    return kept_add(&state->codes, record,
                    (struct recent_record){.pid = code->pid,
                                           .start = code->start_addr,
                                           .end = code->end_addr});
}

/* Returns the end of the process's names so far; 0: none. */
static uint64_t names_end(const struct recent_state *state, uint32_t pid)
{
    for (size_t i = state->names.count; i-- > 0;)
        if (state->names.records[i].pid == pid)
            return state->names.records[i].end;
    return 0;
}

/* By FORMAT.md: offset 0 begins the file again; what does not continue it is ignored. */
static enum status keep_names(struct recent_state *state, struct record_bytes record,
                              const struct snap_names *names)
{
    if (names->off == 0)
        kept_remove_pid(&state->names, names->pid);
    else if (names->off != names_end(state, names->pid))
        return STATUS_OK;
    return kept_add(&state->names, record,
                    (struct recent_record){.pid = names->pid,
                                           .start = names->off,
                                           .end = names->off + names->size});
}

/* Keeps a process's last USAGE. */
static enum status keep_usage(struct recent_state *state, const struct snap_usage *usage)
{
    struct snap_usage *known = usage_of(state, usage->pid);

    if (!known) {
        if (vec_reserve(&state->usages, &state->usage_cap, state->usage_count + 1,
                        sizeof(*state->usages)) != STATUS_OK ||
            !map_put(&state->usage_places, usage->pid, state->usage_count))
            return STATUS_NO_MEMORY;
        known = &state->usages[state->usage_count++];
    }
    *known = *usage;
    return STATUS_OK;
}

/*
 * Adds the sample's CPU time to the last USAGE, which may be a second older than the window: what
 * was used before the window is not its own.
 */
static void use(struct recent_state *state, const struct snap_sample *sample)
{
    struct snap_usage *usage = usage_of(state, sample->pid);

    if (!usage || !usage->time_ns || sample->time_ns <= usage->time_ns)
        return;
    usage->time_ns = sample->time_ns;
    if (usage->cpu_ns <= UINT64_MAX - sample->cpu_ns)
        usage->cpu_ns += sample->cpu_ns;
}

static void forget_thread(struct recent_state *state, uint32_t tid)
{
    for (size_t i = 0; i < state->threads.count; i++)
        if (state->threads.records[i].start == tid) {
            kept_remove(&state->threads, i);
            return;
        }
}

static enum status keep_thread(struct recent_state *state, struct record_bytes record,
                               const struct snap_thread *thread)
{
    forget_thread(state, thread->tid);
    return kept_add(&state->threads, record,
                    (struct recent_record){.pid = thread->pid, .start = thread->tid});
}

/* Removes the first half of the list, at least one record. */
static void remove_oldest(struct kept_list *list)
{
    for (size_t count = list->count - list->count / 2; count-- > 0;)
        kept_remove(list, count);
}

/* Removes the first file, with all its parts. */
static void remove_first_file(struct kept_list *files)
{
    do
        kept_remove(files, 0);
    while (files->count && files->records[0].start != 0);
}

/* Drops records to keep the limit. Names go all together, as parts continue others. */
static void keep_below_limit(struct recent_state *state)
{
    const size_t max = state->kept_max ? state->kept_max : RECENT_KEPT_MAX;

    while (state->codes.size + state->files.size + state->names.size > max) {
        state->left_out = true;
        if (state->codes.count)
            remove_oldest(&state->codes);
        else if (state->files.count)
            remove_first_file(&state->files);
        else
            kept_deinit(&state->names);
    }
}

static enum status keep(struct recent_state *state, struct record_bytes record,
                        const struct snap_event *event)
{
    switch (event->type) {
    case SNAP_PROCESS:
        return keep_process(state, record, &event->process);
    case SNAP_MAP:
        return keep_map(state, record, &event->map);
    case SNAP_UNMAP:
        return unmap(state, event->range.pid, event->range.start_addr, event->range.end_addr);
    case SNAP_CODE:
        return keep_code(state, record, &event->range);
    case SNAP_NAMES:
        return keep_names(state, record, &event->names);
    case SNAP_SYMBOL_FILE:
        return kept_add(&state->files, record,
                        (struct recent_record){.pid = event->symbol_file.pid,
                                               .start = event->symbol_file.off});
    case SNAP_THREAD:
        return keep_thread(state, record, &event->thread);
    case SNAP_THREAD_END:
        forget_thread(state, event->thread.tid);
        return STATUS_OK;
    case SNAP_USAGE:
        return keep_usage(state, &event->usage);
    /* The last samples are in the table of threads. */
    case SNAP_SAMPLE:
        use(state, &event->sample);
        return STATUS_OK;
    case SNAP_REPEAT:
    case SNAP_IDLE:
    case SNAP_LOSS:
    case SNAP_SUMMARY:
    case SNAP_CREATION:
    case SNAP_WAIT:
    case SNAP_UNCHANGED:
    case SNAP_TICK:
    case SNAP_POINTEES:
    case SNAP_BOARD:
    case SNAP_SYSTEM:
    case SNAP_TASK:
    case SNAP_FILE:
    case SNAP_FILE_PART:
        return STATUS_OK;
    }
    return STATUS_OK;
}

enum status recent_state_take(struct recent_state *state, struct record_bytes record,
                              struct diag *diag)
{
    struct cursor head = cursor_init(record.bytes, record.size);
    struct cursor payload =
        cursor_init(record.bytes + SNAP_RECORD_HEAD, record.size - SNAP_RECORD_HEAD);
    struct snap_event event;
    const char *what = "";
    uint16_t type = 0, flags = 0;
    enum status status = STATUS_BAD_DATA;

    if (cursor_u16(&head, &type) && cursor_u16(&head, &flags))
        status = snap_records_take(&state->records, type, flags, &payload, &event, &what);
    if (status == STATUS_OK) {
        status = keep(state, record, &event);
        keep_below_limit(state);
    } else if (status == STATUS_NOT_FOUND) {
        while (snap_records_idle(&state->records, &event))
            ;
        status = STATUS_OK;
    }
    if (status == STATUS_BAD_DATA)
        diag_set(diag, NULL, "%s", what);
    return status;
}

static enum status put_kept(const struct kept_list *list, recent_put *put, void *context)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < list->count && status == STATUS_OK; i++)
        status = put(context, list->records[i].bytes, list->records[i].size);
    return status;
}

/* Passes what the writer has built to `put`. */
static enum status put_built(struct snap_writer *writer, recent_put *put, void *context)
{
    size_t size;
    const uint8_t *bytes = snap_writer_take(writer, &size);

    return put(context, bytes, size);
}

static enum status put_waits(const struct thread_slot *slot, const struct wait_list *waits,
                             struct snap_writer *writer)
{
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < waits->count && status == STATUS_OK; i++)
        status = encode_wait(writer, slot->pid, slot->tid, &waits->waits[i]);
    return status;
}

/* When the thread was last found as in its last sample, but not before the window. */
static uint64_t sample_time(const struct thread_slot *slot, uint64_t from_ns)
{
    return slot->last_ns > from_ns ? slot->last_ns : from_ns;
}

static enum status put_pointees(const struct thread_slot *slot, uint64_t time_ns,
                                struct snap_writer *writer)
{
    return slot->pointees.count
               ? encode_pointees(writer, slot->pid, slot->tid, time_ns, &slot->pointees)
               : STATUS_OK;
}

/* Writes the last sample as if it had been taken at sample_time. */
static enum status put_sample(const struct recent_state *state, const struct thread_slot *slot,
                              uint64_t from_ns, struct snap_writer *writer)
{
    struct snap_sample sample = slot->sample;
    const bool is_repeated = slot->last_ns != sample.time_ns;

    sample.regions = slot->image.regions;
    sample.time_ns = sample_time(slot, from_ns);
    sample.cpu_ns = sample.delay_ns = 0;
    if (is_repeated || sample.time_ns != slot->last_ns)
        sample.held = false;
    if (is_repeated && sample.state == 'R' && state->records.tells_ready)
        sample.state = SNAP_STATE_READY;
    return encode_sample(writer, state->records.arch, &sample);
}

static enum status put_thread(const struct recent_state *state, const struct thread_slot *slot,
                              uint64_t from_ns, struct snap_writer *writer)
{
    const bool are_its = slot->sampled && slot->pointees.time_ns == slot->sample.time_ns;
    enum status status = STATUS_OK;

    if (slot->sampled) {
        status = put_waits(slot, &slot->waits, writer);
        if (status == STATUS_OK && are_its)
            status = put_pointees(slot, sample_time(slot, from_ns), writer);
        if (status == STATUS_OK)
            status = put_sample(state, slot, from_ns, writer);
    }
    /* These hold from the next sample on, or others refer to them. */
    if (status == STATUS_OK && !are_its)
        status = put_pointees(slot, slot->pointees.time_ns, writer);
    return status == STATUS_OK ? put_waits(slot, &slot->new_waits, writer) : status;
}

static enum status put_usages(const struct recent_state *state, struct snap_writer *writer,
                              recent_put *put, void *context)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < state->usage_count && status == STATUS_OK; i++) {
        if (!state->usages[i].time_ns)
            continue;
        status = encode_usage(writer, &state->usages[i]);
        if (status == STATUS_OK)
            status = put_built(writer, put, context);
    }
    return status;
}

enum status recent_state_put(const struct recent_state *state, uint64_t from_ns,
                             struct snap_writer *writer, recent_put *put, void *context)
{
    const struct kept_list *lists[] = {&state->processes, &state->maps,  &state->codes,
                                       &state->names,     &state->files, &state->threads};
    const struct thread_table *threads = &state->records.threads;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]) && status == STATUS_OK; i++)
        status = put_kept(lists[i], put, context);
    if (status == STATUS_OK)
        status = put_usages(state, writer, put, context);
    for (size_t i = 0; i < threads->live.count && status == STATUS_OK; i++) {
        if (!threads->live.list[i].live)
            continue;
        status = put_thread(state, &threads->slots[i], from_ns, writer);
        if (status == STATUS_OK)
            status = put_built(writer, put, context);
    }
    return status;
}

size_t recent_state_size(const struct recent_state *state)
{
    return (size_t)state->records.threads.kept + state->processes.size +
           state->usage_cap * sizeof(*state->usages) + state->maps.size + state->codes.size +
           state->names.size + state->files.size + state->threads.size;
}
