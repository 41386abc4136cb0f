/* SPDX-License-Identifier: MIT */
#include "confine/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/helper.h"
#include "base/write_all.h"
#include "confine/call_filter.h"
#include "confine/capabilities.h"
#include "confine/confine.h"

#define CHILD_EXIT_UNCONFINED 6

static _Noreturn void run(const struct child *parent, const struct child_limits *limits,
                          child_serve *serve, void *context, int in, int out)
{
    const struct rlimit no_core = {0};
    const struct rlimit seconds = {.rlim_cur = limits->seconds, .rlim_max = limits->seconds};

    /* Limits that are lower already stay. */
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_CPU, &seconds);
    confine_more_memory(limits->memory);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    (void)!capabilities_drop(false);
    /* Without seccomp in the kernel the parent's confinement holds still. */
    if (call_filter_install_helper(in, out) != 0 && errno == EPERM)
        _exit(CHILD_EXIT_UNCONFINED);
    serve(context, parent, in, out);
    _exit(0);
}

/* The parent's ends do not block, as the child may take its time. */
static bool make_pipes(int to[2], int from[2])
{
    if (pipe2(to, O_CLOEXEC) != 0)
        return false;
    if (pipe2(from, O_CLOEXEC) != 0) {
        close(to[0]);
        close(to[1]);
        return false;
    }
    fcntl(to[1], F_SETFL, O_NONBLOCK);
    fcntl(from[0], F_SETFL, O_NONBLOCK);
    return true;
}

static bool renew_notes(struct child *child)
{
    if (child->notes)
        munmap(child->notes, CHILD_NOTES_SIZE);
    child->notes =
        mmap(NULL, CHILD_NOTES_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (child->notes == MAP_FAILED)
        child->notes = NULL;
    return child->notes != NULL;
}

enum status child_start(struct child *child, const struct child_limits *limits, child_serve *serve,
                        void *context)
{
    int to[2], from[2], keep[2];
    const struct helper_tie tie = {.keep = keep, .keep_count = 2, .parent_end = SIGKILL};

    if (!renew_notes(child) || !make_pipes(to, from))
        return STATUS_IO;
    keep[0] = to[0];
    keep[1] = from[1];
    child->pid = helper_fork(&tie);
    if (child->pid == 0)
        run(child, limits, serve, context, to[0], from[1]);
    /* Later children do not share it. */
    madvise(child->notes, CHILD_NOTES_SIZE, MADV_DONTFORK);
    close(from[1]);
    if (child->pid < 0) {
        child->pid = 0;
        close(to[0]);
        close(to[1]);
        close(from[0]);
        return STATUS_IO;
    }
    child->to = to[1];
    child->held = to[0];
    child->from = from[0];
    return STATUS_OK;
}

int child_kill(struct child *child)
{
    int status = 0;

    if (child->pid) {
        close(child->to);
        close(child->held);
        close(child->from);
        kill(child->pid, SIGKILL);
        while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
            ;
        child->pid = 0;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 0;
}

void child_end(struct child *child)
{
    child_kill(child);
    if (child->notes)
        munmap(child->notes, CHILD_NOTES_SIZE);
    child->notes = NULL;
}

struct child_wait child_wait_begin(unsigned seconds)
{
    return (struct child_wait){.deadline_ms = clock_now_ms() + (int64_t)seconds * 1000,
                               .end_fd = -1};
}

/* Waits to send or receive. False: too late, told to end, or the child is gone. */
static bool wait_for(const struct child *child, bool to_send, struct child_wait wait)
{
    struct pollfd fds[] = {{.fd = child->from, .events = POLLIN},
                           {.fd = wait.end_fd, .events = POLLIN},
                           {.fd = to_send ? child->to : -1, .events = POLLOUT}};

    for (;;) {
        const int64_t left = wait.deadline_ms - clock_now_ms();
        const int ready = left > 0 ? poll(fds, 3, left < 1000 ? (int)left : 1000) : 0;

        if (ready > 0) /* an answer before the question is sent makes no sense */
            return to_send ? !fds[0].revents && !fds[1].revents : fds[0].revents != 0;
        if (left <= 0 || (ready < 0 && errno != EINTR))
            return false;
    }
}

enum status child_send(const struct child *child, const void *bytes, size_t size,
                       struct child_wait wait)
{
    const char *at = bytes;

    while (size > 0) {
        const ssize_t n = write(child->to, at, size);

        if (n > 0) {
            at += n;
            size -= (size_t)n;
        } else if (n < 0 && errno == EAGAIN) {
            if (!wait_for(child, true, wait))
                return STATUS_END;
        } else if (n < 0 && errno != EINTR) {
            return STATUS_END;
        }
    }
    return STATUS_OK;
}

enum status child_receive(const struct child *child, void *buffer, size_t size,
                          struct child_wait wait)
{
    char *at = buffer;

    while (size > 0) {
        const ssize_t n = read(child->from, at, size);

        if (n > 0) {
            at += n;
            size -= (size_t)n;
        } else if (n == 0) {
            return STATUS_END;
        } else if (errno == EAGAIN) {
            if (!wait_for(child, false, wait))
                return STATUS_END;
        } else if (errno != EINTR) {
            return STATUS_END;
        }
    }
    return STATUS_OK;
}

struct child_result {
    uint32_t status, size; /* enum status; count of following bytes */
};

void child_return(int out, enum status status, const void *bytes, size_t size)
{
    const struct child_result result = {.status = status, .size = (uint32_t)size};

    _exit(!write_all(out, &result, sizeof(result)) || !write_all(out, bytes, size));
}

static enum status receive_result(const struct child *child, struct child_wait wait, size_t most,
                                  uint8_t **bytes, size_t *size)
{
    struct child_result result;

    if (child_receive(child, &result, sizeof(result), wait) != STATUS_OK || result.size > most ||
        result.status > STATUS_IO)
        return STATUS_BAD_DATA;
    *bytes = malloc((size_t)result.size + 1);
    if (!*bytes)
        return STATUS_NO_MEMORY;
    *size = result.size;
    if (child_receive(child, *bytes, *size, wait) == STATUS_OK)
        return (enum status)result.status;
    *size = 0;
    return STATUS_BAD_DATA;
}

enum status child_compute(const struct child_limits *limits, struct child_wait wait,
                          child_serve *serve, void *context, size_t most, uint8_t **bytes,
                          size_t *size)
{
    struct child child = {0};
    enum status status = child_start(&child, limits, serve, context);

    *bytes = NULL;
    *size = 0;
    if (status == STATUS_OK)
        status = receive_result(&child, wait, most, bytes, size);
    child_end(&child);
    return status;
}
