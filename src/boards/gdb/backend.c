/* SPDX-License-Identifier: MIT */
#include "boards/gdb/backend.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "boards/gdb/begin.h"
#include "boards/gdb/board.h"
#include "boards/gdb/memory.h"
#include "boards/gdb/modules.h"
#include "boards/gdb/paint.h"
#include "boards/gdb/stacks.h"
#include "boards/gdb/state.h"
#include "boards/gdb/tasks.h"

#define SECOND_NS UINT64_C(1000000000)
/* Connecting, and learning what the target is, may take as long as the capture, within: */
#define BEGIN_LEAST_NS GDB_ANSWER_NS
#define BEGIN_MOST_NS  (30 * SECOND_NS)
/* How long a stop is waited for. */
#define STOP_NS      SECOND_NS
#define LAST_STOP_NS (3 * SECOND_NS) /* for the last stop, at the end */
/* Time to let the target go, if the output has used it up. */
#define LEAVE_NS (SECOND_NS * 3 / 10)
#define HELD_NS  (SECOND_NS / 2) /* how long the first halt lasts, for the first sample */
/* How long reading code may wait for halts between two samples. */
#define CODE_WAIT_NS SECOND_NS
/* How often libraries are looked for again, at least, while unexplained code runs. */
#define REFRESH_CODE_NS SECOND_NS

static enum status check(const struct capture_options *options, struct diag *diag)
{
    for (size_t i = 0; i < options->firmware_count; i++)
        if (!gdb_modules_arch(options->firmware[i].path, diag))
            return STATUS_BAD_DATA;
    return STATUS_OK;
}

static uint64_t begin_time(const struct capture_options *options)
{
    const uint64_t ns = options->duration_ns;

    if (!ns || ns > BEGIN_MOST_NS)
        return BEGIN_MOST_NS;
    return ns > BEGIN_LEAST_NS ? ns : BEGIN_LEAST_NS;
}

static struct gdb_state *make_state(const struct capture_options *options,
                                    const struct backend_host *host)
{
    struct gdb_state *st = calloc(1, sizeof(*st));

    if (!st || (options->rtos && !(st->tasks = calloc(1, sizeof(*st->tasks))))) {
        free(st);
        return NULL;
    }
    st->options = options;
    st->host = host;
    st->signal_fd = -1;
    st->halt = 1;
    return st;
}

static void free_state(struct gdb_state *st)
{
    gdb_bound_deinit(&st->bound);
    if (st->signal_fd >= 0)
        close(st->signal_fd);
    free(st->auxv);
    free(st->exe);
    free(st->tasks);
    free(st);
}

static enum status begin(struct gdb_state *st, struct target_machine *machine, struct diag *diag)
{
    enum status status = gdb_begin(st, machine, diag);

    if (st->client.has_failed)
        *diag = st->client.diag;
    if (!gdb_bound_may_ask(&st->bound)) /* it has not told all */
        status = STATUS_IO;
    if (status != STATUS_OK && gdb_bound_is_ending(&st->bound))
        diag_set(diag, st->options->gdb,
                 "the capture was ended before the stub had told what the target is");
    st->client.has_begun = status == STATUS_OK;
    return status;
}

static enum status start(const struct capture_options *options, const struct backend_host *host,
                         struct target_machine *machine, void **state, struct diag *diag)
{
    struct gdb_state *st = make_state(options, host);
    enum status status;
    uint64_t outer_ns;

    if (!st) {
        diag_set(diag, NULL, "out of memory");
        return STATUS_NO_MEMORY;
    }
    status = gdb_bound_init(&st->bound, diag);
    outer_ns = gdb_bound_begin(&st->bound, begin_time(options));
    if (status == STATUS_OK)
        status = gdb_client_open(&st->client, options->gdb, &st->bound, diag);
    if (status != STATUS_OK) {
        free_state(st);
        return status;
    }
    *state = st;
    status = begin(st, machine, diag);
    gdb_bound_end(&st->bound, outer_ns);
    /* The first sample is due at once, and costs no further halt. */
    st->held_until_ns = clock_now_ns() + HELD_NS;
    st->is_looked = true;
    return status;
}

static void set_end(void *state, uint64_t end_ns)
{
    gdb_bound_limit(&((struct gdb_state *)state)->bound, end_ns);
}

