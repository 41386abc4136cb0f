/* SPDX-License-Identifier: MIT */
#include "graph/ingest.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/vec.h"
#include "boards/firmware/firmware.h"
#include "boards/firmware/firmware_match.h"
#include "graph/ingest_cpu.h"
#include "graph/place.h"
#include "graph/splits.h"
#include "graph/thread_time.h"
#include "graph/where_left.h"

static void thread_clear(struct ingest *in, struct ingest_thread *thread)
{
    free(thread->name);
    cpu_stretch_deinit(&thread->stretch);
    chain_deinit(&thread->chain);
    free(thread->path.nodes);
    live_threads_end(&in->live, (size_t)(thread - in->threads));
}

/* Ends a thread, whose tid another one may get. */
static enum status end_thread(struct ingest *in, struct ingest_thread *thread)
{
    const enum status status = ingest_cpu_thread_end(in, thread);

    thread_clear(in, thread);
    return status;
}

static void forget_snapshot(struct ingest *in)
{
    for (size_t i = 0; i < in->live.count; i++)
        if (in->live.list[i].live)
            thread_clear(in, &in->threads[i]);
    for (size_t i = 0; i < in->space_count; i++)
        address_space_deinit(&in->spaces[i]);
    in->space_count = 0;
    jit_maps_clear(&in->jit_maps);
    jit_dumps_clear(&in->jit_dumps);
    jit_files_clear(&in->jit_files);
    map_clear(&in->processes);
    live_threads_clear(&in->live);
    in->has_ticks = false;
}

void ingest_deinit(struct ingest *in)
{
    forget_snapshot(in);
    map_deinit(&in->processes);
    live_threads_deinit(&in->live);
    free(in->threads);
    free(in->spaces);
    free(in->process_cpus);
    jit_maps_deinit(&in->jit_maps);
    jit_dumps_deinit(&in->jit_dumps);
    jit_files_deinit(&in->jit_files);
    chain_deinit(&in->creation_chain);
    chain_deinit(&in->tick_chain);
    title_deinit(&in->title);
    title_deinit(&in->base_title);
}

static struct address_space *space_of(const struct ingest *in, uint32_t pid)
{
    const uint64_t *index = map_get(&in->processes, pid);

    return index ? &in->spaces[*index] : NULL;
}

static struct ingest_thread *thread_of(struct ingest *in, uint32_t tid)
{
    size_t slot = live_threads_find(&in->live, tid);

    return slot != LIVE_NONE ? &in->threads[slot] : NULL;
}

/* Returns the map that the user gave for the process; NULL: none. */
static struct jit_map *given_jit_of(struct ingest *in, uint32_t pid)
{
    struct jit_map *given = NULL;

    if (in->given_jit_maps && !(given = jit_maps_of(in->given_jit_maps, pid)))
        given = jit_maps_of(in->given_jit_maps, 0);
    return given;
}

/* Returns the map given, else the inputs'; NULL: none. */
static struct jit_map *jit_of(struct ingest *in, uint32_t pid)
{
    struct jit_map *given = given_jit_of(in, pid);

    return given ? given : jit_maps_of(&in->jit_maps, pid);
}

/* Gives the process's space its map and rows; the process may not have been announced yet. */
static void take_told(struct ingest *in, uint32_t pid, bool changed)
{
    struct address_space *space = space_of(in, pid);

    if (space) {
        space->jit = jit_of(in, pid);
        space->made_rows = jit_maps_rows_of(&in->jit_maps, pid);
    }
    if (changed)
        unwinder_names(in->unwinder);
}

static enum status on_names(struct ingest *in, const struct snap_names *names)
{
    bool changed = false;
    enum status status = jit_maps_add(&in->jit_maps, in->modules, names, &changed);

    if (status == STATUS_OK)
        take_told(in, names->pid, changed);
    return status;
}

static enum status on_symbol_file(struct ingest *in, const struct snap_symbol_file *part)
{
    bool changed = false;
    enum status status = jit_files_add(&in->jit_files, &in->jit_maps, in->modules, part, &changed);

    if (status == STATUS_OK)
        take_told(in, part->pid, changed);
    return status;
}

