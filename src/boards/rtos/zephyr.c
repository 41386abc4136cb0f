/* SPDX-License-Identifier: MIT */
/*
 * Zephyr, 2 to 4 (include/zephyr/kernel/thread.h, kernel_structs.h; its documentation of threads
 * and their states). Threads are in a list if the firmware has CONFIG_THREAD_MONITOR:
 *
 *     _kernel.threads -> k_thread -> next_thread -> ...
 *     k_thread.base.pended_on -> the wait queue in a k_mutex, k_sem, k_msgq ...
 *
 * The variable that contains a wait queue tells its object's type. Smaller numbers are higher
 * priorities; threads with priorities below 0 cannot be preempted.
 *
 * Registers of a thread that does not run are in callee_saved: ARM's r4-r11 and PSP, which points
 * to its exception frame; RISC-V's ra, sp, s0-s11, as the switch is a call.
 */
#include "boards/rtos/context.h"

enum field {
    CPUS,
    CPU_COUNT,
    CPU_SIZE,
    CURRENT,
    THREADS,
    TICKS,
    TIMEOUTS,
    NEXT,
    PENDED_ON,
    STATE,
    PRIORITY,
    TIMEOUT,
    TIMEOUT_NEXT,
    TIMEOUT_TICKS,
    NAME,
    STACK_START,
    STACK_SIZE,
    STACK_DELTA,
    JOIN_QUEUE,
    EXC_RETURN,
    PSP,
    V1,
    V2,
    V3,
    V4,
    V5,
    V6,
    V7,
    V8,
    SP,
    RA,
    S0,
    S1,
    S2,
    S3,
    S4,
    S5,
    S6,
    S7,
    S8,
    S9,
    S10,
    S11,
    MUTEX,
    MUTEX_WAITERS,
    MUTEX_OWNER,
    MUTEX_OWN_PRIORITY,
    SEM,
    SEM_WAITERS,
    MSGQ,
    MSGQ_WAITERS,
    MSGQ_USED,
    QUEUE,
    QUEUE_WAITERS,
    STACK,
    STACK_WAITERS,
    CONDVAR,
    CONDVAR_WAITERS,
    EVENT,
    EVENT_WAITERS,
    MAILBOX,
    MAILBOX_RECEIVERS,
    MAILBOX_SENDERS,
    FIELD_COUNT
};

#define THREAD "k_thread"
#define SAVED  "k_thread.callee_saved"