static void print_detach(const struct gdb_state *st, char *text, size_t size)
{
    if (st->offers.multiprocess && st->pid > 0)
        snprintf(text, size, "D;%x", (unsigned)st->pid);
    else
        snprintf(text, size, "D");
}

static void detach(struct gdb_state *st)
{
    char text[32];

    print_detach(st, text, sizeof(text));
    if (gdb_client_ask(&st->client, "%s", text) == STATUS_OK)
        gdb_control_leave(&st->control);
}

/* Lets the target run. A program is detached, which needs it to be stopped. */
static void let_go(struct gdb_state *st)
{
    struct gdb_control *control = &st->control;
    const uint64_t until_ns = clock_now_ns() + LAST_STOP_NS;

    gdb_bound_leave(&st->bound, LEAVE_NS);
    control->asks_once = true;
    if (st->is_linux && control->run == GDB_RUNNING)
        (void)!gdb_control_interrupt(control);
    if (control->run == GDB_STOPPING)
        (void)gdb_control_await(control, until_ns);
    if (st->is_linux)
        gdb_control_settle(control, until_ns);
    if (st->is_linux && control->run == GDB_STOPPED)
        detach(st);
    else
        gdb_control_continue(control);
}

/*
 * Sends a last request, in case the stub still reads: it comes after earlier requests. gdbserver
 * may end a program that it is not told to detach.
 */
static void send_last(struct gdb_state *st)
{
    char text[32] = "c";

    if (st->is_linux && st->control.is_halted)
        print_detach(st, text, sizeof(text));
    else if (st->control.has_vcont)
        strcpy(text, "vCont;c");
    if (st->control.is_halted || st->control.is_asked)
        gdb_client_send_last(&st->client, text);
}

static void destroy(void *state)
{
    struct gdb_state *st = state;

    if (!st->client.has_failed)
        let_go(st);
    send_last(st);
    gdb_control_deinit(&st->control);
    gdb_client_close(&st->client);
    gdb_features_deinit(&st->features);
    gdb_modules_deinit(&st->modules);
    free_state(st);
}

/* Takes a signal of those waited for; 0: none came. */
static int take_signal(const struct gdb_state *st)
{
    struct signalfd_siginfo info;

    return st->signal_fd >= 0 && read(st->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info)
               ? (int)info.ssi_signo
               : 0;
}

static bool has_event(const struct gdb_state *st)
{
    return st->control.run == GDB_ENDED
               ? !st->is_ending || !st->is_reported
               : st->control.run == GDB_STOPPED && !st->is_reported && !st->held_until_ns;
}

static void go_on(struct gdb_state *st)
{
    st->held_until_ns = 0;
    st->is_reported = st->is_looked = false;
    st->code_waited_ns = 0;
    gdb_control_continue(&st->control);
}

static int wait_for(void *state, const sigset_t *signals, uint64_t until_ns)
{
    struct gdb_state *st = state;
    const uint64_t due_ns = st->held_until_ns ? st->held_until_ns : gdb_control_due(&st->control);
    const uint64_t wake_ns = due_ns < until_ns ? due_ns : until_ns, now = clock_now_ns();
    const uint64_t left = wake_ns > now && !has_event(st) ? wake_ns - now : 0;
    const struct timespec timeout = {.tv_sec = (time_t)(left / SECOND_NS),
                                     .tv_nsec = (long)(left % SECOND_NS)};
    struct pollfd pollers[2] = {{.fd = st->client.io.fd, .events = POLLIN}, {.events = POLLIN}};
    int signal_number;

    st->signal_fd = signalfd(st->signal_fd, signals, SFD_NONBLOCK | SFD_CLOEXEC);
    pollers[1].fd = st->signal_fd;
    if (st->client.has_failed || st->control.run >= GDB_ENDED)
        pollers[0].fd = -1;
    (void)!ppoll(pollers, 2, &timeout, NULL);
    signal_number = take_signal(st);
    gdb_bound_took(&st->bound, signal_number);
    if (signal_number)
        return signal_number;
    gdb_control_poll(&st->control);
    return has_event(st) ? WAIT_EVENTS : WAIT_PASSED;
}

/* Finds out what must be known before threads are sampled. */
static void begin_halt(struct gdb_state *st)
{
    st->halt++;
    st->selected.tid = 0;
    if (st->is_linux &&
        (st->control.stop.is_library || clock_now_ns() - st->refreshed_ns >= st->refresh_ns))
        gdb_modules_refresh(st);
    gdb_tasks_look(st);
}

