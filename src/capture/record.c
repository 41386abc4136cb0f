/* SPDX-License-Identifier: MIT */
#include "capture/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "capture/board_record.h"
#include "capture/mappings.h"
#include "capture/names.h"
#include "capture/pointee_record.h"
#include "capture/code_stamps.h"
#include "capture/remapped.h"
#include "capture/ticks.h"
#include "capture/waits.h"
#include "snapshot/loss.h"

/* Repeats that may follow one late sample. */
#define REPEATS_MAX 1000u
/* A thread's name is read again after this time at most; sooner while the thread is young. */
#define NAME_INTERVAL_NS UINT64_C(1000000000)
#define NAME_FIRST_NS    UINT64_C(10000000)

/*
 * Ends a record, which stays in the writer's buffer. The writer keeps its error; a record too large
 * to be written is dropped.
 */
static bool end(struct capture *cap)
{
    return snap_writer_end(cap->writer) == STATUS_OK;
}

static void record_process(struct capture *cap, const struct process *process)
{
    const struct target *target = &cap->target;
    struct process_facts facts = {0};

    target->backend->describe(target->state, &process->target, &facts);
    snap_writer_begin(cap->writer, SNAP_PROCESS, true);
    snap_writer_u32(cap->writer, (uint32_t)process->target.pid);
    snap_writer_u32(cap->writer, facts.parent_pid);
    snap_writer_u64(cap->writer, process->since_ns);
    snap_writer_u32(cap->writer, (uint32_t)target->machine.page_size);
    snap_writer_u32(cap->writer, target->machine.arch->word_size);
    snap_writer_u64(cap->writer, target->machine.pac_mask);
    snap_writer_str(cap->writer, facts.exe);
    snap_writer_bytes(cap->writer, facts.command_line, facts.command_line_size);
    snap_writer_bytes(cap->writer, facts.auxv, facts.auxv_size);
    snap_writer_str(cap->writer, facts.host);
    snap_writer_str(cap->writer, facts.kernel);
    snap_writer_u8(cap->writer, (cap->options.tid_count ? 0 : SNAP_PROCESS_WHOLE) |
                                    (target->machine.tells_ready ? SNAP_PROCESS_READY : 0) |
                                    (cap->clock != NO_CLOCK ? SNAP_PROCESS_TICKS : 0));
    end(cap);
    free(facts.command_line);
    free(facts.auxv);
}

/* Returns its number in its own pid namespace, which locks have in memory; 0: not known. */
static uint32_t inner_tid(const struct capture *cap, const struct thread *thread)
{
    const struct target *target = &cap->target;

    return target->backend->inner_tid ? target->backend->inner_tid(target->state, &thread->target)
                                      : (uint32_t)thread->target.tid;
}

static void record_thread(struct capture *cap, const struct thread *thread)
{
    snap_writer_begin(cap->writer, SNAP_THREAD, true);
    snap_writer_u32(cap->writer, (uint32_t)thread->process->target.pid);
    snap_writer_u32(cap->writer, (uint32_t)thread->target.tid);
    snap_writer_u64(cap->writer, thread->found_ns);
    snap_writer_u64(cap->writer, thread->start_ticks);
    snap_writer_str(cap->writer, thread->name);
    snap_writer_u32(cap->writer, inner_tid(cap, thread));
    end(cap);
}

static void record_thread_end(struct capture *cap, const struct thread *thread)
{
    snap_writer_begin(cap->writer, SNAP_THREAD_END, true);
    snap_writer_u32(cap->writer, (uint32_t)thread->process->target.pid);
    snap_writer_u32(cap->writer, (uint32_t)thread->target.tid);
    snap_writer_u64(cap->writer, clock_now_ns());
    end(cap);
}

void record_repeat(struct capture *cap, const struct thread *thread, uint64_t time_ns)
{
    snap_writer_begin(cap->writer, SNAP_REPEAT, true);
    snap_writer_u32(cap->writer, (uint32_t)thread->target.tid);
    snap_writer_u64(cap->writer, time_ns);
    if (end(cap))
        cap->result.repeats++;
}

void record_idle(struct capture *cap, const struct process *process, uint64_t time_ns,
                 uint32_t exceptions)
{
    snap_writer_begin(cap->writer, SNAP_IDLE, true);
    snap_writer_u32(cap->writer, (uint32_t)process->target.pid);
    snap_writer_u64(cap->writer, time_ns);
    snap_writer_u32(cap->writer, exceptions);
}

