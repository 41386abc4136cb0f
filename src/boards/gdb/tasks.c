/* SPDX-License-Identifier: MIT */
#include "boards/gdb/tasks.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "boards/gdb/board.h"
#include "boards/gdb/link.h"
#include "boards/gdb/memory.h"
#include "boards/gdb/paint.h"
#include "boards/gdb/registers.h"
#include "boards/gdb/served.h"
#include "capture/target/backend.h"

#define FIRST_CPU 1 /* the number of a board's process, and of its first thread */
/* Longest halt for a walk through an RTOS's lists, except for reading one task. */
#define WALK_NS (UINT64_C(1000000000) / 4)
#define MSP     17u
#define PSP     18u

static struct target_thread *add_thread(struct gdb_state *st, pid_t tid, bool made)
{
    struct target_process *process = st->host->add_process(st->host->context, st->pid, tid);

    return process ? st->host->add_thread(st->host->context, process, tid, made) : NULL;
}

static bool is_wanted(const struct gdb_state *st, pid_t tid)
{
    for (size_t i = 0; i < st->options->tid_count; i++)
        if (st->options->tids[i] == tid)
            return true;
    return st->options->tid_count == 0;
}

/* Is the thread of our program? A stub with several programs lists all their threads. */
static bool is_ours(const struct gdb_state *st, const struct gdb_thread_id *id)
{
    return !st->is_linux || id->pid <= 0 || id->pid == st->pid;
}

/* Adds a program's thread. False: no memory. */
static bool add_stub_thread(struct gdb_state *st, const struct gdb_thread_id *id, bool made)
{
    const pid_t tid =
        id->tid > 0 && id->tid <= INT32_MAX ? (pid_t)id->tid : FIRST_CPU + (pid_t)st->thread_count;
    struct target_thread *thread;
    struct gdb_thread *own;

    if (!is_wanted(st, tid) || st->thread_count == GDB_THREADS_MAX)
        return true;
    thread = add_thread(st, tid, made);
    if (!thread)
        return false;
    own = gdb_thread_of(thread);
    own->id = *id;
    own->is_cpu = true;
    st->threads[st->thread_count++] = thread;
    return true;
}

/* For a program: adds threads that began since the last halt, and marks those that ended. */
static void look_at_threads(struct gdb_state *st)
{
    struct gdb_thread_id ids[GDB_THREADS_MAX];
    const size_t count = gdb_link_threads(&st->client, ids, GDB_THREADS_MAX);
    const size_t before = st->thread_count;
    bool is_there[GDB_THREADS_MAX] = {false};

    if (!count)
        return;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;

        if (!is_ours(st, &ids[i]))
            continue;
        while (at < before && gdb_thread_of(st->threads[at])->id.tid != ids[i].tid)
            at++;
        if (at < before)
            is_there[at] = true;
        else
            (void)add_stub_thread(st, &ids[i], true);
    }
    for (size_t i = 0; i < before; i++)
        gdb_thread_of(st->threads[i])->is_cpu = is_there[i];
}

static bool read_for_walk(void *context, uint64_t addr, void *buffer, size_t size)
{
    return gdb_memory_read_cached(context, addr, buffer, size);
}

static struct target_thread *task_thread(const struct gdb_state *st, uint64_t handle_addr)
{
    for (size_t i = 0; i < GDB_TASKS_MAX; i++)
        if (st->task_threads[i] && gdb_thread_of(st->task_threads[i])->handle_addr == handle_addr)
            return st->task_threads[i];
    return NULL;
}

static struct target_thread *add_task(struct gdb_state *st, uint64_t handle_addr, const char *name,
                                      bool made)
{
    size_t at = 0;
    struct target_thread *thread;

    while (at < GDB_TASKS_MAX && st->task_threads[at])
        at++;
    if (at == GDB_TASKS_MAX || !is_wanted(st, GDB_TASK_FIRST + (pid_t)at))
        return NULL;
    st->adding = name;
    thread = add_thread(st, GDB_TASK_FIRST + (pid_t)at, made);
    st->adding = NULL;
    if (thread) {
        gdb_thread_of(thread)->handle_addr = handle_addr;
        st->task_threads[at] = thread;
    }
    return thread;
}