/* Reads jitdumps that the process has mapped, unless the user gave a map. */
static enum status find_jit_dumps(struct ingest *in, uint32_t pid)
{
    const struct ingest_thread *first = thread_of(in, pid);
    const struct jit_dump_owner owner = {.machine = unwinder_arch(in->unwinder)->elf_machine,
                                         .pid = pid,
                                         .inner_pid = first ? first->inner_tid : 0};
    bool changed = false;
    enum status status;

    if (!in->jit_dumps.unread || given_jit_of(in, pid))
        return STATUS_OK;
    status = jit_dumps_read(&in->jit_dumps, &in->jit_maps, in->modules, owner, &changed);
    if (changed)
        take_told(in, pid, true);
    return status;
}

static struct title *title_of(struct ingest *in)
{
    return in->profile->weighs_base ? &in->base_title : &in->title;
}

static enum status on_process(struct ingest *in, const struct snap_process *process)
{
    struct address_space *space = space_of(in, process->pid);
    size_t thread;
    struct cpu_account *cpu = &ingest_account(in)->cpu;
    enum status status = STATUS_OK;

    in->has_ticks |= process->has_ticks;
    cpu->by_clock |= process->has_ticks;
    cpu->untold |= !process->tells_ready && !process->has_ticks;
    if (title_process(title_of(in), process, in->is_beginning) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (space)
        ingest_cpu_process(in, ingest_cpu_of(in, process->pid), process);
    while (status == STATUS_OK && (thread = live_threads_of(&in->live, process->pid)) != LIVE_NONE)
        status = end_thread(in, &in->threads[thread]);
    if (status != STATUS_OK)
        return status;
    if (space) {
        jit_maps_forget(&in->jit_maps, process->pid);
        jit_files_forget(&in->jit_files, process->pid);
        if (jit_dumps_exec(&in->jit_dumps, process->pid,
                           in->clock_offset_ns ? process->time_ns + in->clock_offset_ns : 0) !=
            STATUS_OK)
            return STATUS_NO_MEMORY;
        address_space_clear(space);
        space->pac_mask = process->pac_mask;
        take_told(in, process->pid, true);
        return STATUS_OK;
    }
    if (vec_reserve(&in->spaces, &in->space_cap, in->space_count + 1, sizeof(*in->spaces)) !=
            STATUS_OK ||
        vec_reserve(&in->process_cpus, &in->process_cpu_cap, in->space_count + 1,
                    sizeof(*in->process_cpus)) != STATUS_OK ||
        !map_put(&in->processes, process->pid, in->space_count))
        return STATUS_NO_MEMORY;
    in->process_cpus[in->space_count] = (struct process_cpu){.given_ns = 0};
    ingest_cpu_process(in, &in->process_cpus[in->space_count], process);
    space = &in->spaces[in->space_count++];
    address_space_init(space);
    space->pac_mask = process->pac_mask;
    space->jit = jit_of(in, process->pid);
    space->made_rows = jit_maps_rows_of(&in->jit_maps, process->pid);
    return STATUS_OK;
}

static enum status on_map(struct ingest *in, const struct snap_source *source,
                          const struct snap_map *map)
{
    struct address_space *space = space_of(in, map->pid);
    const bool is_kernel = map->kind == SNAP_MAP_KERNEL;
    struct mapping mapping;
    enum status status;

    if (!space && !is_kernel)
        return STATUS_OK;
    if (space && space->count >= INGEST_MAPPINGS_MAX) {
        in->mappings_left_out++;
        return STATUS_OK;
    }
    status = place_map(in->modules, source, map, &mapping);
    if (status == STATUS_OK && is_kernel) {
        unwinder_set_kernel(in->unwinder, mapping.module);
        if (map->kernel)
            status = module_set_kernel(mapping.module, map->kernel->symbol,
                                       map->kernel->symbol_addr, map->kernel->is_this);
    } else if (status == STATUS_OK) {
        status = address_space_put(space, &mapping);
        if (status == STATUS_OK)
            status = jit_dumps_map(&in->jit_dumps, map->pid, mapping.module, map->inode);
    }
    return status;
}

static enum status on_code(struct ingest *in, const struct snap_range *range)
{
    struct address_space *space = space_of(in, range->pid);
    struct mapping *mapping = space ? address_space_find(space, range->start_addr) : NULL;

    uint64_t end_addr = range->end_addr;

