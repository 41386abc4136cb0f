/* SPDX-License-Identifier: MIT */
#include "boards/gdb/control.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/target/backend.h"

#define SECOND_NS UINT64_C(1000000000)
/* A target that does not stop is asked again after this, */
#define AGAIN_NS (SECOND_NS / 4)
/* and given up after this. */
#define GIVE_UP_NS (10 * SECOND_NS)
/* How long after an answer SIGINTs of further requests may come; how soon one after the other. */
#define LATE_NS      (2 * SECOND_NS)
#define LATE_NEXT_NS (SECOND_NS / 10)
/* A stub that answered so often by another signal, with no SIGINT after it, always does. */
#define OTHER_ANSWERS 3u
/* Own stops in a row after which the target gets nowhere: a breakpoint in its code, a lockup. */
#define OWN_STOPS_MAX 200u
/* Signals that a debugger causes, as gdb numbers them. */
#define SIGNAL_INT  2u
#define SIGNAL_TRAP 5u

void gdb_control_init(struct gdb_control *control, struct gdb_client *client, uint32_t share,
                      uint64_t since_ns)
{
    *control = (struct gdb_control){.client = client,
                                    .signalled = {.pidfd = -1},
                                    .run = GDB_STOPPED,
                                    .is_halted = true,
                                    .was_asked = true,
                                    .halted_ns = since_ns};
    halt_budget_init(&control->budget, share, since_ns);
}

void gdb_control_deinit(struct gdb_control *control)
{
    process_ref_close(&control->signalled);
}

/* Does the file's name begin with `begin`, followed by one of `behind`? */
static bool is_named(const char *exe, const char *begin, const char *const *behind)
{
    const char *name = strrchr(exe, '/');

    if (!name || strncmp(name + 1, begin, strlen(begin)) != 0)
        return false;
    for (name += 1 + strlen(begin); *behind; behind++)
        if (strncmp(name, *behind, strlen(*behind)) == 0)
            return true;
    return false;
}

/* Returns the process at the other end, if its file has such a name. */
static struct process_ref find_peer(const struct gdb_control *control, const char *begin,
                                    const char *const *behind)
{
    struct process_ref peer = process_ref_open(gdb_transport_peer(&control->client->io));
    char path[32], exe[256];
    ssize_t n;

    snprintf(path, sizeof(path), "/proc/%d/exe", (int)peer.pid);
    n = peer.pid > 1 ? readlink(path, exe, sizeof(exe) - 1) : 0;
    exe[n > 0 ? n : 0] = '\0';
    if (!is_named(exe, begin, behind))
        process_ref_close(&peer);
    return peer;
}

/* Finds an emulator of user mode. Whole machines' may pass the signal on to what a guest serves. */
static struct process_ref find_emulator(const struct gdb_control *control)
{
    static const char *const archs[] = {"arm", "aarch64", "i386", "x86_64", "riscv", NULL};

    return find_peer(control, "qemu-", archs);
}

static struct process_ref find_server(const struct gdb_control *control)
{
    static const char *const any[] = {"", NULL};

    return find_peer(control, "gdbserver", any);
}

/* Is `tracer` the program's tracer? A server in a container tells numbers of another namespace. */
static bool is_traced_by(pid_t program, pid_t tracer)
{
    char path[32], line[128];
    int found = 0;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%d/status", (int)program);
    file = fopen(path, "re");
    while (file && !found && fgets(line, sizeof(line), file))
        (void)!sscanf(line, "TracerPid: %d", &found);
    if (file)
        fclose(file);
    return found > 0 && found == (int)tracer;
}

void gdb_control_find_signalled(struct gdb_control *control, pid_t program)
{
    struct process_ref server, traced;

    control->signalled = find_emulator(control);
    if (control->signalled.pid || program <= 1 || getpgid(program) == program)
        return;
    server = find_server(control);
    traced = process_ref_open(program);
    if (server.pid && is_traced_by(program, server.pid))
        control->signalled = traced;
    else
        process_ref_close(&traced);
    process_ref_close(&server);
}