static struct target_thread *add_served(struct gdb_state *st, const struct gdb_thread_id *id,
                                        bool made)
{
    char extra[GDB_EXTRA_MAX], name[PROC_NAME_SIZE];
    struct target_thread *thread;

    gdb_served_extra(st, id, extra);
    gdb_served_name(extra, name);
    if (!name[0])
        snprintf(name, sizeof(name), "task %" PRIx64, (uint64_t)id->tid);
    thread = add_task(st, (uint64_t)id->tid, name, made);
    if (thread)
        strcpy(gdb_thread_of(thread)->served_name, name);
    return thread;
}

/* Finds the server's present tasks. */
static void look_at_served(struct gdb_state *st, const struct gdb_thread_id *ids, size_t count,
                           bool made)
{
    const struct gdb_thread_id running = gdb_served_running(st);

    for (size_t i = 0; i < GDB_TASKS_MAX; i++)
        if (st->task_threads[i])
            gdb_thread_of(st->task_threads[i])->is_served = false;
    for (size_t i = 0; i < count; i++) {
        struct target_thread *thread = task_thread(st, (uint64_t)ids[i].tid);
        struct gdb_thread *own;

        if (!thread)
            thread = add_served(st, &ids[i], made);
        if (!thread)
            continue;
        own = gdb_thread_of(thread);
        own->id = ids[i];
        own->is_served = true;
        own->is_cpu = ids[i].tid == running.tid;
        own->state = own->is_cpu ? 'R' : 'S';
    }
    st->saw_all_tasks = count > 0 && count < GDB_THREADS_MAX;
}

static char state_of(const struct rtos_task *task)
{
    if (task->has_cpu)
        return 'R';
    return task->told.state == SNAP_TASK_READY ? SNAP_STATE_READY : 'S';
}

static bool is_late(void *context)
{
    return clock_now_ns() >= ((const struct gdb_state *)context)->walk_until_ns;
}

/* Counts the missed tasks of a walk that was cut short, to be reported at the end. */
static void count_unreached(struct gdb_state *st)
{
    uint64_t count = 0;

    for (size_t i = 0; i < GDB_TASKS_MAX; i++)
        count += st->task_threads[i] && !gdb_thread_of(st->task_threads[i])->task;
    if (count > st->unreached)
        st->unreached = count;
    st->walks_cut++;
    st->cut_problem =
        st->tasks->problem ? st->tasks->problem : "its kernel's variables cannot be read";
}

/* Finds the present tasks; others' threads have no `task` then. */
static void look_at_tasks(struct gdb_state *st, bool made)
{
    const struct rtos_memory memory = {.read = read_for_walk, .is_late = is_late, .context = st};
    const struct rtos_layout *layout = st->options->rtos;
    enum status status;

    st->walk_until_ns = clock_now_ns() + WALK_NS;
    for (size_t i = 0; i < GDB_TASKS_MAX; i++)
        if (st->task_threads[i])
            gdb_thread_of(st->task_threads[i])->task = NULL;
    /* Lists that are being changed are incomplete: a missing task has not ended. */
    status = rtos_walk(layout, &memory, st->tasks);
    st->saw_all_tasks = status == STATUS_OK && !st->tasks->is_cut;
    if (!st->saw_all_tasks && st->tasks->count > RTOS_TASKS_MAX)
        st->tasks->count = 0;
    for (size_t i = 0; i < st->tasks->count && i < RTOS_TASKS_MAX; i++) {
        const struct rtos_task *task = &st->tasks->tasks[i];
        struct target_thread *thread = task_thread(st, task->handle_addr);

        if (!thread)
            thread = add_task(st, task->handle_addr, task->name, made);
        if (!thread)
            continue;
        gdb_thread_of(thread)->task = task;
        gdb_thread_of(thread)->is_cpu = task->has_cpu;
        gdb_thread_of(thread)->state = state_of(task);
    }
    if (st->tasks->is_cut || status == STATUS_FAULT)
        count_unreached(st);
    gdb_paint_look(st);
}

static bool runs_a_task(const struct gdb_state *st, size_t cpu)
{
    for (size_t i = 0; st->tasks && i < st->tasks->count; i++)
        if (st->tasks->tasks[i].has_cpu && st->tasks->tasks[i].cpu == cpu)
            return true;
    return false;
}

static struct target_thread *add_cpu(struct gdb_state *st, size_t cpu, bool made)
{
    const pid_t tid = FIRST_CPU + (pid_t)cpu;
    struct target_thread *thread = is_wanted(st, tid) ? add_thread(st, tid, made) : NULL;

    if (thread) {
        gdb_thread_of(thread)->id = st->cpu_ids[cpu];
        gdb_thread_of(thread)->is_cpu = true;
    }
    return thread;
}

