/* SPDX-License-Identifier: MIT */
#include "threads/history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "snapshot/sample_memory.h"

void history_init(struct history *history, struct waits *waits, const struct arch *arch)
{
    *history = (struct history){.waits = waits, .arch = arch, .spans_max = HISTORY_SPANS_MAX};
}

void history_deinit(struct history *history)
{
    for (size_t i = 0; i < history->thread_count; i++) {
        free(history->threads[i].name);
        free(history->threads[i].spans);
    }
    for (size_t i = 0; i < history->process_count; i++)
        program_name_deinit(&history->processes[i].program);
    free(history->threads);
    free(history->processes);
    free(history->by_profile_thread);
    map_deinit(&history->live);
    map_deinit(&history->programs);
}

uint32_t history_find(const struct history *history, uint32_t tid)
{
    const uint64_t *index = map_get(&history->live, tid);

    return index ? (uint32_t)*index : HISTORY_NONE;
}

enum status history_begin(struct history *history, uint64_t time_ns)
{
    if (!history->begun || time_ns < history->snapshot_zero_ns)
        history->snapshot_zero_ns = time_ns;
    if (!history->has_zero || time_ns < history->zero_ns)
        history->zero_ns = time_ns;
    history->begun = history->has_zero = true;
    return STATUS_OK;
}

const char *history_process_name(const struct history_process *process)
{
    return text_basename(program_name_text(&process->program));
}

const char *history_thread_name(const struct history *history, const struct history_thread *thread)
{
    const char *title = history->processes[thread->process].program.title;

    return thread->is_main && title ? title : thread->name;
}

static enum status add_process(struct history *history, const struct snap_process *info, bool whole)
{
    const uint64_t *known = map_get(&history->programs, info->pid);
    uint32_t last_thread = known ? history->processes[*known].last_thread : HISTORY_NONE;
    struct history_process *process;
    struct program_name name;
    uint64_t *program;

    if (program_name_read(&name, info) != STATUS_OK)
        return STATUS_NO_MEMORY;
    /* The index comes last, so that it never leads to a missing process. */
    if (vec_reserve(&history->processes, &history->process_cap, history->process_count + 1,
                    sizeof(*process)) != STATUS_OK ||
        !(program = map_put(&history->programs, info->pid, 0))) {
        program_name_deinit(&name);
        return STATUS_NO_MEMORY;
    }
    *program = history->process_count;
    process = &history->processes[history->process_count++];
    *process = (struct history_process){.pid = info->pid,
                                        .parent_pid = info->parent_pid,
                                        .program = name,
                                        .exe = name.exe,
                                        .time_ns = info->time_ns,
                                        .last_thread = last_thread,
                                        .one_moment = history->one_moment,
                                        .whole = whole,
                                        .snapshot = history->snapshot_count};
    return STATUS_OK;
}

/* Ends a thread, whose last span lasts until then. */
static void end_thread(struct history *history, uint32_t index, uint64_t time_ns)
{
    struct history_thread *thread = &history->threads[index];

    thread->end_ns = time_ns;
    if (thread->span_count) {
        struct span *last = &thread->spans[thread->span_count - 1];

        if (last->end_ns < time_ns)
            last->end_ns = time_ns;
    }
    map_remove(&history->live, thread->tid);
    if (history->waits)
        waits_thread_ended(history->waits, thread->pid, thread->tid);
}

/* Ends all threads of a process at exec. */
static void end_all_of(struct history *history, uint32_t pid, uint64_t time_ns)
{
    const uint64_t *program = map_get(&history->programs, pid);
    struct history_process *process = program ? &history->processes[*program] : NULL;

    if (!process)
        return;
    for (uint32_t i = process->last_thread; i != HISTORY_NONE; i = history->threads[i].before)
        if (history_find(history, history->threads[i].tid) == i)
            end_thread(history, i, time_ns);
    process->last_thread = HISTORY_NONE;
}