#define TAKEN_AT_ONCE 64u

static enum status ask(struct gdb_control *control)
{
    control->asked += control->passes_signals;
    if (process_ref_signal(&control->signalled, SIGINT))
        return STATUS_OK;
    return gdb_client_interrupt(control->client);
}

enum status gdb_control_interrupt(struct gdb_control *control)
{
    if (control->client->has_failed || control->run >= GDB_ENDED)
        return STATUS_IO;
    if (control->run != GDB_RUNNING)
        return STATUS_OK;
    control->asked_ns = clock_now_ns();
    control->again_ns = control->asked_ns + AGAIN_NS;
    control->run = GDB_STOPPING;
    control->is_asked = true;
    return control->asked ? STATUS_OK : ask(control);
}

/* May the request to stop have been lost? */
static bool may_be_lost(const struct gdb_control *control)
{
    return !control->asked ||
           (control->client->acks && !control->signalled.pid && !control->asks_once);
}

static void ask_again(struct gdb_control *control, uint64_t now)
{
    if (now - control->asked_ns >= GIVE_UP_NS) {
        gdb_client_fail(control->client, "the target did not stop within 10 s when it was asked to",
                        "a CPU that sleeps may not answer its debug port; what was captured "
                        "before is kept");
        return;
    }
    control->again_ns = now + AGAIN_NS;
    gdb_client_ask_again(control->client);
    if (may_be_lost(control))
        (void)!ask(control);
}

/* Is it the stop that was asked for? Some stubs always report TRAP. */
static bool is_answer(struct gdb_control *control)
{
    const uint8_t number = control->stop.number;

    control->answers_by_signal |= control->asked && number == SIGNAL_INT;
    return control->asked && (number == SIGNAL_INT || (!control->answers_by_signal &&
                                                       (number == SIGNAL_TRAP || number == 0)));
}

/* May the stop be the program's own, with the SIGINT still to come? Not if none ever came. */
static bool is_doubtful(struct gdb_control *control)
{
    return control->stop.number != SIGNAL_INT && control->other_answers < OTHER_ANSWERS &&
           ++control->other_answers > 0;
}

/* Returns the signal that is the program's own, to be handed on; 0: none. */
static uint8_t signal_to_pass(struct gdb_control *control)
{
    if (!control->passes_signals)
        return 0;
    if (is_answer(control)) {
        if (control->asked > 1 || is_doubtful(control))
            control->late_ns = clock_now_ns() + LATE_NS;
        control->asked = 0;
        return 0;
    }
    if (control->stop.number == SIGNAL_INT && clock_now_ns() < control->late_ns) {
        control->answers_by_signal = true;
        return 0;
    }
    return control->stop.number == SIGNAL_TRAP ? 0 : control->stop.number;
}

static void has_stopped(struct gdb_control *control)
{
    control->pass = signal_to_pass(control);
    control->was_asked = control->run == GDB_STOPPING;
    control->halted_ns = control->was_asked ? control->asked_ns : clock_now_ns();
    control->run = GDB_STOPPED;
    control->is_halted = true;
    control->is_asked = false;
    control->own_stops = control->was_asked || control->pass ? 0 : control->own_stops + 1;
    if (control->own_stops > OWN_STOPS_MAX)
        gdb_client_fail(control->client, "the target stops by itself again and again",
                        "it is at a breakpoint of its own, or locked up");
}

static void take_stop(struct gdb_control *control)
{
    gdb_stop_parse(control->client->reply, &control->stop);
    switch (control->stop.kind) {
    case GDB_STOP_OTHER:
        return;
    case GDB_STOP_FILE_IO: /* our files are not for it: -1, EPERM */
        (void)!gdb_client_send(control->client, "F-1,1");
        return;
    case GDB_STOP_SIGNAL:
        if (control->run != GDB_STOPPED)
            has_stopped(control);
        return;
    case GDB_STOP_EXITED:
    case GDB_STOP_KILLED:
    case GDB_STOP_NOTHING:
        control->run = GDB_ENDED;
        control->is_asked = false;
        return;
    }
}