static const struct rtos_field fields[FIELD_COUNT] = {
    [CPUS] = {RTOS_SYMBOL, "_kernel", false},
    [CPU_COUNT] = {RTOS_COUNT, "z_kernel.cpus", true},
    [CPU_SIZE] = {RTOS_SIZE, "z_kernel.cpus", false},
    [CURRENT] = {RTOS_MEMBER, "z_kernel.cpus.current", false},
    [THREADS] = {RTOS_MEMBER, "z_kernel.threads", true}, /* CONFIG_THREAD_MONITOR */
    [TICKS] = {RTOS_SYMBOL, "curr_tick", true},
    [TIMEOUTS] = {RTOS_SYMBOL, "timeout_list", true},
    [NEXT] = {RTOS_MEMBER, THREAD ".next_thread", true},
    [PENDED_ON] = {RTOS_MEMBER, THREAD ".base.pended_on", false},
    [STATE] = {RTOS_MEMBER, THREAD ".base.thread_state", false},
    [PRIORITY] = {RTOS_MEMBER, THREAD ".base.prio", false},
    [TIMEOUT] = {RTOS_MEMBER, THREAD ".base.timeout", true}, /* CONFIG_SYS_CLOCK_EXISTS */
    [TIMEOUT_NEXT] = {RTOS_MEMBER, "_timeout.node.next", true},
    [TIMEOUT_TICKS] = {RTOS_MEMBER, "_timeout.dticks", true},
    [NAME] = {RTOS_MEMBER, THREAD ".name", true},                    /* CONFIG_THREAD_NAME */
    [STACK_START] = {RTOS_MEMBER, THREAD ".stack_info.start", true}, /* CONFIG_THREAD_STACK_INFO */
    [STACK_SIZE] = {RTOS_MEMBER, THREAD ".stack_info.size", true},
    [STACK_DELTA] = {RTOS_MEMBER, THREAD ".stack_info.delta", true},
    [JOIN_QUEUE] = {RTOS_MEMBER, THREAD ".join_queue", true},
    [EXC_RETURN] = {RTOS_MEMBER, THREAD ".arch.mode_exc_return", true},
    [PSP] = {RTOS_MEMBER, SAVED ".psp", true},
    [V1] = {RTOS_MEMBER, SAVED ".v1", true},
    [V2] = {RTOS_MEMBER, SAVED ".v2", true},
    [V3] = {RTOS_MEMBER, SAVED ".v3", true},
    [V4] = {RTOS_MEMBER, SAVED ".v4", true},
    [V5] = {RTOS_MEMBER, SAVED ".v5", true},
    [V6] = {RTOS_MEMBER, SAVED ".v6", true},
    [V7] = {RTOS_MEMBER, SAVED ".v7", true},
    [V8] = {RTOS_MEMBER, SAVED ".v8", true},
    [SP] = {RTOS_MEMBER, SAVED ".sp", true},
    [RA] = {RTOS_MEMBER, SAVED ".ra", true},
    [S0] = {RTOS_MEMBER, SAVED ".s0", true},
    [S1] = {RTOS_MEMBER, SAVED ".s1", true},
    [S2] = {RTOS_MEMBER, SAVED ".s2", true},
    [S3] = {RTOS_MEMBER, SAVED ".s3", true},
    [S4] = {RTOS_MEMBER, SAVED ".s4", true},
    [S5] = {RTOS_MEMBER, SAVED ".s5", true},
    [S6] = {RTOS_MEMBER, SAVED ".s6", true},
    [S7] = {RTOS_MEMBER, SAVED ".s7", true},
    [S8] = {RTOS_MEMBER, SAVED ".s8", true},
    [S9] = {RTOS_MEMBER, SAVED ".s9", true},
    [S10] = {RTOS_MEMBER, SAVED ".s10", true},
    [S11] = {RTOS_MEMBER, SAVED ".s11", true},
    [MUTEX] = {RTOS_OBJECT, "k_mutex", true},
    [MUTEX_WAITERS] = {RTOS_MEMBER, "k_mutex.wait_q", true},
    [MUTEX_OWNER] = {RTOS_MEMBER, "k_mutex.owner", true},
    [MUTEX_OWN_PRIORITY] = {RTOS_MEMBER, "k_mutex.owner_orig_prio", true},
    [SEM] = {RTOS_OBJECT, "k_sem", true},
    [SEM_WAITERS] = {RTOS_MEMBER, "k_sem.wait_q", true},
    [MSGQ] = {RTOS_OBJECT, "k_msgq", true},
    [MSGQ_WAITERS] = {RTOS_MEMBER, "k_msgq.wait_q", true},
    [MSGQ_USED] = {RTOS_MEMBER, "k_msgq.used_msgs", true},
    [QUEUE] = {RTOS_OBJECT, "k_queue", true}, /* k_fifo and k_lifo are made of it */
    [QUEUE_WAITERS] = {RTOS_MEMBER, "k_queue.wait_q", true},
    [STACK] = {RTOS_OBJECT, "k_stack", true},
    [STACK_WAITERS] = {RTOS_MEMBER, "k_stack.wait_q", true},
    [CONDVAR] = {RTOS_OBJECT, "k_condvar", true},
    [CONDVAR_WAITERS] = {RTOS_MEMBER, "k_condvar.wait_q", true},
    [EVENT] = {RTOS_OBJECT, "k_event", true},
    [EVENT_WAITERS] = {RTOS_MEMBER, "k_event.wait_q", true},
    [MAILBOX] = {RTOS_OBJECT, "k_mbox", true},
    [MAILBOX_RECEIVERS] = {RTOS_MEMBER, "k_mbox.rx_msg_queue", true},
    [MAILBOX_SENDERS] = {RTOS_MEMBER, "k_mbox.tx_msg_queue", true},
};

