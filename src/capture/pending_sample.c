/* SPDX-License-Identifier: MIT */
#include "capture/pending_sample.h"

#include <string.h>

#include "base/clock.h"
#include "base/vec.h"
#include "capture/board_record.h"
#include "capture/code_stamps.h"
#include "capture/mappings.h"
#include "capture/pointee_record.h"
#include "capture/session.h"
#include "capture/waits.h"

/*
 * Sets the CPU time since the last sample (exact, as the thread is off its CPU), and whether it had
 * a CPU when the round began.
 */
static void count_usage(struct capture *cap, struct pending_sample *sample)
{
    const struct target *target = &cap->target;
    struct thread *thread = sample->thread;
    struct pace_stop stop = {.round = thread->round,
                             .asked_ns = thread->asked_ns,
                             .seen_ns = thread->stop.seen_ns,
                             .before_ns = thread->stop.since_ns,
                             .cpu = -1};
    struct proc_schedstat now;

    if (!target_can(target, BACKEND_CPU_TIMES) ||
        !target->backend->usage_stopped(target->state, &thread->target, &now))
        return;
    if (thread->used_known && now.run_ns > thread->used.run_ns)
        sample->cpu_ns = now.run_ns - thread->used.run_ns;
    if (thread->used_known && now.delay_ns > thread->used.delay_ns)
        sample->delay_ns = now.delay_ns - thread->used.delay_ns;
    stop.used_ns = thread->used_known ? sample->cpu_ns : UINT64_MAX;
    stop.used_slices = now.switches - thread->used.switches;
    stop.slices = now.switches - thread->now.switches;
    stop.waited_ns = now.delay_ns - thread->now.delay_ns;
    if (stop.slices == 1 && stop.round.on_time && sample->before.state == 'R' &&
        target->backend->last_cpu)
        stop.cpu = target->backend->last_cpu(target->state, &thread->target);
    thread->short_turns = !pace_turns_are_long(&stop);
    /* A sleeping thread was woken to stop: when it was queued tells nothing. */
    sample->ready = target->machine.tells_ready && sample->before.state == 'R' &&
                    (stop.slices == 0 ? thread->short_turns && cap->clock == NO_CLOCK
                                      : !pace_was_pushed(&cap->pace, &stop));
    thread->used = now;
    thread->used_known = true;
}

void pending_sample_fail_other_program(struct capture *cap, const struct process *process)
{
    session_fail(cap, STATUS_UNSUPPORTED,
                 "process %d now runs a program of another word size or architecture",
                 (int)process->target.pid);
}

/* Reads the registers into the next free pending sample, which is not counted yet. */
static enum status copy_regs(struct capture *cap, struct thread *thread, uint64_t *thread_pointer,
                             struct pending_sample **out)
{
    const struct target *target = &cap->target;
    struct pending_sample *sample;
    enum status status;