static bool is_on(const struct gdb_control *control)
{
    return control->run == GDB_RUNNING || control->run == GDB_STOPPING;
}

void gdb_control_look(struct gdb_control *control)
{
    if (control->client->has_failed && control->run < GDB_ENDED)
        control->run = control->client->is_cut ? GDB_LEFT : GDB_ENDED;
}

void gdb_control_poll(struct gdb_control *control)
{
    uint64_t now;

    /* Limited, whatever a stub sends. */
    for (unsigned i = 0;
         i < TAKEN_AT_ONCE && is_on(control) && gdb_client_take(control->client) == STATUS_OK; i++)
        take_stop(control);
    now = clock_now_ns();
    if (control->run == GDB_STOPPING && now >= control->again_ns)
        ask_again(control, now);
    gdb_control_look(control);
}

uint64_t gdb_control_due(const struct gdb_control *control)
{
    return control->run == GDB_STOPPING ? control->again_ns : UINT64_MAX;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

bool gdb_control_await(struct gdb_control *control, uint64_t until_ns)
{
    struct gdb_bound *bound = control->client->bound;
    uint64_t now, ask_ns;

    gdb_control_poll(control);
    while (is_on(control) && (now = clock_now_ns()) < until_ns &&
           now < (ask_ns = gdb_bound_asks_until(bound))) {
        gdb_client_wait(control->client, least(gdb_control_due(control), least(until_ns, ask_ns)));
        gdb_control_poll(control);
    }
    return control->run == GDB_STOPPED;
}

static enum status send_continue(struct gdb_control *control)
{
    const struct gdb_thread_id *thread = &control->stop.thread;
    struct gdb_client *client = control->client;

    if (!control->pass)
        return gdb_client_send(client, control->has_vcont ? "vCont;c" : "c");
    if (!control->has_vcont || !control->stop.has_thread || thread->tid <= 0)
        return gdb_client_send(client, "C%02x", control->pass);
    if (thread->pid > 0)
        return gdb_client_send(client, "vCont;C%02x:p%" PRIx64 ".%" PRIx64 ";c", control->pass,
                               (uint64_t)thread->pid, (uint64_t)thread->tid);
    return gdb_client_send(client, "vCont;C%02x:%" PRIx64 ";c", control->pass,
                           (uint64_t)thread->tid);
}

/* Accounts for the halt. */
static void end_halt(struct gdb_control *control)
{
    const uint64_t now = clock_now_ns();

    control->is_halted = false;
    control->pass = 0;
    halt_budget_spend(&control->budget, now, now - control->halted_ns);
}

void gdb_control_continue(struct gdb_control *control)
{
    if (control->run != GDB_STOPPED)
        return;
    if (send_continue(control) == STATUS_OK)
        control->run = GDB_RUNNING;
    gdb_control_look(control);
    end_halt(control);
    control->is_halted = control->run != GDB_RUNNING;
}

void gdb_control_leave(struct gdb_control *control)
{
    control->run = GDB_LEFT;
    end_halt(control);
}

void gdb_control_settle(struct gdb_control *control, uint64_t until_ns)
{
    uint64_t now;

    while (control->run == GDB_STOPPED && (control->asked || clock_now_ns() < control->late_ns) &&
           (now = clock_now_ns()) < until_ns) {
        gdb_control_continue(control);
        if (!control->asked && !gdb_control_await(control, now + LATE_NEXT_NS))
            control->late_ns = 0;
        if (gdb_control_interrupt(control) == STATUS_OK)
            (void)gdb_control_await(control, until_ns);
    }
}