/* A CPU that runs a task is no thread; it is one again when it runs none. */
static void look_at_cpus(struct gdb_state *st, bool made)
{
    for (size_t i = 0; i < st->thread_count; i++) {
        const bool is_task = runs_a_task(st, i);

        if (st->threads[i])
            gdb_thread_of(st->threads[i])->is_cpu = !is_task;
        else if (!is_task)
            st->threads[i] = add_cpu(st, i, made);
    }
}

static bool has_threads(const struct gdb_state *st)
{
    for (size_t i = 0; i < st->thread_count; i++)
        if (st->threads[i])
            return true;
    for (size_t i = 0; i < GDB_TASKS_MAX; i++)
        if (st->task_threads[i])
            return true;
    return false;
}

/* Adds the CPUs and tasks; of a server's tasks only the running one, if our own walk finds them. */
static void begin_board(struct gdb_state *st, const struct gdb_thread_id *ids, size_t count,
                        bool are_tasks)
{
    st->thread_count = are_tasks || !count ? 1 : count;
    for (size_t i = 0; i < st->thread_count; i++)
        st->cpu_ids[i] = are_tasks || !count ? (struct gdb_thread_id){.tid = 0} : ids[i];
    if (st->tasks)
        look_at_tasks(st, false);
    look_at_cpus(st, false);
}

/*
 * Returns a program's first thread: the one that is named as the process; else the one that is
 * listed first, as qemu-user calls each process 1.
 */
static int64_t first_thread(const struct gdb_state *st, const struct gdb_thread_id *ids,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ids[i].tid == st->pid)
            return ids[i].tid;
    return ids[0].tid;
}

static void begin_program(struct gdb_state *st, struct gdb_thread_id *ids, size_t count)
{
    if (count)
        st->pid = (pid_t)(ids[0].pid > 0 ? ids[0].pid : ids[0].tid);
    else
        ids[count++] = (struct gdb_thread_id){.tid = 0};
    st->first_tid = first_thread(st, ids, count);
    for (size_t i = 0; i < count; i++)
        if (is_ours(st, &ids[i]) && !add_stub_thread(st, &ids[i], false))
            return;
}

enum status gdb_tasks_begin(struct gdb_state *st, struct diag *diag)
{
    struct gdb_thread_id ids[GDB_THREADS_MAX];
    const size_t count = gdb_link_threads(&st->client, ids, GDB_THREADS_MAX);
    const bool are_tasks = gdb_served_are_tasks(st, ids, count);

    st->pid = FIRST_CPU;
    st->serves_tasks = are_tasks && !st->tasks;
    if (st->serves_tasks)
        look_at_served(st, ids, count, false);
    else if (st->is_linux)
        begin_program(st, ids, count);
    else
        begin_board(st, ids, count, are_tasks);
    if (has_threads(st))
        return STATUS_OK;
    diag_set(diag, st->client.name, "has none of the threads that were asked for");
    return STATUS_NOT_FOUND;
}

void gdb_tasks_look(struct gdb_state *st)
{
    struct gdb_thread_id ids[GDB_THREADS_MAX];

    if (st->is_linux) {
        look_at_threads(st);
    } else if (st->serves_tasks) {
        look_at_served(st, ids, gdb_link_threads(&st->client, ids, GDB_THREADS_MAX), true);
    } else if (st->tasks) {
        look_at_tasks(st, true);
        look_at_cpus(st, true);
    }
}

static bool has_ended(const struct gdb_state *st, const struct target_thread *thread)
{
    const struct gdb_thread *own = gdb_thread_of(thread);

    if (st->is_ending)
        return true;
    return own->handle_addr ? !own->task && !own->is_served && st->saw_all_tasks : !own->is_cpu;
}

struct target_thread *gdb_tasks_next_end(struct gdb_state *st)
{
    struct target_thread *thread;

    for (size_t i = 0; i < GDB_TASKS_MAX; i++)
        if ((thread = st->task_threads[i]) && has_ended(st, thread)) {
            st->task_threads[i] = NULL;
            return thread;
        }
    for (size_t i = 0; i < st->thread_count; i++)
        if ((thread = st->threads[i]) && has_ended(st, thread)) {
            st->threads[i] = NULL;
            if (st->is_linux) /* the others move up; a CPU keeps its place */
                st->threads[i] = st->threads[--st->thread_count];
            return thread;
        }
    return NULL;
}

/* Selects the thread whose registers are asked for next. NOT_FOUND: unknown to the stub; IO. */
static enum status select_thread(struct gdb_state *st, const struct gdb_thread_id *id)
{
    struct gdb_client *client = &st->client;