/*
 * Bits of thread_state, macros in kernel_structs.h (_THREAD_PENDING ...). STATE_NOT_BEGUN became
 * the bit of sleeping threads in 4.0.
 */
#define STATE_PENDING   0x02u
#define STATE_NOT_BEGUN 0x04u
#define STATE_DEAD      0x08u
#define STATE_SUSPENDED 0x10u
#define STATE_ABORTING  0x20u

#define STACK_PAINT  0xaa /* CONFIG_INIT_STACKS (kernel/thread.c) */
#define CPUS_MAX     8
#define TIMEOUTS_MAX 256

/* The wait queues of types of objects. */
struct wait_queue {
    enum field type, waiters;
    enum snap_task_wait kind;
};

static const struct wait_queue wait_queues[] = {
    {MUTEX, MUTEX_WAITERS, SNAP_TASK_WAIT_MUTEX},
    {SEM, SEM_WAITERS, SNAP_TASK_WAIT_SEMAPHORE},
    {MSGQ, MSGQ_WAITERS, SNAP_TASK_WAIT_RECEIVE},
    {QUEUE, QUEUE_WAITERS, SNAP_TASK_WAIT_RECEIVE},
    {STACK, STACK_WAITERS, SNAP_TASK_WAIT_RECEIVE},
    {MAILBOX, MAILBOX_RECEIVERS, SNAP_TASK_WAIT_RECEIVE},
    {MAILBOX, MAILBOX_SENDERS, SNAP_TASK_WAIT_SEND},
    {EVENT, EVENT_WAITERS, SNAP_TASK_WAIT_EVENT},
    {CONDVAR, CONDVAR_WAITERS, SNAP_TASK_WAIT_OTHER},
};

static void read_arm(struct walk *w, struct rtos_task *task, uint64_t psp)
{
    const uint64_t exc = walk_member_or(w, task->handle_addr, EXC_RETURN, 0x10);
    uint64_t value;

    if (!context_frame(w, psp, task->told.stack_end_addr, !(exc & 0x10), &task->regs)) {
        task->regs = (struct regs){0};
        return;
    }
    for (unsigned i = 0; i < 8; i++)
        if (walk_member(w, task->handle_addr, V1 + i, &value))
            regs_set(&task->regs, 4 + i, value);
}

/* By the ABI s0 and s1 are x8 and x9, the others x18 on. */
static void read_riscv(struct walk *w, struct rtos_task *task, uint64_t sp)
{
    uint64_t value;

    if (!walk_member(w, task->handle_addr, RA, &value) || !walk_is_code(w, value))
        return;
    regs_set(&task->regs, w->layout->arch->pc, value);
    regs_set(&task->regs, w->layout->arch->sp, sp);
    for (unsigned i = 0; i < 12; i++)
        if (walk_member(w, task->handle_addr, S0 + i, &value))
            regs_set(&task->regs, i < 2 ? 8 + i : 16 + i, value);
}

static void read_registers(struct walk *w, struct rtos_task *task)
{
    uint64_t sp;

    if (walk_member(w, task->handle_addr, PSP, &sp)) /* ARM only */
        read_arm(w, task, sp);
    else if (walk_member(w, task->handle_addr, SP, &sp))
        read_riscv(w, task, sp);
}

static void read_stack(struct walk *w, struct rtos_task *task)
{
    const uint64_t thread = task->handle_addr;
    const uint64_t start = walk_member_or(w, thread, STACK_START, 0);
    const uint64_t size = walk_member_or(w, thread, STACK_SIZE, 0);
    const uint64_t delta = walk_member_or(w, thread, STACK_DELTA, 0);

    if (!start || size > UINT32_MAX || delta > size || start + size < start)
        return;
    task->told.stack_start_addr = start;
    task->told.stack_end_addr = start + size - delta;
    task->told.stack_used_addr = walk_painted(w, start, task->told.stack_end_addr);
}