void record_idle_exception(struct capture *cap, const struct thread *thread)
{
    snap_writer_u32(cap->writer, (uint32_t)thread->target.tid);
}

void record_idle_end(struct capture *cap, size_t repeated)
{
    if (end(cap))
        cap->result.repeats += repeated;
}

void record_loss(struct capture *cap, pid_t pid, pid_t tid, uint32_t count, enum snap_loss reason)
{
    cap->result.lost[reason] += count;
    snap_writer_begin(cap->writer, SNAP_LOSS, false);
    snap_writer_u32(cap->writer, (uint32_t)pid);
    snap_writer_u32(cap->writer, (uint32_t)tid);
    snap_writer_u64(cap->writer, clock_now_ns());
    snap_writer_u32(cap->writer, count);
    snap_writer_u32(cap->writer, (uint32_t)reason);
    end(cap);
}

void record_summary(struct capture *cap)
{
    const struct capture_result *r = &cap->result;
    const uint64_t elapsed_us = r->elapsed_ns / 1000;
    uint64_t intervals = r->rounds > 1 ? r->rounds - 1 : 0;

    snap_writer_begin(cap->writer, SNAP_SUMMARY, false);
    snap_writer_u64(cap->writer, clock_now_ns());
    snap_writer_u64(cap->writer, r->samples);
    snap_writer_u64(cap->writer, r->repeats);
    snap_writer_u64(cap->writer, snap_loss_sum(r->lost));
    snap_writer_u64(cap->writer, r->rounds);
    snap_writer_u64(cap->writer, cap->options.rate_mhz);
    snap_writer_u64(cap->writer,
                    elapsed_us ? (intervals * UINT64_C(1000000000) + elapsed_us / 2) / elapsed_us
                               : 0);
    snap_writer_u64(cap->writer, r->stopped_ns);
    snap_writer_u64(cap->writer, r->stopped_max_ns);
    snap_writer_u64(cap->writer, snap_writer_size(cap->writer));
    snap_writer_u32(cap->writer, (uint32_t)r->end);
    end(cap);
}

static void read_name(struct capture *cap, struct thread *thread, uint64_t now)
{
    const struct target *target = &cap->target;
    char name[PROC_NAME_SIZE];

    thread->named_ns = now;
    if (session_has_other_program(cap, thread->process)) /* it would be that program's */
        return;
    if (!target->backend->identify(target->state, &thread->target, name, NULL) ||
        strcmp(name, thread->name) == 0)
        return;
    memcpy(thread->name, name, strlen(name) + 1);
    record_thread(cap, thread);
}

/* Threads are often named after they began; looking is cheap but not free. */
static void check_name(struct capture *cap, struct thread *thread)
{
    uint64_t now = clock_now_ns(), wait = thread->named_ns - thread->found_ns + NAME_FIRST_NS;

    if (now - thread->named_ns >= (wait < NAME_INTERVAL_NS ? wait : NAME_INTERVAL_NS))
        read_name(cap, thread, now);
}

void record_new_name(struct capture *cap, struct thread *thread, uint64_t now)
{
    uint64_t wait = thread->named_ns - thread->found_ns + NAME_FIRST_NS;

    if ((cap->options.command || thread->found_ns > cap->begin_ns) && wait < NAME_INTERVAL_NS &&
        now > thread->named_ns && now - thread->named_ns >= wait)
        read_name(cap, thread, now);
}

void record_last_names(struct capture *cap)
{
    uint64_t now = clock_now_ns();

    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];

        for (size_t k = 0; k < process->thread_len && process->announced; k++) {
            struct thread *thread = process->threads[k];

            if (thread->record != RECORD_NONE && !thread_has_ended(thread) &&
                now - thread->named_ns >= NAME_FIRST_NS)
                read_name(cap, thread, now);
        }
    }
}

static unsigned sample_registers(const struct capture *cap)
{
#if CAPTURE_BOARDS
    return board_record_registers(cap);
#else
    return cap->target.machine.arch->reg_count;
#endif
}