    if (vec_reserve(&cap->pending, &cap->pending_cap, cap->pending_len + 1,
                    sizeof(*cap->pending)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    sample = &cap->pending[cap->pending_len];
    *sample = (struct pending_sample){.thread = thread};
    status =
        target->backend->registers(target->state, &thread->target, sample->regs, thread_pointer);
    thread->thread_pointer = *thread_pointer;
    *out = sample;
    return status;
}

static enum status copy_stack(struct capture *cap, uint64_t thread_pointer,
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
        .fp = sample->regs[machine->arch->fp] & machine->addr_mask,
        .thread_pointer = thread_pointer & machine->addr_mask,
        .goroutine = machine->arch->goroutine == REG_NONE
                         ? 0
                         : sample->regs[machine->arch->goroutine] & machine->addr_mask,
        .scheduler = thread->scheduler_addr,
        .regs = sample->regs,
        .is_go = process->is_go,
        .go_version = process->go_version,

        .limit = cap->options.stack_size,
        .limit_given = cap->options.stack_size_given,
    };
    enum status status = STATUS_UNSUPPORTED;

#if CAPTURE_BOARDS
    status = board_record_copy_stacks(cap, sample);
#endif
    if (status == STATUS_UNSUPPORTED)
        status = stack_copy(&request, &cap->arena, &sample->stack);
    process->maps_stale |= status != STATUS_OK || sample->stack.maps_stale;
    if (sample->stack.scheduler_addr)
        thread->scheduler_addr = sample->stack.scheduler_addr;
    return status;
}

bool pending_sample_refers(const struct capture *cap, const struct pending_sample *sample,
                           bool (*visit)(void *context, uint64_t addr), void *context)
{
    const struct target_machine *machine = &cap->target.machine;
    const uint64_t mask = machine->addr_mask & ~machine->pac_mask;
    const size_t step = machine->arch->word_size;

    if (visit(context, sample->regs[machine->arch->pc] & mask) ||
        (machine->arch->lr != REG_NONE && visit(context, sample->regs[machine->arch->lr] & mask)))
        return true;
    for (unsigned i = 0; i < sample->stack.count; i++) {
        const struct snap_region *region = &sample->stack.regions[i];
        const size_t size = (size_t)(region->end_addr - region->start_addr);

        for (size_t off = 0; off + step <= size; off += step) {
            uint64_t word = 0;

            memcpy(&word, region->bytes + off, step);
            if (visit(context, word & mask))
                return true;
        }
    }
    return false;
}

enum status pending_sample_take_sample(struct capture *cap, struct thread *thread)
{
    const struct target *target = &cap->target;
    const uint64_t held_ns = clock_now_ns();
    struct pending_sample *sample;
    uint64_t thread_pointer = 0;
    enum status status = copy_regs(cap, thread, &thread_pointer, &sample);

    if (status == STATUS_UNSUPPORTED)
        pending_sample_fail_other_program(cap, thread->process);
    if (status != STATUS_OK)
        return status;
    sample->time_ns = thread->asked_ns;
    sample->repeats = thread->rounds_missed;
    sample->last_repeat_ns = thread->missed_ns;
    sample->disturbed = thread->stop.by_signal;
    sample->before = thread->before;
    mappings_explain_held(cap, thread->process, thread->target.tid,
                          sample->regs[target->machine.arch->pc]);
    status = copy_stack(cap, thread_pointer, sample);
    if (status != STATUS_OK)
        return status;
    sample->outdated = !code_stamps_check_held(cap, sample, held_ns);
    pointee_record_copy(cap, sample);
    count_usage(cap, sample);
    if (target_can(target, BACKEND_STATES))
        target->backend->settle_activity(target->state, &thread->target, sample->regs,
                                         &sample->before);
#if CAPTURE_BOARDS
    board_record_copy(cap, sample);
#endif
    thread->before = sample->before;
    cap->pending_len++;
    return STATUS_OK;
}

void pending_sample_hold(struct capture *cap, struct pending_sample *sample, uint64_t time_ns)
{
    const struct target *target = &cap->target;
    const struct activity *before = &sample->before;
    bool in_call = before->known && !before->call.running;

    waits_hold(cap, sample);
    /* A late sample is of an earlier round; a signal may end the call. */
    sample->held = !sample->repeats && !sample->disturbed &&
                   (!in_call || target->backend->is_in_call(target->state, &sample->thread->target,
                                                            before, sample->regs));
    if (sample->held)
        sample->time_ns = sample->memory.time_ns = time_ns;
}

void pending_sample_take_creation(struct capture *cap, struct thread *thread, pid_t made)
{
    const uint64_t held_ns = clock_now_ns();
    struct pending_sample *sample;
    uint64_t thread_pointer = 0;

    if (cap->arena.used > cap->arena.size / 2 ||
        copy_regs(cap, thread, &thread_pointer, &sample) != STATUS_OK)
        return;
    sample->made_tid = made;
    /* A sample that is due in this stop is of an earlier time, and written later. */
    sample->time_ns = thread_is_asked(thread) ? thread->asked_ns : clock_now_ns();
    if (copy_stack(cap, thread_pointer, sample) != STATUS_OK)
        return;
    sample->outdated = !code_stamps_check_held(cap, sample, held_ns);
    cap->pending_len++;
}
