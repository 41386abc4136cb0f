/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/bundler.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/child.h"
#include "capture/ptrace/kept_files.h"

/* How long a question may wait for room, when the process is not as fast as mappings are found. */
#define ASK_MS 20

struct bundler {
    int fd;          /* a socket, of packets */
    bool asked;      /* for what was kept */
    bool is_stuck;   /* it takes no questions */
    uint32_t untold; /* files that it could not be told of */
    struct kept kept;
};

/* Of a mapping; without one (inode 0): all that was kept is to be sent. */
struct bundler_question {
    struct kept_mapping mapping;
    char path[KEPT_PATH_MAX]; /* as long as it is */
};

static bool send_kept(void *context, const struct kept *kept)
{
    static const size_t sizes[] = {[KEPT_FILE] = offsetof(struct kept, file) + sizeof(kept->file),
                                   [KEPT_PART] = offsetof(struct kept, part.bytes),
                                   [KEPT_END] = offsetof(struct kept, count) + sizeof(kept->count)};
    const size_t more = kept->kind == KEPT_PART ? kept->part.coded_size : 0;
    const int *fd = context;
    ssize_t n;

    do
        n = send(*fd, kept, sizes[kept->kind] + more, MSG_NOSIGNAL);
    while (n < 0 && errno == EINTR);
    return n >= 0;
}

static _Noreturn void answer_all(int fd)
{
    struct kept_files *files = kept_files_create();
    struct bundler_question question;

    for (;;) {
        ssize_t n = recv(fd, &question, sizeof(question), 0);

        if (n < 0 && errno == EINTR)
            continue;
        if (!files || n <= (ssize_t)offsetof(struct bundler_question, path))
            _exit(0);
        if (question.mapping.inode) {
            kept_files_add(files, &question.mapping, question.path);
            continue;
        }
        kept_files_send(files, send_kept, &fd);
        _exit(0);
    }
}

struct bundler *bundler_start(void)
{
    struct bundler *bundler = calloc(1, sizeof(*bundler));
    int pair[2];
    pid_t pid;

    if (!bundler || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        free(bundler);
        return NULL;
    }
    pid = fork();
    if (pid == 0) {
        child_begin(&pair[1], 1);
        answer_all(pair[1]);
    }
    close(pair[1]);
    bundler->fd = pair[0];
    if (pid > 0)
        return bundler;
    bundler_destroy(bundler);
    return NULL;
}

void bundler_destroy(struct bundler *bundler)
{
    if (!bundler)
        return;
    close(bundler->fd);
    free(bundler);
}

static bool ask(struct bundler *bundler, const struct bundler_question *question, int wait_ms)
{
    struct pollfd poll_fd = {.fd = bundler->fd, .events = POLLOUT};
    const size_t size = offsetof(struct bundler_question, path) + strlen(question->path) + 1;

    if (poll(&poll_fd, 1, wait_ms) != 1)
        return false;
    return send(bundler->fd, question, size, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

void bundler_keep(struct bundler *bundler, pid_t tid, const struct exec_map *map,
                  const struct map_facts *facts)
{
    struct bundler_question question = {.mapping = {.tid = tid,
                                                    .start_addr = map->start_addr,
                                                    .end_addr = map->end_addr,
                                                    .dev = map->dev,
                                                    .inode = map->inode,
                                                    .id = facts->id}};

    strcpy(question.path, facts->path);
    bundler->is_stuck = !ask(bundler, &question, bundler->is_stuck ? 0 : ASK_MS);
    bundler->untold += bundler->is_stuck;
}

enum status bundler_next(struct bundler *bundler, int wait_ms, const struct kept **out)
{
    const struct bundler_question all = {.path = ""};
    struct pollfd poll_fd = {.fd = bundler->fd, .events = POLLIN};
    struct kept *kept = &bundler->kept;
    ssize_t n;

    if (!bundler->asked && !(bundler->asked = ask(bundler, &all, wait_ms)))
        return STATUS_BUSY;
    if (poll(&poll_fd, 1, wait_ms) != 1)
        return STATUS_BUSY;
    n = recv(bundler->fd, kept, sizeof(*kept), MSG_DONTWAIT);
    if (n < (ssize_t)sizeof(kept->kind))
        return n < 0 && (errno == EAGAIN || errno == EINTR) ? STATUS_BUSY : STATUS_IO;
    if (kept->kind == KEPT_END)
        kept->count.missing += bundler->untold;
    *out = kept;
    return STATUS_OK;
}