    if (!mapping)
        return STATUS_OK;
    mapping->module->code_given = true;
    if (mapping->module->kind != MODULE_VDSO) {
        if (end_addr > mapping->end_addr)
            end_addr = mapping->end_addr;
        return unwinder_code(in->unwinder, mapping, range->start_addr, range->bytes,
                             end_addr - range->start_addr);
    }
    /* Only the whole image of the vDSO is an ELF file of its own. */
    if (mapping->start_addr != range->start_addr)
        return STATUS_OK;
    return module_set_code(mapping->module, range->bytes,
                           (size_t)(range->end_addr - range->start_addr));
}

static enum status on_thread(struct ingest *in, const struct snap_thread *info)
{
    struct ingest_thread *thread = thread_of(in, info->tid);
    enum status status;
    size_t slot;

    if (thread && thread->pid != info->pid) { /* another thread: the tid was reused */
        status = end_thread(in, thread);
        if (status != STATUS_OK)
            return status;
        thread = NULL;
    }
    if (!thread) {
        if (vec_reserve(&in->threads, &in->thread_cap, in->live.count + 1, sizeof(*in->threads)) !=
                STATUS_OK ||
            live_threads_add(&in->live, info->pid, info->tid, &slot) != STATUS_OK)
            return STATUS_NO_MEMORY;
        thread = &in->threads[slot];
        *thread = (struct ingest_thread){.pid = info->pid, .tid = info->tid};
    }
    thread->inner_tid = info->inner_tid;
    free(thread->name);
    thread->name = strdup(info->name);
    if (!thread->name)
        return STATUS_NO_MEMORY;
    return profile_thread(in->profile, info->pid, in->by_tid ? info->tid : 0, info->name,
                          &thread->profile_thread);
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
    struct address_space *space = space_of(in, sample->pid);
    uint64_t start_ns = clock_now_ns();
    enum status status = STATUS_BAD_DATA;

    if (space)
        status = find_jit_dumps(in, sample->pid);
    if (status == STATUS_OK)
        status = make_chain(in, space, sample, &thread->chain);
    if (status == STATUS_OK)
        status = profile_chain(in->profile, &thread->chain, &thread->path, &thread->chain_id);
    in->profile->chains_unwound += status == STATUS_OK;
    in->unwind_ns += clock_now_ns() - start_ns;
    thread->has_chain = status == STATUS_OK;
    thread->is_repeated = sample->repeat;
    return status;
}

static void note_time(struct ingest *in, uint64_t time_ns)
{
    if (!in->timed || time_ns < in->first_ns)
        in->first_ns = time_ns;
    if (!in->timed || time_ns > in->last_ns)
        in->last_ns = time_ns;
    in->timed = true;
}

/* Adds the snapshot's times to those of all. */
static void add_times(struct ingest *in, uint64_t clock_offset_ns)
{
    uint64_t start_ns = in->first_ns + clock_offset_ns;

    if (!in->timed)
        return;
    if (clock_offset_ns && (!in->start_ns || start_ns < in->start_ns))
        in->start_ns = start_ns;
    in->duration_ns = weight_add(in->duration_ns, in->last_ns - in->first_ns);
    in->timed = false;
}

static bool is_inside(const struct ingest *in, uint64_t time_ns)
{
    uint64_t since_ns = in->has_origin && time_ns > in->origin_ns ? time_ns - in->origin_ns : 0;

    return since_ns >= in->from_ns && (in->to_ns == 0 || since_ns < in->to_ns);
}

/*
 * Returns the time of an end; 0 if it is after to_ns, since the thread is then alive to the end of
 * the time that counts.
 */
static uint64_t end_inside(const struct ingest *in, uint64_t time_ns)
{
    bool is_after = in->to_ns && in->has_origin && time_ns > in->origin_ns &&
                    time_ns - in->origin_ns >= in->to_ns;

    return is_after ? 0 : time_ns;
}

static enum status give_begin(const struct ingest *in, uint64_t time_ns)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < in->sink_count && status == STATUS_OK; i++)
        if (in->sinks[i].begin)
            status = in->sinks[i].begin(in->sinks[i].context, time_ns);
    return status;
}

static enum status note_origin(struct ingest *in, uint64_t time_ns)
{
    if (in->has_origin)
        return STATUS_OK;
    in->origin_ns = time_ns;
    in->has_origin = true;
    return give_begin(in, time_ns);
}

