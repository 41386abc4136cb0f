/* SPDX-License-Identifier: MIT */
#include "graph/ingest.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "boards/firmware/firmware.h"
#include "graph/ingest_cpu.h"
#include "graph/ingest_memory.h"
#include "graph/place.h"
#include "graph/splits.h"
#include "graph/where_left.h"

static enum status end_thread(struct ingest *in, struct ingest_thread *thread)
{
    const enum status status = ingest_cpu_thread_end(in, thread);

    ingest_thread_end(&in->processes, thread);
    return status;
}

void ingest_deinit(struct ingest *in)
{
    ingest_processes_deinit(&in->processes);
    jit_sources_deinit(&in->jit);
    chain_deinit(&in->creation_chain);
    chain_deinit(&in->tick_chain);
    title_deinit(&in->title);
    title_deinit(&in->base_title);
}

/* Takes names or a file of made code, whose process may not have been announced yet. */
static enum status on_made_code(struct ingest *in, const struct snap_event *event)
{
    const bool is_file = event->type == SNAP_SYMBOL_FILE;
    const uint32_t pid = is_file ? event->symbol_file.pid : event->names.pid;
    struct ingest_process *process = ingest_process_of(&in->processes, pid);
    bool changed = false;
    enum status status = is_file
                             ? jit_files_add(&in->jit.files, &in->jit.maps, in->modules,
                                             &event->symbol_file, &changed)
                             : jit_maps_add(&in->jit.maps, in->modules, &event->names, &changed);

    if (status == STATUS_OK && process)
        jit_sources_give(&in->jit, pid, &process->space);
    if (changed)
        unwinder_names(in->unwinder);
    return status;
}

/* Reads jitdumps that the process has mapped. */
static enum status read_jit_dumps(struct ingest *in, struct ingest_process *process)
{
    struct jit_dump_owner owner = {.machine = unwinder_arch(in->unwinder)->elf_machine,
                                   .pid = process->pid};
    const struct ingest_thread *first;
    bool changed = false;
    enum status status;

    if (!in->jit.dumps.unread)
        return STATUS_OK;
    first = ingest_thread_of(&in->processes, process->pid);
    owner.inner_pid = first ? first->inner_tid : 0;
    status = jit_sources_read_dumps(&in->jit, in->modules, owner, &changed);
    if (!changed)
        return status;
    jit_sources_give(&in->jit, process->pid, &process->space);
    unwinder_names(in->unwinder);
    return status;
}

/* Forgets the program that called exec. */
static enum status forget_program(struct ingest *in, struct ingest_process *process,
                                  uint64_t time_ns)
{
    address_space_clear(&process->space);
    unwinder_names(in->unwinder);
    return jit_sources_exec(&in->jit, process->pid,
                            in->clock_offset_ns ? time_ns + in->clock_offset_ns : 0);
}

static enum status on_process(struct ingest *in, const struct snap_process *info)
{
    struct ingest_process *process = ingest_process_of(&in->processes, info->pid);
    const bool is_known = process != NULL;
    struct cpu_account *cpu = &ingest_account(in)->cpu;
    struct snap_process told = *info;
    struct ingest_thread *thread;
    enum status status = STATUS_OK;

    if (info->has_ticks && in->cpu_source == CPU_BY_STRETCH)
        in->cpu_source = CPU_BY_TICK;
    cpu->by_clock |= info->has_ticks;
    cpu->untold |= !info->tells_ready && !info->has_ticks;
    if (title_process(ingest_title(in), info, in->is_beginning) != STATUS_OK ||
        (!is_known && ingest_process_add(&in->processes, info->pid, &process) != STATUS_OK))
        return STATUS_NO_MEMORY;
    ingest_cpu_process(in, process, info);
    while (status == STATUS_OK && (thread = ingest_thread_first(&in->processes, info->pid)))
        status = end_thread(in, thread);
    if (status == STATUS_OK && is_known)
        status = forget_program(in, process, info->time_ns);
    if (status != STATUS_OK)
        return status;
    process->space.pac_mask = info->pac_mask;
    jit_sources_give(&in->jit, info->pid, &process->space);
    if (info->exec) /* which ends the program before it */
        told.time_ns = time_window_cut_end(&in->window, info->time_ns);
    return ingest_sinks_process(&in->sinks, &told);
}

static enum status on_thread(struct ingest *in, const struct snap_thread *info)
{
    struct ingest_process *process = ingest_process_of(&in->processes, info->pid);
    struct ingest_thread *thread = ingest_thread_of(&in->processes, info->tid);
    enum status status = process ? STATUS_OK : STATUS_BAD_DATA;

