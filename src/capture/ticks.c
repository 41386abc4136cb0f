/* SPDX-License-Identifier: MIT */
#include "capture/ticks.h"

#include <string.h>

#include "base/vec.h"
#include "capture/pending_sample.h"

/*
 * Rounds for which the clock keeps a period; the part by which it may differ from the rounds'. A
 * period begins anew when it is set: the rest of the last one, half on average, is added to what
 * the other ticks stand for.
 */
#define STEADY_ROUNDS 16u
#define JITTER_PART   8u

enum status ticks_start(struct capture *cap)
{
    const struct target *target = &cap->target;
    const struct capture_options *options = &cap->options;
    struct diag *why = &cap->result.no_clock;

    /* A tick has one stack: a Go program's chains would end where its runtime switches stacks. */
    if (options->clock == CAPTURE_CLOCK_PTRACE ||
        (options->clock == CAPTURE_CLOCK_AUTO &&
         (options->round_count == 1 || cap->processes[0]->is_go)))
        return STATUS_OK;
    if (!target->backend->clock_start)
        diag_set(why, NULL, "this target has no clock of its CPUs");
    else if (target->backend->clock_start(target->state, cap->period_ns, options->stack_size,
                                          why) == STATUS_OK)
        cap->clock = CLOCK_HALTED;
    cap->tick_period_ns = cap->period_ns;
    cap->result.has_clock = cap->clock != NO_CLOCK;
    if (cap->clock != NO_CLOCK || options->clock == CAPTURE_CLOCK_AUTO)
        return STATUS_OK;
    cap->status = STATUS_UNSUPPORTED;
    cap->diag = *why;
    return STATUS_UNSUPPORTED;
}

void ticks_run(struct capture *cap, bool run)
{
    if (cap->clock == NO_CLOCK)
        return;
    cap->target.backend->clock_run(cap->target.state, run);
    cap->clock = run ? CLOCK_RUNS : CLOCK_HALTED;
}

void ticks_stop(struct capture *cap)
{
    if (cap->clock != NO_CLOCK)
        cap->target.backend->clock_stop(cap->target.state);
    cap->clock = NO_CLOCK;
}

void ticks_keep_pace(struct capture *cap)
{
    const uint64_t period_ns = cap->pace.period_ns, jitter_ns = period_ns / JITTER_PART;

    if (cap->clock == NO_CLOCK ||
        (period_ns == cap->tick_period_ns && (!cap->ticked || cap->result.rounds % STEADY_ROUNDS)))
        return;
    ticks_take(cap); /* which are of the last period */
    cap->ticked = false;
    cap->tick_period_ns = period_ns;
    cap->target.backend->clock_set_period(cap->target.state,
                                          period_ns - jitter_ns +
                                              pace_draw(&cap->pace, 2 * jitter_ns + 1));
}

/*
 * Returns the tick's thread, which may have ended since; NULL: not the target's, or its number is
 * another thread's by now, found later.
 */
static struct thread *find(const struct capture *cap, const struct cpu_tick *tick)
{
    struct thread *thread = thread_find_last(cap, tick->tid);

    if (!thread || thread->process->target.pid != tick->pid || thread->phase >= THREAD_REPLACED ||
        tick->time_ns < thread->found_ns || tick->reg_count <= cap->target.machine.arch->pc)
        return NULL;
    return thread;
}

/* Copies the tick's stack to the arena. False: nothing was readable at SP. */
static bool copy_stack(struct capture *cap, const struct cpu_tick *tick,
                       struct pending_sample *sample)
{
    const struct target_machine *machine = &cap->target.machine;
    struct thread *thread = sample->thread;
    struct process *process = thread->process;
    const struct stack_request request = {
        .target = &cap->target,
        .tid = thread->target.tid,
        .is_main = thread->target.tid == process->target.pid,
        .maps = &process->maps,
        .sp = sample->regs[machine->arch->sp] & machine->addr_mask,
        .thread_pointer = thread->thread_pointer & machine->addr_mask,
    };
    uint64_t map_end = stack_end(&request);
    uint64_t size = tick->stack_size < SNAP_TICK_STACK_MAX ? tick->stack_size : SNAP_TICK_STACK_MAX;

    /* If its end is not known, the stack counts as cut. */
    process->maps_stale |= !map_end;
    if (!map_end && __builtin_add_overflow(request.sp, size + machine->page_size, &map_end))
        return false;
    if (map_end <= request.sp)
        return false;
    if (size > map_end - request.sp)
        size = map_end - request.sp;
    if (!size)
        return false;
    sample->stack.regions[0] = (struct snap_region){.start_addr = request.sp,
                                                    .end_addr = request.sp + size,
                                                    .map_end_addr = map_end,
                                                    .bytes = cap->arena.base + cap->arena.used};
    sample->stack.count = 1;
    memcpy(cap->arena.base + cap->arena.used, tick->stack, (size_t)size);
    stack_arena_take(&cap->arena, (size_t)size);
    return true;
}

static void lose(struct capture *cap, uint64_t count, enum snap_loss reason)
{
    cap->losses[reason] += (uint32_t)count;
}

static void take(struct capture *cap, struct thread *thread, const struct cpu_tick *tick)
{
    const uint64_t unseen_ns =
        cap->result.rounds < STEADY_ROUNDS ? 0 : tick->cpu_ns / (2 * STEADY_ROUNDS);
    struct pending_sample *sample;

    if (vec_reserve(&cap->pending, &cap->pending_cap, cap->pending_len + 1,
                    sizeof(*cap->pending)) != STATUS_OK) {
        lose(cap, 1, SNAP_LOSS_TICK);
        return;
    }
    sample = &cap->pending[cap->pending_len];
    *sample = (struct pending_sample){.thread = thread,
                                      .tick = tick->reg_count,
                                      .time_ns = tick->time_ns,
                                      .cpu_ns = tick->cpu_ns + unseen_ns};
    memcpy(sample->regs, tick->regs, tick->reg_count * sizeof(sample->regs[0]));
    cap->ticked = true;
    if (copy_stack(cap, tick, sample))
        cap->pending_len++;
    else
        lose(cap, 1, SNAP_LOSS_TICK);
}

void ticks_take(struct capture *cap)
{
    const struct target *target = &cap->target;
    struct cpu_tick tick;

    if (cap->clock == NO_CLOCK)
        return;
    while (cap->arena.size - cap->arena.used >= SNAP_TICK_STACK_MAX &&
           target->backend->clock_next(target->state, &tick)) {
        struct thread *thread = find(cap, &tick);
        if (thread && session_has_other_program(cap, thread->process))
            lose(cap, 1, SNAP_LOSS_TICK);
        else if (thread)
            take(cap, thread, &tick);
    }
    lose(cap, target->backend->clock_lost(target->state), SNAP_LOSS_TICK);
}