static bool next(void *state, struct backend_event *event)
{
    struct gdb_state *st = state;
    struct target_thread *ended;

    gdb_control_poll(&st->control);
    if (st->held_until_ns && st->control.run == GDB_STOPPED) {
        if (clock_now_ns() >= st->held_until_ns)
            go_on(st);
        return false;
    }
    if (st->control.run == GDB_STOPPED && !st->is_looked) {
        st->is_looked = true;
        begin_halt(st);
    }
    gdb_control_look(&st->control);
    st->is_ending = st->control.run == GDB_ENDED;
    if (st->control.run != GDB_STOPPED && !st->is_ending)
        return false;
    ended = st->is_reported && !st->is_ending ? NULL : gdb_tasks_next_end(st);
    if (ended) {
        *event = (struct backend_event){.kind = EVENT_ENDED, .thread = ended};
        return true;
    }
    if (st->is_reported)
        return false;
    st->is_reported = true;
    if (st->is_ending)
        return false;
    *event = (struct backend_event){.kind = EVENT_STOPPED, .seen_ns = clock_now_ns()};
    return true;
}

static enum status interrupt(void *state, struct target_thread *thread)
{
    struct gdb_state *st = state;

    (void)thread;
    st->held_until_ns = 0;
    return gdb_control_interrupt(&st->control) == STATUS_OK ? STATUS_OK : STATUS_NOT_FOUND;
}

static void resume(void *state, struct target_thread *thread)
{
    struct gdb_state *st = state;

    (void)thread;
    if (st->is_linux && gdb_bound_is_ending(&st->bound))
        let_go(st); /* as it is stopped now */
    else
        go_on(st);
}

/* Looks for modules again, as code runs that nothing explains. */
static void look_for_code(struct gdb_state *st)
{
    const uint64_t due_ns = st->refresh_ns < REFRESH_CODE_NS ? st->refresh_ns : REFRESH_CODE_NS;

    if (clock_now_ns() - st->refreshed_ns >= due_ns)
        gdb_modules_refresh(st);
}

static enum status registers(void *state, struct target_thread *thread, uint64_t *values,
                             uint64_t *thread_pointer)
{
    struct gdb_state *st = state;
    struct gdb_thread *own = gdb_thread_of(thread);
    enum status status =
        st->control.run == GDB_STOPPED ? gdb_tasks_registers(st, thread) : STATUS_NOT_FOUND;

    *thread_pointer = 0;
    if (status != STATUS_OK)
        return status == STATUS_NOT_FOUND ? status : STATUS_FAULT;
    if (st->is_linux && !gdb_modules_has(st, own->regs.values[st->arch->pc]))
        look_for_code(st);
    memcpy(values, own->regs.values, sizeof(own->regs.values));
    return STATUS_OK;
}

static enum status copy_stacks(void *state, struct target_thread *thread, struct stack_arena *arena,
                               struct stack_copy *out)
{
    return gdb_stacks_copy(state, thread, arena, out);
}

/* Waits until the target may be halted. False: too long, or the capture ends. */
static bool wait_for_budget(struct gdb_state *st)
{
    const uint64_t due_ns = halt_budget_next(&st->control.budget), now = clock_now_ns();

    if (due_ns > now && due_ns - now > CODE_WAIT_NS - st->code_waited_ns)
        return false;
    st->code_waited_ns += due_ns > now ? due_ns - now : 0;
    (void)gdb_control_await(&st->control, due_ns);
    return st->control.run == GDB_RUNNING && gdb_bound_may_ask(&st->bound);
}

/* Reads code of a running target: halts it, if it may be halted. */
static enum status read_running(struct gdb_state *st, const struct target_memory *piece,
                                void *buffer, size_t *done)
{
    if (st->control.run == GDB_ENDED)
        return STATUS_NOT_FOUND;
    if (st->control.run != GDB_RUNNING || !wait_for_budget(st) ||
        gdb_control_interrupt(&st->control) != STATUS_OK ||
        !gdb_control_await(&st->control, clock_now_ns() + STOP_NS))
        return STATUS_BUSY;
    *done = gdb_memory_read(st, piece->addr, buffer, piece->size);
    gdb_control_continue(&st->control);
    return *done == piece->size ? STATUS_OK : STATUS_FAULT;
}