    if (status == STATUS_OK && thread && thread->process != process) { /* the tid was reused */
        status = end_thread(in, thread);
        thread = NULL;
    }
    if (status == STATUS_OK && !thread)
        status = ingest_thread_add(&in->processes, process, info->tid, &thread);
    if (status != STATUS_OK)
        return status;
    thread->inner_tid = info->inner_tid;
    free(thread->name);
    thread->name = strdup(info->name);
    if (!thread->name ||
        profile_thread(in->profile, info->pid, in->by_tid ? info->tid : 0, info->name,
                       &thread->profile_thread) != STATUS_OK ||
        title_thread(ingest_title(in), info) != STATUS_OK)
        return STATUS_NO_MEMORY;
    return ingest_sinks_thread(&in->sinks, info);
}

static enum status make_chain(struct ingest *in, struct address_space *space,
                              const struct snap_sample *sample, struct chain *chain)
{
    enum status status;

    in->has_unwound = true;
    chain->wants_regs = in->wants_regs;
    status = unwinder_chain(in->unwinder, space, sample, chain);
    if (status == STATUS_OK && in->splits)
        status = splits_mark(in->splits, space, sample, chain);
    return status;
}

static enum status unwind(struct ingest *in, struct ingest_thread *thread,
                          const struct snap_sample *sample)
{
    uint64_t start_ns = clock_now_ns();
    enum status status = read_jit_dumps(in, thread->process);

    if (status == STATUS_OK)
        status = make_chain(in, &thread->process->space, sample, &thread->chain);
    if (status == STATUS_OK)
        status = profile_chain(in->profile, &thread->chain, &thread->path, &thread->chain_id);
    in->profile->chains_unwound += status == STATUS_OK;
    in->unwind_ns += clock_now_ns() - start_ns;
    thread->has_chain = status == STATUS_OK;
    thread->is_repeated = sample->repeat;
    return status;
}

/* Adds the snapshot's times to those of all. */
static void add_times(struct ingest *in)
{
    const struct time_window *window = &in->window;
    const uint64_t start_ns = window->first_ns + in->clock_offset_ns;

    if (!window->has_counted)
        return;
    if (in->clock_offset_ns && (!in->start_ns || start_ns < in->start_ns))
        in->start_ns = start_ns;
    in->duration_ns = weight_add(in->duration_ns, window->last_ns - window->first_ns);
}

static void note_halt(struct ingest *in, const struct snap_sample *sample)
{
    if (!sample->held || sample->time_ns <= in->halt_ns)
        return;
    in->halt_before_ns = in->halt_ns;
    in->halt_ns = sample->time_ns;
}

/*
 * Boards do not count CPU time. Samples are taken at moments independent of what runs: a thread
 * found on a CPU gets the time since the previous halt, which is right in the sum. Not the time
 * since its own previous sample: a halt that cannot look at all tasks finds those that run, so a
 * task without a sample did not run.
 */
static const struct snap_sample *
guess_time(const struct ingest *in, const struct snap_sample *sample, struct snap_sample *copy)
{
    if (sample->state != 'R' || sample->cpu_ns)
        return sample;
    if (sample != copy)
        *copy = *sample;
    copy->cpu_ns = copy->wall_ns;
    if (sample->held && in->halt_before_ns && sample->time_ns == in->halt_ns &&
        copy->cpu_ns > in->halt_ns - in->halt_before_ns)
        copy->cpu_ns = in->halt_ns - in->halt_before_ns;
    return copy;
}

/* Returns whether the chain's marks were made from pointees, which may have changed since. */
static bool is_stale(const struct ingest *in, const struct ingest_thread *thread,
                     const struct snap_sample *repeat)
{
    return in->splits && repeat->pointee_count && !thread->is_repeated;
}