static void put_sample(struct capture *cap, const struct pending_sample *sample)
{
    const struct thread *thread = sample->thread;
    const struct proc_syscall *call = &sample->before.call;
    bool in_syscall = sample->before.known && !call->running && call->nr >= 0;
    unsigned flags =
        (in_syscall ? SNAP_SAMPLE_SYSCALL : 0) | (sample->disturbed ? SNAP_SAMPLE_DISTURBED : 0) |
        (sample->held ? SNAP_SAMPLE_HELD : 0) | (sample->ready ? SNAP_SAMPLE_READY : 0);

    snap_writer_begin(cap->writer, SNAP_SAMPLE, true);
    snap_writer_u32(cap->writer, (uint32_t)thread->process->target.pid);
    snap_writer_u32(cap->writer, (uint32_t)thread->target.tid);
    snap_writer_u64(cap->writer, sample->time_ns);
    snap_writer_u8(cap->writer, (uint8_t)sample->before.state);
    snap_writer_u8(cap->writer, (uint8_t)flags);
    snap_writer_u16(cap->writer, (uint16_t)sample_registers(cap));
    snap_writer_u64(cap->writer, sample->cpu_ns);
    if (in_syscall) {
        snap_writer_u64(cap->writer, (uint64_t)call->nr);
        for (unsigned i = 0; i < 6; i++)
            snap_writer_u64(cap->writer, call->args[i]);
    }
    for (unsigned i = 0; i < sample_registers(cap); i++)
        snap_writer_u64(cap->writer, sample->regs[i]);
}

/*
 * Writes repeats for the rounds that a late sample stands for, as the thread waited to be stopped
 * at the same place. They get times at equal distances.
 */
static void put_repeats(struct capture *cap, const struct pending_sample *sample)
{
    uint32_t count = sample->repeats < REPEATS_MAX ? sample->repeats : REPEATS_MAX;

    for (uint32_t i = 1; i <= count; i++)
        record_repeat(cap, sample->thread,
                      sample->time_ns +
                          (sample->last_repeat_ns - sample->time_ns) / sample->repeats * i);
    if (count < sample->repeats)
        record_loss(cap, sample->thread->process->target.pid, sample->thread->target.tid,
                    sample->repeats - count, SNAP_LOSS_LATE);
}

/* The sample whose words may refer to code. */
struct code_visit {
    struct capture *cap;
    const struct pending_sample *sample;
    uint64_t addr_mask;
};

static void hand_over(struct capture *cap);

/*
 * The writer may wait for its reader here, and stops be answered: if the process has called exec
 * meanwhile, its code is not what the sample means.
 */
static void put_code(const struct code_visit *visit, uint64_t word, bool runs)
{
    struct process *process = visit->sample->thread->process;

    if (!visit->sample->outdated &&
        code_write_around(&process->code, &visit->cap->target, process->target.pid,
                          visit->sample->thread->target.tid, word & visit->addr_mask, runs,
                          visit->cap->writer))
        hand_over(visit->cap);
}

static void put_code_of_stack(void *context, const uint8_t *bytes, size_t size)
{
    const struct code_visit *visit = context;
    const size_t word_size = visit->cap->target.machine.arch->word_size;

    /*
     * Runs begin at multiples of the word size, as SP and blocks do; if not, they have no frames.
     */
    for (size_t off = 0; off + word_size <= size; off += word_size) {
        uint64_t word = 0;
        memcpy(&word, bytes + off, word_size);
        put_code(visit, word, false);
    }
}

/* Writes the code that the sample needs, ahead of it. */
static void record_code(struct capture *cap, const struct pending_sample *sample)
{
    const struct target_machine *machine = &cap->target.machine;
    struct code_visit visit = {.cap = cap,
                               .sample = sample,
                               .addr_mask = machine->addr_mask & ~machine->pac_mask};

    put_code(&visit, sample->regs[cap->target.machine.arch->pc], true);
    if (cap->target.machine.arch->lr != REG_NONE)
        put_code(&visit, sample->regs[cap->target.machine.arch->lr], true);
    (void)!delta_runs(&cap->delta, &sample->thread->base, sample->stack.regions,
                      sample->stack.count, put_code_of_stack, &visit);
}

/* Finds out whether the mappings are still those of the sample, right before it is written. */
static void judge(struct capture *cap, struct pending_sample *sample)
{
    if (!sample->outdated && !code_stamps_check(cap, sample))
        sample->outdated = true;
    remapped_mark(cap, sample);
}

/*
 * Writes how a thread came to make another; not if the file does not know the new one, or has a
 * sample of it already, as its first stop was answered long before its maker's.
 */
