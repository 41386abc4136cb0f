/* SPDX-License-Identifier: MIT */
#include "capture/board_record.h"

#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "snapshot/board_writer.h"

#if CAPTURE_BOARDS

static void copy_text(char to[PENDING_TEXT_MAX], const char *from)
{
    snprintf(to, PENDING_TEXT_MAX, "%s", from ? from : "");
}

/* A ready task is runnable, and has no CPU. */
static void settle_ready(struct pending_sample *sample)
{
    if (sample->before.state != SNAP_STATE_READY)
        return;
    sample->before.state = 'R';
    sample->ready = true;
}

/* The target ran until it stopped: what it does now is not what it did in the missed rounds. */
static void lose_missed_rounds(struct capture *cap, struct pending_sample *sample)
{
    if (target_can(&cap->target, BACKEND_STOPS_ONE_THREAD) || !sample->repeats)
        return;
    cap->losses[SNAP_LOSS_LATE] += sample->repeats;
    sample->repeats = 0;
}

void board_record_copy(struct capture *cap, struct pending_sample *sample)
{
    const struct capture_backend *backend = cap->target.backend;
    const struct target_thread *thread = &sample->thread->target;
    struct snap_system *system = (struct snap_system *)(cap->arena.base + cap->arena.used);
    void *state = cap->target.state;

    settle_ready(sample);
    lose_missed_rounds(cap, sample);
    if (backend->unknown_registers)
        sample->unknown = backend->unknown_registers(state, thread);
    if (backend->system_registers &&
        cap->arena.size - cap->arena.used >= SNAP_SYSTEM_MAX * sizeof(*system)) {
        sample->system = system;
        sample->system_count = backend->system_registers(state, thread, system);
        stack_arena_take(&cap->arena, sample->system_count * sizeof(*system));
    }
    sample->has_task = backend->task && backend->task(state, thread, &sample->task);
    if (sample->has_task) {
        copy_text(sample->object, sample->task.object);
        copy_text(sample->system_name, sample->task.system);
    }
}

enum status board_record_copy_stacks(struct capture *cap, struct pending_sample *sample)
{
    const struct target *target = &cap->target;

    if (!target->backend->copy_stacks)
        return STATUS_UNSUPPORTED;
    return target->backend->copy_stacks(target->state, &sample->thread->target, &cap->arena,
                                        &sample->stack);
}

void board_record_process(struct capture *cap, struct process *process)
{
    const struct target *target = &cap->target;
    struct snap_board board = {.pid = 0};

    if (!target->backend->board || !process->announced ||
        !target->backend->board(target->state, &process->target, &board) ||
        (process->board_ns && board.time_ns == process->board_ns))
        return;
    if (board_write(cap->writer, &board) == STATUS_OK)
        process->board_ns = board.time_ns;
}

/* Hashes what TASK says, except times; not 0. */
static uint64_t hash_task(const struct pending_sample *sample)
{
    const struct snap_task *task = &sample->task;
    const uint64_t words[] = {task->handle_addr,
                              (uint32_t)task->priority,
                              (uint32_t)task->base_priority,
                              task->state,
                              task->wait_kind,
                              task->flags,
                              task->stack_start_addr,
                              task->stack_end_addr,
                              task->stack_used_addr,
                              task->object_addr,
                              task->holder_tid,
                              task->wake_tick};
    uint64_t hash = hash_bytes(1, words, sizeof(words));

    hash = hash_bytes(hash, sample->object, strlen(sample->object));
    return hash_bytes(hash, sample->system_name, strlen(sample->system_name)) | 1;
}

void board_record_write(struct capture *cap, const struct pending_sample *sample)
{
    struct thread *thread = sample->thread;
    const uint32_t pid = (uint32_t)thread->process->target.pid;
    const uint32_t tid = (uint32_t)thread->target.tid;
    struct snap_task task;
    uint64_t hash;

    if (sample->system_count)
        (void)!board_write_system(cap->writer, pid, tid, sample->time_ns, sample->system,
                                  sample->system_count);
    if (!sample->has_task)
        return;
    hash = hash_task(sample);
    task = sample->task;
    task.object = sample->object;
    task.system = sample->system_name;
    if (hash != thread->task_hash && board_write_task(cap->writer, pid, tid, &task) == STATUS_OK)
        thread->task_hash = hash;
}

unsigned board_record_registers(const struct capture *cap)
{
    const struct arch *arch = cap->target.machine.arch;

    return cap->target.backend->unknown_registers ? arch->all_regs : arch->reg_count;
}

void board_record_end(struct capture *cap, const struct pending_sample *sample)
{
    if (cap->target.backend->unknown_registers)
        snap_writer_u64(cap->writer, sample->unknown);
}

void board_record_pace(struct capture *cap)
{
    const struct target *target = &cap->target;
    struct target_halts halts;

    if (!target->backend->halts)
        return;
    target->backend->halts(target->state, &halts);
    if (halts.period_ns > cap->period_ns)
        cap->result.slowed = true;
    pace_set_period(&cap->pace,
                    halts.period_ns > cap->period_ns ? halts.period_ns : cap->period_ns);
    if (cap->pace.due_ns < halts.next_ns)
        cap->pace.due_ns = halts.next_ns;
}

void board_record_begin(struct capture *cap, uint64_t end_ns)
{
    if (cap->target.backend->set_end)
        cap->target.backend->set_end(cap->target.state, end_ns);
    board_record_pace(cap);
    cap->result.slowed = false;
}

bool board_record_finish(struct capture *cap, struct diag *diag)
{
    const struct target *target = &cap->target;
    struct target_halts halts;

    if (target->backend->halts) {
        target->backend->halts(target->state, &halts);
        cap->result.stopped_ns = halts.total_ns;
        cap->result.stopped_max_ns = halts.worst_ns;
        cap->result.stopped_max_wait_ns = 0;
        cap->result.halts = halts.count;
        cap->result.cut_halts = halts.cut;
        cap->result.unreached = halts.unreached;
        cap->result.cut_problem = halts.cut_problem;
        cap->result.without_psp = halts.without_psp;
        cap->result.slowed &= cap->result.rounds > 1; /* a single round has no rate */
    }
    return target->backend->failed && target->backend->failed(target->state, diag);
}

#endif