static enum status on_sample(struct ingest *in, const struct snap_source *source,
                             const struct snap_sample *sample)
{
    struct ingest_thread *thread = ingest_thread_at(&in->processes, sample);
    enum cpu_source cpu_source = in->cpu_source;
    struct ingest_sample given;
    struct snap_sample copy;
    struct weights weights;
    enum cpu_rank rank;
    enum status status;

    in->is_beginning = false;
    if (!thread)
        return STATUS_OK;
    status = firmware_place(in->modules, source, &thread->process->space,
                            sample->regs.value[source->arch->pc]);
    if (status == STATUS_OK && time_window_begin(&in->window, sample->time_ns))
        status = ingest_sinks_begin(&in->sinks, sample->time_ns);
    note_halt(in, sample);
    if (status != STATUS_OK ||
        !(sample = time_window_cut(&in->window, sample, &thread->counted, &copy)))
        return status;
    if (thread->process->space.board.is_board) {
        cpu_source = CPU_BY_SAMPLE;
        sample = guess_time(in, sample, &copy);
    }
    if (!sample->repeat || !thread->has_chain || is_stale(in, thread, sample)) {
        status = unwind(in, thread, sample);
        if (status != STATUS_OK)
            return status;
    }
    weights = thread_time_sample(sample, cpu_source, ingest_account(in));
    ingest_cpu_count(in, thread->process, sample, weights.value[WEIGHT_CPU]);
    given = (struct ingest_sample){.sample = sample,
                                   .thread_name = thread->name,
                                   .thread_id = thread->profile_thread,
                                   .space = &thread->process->space,
                                   .chain = &thread->chain,
                                   .chain_id = thread->chain_id,
                                   .weights = &weights,
                                   .number = in->numbers++,
                                   .input_size = in->input_size};
    given.has_cpu_later =
        cpu_source == CPU_BY_STRETCH &&
        where_left_rank(unwinder_arch(in->unwinder), sample, &thread->chain, &rank);
    in->samples++;
    time_window_count(&in->window, sample->time_ns);
    status = ingest_sinks_sample(&in->sinks, &given);
    return status == STATUS_OK && cpu_source != CPU_BY_SAMPLE
               ? ingest_cpu_sample(in, thread, &given, given.has_cpu_later ? rank : CPU_RANKS)
               : status;
}

/* A CPU's clock found the thread on it: a tick has only CPU time. */
static enum status on_tick(struct ingest *in, const struct snap_sample *tick)
{
    struct ingest_thread *thread = ingest_thread_at(&in->processes, tick);
    const struct weights none = {.value = {0}};
    struct ingest_sample given = {.sample = tick,
                                  .chain = &in->tick_chain,
                                  .weights = &none,
                                  .has_cpu_later = true,
                                  .input_size = in->input_size};
    uint64_t start_ns = clock_now_ns();
    enum status status;

    in->is_beginning = false;
    if (!thread || !time_window_has(&in->window, tick->time_ns))
        return STATUS_OK;
    given.thread_name = thread->name;
    given.thread_id = thread->profile_thread;
    given.space = &thread->process->space;
    status = read_jit_dumps(in, thread->process);
    if (status == STATUS_OK)
        status = make_chain(in, given.space, tick, &in->tick_chain);
    if (status == STATUS_OK)
        status = profile_chain(in->profile, &in->tick_chain, NULL, &given.chain_id);
    in->unwind_ns += clock_now_ns() - start_ns;
    ingest_account(in)->cpu.ticks++;
    given.number = in->numbers++;
    if (status == STATUS_OK)
        status = ingest_sinks_tick(&in->sinks, &given);
    return status == STATUS_OK ? ingest_cpu_tick(in, thread, &given) : status;
}

static enum status on_creation(struct ingest *in, const struct snap_creation *creation)
{
    struct ingest_process *process = ingest_process_of(&in->processes, creation->maker.pid);
    struct ingest_creation given = {.creation = creation, .chain = &in->creation_chain};
    enum status status;

    if (!process || !ingest_sinks_want_creations(&in->sinks))
        return STATUS_OK;
    in->has_unwound = true;
    status = unwinder_maker(in->unwinder, &process->space, &creation->maker, &in->creation_chain);
    if (status == STATUS_OK)
        status = profile_chain(in->profile, &in->creation_chain, NULL, &given.chain_id);
    return status == STATUS_OK ? ingest_sinks_creation(&in->sinks, &given) : status;
}

static enum status on_thread_end(struct ingest *in, const struct snap_thread *info)
{
    struct ingest_thread *thread = ingest_thread_of(&in->processes, info->tid);
    struct snap_thread told = *info;
    enum status status;

    if (!thread || thread->process->pid != info->pid)
        return STATUS_OK;
    status = end_thread(in, thread);
    told.time_ns = time_window_cut_end(&in->window, info->time_ns);
    return status == STATUS_OK ? ingest_sinks_thread_end(&in->sinks, &told) : status;
}

static enum status weigh_sample(void *profile, const struct ingest_sample *given)
{
    return profile_weigh(profile, given->thread_id, given->chain_id, given->sample->state,
                         given->weights);
}

static enum status weigh_cpu(void *profile, const struct ingest_cpu *cpu)
{
    const struct weights weights = {.value = {[WEIGHT_CPU] = cpu->cpu_ns}};