/*
 * Returns the sample if it counts, else NULL. A thread's first one is changed in `copy`: it repeats
 * nothing that is shown, and time before from_ns is cut.
 */
static const struct snap_sample *cut_sample(struct ingest *in, struct ingest_thread *thread,
                                            const struct snap_sample *sample,
                                            struct snap_sample *copy)
{
    uint64_t most_ns;

    if (sample->time_ns > in->origin_ns && sample->time_ns - in->origin_ns > in->span_ns)
        in->span_ns = sample->time_ns - in->origin_ns;
    if (!is_inside(in, sample->time_ns)) {
        in->samples_outside++;
        return NULL;
    }
    if (in->from_ns == 0 || thread->counted)
        return sample;
    thread->counted = true;
    *copy = *sample;
    if (copy->repeat) /* may have changed since */
        copy->pointee_count = 0;
    copy->repeat = false;
    most_ns = sample->time_ns - in->origin_ns - in->from_ns;
    if (copy->wall_ns > most_ns)
        copy->wall_ns = most_ns;
    if (copy->cpu_ns > most_ns)
        copy->cpu_ns = most_ns;
    return copy;
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
static const struct snap_sample *guess_time(struct ingest *in, const struct snap_sample *sample,
                                            struct snap_sample *copy)
{
    const struct address_space *space;

    if (sample->state != 'R' || sample->cpu_ns)
        return sample;
    space = space_of(in, sample->pid);
    if (!space || !space->board.is_board)
        return sample;
    if (sample != copy)
        *copy = *sample;
    copy->cpu_ns = copy->wall_ns;
    if (sample->held && in->halt_before_ns && sample->time_ns == in->halt_ns &&
        copy->cpu_ns > in->halt_ns - in->halt_before_ns)
        copy->cpu_ns = in->halt_ns - in->halt_before_ns;
    return copy;
}

static enum status give_sample(const struct ingest *in, const struct ingest_sample *given)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < in->sink_count && status == STATUS_OK; i++)
        if (in->sinks[i].sample)
            status = in->sinks[i].sample(in->sinks[i].context, given);
    return status;
}

/* Returns whether the chain's marks were made from pointees, which may have changed since. */
static bool is_stale(const struct ingest *in, const struct ingest_thread *thread,
                     const struct snap_sample *repeat)
{
    return in->splits && repeat->pointee_count && !thread->is_repeated;
}

static enum cpu_source cpu_source_of(const struct ingest *in, const struct snap_sample *sample)
{
    const struct address_space *space = space_of(in, sample->pid);

    if (!in->counts_cpu || (space && space->board.is_board))
        return CPU_BY_SAMPLE;
    return in->has_ticks ? CPU_BY_TICK : CPU_BY_STRETCH;
}

static enum status on_sample(struct ingest *in, const struct snap_sample *sample)
{
    struct ingest_thread *thread = thread_of(in, sample->tid);
    struct ingest_sample given;
    struct snap_sample copy;
    struct weights weights;
    enum cpu_source source;
    enum cpu_rank rank;
    enum status status;

    in->is_beginning = false;
    if (!thread)
        return STATUS_OK;
    status = note_origin(in, sample->time_ns);
    note_halt(in, sample);
    if (status != STATUS_OK || !(sample = cut_sample(in, thread, sample, &copy)))
        return status;
    sample = guess_time(in, sample, &copy);
    if (!sample->repeat || !thread->has_chain || is_stale(in, thread, sample)) {
        status = unwind(in, thread, sample);
        if (status != STATUS_OK)
            return status;
    }
    source = cpu_source_of(in, sample);
    weights = thread_time_sample(sample, source, ingest_account(in));
    ingest_cpu_count(in, sample, weights.value[WEIGHT_CPU]);
    given = (struct ingest_sample){.sample = sample,
                                   .thread_name = thread->name,
                                   .thread_id = thread->profile_thread,
                                   .space = space_of(in, sample->pid),
                                   .chain = &thread->chain,
                                   .chain_id = thread->chain_id,
                                   .weights = &weights,
                                   .number = in->numbers++,
                                   .input_size = in->input_size};
    given.has_cpu_later =
        source == CPU_BY_STRETCH &&
        where_left_rank(unwinder_arch(in->unwinder), sample, &thread->chain, &rank);
    in->samples++;
    note_time(in, sample->time_ns);
    status = give_sample(in, &given);
    return status == STATUS_OK && source != CPU_BY_SAMPLE
               ? ingest_cpu_sample(in, thread, &given, given.has_cpu_later ? rank : CPU_RANKS)
               : status;
}