static enum status memory(void *state, pid_t tid, const struct target_memory *pieces, size_t count,
                          void *buffer, size_t *done)
{
    struct gdb_state *st = state;
    uint8_t *to = buffer;

    (void)tid;
    *done = 0;
    if (st->control.run != GDB_STOPPED)
        return count == 1 ? read_running(st, pieces, buffer, done) : STATUS_IO;
    for (size_t i = 0; i < count; i++) {
        const size_t n = gdb_memory_read(st, pieces[i].addr, to, pieces[i].size);

        *done += n;
        if (n < pieces[i].size)
            return st->client.has_failed ? STATUS_NOT_FOUND : STATUS_FAULT;
        to += n;
    }
    return STATUS_OK;
}

static bool board(void *state, const struct target_process *process, struct snap_board *out)
{
    const struct gdb_state *st = state;

    *out = st->board;
    out->pid = (uint32_t)process->pid;
    return !st->is_linux;
}

static uint64_t unknown_registers(void *state, const struct target_thread *thread)
{
    (void)state;
    return gdb_thread_of(thread)->unknown;
}

static uint32_t system_registers(void *state, const struct target_thread *thread,
                                 struct snap_system *out)
{
    struct gdb_state *st = state;
    const struct gdb_thread *own = gdb_thread_of(thread);

    return own->is_cpu && !st->is_linux ? gdb_board_system(st, &own->regs, out) : 0;
}

static bool task(void *state, const struct target_thread *thread, struct snap_task *out)
{
    const struct gdb_state *st = state;
    const struct rtos_task *found = gdb_thread_of(thread)->task;

    if (!found)
        return false;
    *out = found->told;
    out->time_ns = clock_now_ns();
    out->handle_addr = found->handle_addr;
    out->stack_used_addr = gdb_paint_used(gdb_thread_of(thread));
    out->tick = st->tasks->tick;
    out->object = found->object;
    out->system = st->options->rtos->system->name;
    for (size_t i = 0; found->holder_addr && i < GDB_TASKS_MAX; i++)
        if (st->task_threads[i] &&
            gdb_thread_of(st->task_threads[i])->handle_addr == found->holder_addr)
            out->holder_tid = (uint32_t)st->task_threads[i]->tid;
    return true;
}

static void halts(void *state, struct target_halts *out)
{
    const struct gdb_state *st = state;
    const struct halt_budget *budget = &st->control.budget;

    *out = (struct target_halts){.next_ns = halt_budget_next(budget),
                                 .period_ns = halt_budget_period(budget),
                                 .count = budget->count,
                                 .total_ns = budget->total_ns,
                                 .worst_ns = budget->worst_ns,
                                 .cut = st->walks_cut,
                                 .unreached = st->unreached,
                                 .cut_problem = st->cut_problem,
                                 .without_psp = st->without_psp};
}

static bool failed(void *state, struct diag *diag)
{
    const struct gdb_state *st = state;

    if (!st->client.has_failed || st->client.is_cut)
        return false;
    *diag = st->client.diag;
    return true;
}

/* The state is that of the last halt, as an RTOS tells it. */
static bool activity(void *state, struct target_thread *thread, struct activity *out)
{
    (void)state;
    *out = (struct activity){.state = gdb_thread_of(thread)->state};
    if (!out->state || out->state == SNAP_STATE_READY)
        out->state = 'R';
    return true;
}

/* A CPU runs. No stub tells what a program's thread did before the stop: 0. */
static void settle_activity(void *state, struct target_thread *thread, const uint64_t *values,
                            struct activity *out)
{
    const struct gdb_state *st = state;
    const char told = gdb_thread_of(thread)->state;

    (void)values;
    out->state = told ? told : st->is_linux ? '\0' : 'R';
}

static bool is_in_call(void *state, const struct target_thread *thread, const struct activity *what,
                       const uint64_t *values)
{
    (void)state, (void)thread, (void)what, (void)values;
    return true;
}

static bool identify(void *state, const struct target_thread *thread, char name[PROC_NAME_SIZE],
                     uint64_t *start_ticks)
{
    const struct gdb_state *st = state;
    const struct gdb_thread *own = gdb_thread_of(thread);
    const char *known = own->task        ? own->task->name
                        : own->is_served ? own->served_name
                                         : st->adding;

    if (start_ticks)
        *start_ticks = 0;
    if (known)
        snprintf(name, PROC_NAME_SIZE, "%.*s", PROC_NAME_SIZE - 1, known);
    else if (own->handle_addr)
        return false;
    else if (st->is_linux)
        snprintf(name, PROC_NAME_SIZE, "thread %d", (int)thread->tid);
    else
        snprintf(name, PROC_NAME_SIZE, "cpu %d", (int)thread->tid - 1);
    return true;
}