/* Finds the thread's timeout in the clock's list, whose items have the ticks since the last. */
static void take_timeout(struct walk *w, struct rtos_task *task)
{
    const uint64_t own = walk_at(w, task->handle_addr, TIMEOUT);
    uint64_t at, ticks = w->out->tick;

    task->told.flags |= SNAP_TASK_TIMED;
    if (!walk_has(w, TIMEOUTS) || !walk_has(w, TICKS) ||
        !walk_word(w, walk_at(w, 0, TIMEOUTS), &at))
        return;
    /* Items of the circular list are _timeouts; its head begins with a pointer to the first. */
    for (unsigned i = 0; i < TIMEOUTS_MAX && at && at != walk_at(w, 0, TIMEOUTS); i++) {
        if (walk_is_late(w))
            return;
        ticks += walk_member_or(w, at, TIMEOUT_TICKS, 0);
        if (at == own) {
            task->told.wake_tick = ticks;
            return;
        }
        if (!walk_member(w, at, TIMEOUT_NEXT, &at))
            return;
    }
}

static void name_object(struct rtos_task *task, const char *name)
{
    size_t len = 0;

    for (; name[len] && len + 1 < RTOS_NAME_MAX; len++)
        task->object[len] = name[len];
    task->object[len] = '\0';
}

static void take_object(struct walk *w, struct rtos_task *task, const struct wait_queue *queue,
                        uint64_t addr)
{
    task->told.wait_kind = (uint8_t)queue->kind;
    task->told.object_addr = addr;
    if (queue->type == MUTEX)
        task->holder_addr = walk_member_or(w, addr, MUTEX_OWNER, 0);
    /* full: the thread waits to send */
    if (queue->type == MSGQ && walk_member_or(w, addr, MSGQ_USED, 0) > 0)
        task->told.wait_kind = SNAP_TASK_WAIT_SEND;
}

static bool is_thread(struct walk *w, uint64_t addr)
{
    return rtos_tasks_find(w->out, addr) != NULL;
}

static void take_pended(struct walk *w, struct rtos_task *task)
{
    const uint64_t pended = walk_member_or(w, task->handle_addr, PENDED_ON, 0);

    task->told.wait_kind = SNAP_TASK_WAIT_OTHER;
    task->told.object_addr = pended;
    for (size_t i = 0; pended && i < sizeof(wait_queues) / sizeof(wait_queues[0]); i++) {
        const struct wait_queue *queue = &wait_queues[i];
        const struct rtos_object *object;

        if (!walk_has(w, queue->type) || !walk_has(w, queue->waiters))
            continue;
        object = walk_object(w, pended - w->layout->fields[queue->waiters].value, queue->type);
        if (object) {
            take_object(w, task, queue, pended - w->layout->fields[queue->waiters].value);
            name_object(task, object->name);
            return;
        }
    }
    if (walk_has(w, JOIN_QUEUE) && is_thread(w, pended - w->layout->fields[JOIN_QUEUE].value)) {
        task->told.object_addr = pended - w->layout->fields[JOIN_QUEUE].value;
        name_object(task, "end of a thread");
    }
}

static bool has_timeout(struct walk *w, uint64_t thread)
{
    return walk_has(w, TIMEOUT) && walk_has(w, TIMEOUT_NEXT) &&
           walk_member_or(w, walk_at(w, thread, TIMEOUT), TIMEOUT_NEXT, 0) != 0;
}

/* Before 4.0 a sleeping thread is suspended, too. */
static void take_state(struct walk *w, struct rtos_task *task)
{
    const uint64_t state = walk_member_or(w, task->handle_addr, STATE, 0);
    const bool is_timed = has_timeout(w, task->handle_addr);

    if (is_timed)
        take_timeout(w, task);
    if (task->has_cpu)
        task->told.state = SNAP_TASK_RUNNING;
    else if (state & (STATE_DEAD | STATE_ABORTING))
        task->told.state = SNAP_TASK_ENDED;
    else if (state & STATE_PENDING) {
        task->told.state = SNAP_TASK_BLOCKED;
        take_pended(w, task);
    } else if (is_timed) {
        task->told.state = SNAP_TASK_BLOCKED;
        task->told.wait_kind = SNAP_TASK_WAIT_DELAY;
    } else if (state & (STATE_SUSPENDED | STATE_NOT_BEGUN))
        task->told.state = SNAP_TASK_SUSPENDED;
    else
        task->told.state = SNAP_TASK_READY;
}