/* A CPU's clock found the thread on it: a tick has only CPU time. */
static enum status on_tick(struct ingest *in, const struct snap_sample *tick)
{
    struct ingest_thread *thread = thread_of(in, tick->tid);
    struct address_space *space = space_of(in, tick->pid);
    const struct weights none = {.value = {0}};
    struct ingest_sample given = {.sample = tick,
                                  .space = space,
                                  .chain = &in->tick_chain,
                                  .weights = &none,
                                  .has_cpu_later = true,
                                  .input_size = in->input_size};
    uint64_t start_ns = clock_now_ns();
    enum status status;

    in->is_beginning = false;
    if (!thread || !space || !is_inside(in, tick->time_ns))
        return STATUS_OK;
    status = find_jit_dumps(in, tick->pid);
    if (status == STATUS_OK)
        status = make_chain(in, space, tick, &in->tick_chain);
    if (status == STATUS_OK)
        status = profile_chain(in->profile, &in->tick_chain, NULL, &given.chain_id);
    in->unwind_ns += clock_now_ns() - start_ns;
    ingest_account(in)->cpu.ticks++;
    given.thread_name = thread->name;
    given.thread_id = thread->profile_thread;
    given.number = in->numbers++;
    for (size_t i = 0; i < in->sink_count && status == STATUS_OK; i++)
        if (in->sinks[i].tick)
            status = in->sinks[i].tick(in->sinks[i].context, &given);
    return status == STATUS_OK ? ingest_cpu_tick(in, thread, &given) : status;
}

static bool wants_creations(const struct ingest *in)
{
    for (size_t i = 0; i < in->sink_count; i++)
        if (in->sinks[i].creation)
            return true;
    return false;
}

static enum status on_creation(struct ingest *in, const struct snap_creation *creation)
{
    struct address_space *space = space_of(in, creation->maker.pid);
    struct ingest_creation given = {.creation = creation, .chain = &in->creation_chain};
    enum status status;

    if (!space || !wants_creations(in))
        return STATUS_OK;
    in->has_unwound = true;
    status = unwinder_maker(in->unwinder, space, &creation->maker, &in->creation_chain);
    if (status == STATUS_OK)
        status = profile_chain(in->profile, &in->creation_chain, NULL, &given.chain_id);
    for (size_t i = 0; i < in->sink_count && status == STATUS_OK; i++)
        if (in->sinks[i].creation)
            status = in->sinks[i].creation(in->sinks[i].context, &given);
    return status;
}

static enum status on_thread_end(struct ingest *in, const struct snap_thread *info)
{
    struct ingest_thread *thread = thread_of(in, info->tid);
    struct snap_thread ended = *info;
    enum status status = STATUS_OK;

    if (!thread || thread->pid != info->pid)
        return STATUS_OK;
    status = end_thread(in, thread);
    ended.time_ns = end_inside(in, info->time_ns);
    for (size_t i = 0; i < in->sink_count && status == STATUS_OK; i++)
        if (in->sinks[i].thread_end)
            status = in->sinks[i].thread_end(in->sinks[i].context, &ended);
    return status;
}

static enum status on_unmap(struct ingest *in, const struct snap_range *range)
{
    struct address_space *space = space_of(in, range->pid);
    enum status status = STATUS_OK;

    if (space && range->start_addr < range->end_addr)
        status = address_space_remove(space, range->start_addr, range->end_addr);
    /* An ended process keeps no memory, nor room for its maps. */
    if (status == STATUS_OK && space && space->count == 0)
        address_space_release(space);
    return status;
}

/* Hands a process to the sinks. An exec ends the program before it. */
static enum status give_process(const struct ingest *in, const struct snap_process *info)
{
    struct snap_process process = *info;
    enum status status = STATUS_OK;

    if (info->exec)
        process.time_ns = end_inside(in, info->time_ns);
    for (size_t i = 0; i < in->sink_count && status == STATUS_OK; i++)
        if (in->sinks[i].process)
            status = in->sinks[i].process(in->sinks[i].context, &process);
    return status;
}