    if (id->tid <= 0 || (st->thread_count == 1 && !st->is_linux && !st->serves_tasks))
        return STATUS_OK;
    if (st->selected.tid == id->tid && st->selected.pid == id->pid)
        return STATUS_OK;
    if (id->pid > 0 ? gdb_client_ask(client, "Hgp%" PRIx64 ".%" PRIx64, (uint64_t)id->pid,
                                     (uint64_t)id->tid) != STATUS_OK
                    : gdb_client_ask(client, "Hg%" PRIx64, (uint64_t)id->tid) != STATUS_OK)
        return STATUS_IO;
    if (!gdb_client_is_ok(client))
        return STATUS_NOT_FOUND;
    st->selected = *id;
    return STATUS_OK;
}

/* Returns the CPU's id, or that of the task's CPU. */
static struct gdb_thread_id cpu_of(const struct gdb_state *st, const struct gdb_thread *own)
{
    const size_t cpu = own->task ? own->task->cpu : 0;

    if (!own->handle_addr || own->is_served)
        return own->id;
    return cpu < st->thread_count ? st->cpu_ids[cpu] : (struct gdb_thread_id){.tid = 0};
}

/*
 * Is the CPU off the stack of the task that it is said to run: amid a switch, or another CPU? Only
 * ARM's M-profile tells that it is in no handler, which has a stack of its own.
 */
static bool is_elsewhere(const struct gdb_state *st, const struct gdb_thread *own)
{
    const struct snap_task *told = own->task ? &own->task->told : NULL;
    const uint64_t sp = own->regs.values[st->arch->sp];

    return own->handle_addr && told && told->stack_end_addr && gdb_is_m_profile(st) &&
           !gdb_board_in_handler(st, &own->regs) &&
           (sp < told->stack_start_addr || sp > told->stack_end_addr);
}

static enum status read_cpu(struct gdb_state *st, struct gdb_thread *own)
{
    const struct gdb_thread_id id = cpu_of(st, own);
    enum status status;

    /* the kernel names a CPU that the stub does not have */
    if (own->handle_addr && own->task && own->task->cpu >= st->thread_count)
        return STATUS_FAULT;
    status = select_thread(st, &id);
    if (status == STATUS_OK)
        status = gdb_registers_read(st, &own->regs);
    if (status != STATUS_OK)
        return status;
    gdb_board_check(st, &own->regs);
    gdb_board_complete(st, &own->regs);
    return is_elsewhere(st, own) ? STATUS_FAULT : STATUS_OK;
}

/* For a task that does not run: what the server takes from its stack, without the CPU's own. */
static enum status read_served(struct gdb_state *st, struct gdb_thread *own)
{
    enum status status = select_thread(st, &own->id);

    if (status == STATUS_OK)
        status = gdb_registers_read(st, &own->regs);
    else if (status == STATUS_NOT_FOUND)
        status = STATUS_FAULT;
    if (status == STATUS_OK && gdb_is_m_profile(st))
        own->regs.known &= ~(UINT64_C(1) << MSP | UINT64_C(1) << PSP);
    return status;
}

enum status gdb_tasks_registers(struct gdb_state *st, struct target_thread *thread)
{
    const uint64_t needed = UINT64_C(1) << st->arch->pc | UINT64_C(1) << st->arch->sp;
    struct gdb_thread *own = gdb_thread_of(thread);
    enum status status = STATUS_OK;

    if (own->is_cpu) {
        status = read_cpu(st, own);
    } else if (own->is_served) {
        status = read_served(st, own);
    } else if (own->task) {
        memcpy(own->regs.values, own->task->regs.value, sizeof(own->regs.values));
        own->regs.known = own->task->regs.known;
    } else { /* a task that was not found this time */
        status = own->handle_addr ? STATUS_FAULT : STATUS_NOT_FOUND;
    }
    if (status == STATUS_OK && (own->regs.known & needed) != needed)
        status = STATUS_FAULT;
    own->unknown = ~own->regs.known & ((UINT64_C(1) << st->arch->all_regs) - 1);
    return status;
}

void gdb_tasks_forget(struct gdb_state *st, const struct target_thread *thread)
{
    for (size_t i = 0; i < GDB_TASKS_MAX; i++)
        if (st->task_threads[i] == thread)
            st->task_threads[i] = NULL;
    for (size_t i = 0; i < st->thread_count; i++)
        if (st->threads[i] == thread)
            st->threads[i] = NULL;
}