static void record_creation(struct capture *cap, struct pending_sample *sample)
{
    struct thread *maker = sample->thread, *made = thread_find_last(cap, sample->made_tid);

    if (sample->outdated || maker->phase == THREAD_END_WRITTEN || !made ||
        made->phase >= THREAD_REPLACED || made->record != RECORD_THREAD)
        return;
    mappings_check(cap, maker->process, maker->target.tid);
    mappings_explain(cap, maker->process, maker->target.tid,
                     sample->regs[cap->target.machine.arch->pc]);
    judge(cap, sample);
    if (sample->outdated)
        return;
    (void)!mappings_write(cap, maker->process, maker->target.tid);
    snap_writer_begin(cap->writer, SNAP_CREATION, false);
    snap_writer_u32(cap->writer, (uint32_t)maker->process->target.pid);
    snap_writer_u32(cap->writer, (uint32_t)maker->target.tid);
    snap_writer_u64(cap->writer, sample->time_ns);
    snap_writer_u32(cap->writer, (uint32_t)made->process->target.pid);
    snap_writer_u32(cap->writer, (uint32_t)made->target.tid);
    snap_writer_u16(cap->writer, cap->target.machine.arch->reg_count);
    for (unsigned i = 0; i < cap->target.machine.arch->reg_count; i++)
        snap_writer_u64(cap->writer, sample->regs[i]);
    if (delta_put(&cap->delta, &maker->base, sample->stack.regions, sample->stack.count,
                  cap->writer) == STATUS_OK &&
        end(cap))
        made->record = RECORD_CREATION;
}

/* Ends a SAMPLE, after its regions. */
static bool end_sample(struct capture *cap, const struct pending_sample *sample)
{
    const struct snap_goroutine *goroutine = &sample->stack.goroutine;

    snap_writer_u64(cap->writer, sample->stack.map_start_addr);
    snap_writer_u64(cap->writer, sample->delay_ns);
    snap_writer_u8(cap->writer, goroutine->state);
    if (goroutine->state == SNAP_GOROUTINE_LEFT) {
        snap_writer_u64(cap->writer, goroutine->sp);
        snap_writer_u64(cap->writer, goroutine->pc);
        snap_writer_u64(cap->writer, goroutine->lr);
    }
    snap_writer_u64(cap->writer, sample->stack.goroutine_id);
#if CAPTURE_BOARDS
    board_record_end(cap, sample);
#endif
    return end(cap);
}

static bool is_lost(const struct capture *cap, const struct pending_sample *sample)
{
    return sample->outdated || sample->thread->phase == THREAD_END_WRITTEN ||
           session_has_other_program(cap, sample->thread->process);
}

/* Writes mappings and code that the sample's chain needs. False: it is lost, as is written. */
static bool record_before(struct capture *cap, struct pending_sample *sample)
{
    struct thread *thread = sample->thread;
    struct process *process = thread->process;

    if (!is_lost(cap, sample)) {
        mappings_explain(cap, process, thread->target.tid,
                         sample->regs[cap->target.machine.arch->pc]);
        judge(cap, sample);
    }
    if (!is_lost(cap, sample)) {
        (void)!mappings_write(cap, process, thread->target.tid);
        if (process->code.len)
            record_code(cap, sample);
    }
    if (is_lost(cap, sample)) {
        record_loss(cap, process->target.pid, thread->target.tid, 1 + sample->repeats,
                    sample->tick ? SNAP_LOSS_TICK : SNAP_LOSS_GONE);
        return false;
    }
    return true;
}

static void record_tick(struct capture *cap, struct pending_sample *sample)
{
    const struct thread *thread = sample->thread;

    if (thread->record == RECORD_NONE || !record_before(cap, sample))
        return;
    snap_writer_begin(cap->writer, SNAP_TICK, false);
    snap_writer_u32(cap->writer, (uint32_t)thread->process->target.pid);
    snap_writer_u32(cap->writer, (uint32_t)thread->target.tid);
    snap_writer_u64(cap->writer, sample->time_ns);
    snap_writer_u64(cap->writer, sample->cpu_ns);
    snap_writer_u16(cap->writer, (uint16_t)sample->tick);
    for (unsigned i = 0; i < sample->tick; i++)
        snap_writer_u64(cap->writer, sample->regs[i]);
    if (delta_put(&cap->delta, &thread->base, sample->stack.regions, sample->stack.count,
                  cap->writer) == STATUS_OK &&
        end(cap))
        cap->result.ticks++;
}