enum status history_process(struct history *history, const struct snap_process *process)
{
    if (process->exec)
        end_all_of(history, process->pid, process->time_ns);
    if (history->waits && waits_process(history->waits, process->pid) != STATUS_OK)
        return STATUS_NO_MEMORY;
    return add_process(history, process, process->whole || history->one_moment);
}

static enum status add_thread(struct history *history, const struct snap_thread *info)
{
    const uint64_t *program = map_get(&history->programs, info->pid);
    struct history_thread *thread;
    uint64_t began_ns;

    if (!program) {
        const struct snap_process unknown = {.pid = info->pid, .time_ns = info->time_ns};
        enum status status = add_process(history, &unknown, false);

        if (status != STATUS_OK)
            return status;
        program = map_get(&history->programs, info->pid);
    }
    if (!program || history->thread_count >= HISTORY_NONE ||
        vec_reserve(&history->threads, &history->thread_cap, history->thread_count + 1,
                    sizeof(*thread)) != STATUS_OK ||
        !map_put(&history->live, info->tid, history->thread_count))
        return STATUS_NO_MEMORY;
    /* Some files have a thread's time from before an exec; see cpu_unknown. */
    began_ns = history->processes[*program].time_ns;
    thread = &history->threads[history->thread_count++];
    *thread = (struct history_thread){
        .pid = info->pid,
        .tid = info->tid,
        .process = (uint32_t)*program,
        .before = history->processes[*program].last_thread,
        .found_ns = began_ns > info->time_ns ? began_ns : info->time_ns,
        .start_ticks = info->start_ticks,
        .is_main = info->pid == info->tid,
        .found_running = !history->begun,
        .cpu_unknown = history->begun && info->time_ns < began_ns,
        .maker = HISTORY_NONE,
        .creation_chain = HISTORY_NONE,
        .stack_used_chain = HISTORY_NONE,
        .depth_chain = HISTORY_NONE,
    };
    history->processes[*program].last_thread = (uint32_t)history->thread_count - 1;
    return STATUS_OK;
}

enum status history_thread(struct history *history, const struct snap_thread *info)
{
    uint32_t index = history_find(history, info->tid);
    char *name = strdup(info->name ? info->name : "");

    if (!name)
        return STATUS_NO_MEMORY;
    if (index != HISTORY_NONE && history->threads[index].pid != info->pid) {
        end_thread(history, index, info->time_ns);
        index = HISTORY_NONE;
    }
    if (index == HISTORY_NONE) {
        enum status status = add_thread(history, info);

        if (status != STATUS_OK) {
            free(name);
            return status;
        }
        index = (uint32_t)history->thread_count - 1;
    }
    free(history->threads[index].name);
    history->threads[index].name = name;
    if (program_name_thread(&history->processes[history->threads[index].process].program, info) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    return history->waits ? waits_thread(history->waits, info) : STATUS_OK;
}

enum status history_thread_end(struct history *history, const struct snap_thread *info)
{
    uint32_t index = history_find(history, info->tid);

