/* SPDX-License-Identifier: MIT */
#include "graph/ingest_cpu.h"

#include <stdio.h>

#include "base/text.h"

struct process_cpu *ingest_cpu_of(const struct ingest *in, uint32_t pid)
{
    const uint64_t *index = map_get(&in->processes, pid);

    return index ? &in->process_cpus[*index] : NULL;
}

static enum status give_cpu(const struct ingest *in, const struct ingest_cpu *cpu)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < in->sink_count && status == STATUS_OK; i++)
        if (in->sinks[i].cpu)
            status = in->sinks[i].cpu(in->sinks[i].context, cpu);
    return status;
}

/* Context of give_place. */
struct receiver {
    struct ingest *in;
    uint32_t pid, tid;
};

static uint64_t square_us(uint64_t ns)
{
    const uint64_t us = ns / 1000;

    return us < UINT32_MAX ? us * us : UINT64_MAX;
}

static void count_placed(struct ingest *in, uint32_t pid, const struct cpu_place *place,
                         uint64_t cpu_ns)
{
    struct cpu_account *account = &ingest_account(in)->cpu;
    struct process_cpu *process = ingest_cpu_of(in, pid);

    account->placed_ns = weight_add(account->placed_ns, cpu_ns);
    if (place->period_ns && place->is_cut)
        account->cut_ns = weight_add(account->cut_ns, cpu_ns);
    account->squares_us2 = weight_add(account->squares_us2, square_us(cpu_ns));
    if (!place->period_ns)
        account->places += cpu_ns > 0;
    if (process)
        process->given_ns = weight_add(process->given_ns, cpu_ns);
}

static enum status give_place(void *context, const struct cpu_place *place, uint64_t cpu_ns)
{
    const struct receiver *to = context;

    count_placed(to->in, to->pid, place, cpu_ns);
    return give_cpu(to->in, &(struct ingest_cpu){
                                .place = place, .pid = to->pid, .tid = to->tid, .cpu_ns = cpu_ns});
}

/* Gives the thread's CPU time up to now to its samples up to now. */
static enum status settle_cpu(struct ingest *in, struct ingest_thread *thread, bool is_last)
{
    struct receiver to = {.in = in, .pid = thread->pid, .tid = thread->tid};

    return cpu_stretch_end(&thread->stretch, is_last, give_place, &to);
}

/* Gives CPU time without a sample; fills place and chain of `cpu`, the latter PROCESS_CPU_REST. */
static enum status give_without_sample(struct ingest *in, const struct ingest_cpu *cpu,
                                       uint32_t thread_id)
{
    struct cpu_place place = {.number = INGEST_NO_SAMPLE,
                              .time_ns = in->last_ns,
                              .thread_id = thread_id,
                              .state = 'R'};
    struct frame frame = {.trust = TRUST_CONTEXT};
    const struct chain chain = {.frames = &frame, .count = 1, .stop = STOP_THREAD_START};
    struct ingest_cpu given = *cpu;
    enum status status =
        module_set_get(in->modules, MODULE_NOTE, PROCESS_CPU_REST, NULL, 0, false, &frame.module);

    if (status == STATUS_OK)
        status = profile_chain(in->profile, &chain, NULL, &place.chain_id);
    given.place = &place;
    given.chain = &chain;
    return status == STATUS_OK ? give_cpu(in, &given) : status;
}

enum status ingest_cpu_thread_end(struct ingest *in, struct ingest_thread *thread)
{
    enum status status = settle_cpu(in, thread, true);
    const uint64_t rest_ns = cpu_stretch_rest(&thread->stretch);
    struct process_cpu *process = ingest_cpu_of(in, thread->pid);

    if (status != STATUS_OK || !rest_ns || !process)
        return status;
    process->given_ns = weight_add(process->given_ns, rest_ns);
    return give_without_sample(in,
                               &(struct ingest_cpu){.pid = thread->pid,
                                                    .tid = thread->tid,
                                                    .cpu_ns = rest_ns,
                                                    .name = thread->name},
                               thread->profile_thread);
}