static enum status give_thread(const struct ingest *in, const struct snap_thread *thread)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < in->sink_count && status == STATUS_OK; i++)
        if (in->sinks[i].thread)
            status = in->sinks[i].thread(in->sinks[i].context, thread);
    return status;
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

static enum status on_board(struct ingest *in, const struct snap_board *board)
{
    struct address_space *space = space_of(in, board->pid);

    if (!space)
        return STATUS_OK;
    if (title_board(title_of(in), board->pid, board->machine ? board->machine : "") != STATUS_OK)
        return STATUS_NO_MEMORY;
    space->board = board_space_of(board);
    space->has_firmware = false;
    space->stamp = 0;
    return STATUS_OK;
}

/* Maps the programs of a process that does not name its modules, before its sample. */
static enum status place_firmware(struct ingest *in, const struct snap_source *source,
                                  const struct snap_sample *sample)
{
    struct address_space *space = space_of(in, sample->pid);

    return space && !space->has_firmware
               ? firmware_place(in->modules, source, space, sample->regs.value[source->arch->pc])
               : STATUS_OK;
}

/* Compares code of a board with the file at hand. */
static enum status check_code(struct ingest *in, const struct snap_source *source,
                              const struct snap_range *code)
{
    struct address_space *space = space_of(in, code->pid);
    enum status status = STATUS_OK;
    struct mapping *mapping;

    if (!space || !space->board.is_board || source->kind != SOURCE_SNAPSHOT)
        return STATUS_OK;
    if (!space->has_firmware)
        status = firmware_place(in->modules, source, space, code->start_addr);
    mapping = status == STATUS_OK ? address_space_find(space, code->start_addr) : NULL;
    if (mapping)
        firmware_compare(in->modules, mapping, code, !in->has_unwound);
    return status;
}

static enum status on_event(struct ingest *in, const struct snap_source *source,
                            const struct snap_event *event)
{
    enum status status;

    switch (event->type) {
    case SNAP_PROCESS:
        place_process(in->modules, source, &event->process);
        status = on_process(in, &event->process);
        return status == STATUS_OK ? give_process(in, &event->process) : status;
    case SNAP_MAP:
        return on_map(in, source, &event->map);
    case SNAP_UNMAP:
        return on_unmap(in, &event->range);
    case SNAP_BOARD:
        return on_board(in, &event->board);
    case SNAP_CODE:
        status = check_code(in, source, &event->range);
        return status == STATUS_OK ? on_code(in, &event->range) : status;
    case SNAP_NAMES:
        return on_names(in, &event->names);
    case SNAP_SYMBOL_FILE:
        return on_symbol_file(in, &event->symbol_file);
    case SNAP_THREAD:
        status = on_thread(in, &event->thread);
        if (status == STATUS_OK)
            status = title_thread(title_of(in), &event->thread);
        return status == STATUS_OK ? give_thread(in, &event->thread) : status;
    case SNAP_THREAD_END:
        return on_thread_end(in, &event->thread);
    case SNAP_SAMPLE:
        status = place_firmware(in, source, &event->sample);
        return status == STATUS_OK ? on_sample(in, &event->sample) : status;
    case SNAP_TICK:
        return on_tick(in, &event->sample);
    case SNAP_CREATION:
        return on_creation(in, &event->creation);
    case SNAP_SUMMARY:
        take_summary(in, &event->summary);
        return STATUS_OK;
    case SNAP_LOSS:
        if (is_inside(in, event->loss.time_ns))
            take_loss(in, &event->loss);
        return STATUS_OK;
    case SNAP_USAGE:
        if (is_inside(in, event->usage.time_ns))
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
    in->counts_cpu = in->is_beginning = source->kind == SOURCE_SNAPSHOT;
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
    add_times(in, source->clock_offset);
    in->has_origin = false;
    in->halt_ns = in->halt_before_ns = 0;
    place_end(in->modules);
    forget_snapshot(in);
    if (title_end(title_of(in)) != STATUS_OK ||
        profile_program(in->profile, title_program(title_of(in))) != STATUS_OK)
        return STATUS_NO_MEMORY;
    return status == STATUS_END ? STATUS_OK : status;
}
