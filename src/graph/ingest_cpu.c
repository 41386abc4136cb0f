/* SPDX-License-Identifier: MIT */
#include "graph/ingest_cpu.h"

#include <stdio.h>

#include "base/text.h"
#include "symbol/module_set.h"

/* Context of give_place. */
struct receiver {
    struct ingest *in;
    const struct ingest_thread *thread;
};

static uint64_t square_us(uint64_t ns)
{
    const uint64_t us = ns / 1000;

    return us < UINT32_MAX ? us * us : UINT64_MAX;
}

static void count_placed(struct ingest *in, struct process_cpu *process,
                         const struct cpu_place *place, uint64_t cpu_ns)
{
    struct cpu_account *account = &ingest_account(in)->cpu;

    account->placed_ns = weight_add(account->placed_ns, cpu_ns);
    if (place->period_ns && place->is_cut)
        account->cut_ns = weight_add(account->cut_ns, cpu_ns);
    account->squares_us2 = weight_add(account->squares_us2, square_us(cpu_ns));
    if (!place->period_ns)
        account->places += cpu_ns > 0;
    process->given_ns = weight_add(process->given_ns, cpu_ns);
}

static enum status give_place(void *context, const struct cpu_place *place, uint64_t cpu_ns)
{
    const struct receiver *to = context;

    count_placed(to->in, &to->thread->process->cpu, place, cpu_ns);
    return ingest_sinks_cpu(&to->in->sinks, &(struct ingest_cpu){.place = place,
                                                                 .pid = to->thread->process->pid,
                                                                 .tid = to->thread->tid,
                                                                 .cpu_ns = cpu_ns});
}

/* Gives the thread's CPU time up to now to its samples up to now. */
static enum status settle_cpu(struct ingest *in, struct ingest_thread *thread, bool is_last)
{
    struct receiver to = {.in = in, .thread = thread};

    return cpu_stretch_end(&thread->stretch, is_last, give_place, &to);
}

/* Gives CPU time without a sample; fills place and chain of `cpu`, the latter PROCESS_CPU_REST. */
static enum status give_without_sample(struct ingest *in, const struct ingest_cpu *cpu,
                                       uint32_t thread_id)
{
    struct cpu_place place = {.number = INGEST_NO_SAMPLE,
                              .time_ns = in->window.last_ns,
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
    return status == STATUS_OK ? ingest_sinks_cpu(&in->sinks, &given) : status;
}

enum status ingest_cpu_thread_end(struct ingest *in, struct ingest_thread *thread)
{
    enum status status = settle_cpu(in, thread, true);
    const uint64_t rest_ns = cpu_stretch_rest(&thread->stretch);
    struct ingest_process *process = thread->process;

    if (status != STATUS_OK || !rest_ns)
        return status;
    process->cpu.given_ns = weight_add(process->cpu.given_ns, rest_ns);
    return give_without_sample(in,
                               &(struct ingest_cpu){.pid = process->pid,
                                                    .tid = thread->tid,
                                                    .cpu_ns = rest_ns,
                                                    .name = thread->name},
                               thread->profile_thread);
}

void ingest_cpu_count(struct ingest *in, struct ingest_process *process,
                      const struct snap_sample *sample, uint64_t given_ns)
{
    struct process_cpu *cpu = &process->cpu;
    struct cpu_account *account = &ingest_account(in)->cpu;

    account->placed_ns = weight_add(account->placed_ns, given_ns);
    account->squares_us2 = weight_add(account->squares_us2, square_us(given_ns));
    account->places += given_ns > 0;
    cpu->counted_ns = weight_add(cpu->counted_ns, sample->cpu_ns);
    cpu->given_ns = weight_add(cpu->given_ns, given_ns);
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
    struct receiver to = {.in = in, .thread = thread};

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
static enum status give_rest(struct ingest *in, const struct ingest_process *process)
{
    const struct process_cpu *cpu = &process->cpu;
    struct cpu_account *account = &ingest_account(in)->cpu;
    const uint64_t rest_ns = process_cpu_rest(cpu);
    uint32_t thread_id;
    enum status status;

    account->used_ns = weight_add(account->used_ns, process_cpu_used(cpu) - cpu->counted_ns);
    if (!rest_ns)
        return STATUS_OK;
    status = profile_thread(in->profile, process->pid, 0, cpu->name, &thread_id);
    return status == STATUS_OK ? give_without_sample(in,
                                                     &(struct ingest_cpu){.pid = process->pid,
                                                                          .cpu_ns = rest_ns,
                                                                          .name = cpu->name},
                                                     thread_id)
                               : status;
}

enum status ingest_cpu_end(struct ingest *in)
{
    const struct ingest_processes *all = &in->processes;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < all->live.count && status == STATUS_OK; i++)
        if (all->live.list[i].live)
            status = ingest_cpu_thread_end(in, &all->threads[i]);
    for (size_t i = 0; i < all->count && status == STATUS_OK; i++)
        if (in->cpu_source != CPU_BY_SAMPLE)
            status = give_rest(in, all->list[i]);
    return status;
}

/*
 * After exec a process has threads, and the same clock; if no thread is left the pid is another
 * process's. A clock counts only if all threads are captured: those not chosen would seem to have
 * no sample.
 */
void ingest_cpu_process(const struct ingest *in, struct ingest_process *process,
                        const struct snap_process *info)
{
    struct process_cpu *cpu = &process->cpu;

    if (!ingest_thread_first(&in->processes, info->pid))
        process_cpu_next(cpu);
    cpu->is_whole = info->whole;
    snprintf(cpu->name, sizeof(cpu->name), "%s", text_basename(info->exe ? info->exe : ""));
}

void ingest_cpu_clock(const struct ingest *in, const struct snap_usage *usage)
{
    struct ingest_process *process = ingest_process_of(&in->processes, usage->pid);

    if (process && process->cpu.is_whole)
        process_cpu_clock(&process->cpu, usage->cpu_ns);
}