static void describe(void *state, const struct target_process *process, struct process_facts *out)
{
    const struct gdb_state *st = state;
    const char *exe = st->exe ? st->exe : "";

    (void)process;
    if (!st->exe && st->modules.count)
        exe = st->modules.items[0].path;
    snprintf(out->exe, sizeof(out->exe), "%s", exe);
    out->auxv = st->auxv_size ? malloc(st->auxv_size) : NULL;
    if (out->auxv) {
        memcpy(out->auxv, st->auxv, st->auxv_size);
        out->auxv_size = st->auxv_size;
    }
}

static enum status read_maps(void *state, const struct target_process *process, pid_t tid,
                             struct maps *out)
{
    const struct gdb_state *st = state;
    enum status status = STATUS_OK;

    (void)process, (void)tid;
    for (size_t i = 0; i < st->modules.count && status == STATUS_OK; i++) {
        const struct gdb_module *module = &st->modules.items[i];
        const struct map_range range = {.start_addr = module->map.start_addr,
                                        .end_addr = module->map.end_addr,
                                        .prot = module->map.prot};

        status = maps_add_exec(out, &module->map, module->path, strlen(module->path));
        if (status == STATUS_OK)
            status = maps_add_range(out, &range);
    }
    return status;
}

static uint64_t maps_size(void *state, struct target_process *process, pid_t tid, uint64_t last)
{
    (void)process, (void)tid, (void)last;
    return ((const struct gdb_state *)state)->generation;
}

static void describe_map(void *state, pid_t tid, const struct maps *maps, size_t exec,
                         struct map_facts *out)
{
    const struct gdb_state *st = state;
    const struct exec_map *map = &maps->execs[exec];
    const char *path = maps->paths + map->path_off;

    (void)tid;
    *out = (struct map_facts){.kind = path[0] ? SNAP_MAP_FILE : SNAP_MAP_ANON,
                              .file_off = map->file_off,
                              .dev = map->dev,
                              .inode = map->inode};
    snprintf(out->path, sizeof(out->path), "%s", path);
    for (size_t i = 0; i < st->modules.count; i++)
        if (st->modules.items[i].map.start_addr == map->start_addr)
            out->id = st->modules.items[i].id;
}

static void begin_process(void *state, struct target_process *process)
{
    (void)state, (void)process;
}

static void begin_thread(void *state, struct target_thread *thread)
{
    struct gdb_thread *own = gdb_thread_of(thread);

    (void)state;
    for (unsigned i = 0; i < 2; i++)
        own->shadows[i].bytes = malloc(GDB_SHADOW_MAX);
}

static void forget_thread(void *state, struct target_thread *thread)
{
    struct gdb_thread *own = gdb_thread_of(thread);

    gdb_tasks_forget(state, thread);
    for (unsigned i = 0; i < 2; i++) {
        free(own->shadows[i].bytes);
        own->shadows[i] = (struct gdb_shadow){.size = 0};
    }
}

const struct capture_backend gdb_backend = {
    .can = BACKEND_STATES,
    .process_size = sizeof(uint64_t),
    .thread_size = sizeof(struct gdb_thread),
    .check = check,
    .start = start,
    .set_end = set_end,
    .destroy = destroy,
    .wait = wait_for,
    .next = next,
    .interrupt = interrupt,
    .resume = resume,
    .registers = registers,
    .copy_stacks = copy_stacks,
    .memory = memory,
    .board = board,
    .unknown_registers = unknown_registers,
    .system_registers = system_registers,
    .task = task,
    .halts = halts,
    .failed = failed,
    .activity = activity,
    .settle_activity = settle_activity,
    .is_in_call = is_in_call,
    .identify = identify,
    .describe = describe,
    .read_maps = read_maps,
    .maps_size = maps_size,
    .describe_map = describe_map,
    .begin_process = begin_process,
    .begin_thread = begin_thread,
    .forget_thread = forget_thread,
    .forget_process = begin_process,
};