static void record_pending_sample(struct capture *cap, struct pending_sample *sample)
{
    struct thread *thread = sample->thread;
    struct process *process = thread->process;
    const struct stack_copy *stack = &sample->stack;

    if (!record_before(cap, sample))
        return;
    if (!thread_has_ended(thread))
        check_name(cap, thread);
    waits_record(cap, sample);
    pointee_record_write(cap, sample);
#if CAPTURE_BOARDS
    board_record_write(cap, sample);
#endif
    put_sample(cap, sample);
    if (delta_put(&cap->delta, &thread->base, stack->regions, stack->count, cap->writer) !=
            STATUS_OK ||
        !end_sample(cap, sample)) {
        record_loss(cap, process->target.pid, thread->target.tid, 1 + sample->repeats,
                    SNAP_LOSS_UNREADABLE);
        return;
    }
    cap->result.samples++;
    cap->result.used_ns += sample->cpu_ns;
    cap->result.waited_ns += sample->delay_ns;
    waits_settled(thread);
    delta_commit(&cap->delta, &thread->base, stack->regions, stack->count);
    thread->record = RECORD_SAMPLE;
    thread->sample_ns = sample->time_ns;
    usage_read_behind(cap, process, sample->time_ns);
    put_repeats(cap, sample);
}

static void record_end_of(struct capture *cap, struct thread *thread)
{
    const bool is_implied = thread->phase == THREAD_REPLACED;

    thread->phase = THREAD_END_WRITTEN;
    cap->sweepable = true;
    if (thread->rounds_lost)
        record_loss(cap, thread->process->target.pid, thread->target.tid, thread->rounds_lost,
                    SNAP_LOSS_GONE);
    if (!is_implied)
        record_thread_end(cap, thread);
}

static void announce_thread(struct capture *cap, struct thread *thread)
{
    if (thread->record != RECORD_NONE || thread->phase >= THREAD_REPLACED)
        return;
    /* It would be written as a thread of the program before. */
    if (thread_is_left(thread) && session_has_other_program(cap, thread->process))
        return;
    /* The number may have been an ended thread's: its end comes first. */
    for (struct thread *old = thread->next; old; old = old->next)
        if (old->target.tid == thread->target.tid &&
            (old->phase == THREAD_ENDED || old->phase == THREAD_REPLACED))
            record_end_of(cap, old);
    thread->record = RECORD_THREAD;
    record_thread(cap, thread);
}

/*
 * Hands what was written to the kernel if it is much. While this waits for the reader, stops are
 * answered, and processes and threads come, end and call exec: so call it only where nothing is
 * half done. What comes meanwhile is for the next time.
 */
static void hand_over(struct capture *cap)
{
    (void)!snap_writer_relieve(cap->writer);
}

static void announce(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        if (!process->announced) {
            record_process(cap, process);
            usage_record_first(cap, process);
        }
        process->announced = true;
#if CAPTURE_BOARDS
        board_record_process(cap, process);
#endif
        for (size_t k = 0; k < process->thread_len; k++)
            announce_thread(cap, process->threads[k]);
        hand_over(cap);
    }
}

/* A thread that came and ended since the last announcement is announced first. */
static bool is_end_due(const struct thread *thread)
{
    return thread->phase == THREAD_REPLACED ||
           (thread->phase == THREAD_ENDED && thread->record != RECORD_NONE);
}

static void record_ends(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++) {
        struct process *process = cap->processes[i];
        if (process->announced && !process->target.live)
            usage_record(cap, process);
        for (size_t k = 0; k < process->thread_len; k++)
            if (is_end_due(process->threads[k]))
                record_end_of(cap, process->threads[k]);
    }
}

/* Losses of several threads, and processes: written as the first process's. */
static void record_losses(struct capture *cap)
{
    pid_t pid = cap->process_len ? cap->processes[0]->target.pid : 0;

    for (int reason = 0; reason < (int)SNAP_LOSS_REASONS; reason++) {
        uint32_t count = cap->losses[reason];
        cap->losses[reason] = 0;
        if (count)
            record_loss(cap, pid, 0, count, (enum snap_loss)reason);
    }
}

void record_pending(struct capture *cap)
{
    bool dirty = cap->dirty;

    ticks_take(cap); /* ticks of ended threads come before their ends */
    remapped_settle(cap);
    cap->dirty = false;
    if (dirty)
        announce(cap);
#if CAPTURE_BOARDS
    for (size_t i = 0; i < cap->process_len; i++)
        board_record_process(cap, cap->processes[i]);
#endif
    for (size_t i = 0; i < cap->pending_len; i++) {
        if (cap->pending[i].made_tid)
            record_creation(cap, &cap->pending[i]);
        else if (cap->pending[i].tick)
            record_tick(cap, &cap->pending[i]);
        else
            record_pending_sample(cap, &cap->pending[i]);
        hand_over(cap);
    }
    cap->pending_len = 0;
    cap->arena.used = 0;
    record_losses(cap);
    if (dirty) {
        names_write_ended(cap);
        record_ends(cap);
    }
    hand_over(cap);
}