void ingest_cpu_count(struct ingest *in, const struct snap_sample *sample, uint64_t given_ns)
{
    struct process_cpu *process = ingest_cpu_of(in, sample->pid);
    struct cpu_account *account = &ingest_account(in)->cpu;

    account->placed_ns = weight_add(account->placed_ns, given_ns);
    account->squares_us2 = weight_add(account->squares_us2, square_us(given_ns));
    account->places += given_ns > 0;
    if (!process)
        return;
    process->counted_ns = weight_add(process->counted_ns, sample->cpu_ns);
    process->given_ns = weight_add(process->given_ns, given_ns);
}

static enum status add_place(struct ingest *in, struct ingest_thread *thread,
                             const struct ingest_sample *given, uint64_t period_ns,
                             enum cpu_rank rank)
{
    const struct cpu_place place = {.number = given->number,
                                    .time_ns = given->sample->time_ns,
                                    .period_ns = period_ns,
                                    .thread_id = given->thread_id,
                                    .chain_id = given->chain_id,
                                    .state = given->sample->state,
                                    .is_cut = !stop_is_start(given->chain->stop)};
    struct receiver to = {.in = in, .pid = thread->pid, .tid = thread->tid};

    return cpu_stretch_add(&thread->stretch, rank, &place, give_place, &to);
}

enum status ingest_cpu_sample(struct ingest *in, struct ingest_thread *thread,
                              const struct ingest_sample *given, enum cpu_rank rank)
{
    const uint64_t time_ns = given->sample->time_ns;
    enum status status = STATUS_OK;

    cpu_stretch_use(&thread->stretch, time_ns, given->sample->cpu_ns);
    if (rank < CPU_RANKS)
        status = add_place(in, thread, given, 0, rank);
    return status == STATUS_OK && cpu_stretch_is_over(&thread->stretch, time_ns)
               ? settle_cpu(in, thread, false)
               : status;
}

enum status ingest_cpu_tick(struct ingest *in, struct ingest_thread *thread,
                            const struct ingest_sample *given)
{
    return add_place(in, thread, given, given->sample->cpu_ns, CPU_ON);
}

/* Gives the process's CPU time that none of its sampled threads used. */
static enum status give_rest(struct ingest *in, uint32_t pid, const struct process_cpu *process)
{
    struct cpu_account *account = &ingest_account(in)->cpu;
    const uint64_t rest_ns = process_cpu_rest(process);
    uint32_t thread_id = 0;
    enum status status = STATUS_OK;

    account->used_ns =
        weight_add(account->used_ns, process_cpu_used(process) - process->counted_ns);
    if (rest_ns)
        status = profile_thread(in->profile, pid, 0, process->name, &thread_id);
    return status == STATUS_OK && rest_ns
               ? give_without_sample(
                     in, &(struct ingest_cpu){.pid = pid, .cpu_ns = rest_ns, .name = process->name},
                     thread_id)
               : status;
}

enum status ingest_cpu_end(struct ingest *in)
{
    enum status status = STATUS_OK;
    uint64_t pid, index;
    size_t at = 0;

    for (size_t i = 0; i < in->live.count && status == STATUS_OK; i++)
        if (in->live.list[i].live)
            status = ingest_cpu_thread_end(in, &in->threads[i]);
    while (status == STATUS_OK && in->counts_cpu && map_next(&in->processes, &at, &pid, &index))
        status = give_rest(in, (uint32_t)pid, &in->process_cpus[index]);
    return status;
}

/*
 * After exec a process has threads, and the same clock; if no thread is left the pid is another
 * process's. A clock counts only if all threads are captured: those not chosen would seem to have
 * no sample.
 */
void ingest_cpu_process(struct ingest *in, struct process_cpu *cpu,
                        const struct snap_process *process)
{
    if (live_threads_of(&in->live, process->pid) == LIVE_NONE)
        process_cpu_next(cpu);
    cpu->is_whole = process->whole;
    snprintf(cpu->name, sizeof(cpu->name), "%s", text_basename(process->exe ? process->exe : ""));
}

void ingest_cpu_clock(const struct ingest *in, const struct snap_usage *usage)
{
    struct process_cpu *process = ingest_cpu_of(in, usage->pid);

    if (process && process->is_whole)
        process_cpu_clock(process, usage->cpu_ns);
}