    if (index != HISTORY_NONE && history->threads[index].pid == info->pid)
        end_thread(history, index, info->time_ns);
    return STATUS_OK;
}

/* Compares SPs: a mapping's end moves up when another mapping joins it above. */
static bool is_deeper(const struct history_thread *thread, const struct snap_sample *sample,
                      uint64_t sp, uint64_t used)
{
    if (thread->stack_used_chain == HISTORY_NONE)
        return true;
    if (thread->stack_sp >= sample->stack_map_addr &&
        thread->stack_sp < sample->regions[0].map_end_addr)
        return sp < thread->stack_sp;
    return used > thread->stack_used;
}

static void note_stack(struct history_thread *thread, const struct arch *arch,
                       const struct ingest_sample *given)
{
    const struct snap_sample *sample = given->sample;
    const struct snap_region *region = sample->regions; /* NULL: none */
    const struct chain *chain = given->chain;
    uint64_t sp = sample->regs.value[arch->sp], used;

    if (chain->count > thread->depth || thread->depth_chain == HISTORY_NONE) {
        thread->depth = chain->count;
        thread->depth_chain = given->chain_id;
    }
    /* An alternate stack's mapping, or a coroutine's, does not tell what the thread needs. */
    if (!sample->region_count || !sample->stack_map_addr || sample->no_context)
        return;
    used = sp >= region->start_addr && sp <= region->map_end_addr ? region->map_end_addr - sp : 0;
    if (is_deeper(thread, sample, sp, used)) {
        thread->stack_used = used;
        thread->stack_sp = sp;
        thread->stack_used_chain = given->chain_id;
    }
    if (sample->stack_map_addr < region->map_end_addr &&
        region->map_end_addr - sample->stack_map_addr > thread->stack_mapped)
        thread->stack_mapped = region->map_end_addr - sample->stack_map_addr;
    if (chain->stop == STOP_THREAD_START && used && chain->outermost_sp > sp &&
        chain->outermost_sp <= region->map_end_addr)
        thread->stack_begin_sp = chain->outermost_sp;
}

static void note_task(struct history_thread *thread, const struct snap_task *task)
{
    if (!task)
        return;
    thread->task = (struct history_task){
        .is_known = true,
        .low_first = task->flags & SNAP_TASK_LOW_FIRST,
        .state = task->state,
        .priority = task->priority,
        .own_priority = task->base_priority,
        .stack_size = task->stack_end_addr - task->stack_start_addr,
        .stack_used = task->stack_used_addr ? task->stack_end_addr - task->stack_used_addr : 0,
        .tick = task->tick,
        .wake_tick = task->wake_tick,
    };
}

/* Hashes what would differ if a blocked task had run: registers, stack, object. 0: not blocked. */
static uint64_t task_context(const struct snap_sample *sample)
{
    const struct snap_task *task = sample->task;
    uint64_t hash;

    if (!task || task->state != SNAP_TASK_BLOCKED)
        return 0;
    hash = hash_bytes(task->wake_tick, &task->object_addr, sizeof(task->object_addr));
    hash = hash_bytes(hash, &sample->regs.known, sizeof(sample->regs.known));
    hash = hash_bytes(hash, sample->regs.value, sizeof(sample->regs.value));
    for (size_t i = 0; i < sample->region_count; i++) {
        const struct snap_region *region = &sample->regions[i];

        hash = hash_bytes(hash ^ region->start_addr, region->bytes,
                          (size_t)(region->end_addr - region->start_addr));
    }
    return hash | 1;
}

/* Whether the thread has not run since its sample before this one. */
static bool has_not_run_since(struct history_thread *thread, const struct snap_sample *sample)
{
    const uint64_t context = task_context(sample);
    const bool is_same = context && context == thread->task_context;

    thread->task_context = context;
    return sample->repeat || is_same;
}

/* Updates the proof by a sample, before its span is known. */
static void count_repeats(struct span_proof *proof, const struct snap_sample *sample, uint32_t wait)
{
    if (!sample->repeat)
        *proof =
            (struct span_proof){.sure_ns = sample->held && wait != WAIT_NONE ? sample->time_ns : 0};
    else if (proof->repeats < 2)
        proof->repeats++;
    if (proof->repeats == 2 && !proof->sure_ns)
        proof->sure_ns = sample->time_ns;
}

static void note_reading(struct history_thread *thread, struct span *span,
                         const struct snap_sample *sample)
{
    uint64_t read_ns = sample_memory_time(sample);

    if (read_ns > span->read_ns) {
        thread->proof.earlier_read_ns = span->read_ns;
        span->read_ns = read_ns;
    }
}

static enum status add_span(struct history *history, struct history_thread *thread,
                            const struct ingest_sample *given, uint32_t wait, bool has_not_run)
{
    const struct snap_sample *sample = given->sample;
    struct span *span;

    if (history->span_count >= history->spans_max) {
        history->full = true;
        return STATUS_OK;
    }
    if (vec_reserve(&thread->spans, &thread->span_cap, thread->span_count + 1, sizeof(*span)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    history->span_count++;
    if (thread->span_count && thread->spans[thread->span_count - 1].end_ns < sample->time_ns)
        thread->spans[thread->span_count - 1].end_ns = sample->time_ns;
    span = &thread->spans[thread->span_count++];
    *span = (struct span){
        .start_ns = sample->time_ns,
        .end_ns = sample->time_ns,
        .seen_ns = sample->time_ns,
        .cpu_ns = sample->cpu_ns,
        .cpu_before_ns = sample->cpu_ns,
        .samples = 1,
        .read_ns = sample_memory_time(sample),
        .chain = given->chain_id,
        .wait = wait,
        .state = sample->state,
        .goes_on = thread->span_count > 1 && has_not_run,
    };
    thread->proof.earlier_read_ns = 0;
    if (thread->proof.sure_ns)
        thread->proof.sure_ns = sample->time_ns;
    return STATUS_OK;
}

/* A thread that has run and is blocked again was woken in between: that is another span. */
static bool continues(const struct span *span, const struct ingest_sample *given, uint32_t wait,
                      bool has_not_run)
{
    return span->chain == given->chain_id && span->state == given->sample->state &&
           span->wait == wait && (has_not_run || snap_state_is_runnable(given->sample->state));
}

/* The profile has one thread for two with the same tid and name, one after the other. */
static enum status note_profile_thread(struct history *history, uint32_t profile_thread,
                                       uint32_t index)
{
    size_t count = history->profile_thread_count;

    if (vec_reserve(&history->by_profile_thread, &history->profile_thread_cap,
                    (size_t)profile_thread + 1, sizeof(*history->by_profile_thread)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    while (count <= profile_thread)
        history->by_profile_thread[count++] = 0;
    history->profile_thread_count = count;
    history->by_profile_thread[profile_thread] = index + 1;
    return STATUS_OK;
}

/* Threads of a board are tasks, or CPUs, which cgsnap names "cpu N". */
static void note_board(struct history *history, struct history_thread *thread,
                       const struct ingest_sample *given)
{
    if (!given->space || !given->space->board.is_board)
        return;
    history->processes[thread->process].is_board = true;
    thread->is_main = false;
    thread->is_cpu = !given->sample->task && strncmp(thread->name, "cpu ", 4) == 0;
}

enum status history_sample(struct history *history, const struct ingest_sample *given)
{
    const struct snap_sample *sample = given->sample;
    uint32_t index = history_find(history, sample->tid), wait = WAIT_NONE;
    struct wait_now now = {0};
    struct history_thread *thread;
    bool has_not_run;
    struct span *last;
    enum status status = STATUS_OK;

    if (index == HISTORY_NONE)
        return STATUS_OK;
    if (note_profile_thread(history, given->thread_id, index) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (history->waits)
        status = waits_find(history->waits, given, &wait, &now);
    if (status == STATUS_OK)
        status = history_begin(history, sample->time_ns);
    if (status != STATUS_OK)
        return status;
    if (!history->sampled || sample->time_ns < history->snapshot_first_ns)
        history->snapshot_first_ns = sample->time_ns;
    if (!history->sampled || sample->time_ns > history->snapshot_last_ns)
        history->snapshot_last_ns = sample->time_ns;
    if (!history->has_samples || sample->time_ns < history->first_ns)
        history->first_ns = sample->time_ns;
    if (!history->has_samples || sample->time_ns > history->last_ns)
        history->last_ns = sample->time_ns;
    history->has_samples = history->sampled = true;
    history->is_apart |= !sample->held && !history->one_moment;
    thread = &history->threads[index];
    thread->samples++;
    thread->cpu_ns += sample->cpu_ns;
    note_stack(thread, history->arch, given);
    note_task(thread, sample->task);
    note_board(history, thread, given);
    count_repeats(&thread->proof, sample, wait);
    has_not_run = has_not_run_since(thread, sample);
    last = thread->span_count ? &thread->spans[thread->span_count - 1] : NULL;
    if (!last || !continues(last, given, wait, has_not_run)) {
        status = add_span(history, thread, given, wait, has_not_run);
        thread->proof.now = now;
        return status;
    }
    thread->proof.now = now;
    if (last->end_ns < sample->time_ns)
        last->end_ns = last->seen_ns = sample->time_ns;
    last->cpu_ns += sample->cpu_ns;
    last->samples++;
    note_reading(thread, last, sample);
    return STATUS_OK;
}

enum status history_creation(struct history *history, const struct ingest_creation *given)
{
    const struct snap_creation *creation = given->creation;
    uint32_t index = history_find(history, creation->new_tid);
    struct history_thread *thread;

    if (index == HISTORY_NONE || history->threads[index].pid != creation->new_pid)
        return STATUS_OK;
    thread = &history->threads[index];
    thread->maker = history_find(history, creation->maker.tid);
    thread->creation_chain = given->chain_id;
    thread->found_ns = creation->maker.time_ns;
    thread->found_running = false;
    return STATUS_OK;
}

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

struct ingest_sink history_sink(struct history *history)
{
    return (struct ingest_sink){.begin = on_begin,
                                .process = on_process,
                                .thread = on_thread,
                                .thread_end = on_thread_end,
                                .sample = on_sample,
                                .creation = on_creation,
                                .context = history};
}

void history_end(struct history *history)
{
    for (size_t i = history->snapshot_process; i < history->process_count; i++) {
        struct history_process *process = &history->processes[i];

        process->has_zero = history->begun;
        process->zero_ns = history->snapshot_zero_ns;
        process->is_over = history->sampled;
        process->first_ns = history->snapshot_first_ns;
        process->last_ns = history->snapshot_last_ns;
    }
    if (history->sampled)
        history->before_ns += history->snapshot_last_ns - history->snapshot_first_ns;
    history->snapshot_process = history->process_count;
    history->sampled = history->begun = false;
    history->snapshot_count++;
    map_clear(&history->live);
    map_clear(&history->programs);
}

uint64_t history_first_ns(const struct history *history, uint32_t process)
{
    const struct history_process *found = &history->processes[process];

    return found->is_over ? found->first_ns : history->first_ns;
}

uint64_t history_last_ns(const struct history *history, uint32_t process)
{
    const struct history_process *found = &history->processes[process];

    return found->is_over ? found->last_ns : history->last_ns;
}

uint64_t history_zero_ns(const struct history *history, uint32_t process)
{
    const struct history_process *found = &history->processes[process];

    return found->has_zero ? found->zero_ns : history->zero_ns;
}

uint64_t history_since_zero(const struct history *history, uint32_t process, uint64_t time_ns)
{
    const uint64_t zero_ns = history_zero_ns(history, process);

    return time_ns > zero_ns ? time_ns - zero_ns : 0;
}

uint64_t history_length_ns(const struct history *history)
{
    bool is_over = history->process_count && history->processes[0].is_over;

    return is_over ? history->before_ns : history->last_ns - history->first_ns;
}

bool history_is_cut(const struct history *history, struct diag *diag)
{
    if (!history->full)
        return false;
    diag_set(diag, NULL,
             "threads changed what they did more than %" PRIu64
             " times: what came after that is not shown",
             history->spans_max);
    diag_hint(diag, "show it in parts, with --from and --to");
    return true;
}

bool history_has_times(const struct history *history)
{
    for (size_t i = 0; i < history->thread_count; i++)
        if (history->threads[i].samples > 1)
            return true;
    return false;
}

static bool tells_state(const struct history_thread *thread)
{
    for (size_t i = 0; i < thread->span_count; i++)
        if (thread->spans[i].state || thread->spans[i].wait != WAIT_NONE)
            return true;
    return false;
}

bool history_lacks_states(const struct history *history)
{
    for (size_t i = 0; i < history->thread_count; i++)
        if (history->processes[history->threads[i].process].one_moment ||
            tells_state(&history->threads[i]))
            return false;
    return history->has_samples;
}