    return cpu->cpu_ns ? profile_weigh(profile, cpu->place->thread_id, cpu->place->chain_id,
                                       cpu->place->state, &weights)
                       : STATUS_OK;
}

struct ingest_sink ingest_profile_sink(struct profile *profile)
{
    return (struct ingest_sink){.sample = weigh_sample,
                                .tick = weigh_sample,
                                .cpu = weigh_cpu,
                                .context = profile};
}

static void take_summary(struct ingest *in, const struct snap_summary *summary)
{
    const struct capture_rate rate = {summary->rate_asked_mhz, summary->rate_reached_mhz};
    uint64_t period_ns =
        summary->rate_asked_mhz ? UINT64_C(1000000000000) / summary->rate_asked_mhz : 0;

    in->summary = *summary;
    in->has_summary = true;
    if (summary->rounds >= CAPTURE_RATE_ROUNDS_MIN)
        capture_rate_add(&ingest_account(in)->rate, &rate);
    if (period_ns > in->period_ns)
        in->period_ns = period_ns;
}

static void take_loss(struct ingest *in, const struct snap_loss_info *loss)
{
    uint64_t *lost = ingest_account(in)->lost;
    const uint32_t reason = loss->reason < SNAP_LOSS_REASONS ? loss->reason : 0;

    lost[reason] = weight_add(lost[reason], loss->count);
}

static enum status on_event(struct ingest *in, const struct snap_source *source,
                            const struct snap_event *event)
{
    switch (event->type) {
    case SNAP_PROCESS:
        place_process(in->modules, source, &event->process);
        return on_process(in, &event->process);
    case SNAP_MAP:
        return ingest_memory_map(in, source, &event->map);
    case SNAP_UNMAP:
        return ingest_memory_unmap(in, &event->range);
    case SNAP_BOARD:
        return ingest_memory_board(in, &event->board);
    case SNAP_CODE:
        return ingest_memory_code(in, source, &event->range);
    case SNAP_NAMES:
    case SNAP_SYMBOL_FILE:
        return on_made_code(in, event);
    case SNAP_THREAD:
        return on_thread(in, &event->thread);
    case SNAP_THREAD_END:
        return on_thread_end(in, &event->thread);
    case SNAP_SAMPLE:
        return on_sample(in, source, &event->sample);
    case SNAP_TICK:
        return on_tick(in, &event->sample);
    case SNAP_CREATION:
        return on_creation(in, &event->creation);
    case SNAP_SUMMARY:
        take_summary(in, &event->summary);
        return STATUS_OK;
    case SNAP_LOSS:
        if (time_window_has(&in->window, event->loss.time_ns))
            take_loss(in, &event->loss);
        return STATUS_OK;
    case SNAP_USAGE:
        if (time_window_has(&in->window, event->usage.time_ns))
            ingest_cpu_clock(in, &event->usage);
        return STATUS_OK;
    case SNAP_REPEAT:
    case SNAP_IDLE:
    case SNAP_WAIT:
    case SNAP_UNCHANGED:
    case SNAP_SYSTEM:
    case SNAP_TASK:
    case SNAP_POINTEES:
    case SNAP_FILE:
    case SNAP_FILE_PART:
        return STATUS_OK;
    }
    return STATUS_OK;
}

enum status ingest_run(struct ingest *in, struct snap_source *source, struct diag *diag)
{
    const uint64_t size_before = in->input_size;
    struct snap_event event;
    enum status status, settled;
    bool failed = false;

    ingest_account(in)->captures++;
    in->is_beginning = source->kind == SOURCE_SNAPSHOT;
    in->cpu_source = in->is_beginning ? CPU_BY_STRETCH : CPU_BY_SAMPLE;
    in->clock_offset_ns = source->clock_offset;
    while ((status = snap_source_next(source, &event, diag)) == STATUS_OK) {
        in->input_size = size_before + source->used_off;
        status = on_event(in, source, &event);
        if (status != STATUS_OK) {
            diag_set(diag, NULL, "%s", status_name(status));
            failed = true;
            break;
        }
    }
    if (!failed && (settled = ingest_cpu_end(in)) != STATUS_OK)
        status = settled;
    add_times(in);
    time_window_end(&in->window);
    in->halt_ns = in->halt_before_ns = 0;
    place_end(in->modules);
    ingest_processes_clear(&in->processes);
    jit_sources_clear(&in->jit);
    if (title_end(ingest_title(in)) != STATUS_OK ||
        profile_program(in->profile, title_program(ingest_title(in))) != STATUS_OK)
        return STATUS_NO_MEMORY;
    return status == STATUS_END ? STATUS_OK : status;
}