/* Adds a thread. False: no valid address, or too many. */
static bool add_thread(struct walk *w, uint64_t thread)
{
    struct rtos_task *task = walk_task(w, thread);

    if (!task)
        return false;
    task->told.priority = (int32_t)walk_signed_or(w, thread, PRIORITY, 0);
    task->told.base_priority = task->told.priority;
    task->told.flags |= SNAP_TASK_LOW_FIRST;
    if (walk_has(w, NAME))
        walk_text(w, walk_at(w, thread, NAME), w->layout->fields[NAME].size, task->name);
    read_stack(w, task);
    return true;
}

static void take_current(struct walk *w, unsigned cpu)
{
    const uint64_t at = walk_at(w, 0, CPUS) + cpu * w->layout->fields[CPU_SIZE].value;
    const uint64_t thread = walk_member_or(w, at, CURRENT, 0);

    if (thread && add_thread(w, thread)) {
        struct rtos_task *task = walk_task(w, thread);

        task->has_cpu = true;
        task->cpu = cpu;
    }
}

static void take_threads(struct walk *w)
{
    uint64_t thread;
    bool is_there;

    if (!walk_has(w, THREADS) || !walk_has(w, NEXT)) {
        walk_problem(w, "the firmware is without CONFIG_THREAD_MONITOR: it has no list of threads");
        return;
    }
    is_there = walk_member(w, walk_at(w, 0, CPUS), THREADS, &thread);
    for (unsigned i = 0; is_there && thread; i++) {
        if (i == WALK_ITEMS_MAX) {
            walk_problem(w, "a list of its kernel goes in a circle");
            return;
        }
        if (walk_is_late(w))
            return;
        if (!rtos_tasks_find(w->out, thread) && !add_thread(w, thread))
            return;
        is_there = walk_member(w, thread, NEXT, &thread);
    }
    if (!is_there)
        walk_problem(w, "a list of its kernel leads to memory that cannot be read");
}

/* Restores own priorities, which a mutex keeps, of threads that its waiters have raised. */
static void take_own_priorities(struct walk *w)
{
    for (size_t i = 0; i < w->out->count; i++) {
        const struct rtos_task *waiter = &w->out->tasks[i];
        struct rtos_task *holder;
        int64_t own;

        if (!waiter->holder_addr || !rtos_tasks_find(w->out, waiter->holder_addr))
            continue;
        holder = walk_task(w, waiter->holder_addr);
        own = walk_signed_or(w, waiter->told.object_addr, MUTEX_OWN_PRIORITY,
                             holder->told.base_priority);
        if (own > holder->told.base_priority)
            holder->told.base_priority = (int32_t)own;
    }
}

static enum status walk_zephyr(const struct rtos_layout *layout, const struct rtos_memory *memory,
                               struct rtos_tasks *out)
{
    const uint64_t count = layout->fields[CPU_COUNT].is_there ? layout->fields[CPU_COUNT].value : 1;
    struct walk w;
    uint64_t current;

    walk_init(&w, layout, memory, out);
    if (!walk_member(&w, walk_at(&w, 0, CPUS), CURRENT, &current))
        return STATUS_FAULT;
    if (!current)
        return STATUS_NOT_FOUND;
    out->tick = walk_member_or(&w, 0, TICKS, 0);
    for (unsigned cpu = 0; cpu < count && cpu < CPUS_MAX; cpu++)
        take_current(&w, cpu);
    take_threads(&w);
    for (size_t i = 0; i < out->count; i++) {
        if (i && walk_is_late(&w)) {
            out->count = i; /* of the others nothing but their existence is known */
            break;
        }
        take_state(&w, &out->tasks[i]);
        if (!out->tasks[i].has_cpu)
            read_registers(&w, &out->tasks[i]);
    }
    take_own_priorities(&w);
    return STATUS_OK;
}

const struct rtos_system rtos_zephyr = {.name = "Zephyr",
                                        .fields = fields,
                                        .field_count = FIELD_COUNT,
                                        .paint = STACK_PAINT,
                                        .walk = walk_zephyr};
