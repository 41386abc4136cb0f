/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/jit_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/helper.h"
#include "base/pass_fd.h"
#include "base/vec.h"
#include "capture/ptrace/jit_helper.h"
#include "capture/ptrace/tracees.h"

/* The next look comes after this many times the duration of the last one. */
#define REST 20u

/* A process that was asked for. */
struct watched_process {
    pid_t pid;
    uint32_t program; /* program whose memory was handed over, */
    bool is_known;    /* if is_known */
    size_t waiting;   /* questions without an answer yet */
    uint32_t watched; /* __jit_debug_descriptors of the program */
    uint64_t due_ns;  /* when to ask again */
};

struct jit_watch {
    struct helper helper;              /* of packets; fd -1: it has ended */
    struct watched_process *processes; /* owned */
    size_t count, cap;
};

static struct jit_watch *start(void)
{
    const struct helper_tie tie = {.parent_end = SIGKILL}; /* it may hang in what it reads */
    struct jit_watch *watch = calloc(1, sizeof(*watch));

    if (watch) {
        watch->helper = (struct helper){.fd = -1};
        (void)!helper_start(&watch->helper, SOCK_SEQPACKET, &tie, jit_helper_run, NULL);
    }
    return watch;
}

void jit_watch_destroy(struct jit_watch *watch)
{
    if (!watch)
        return;
    if (watch->helper.fd >= 0)
        close(watch->helper.fd);
    free(watch->processes);
    free(watch);
}

/* Ends the helper: nothing is asked any more. */
static void give_up(struct jit_watch *watch)
{
    close(watch->helper.fd);
    watch->helper.fd = -1;
    watch->count = 0;
}

/* The process; NULL: it was not asked for. */
static struct watched_process *find(const struct jit_watch *watch, pid_t pid)
{
    for (size_t i = 0; i < watch->count; i++)
        if (watch->processes[i].pid == pid)
            return &watch->processes[i];
    return NULL;
}

/* The process, added if it is new; NULL: no memory. */
static struct watched_process *need(struct jit_watch *watch, pid_t pid)
{
    struct watched_process *process = find(watch, pid);

    if (process || vec_reserve(&watch->processes, &watch->cap, watch->count + 1,
                               sizeof(*watch->processes)) != STATUS_OK)
        return process;
    process = &watch->processes[watch->count++];
    *process = (struct watched_process){.pid = pid};
    return process;
}

/* Is the question to be asked now? */
static bool is_due(const struct watched_process *process, enum symbol_files_question question)
{
    return question == SYMBOL_FILES_FIRST || !process->is_known ||
           (!process->waiting && clock_now_ns() >= process->due_ns &&
            (question == SYMBOL_FILES_MAPS || process->watched));
}

static bool send_question(const struct jit_watch *watch, const struct jit_question *question)
{
    int memory_fd = -1;
    char path[32];
    bool ok = true;

    if (question->kind == JIT_BEGIN) {
        snprintf(path, sizeof(path), "/proc/%d/mem", (int)question->tid);
        memory_fd = open(path, O_RDONLY | O_CLOEXEC);
        ok = memory_fd >= 0;
    }
    ok = ok && pass_send(watch->helper.fd, question, sizeof(*question), memory_fd, MSG_DONTWAIT);
    if (memory_fd >= 0)
        close(memory_fd);
    return ok;
}

void jit_watch_ask(void *state, struct target_process *target, pid_t tid, uint32_t program,
                   enum symbol_files_question question)
{
    struct ptrace_state *st = state;
    struct jit_question asked = {.pid = target->pid, .tid = tid, .program = program};
    struct watched_process *process;

    if (!st->jit_watch && !(st->jit_watch = start()))
        return;
    if (st->jit_watch->helper.fd < 0 || !(process = need(st->jit_watch, target->pid)) ||
        !is_due(process, question))
        return;
    if (question == SYMBOL_FILES_FIRST)
        process->is_known = false;
    asked.kind = !process->is_known              ? JIT_BEGIN
                 : question == SYMBOL_FILES_MAPS ? JIT_MAPS
                                                 : JIT_AGAIN;
    if (!send_question(st->jit_watch, &asked))
        return;
    process->waiting++;
    process->is_known = true;
    process->program = program;
}

void jit_watch_forget(struct jit_watch *watch, pid_t pid)
{
    const struct jit_question question = {.pid = pid, .kind = JIT_FORGET};
    struct watched_process *process = watch ? find(watch, pid) : NULL;

    if (!process)
        return;
    (void)send_question(watch, &question);
    *process = watch->processes[--watch->count];
}

/* The helper has looked at the process, which may have ended meanwhile. */
static void end_look(const struct jit_watch *watch, const struct jit_answer *answer)
{
    struct watched_process *process = find(watch, answer->pid);

    if (!process)
        return;
    process->waiting -= process->waiting > 0;
    if (process->program != answer->program)
        return;
    process->watched = answer->watched;
    process->due_ns = clock_now_ns() + REST * answer->cost_ns;
}

static bool is_waiting(const struct jit_watch *watch)
{
    for (size_t i = 0; i < watch->count; i++)
        if (watch->processes[i].waiting)
            return true;
    return false;
}

enum status jit_watch_next(void *state, struct symbol_file *out)
{
    struct jit_watch *watch = ((struct ptrace_state *)state)->jit_watch;
    struct jit_answer answer;
    ssize_t n;
    int fd;

    while (watch && watch->helper.fd >= 0) {
        n = pass_receive(watch->helper.fd, &answer, sizeof(answer), MSG_DONTWAIT, &fd);
        if (n < 0 && errno == EAGAIN)
            break;
        if (n != sizeof(answer)) {
            give_up(watch);
        } else if (answer.is_done) {
            end_look(watch, &answer);
        } else if (fd >= 0) {
            *out = (struct symbol_file){.pid = answer.pid,
                                        .program = answer.program,
                                        .time_ns = answer.time_ns,
                                        .addr = answer.addr,
                                        .size = answer.size,
                                        .fd = fd};
            return STATUS_OK;
        }
        if (fd >= 0)
            close(fd);
    }
    return watch && is_waiting(watch) ? STATUS_BUSY : STATUS_NOT_FOUND;
}
