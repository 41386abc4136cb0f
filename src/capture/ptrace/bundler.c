/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/bundler.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/helper.h"
#include "base/keyed_hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "capture/ptrace/kept_files.h"

/* Bytes of mappings that the process was not told of yet; further files are missing. */
#define QUEUE_MAX (64u << 20) /* bytes */

struct bundler {
    struct helper helper; /* of packets */
    struct map told;      /* device and inode of a mapping, hashed -> 1 */
    uint8_t *queue;       /* owned: questions, each behind its size */
    size_t queued, sent;  /* bytes in it; bytes that were sent */
    size_t queue_cap;
    uint32_t untold; /* files without room in the queue */
    bool asked;      /* the kept files were asked for */
    struct kept kept;
};

/* A mapping to keep; inode 0: send all that was kept. */
struct bundler_question {
    struct kept_mapping mapping;
    char path[KEPT_PATH_MAX]; /* sent up to its NUL */
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

static void answer_all(void *unused, int fd)
{
    struct kept_files *files = kept_files_create();
    struct bundler_question question;

    (void)unused;
    for (;;) {
        ssize_t n = recv(fd, &question, sizeof(question), 0);

        if (n < 0 && errno == EINTR)
            continue;
        if (!files || n <= (ssize_t)offsetof(struct bundler_question, path))
            return;
        if (question.mapping.inode) {
            kept_files_add(files, &question.mapping, question.path);
            continue;
        }
        kept_files_send(files, send_kept, &fd);
        return;
    }
}

struct bundler *bundler_start(void)
{
    const struct helper_tie tie = {.parent_end = SIGKILL}; /* it may hang in a file system */
    struct bundler *bundler = calloc(1, sizeof(*bundler));

    if (bundler &&
        helper_start(&bundler->helper, SOCK_SEQPACKET, &tie, answer_all, NULL) != STATUS_OK) {
        free(bundler);
        bundler = NULL;
    }
    return bundler;
}

void bundler_destroy(struct bundler *bundler)
{
    if (!bundler)
        return;
    close(bundler->helper.fd);
    map_deinit(&bundler->told);
    free(bundler->queue);
    free(bundler);
}

/* Sends a question, without waiting. False: the process takes no more now. */
static bool send_question(struct bundler *bundler, const void *question, size_t size)
{
    return send(bundler->helper.fd, question, size, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)size;
}

void bundler_flush(struct bundler *bundler)
{
    size_t size;

    while (bundler->sent < bundler->queued) {
        memcpy(&size, bundler->queue + bundler->sent, sizeof(size));
        if (!send_question(bundler, bundler->queue + bundler->sent + sizeof(size), size))
            return;
        bundler->sent += sizeof(size) + size;
    }
    bundler->queued = bundler->sent = 0;
}

static bool put_in_queue(struct bundler *bundler, const void *question, size_t size)
{
    const size_t needed = bundler->queued + sizeof(size) + size;

    if (needed > QUEUE_MAX ||
        vec_reserve(&bundler->queue, &bundler->queue_cap, needed, 1) != STATUS_OK)
        return false;
    memcpy(bundler->queue + bundler->queued, &size, sizeof(size));
    memcpy(bundler->queue + bundler->queued + sizeof(size), question, size);
    bundler->queued = needed;
    return true;
}

/* Was the process told of this file before, mapped by anybody? */
static bool was_told(struct bundler *bundler, const struct map_facts *facts)
{
    const uint64_t numbers[] = {facts->dev, facts->inode};
    uint64_t hash = keyed_bytes(0, numbers, sizeof(numbers));
    const size_t before = map_len(&bundler->told);

    hash = keyed_bytes(hash, facts->id.bytes, facts->id.size);
    if (!facts->id.size) /* identified by its path, too */
        hash = keyed_bytes(hash, facts->path, strlen(facts->path));
    return map_put(&bundler->told, hash, 1) && map_len(&bundler->told) == before;
}

void bundler_keep(struct bundler *bundler, pid_t tid, const struct exec_map *map,
                  const struct map_facts *facts)
{
    struct bundler_question question = {.mapping = {.tid = tid,
                                                    .start_addr = map->start_addr,
                                                    .end_addr = map->end_addr,
                                                    .dev = facts->dev,
                                                    .inode = facts->inode,
                                                    .id = facts->id}};

    if (was_told(bundler, facts))
        return;
    strcpy(question.path, facts->path);
    bundler->untold +=
        !put_in_queue(bundler, &question,
                      offsetof(struct bundler_question, path) + strlen(question.path) + 1);
    bundler_flush(bundler);
}

/* Waits for the socket. BUSY: not ready within `wait_ms`; IO: the process has ended. */
static enum status wait_for(struct bundler *bundler, short events, int wait_ms)
{
    struct pollfd poll_fd = {.fd = bundler->helper.fd, .events = events};

    if (poll(&poll_fd, 1, wait_ms) != 1)
        return STATUS_BUSY;
    return events == POLLOUT && poll_fd.revents & (POLLHUP | POLLERR) ? STATUS_IO : STATUS_OK;
}

/* Sends what is queued, and asks for the kept files. */
static enum status ask(struct bundler *bundler, int wait_ms)
{
    const struct bundler_question all = {.path = ""};
    const enum status status = wait_for(bundler, POLLOUT, wait_ms);

    if (status != STATUS_OK)
        return status;
    bundler_flush(bundler);
    bundler->asked = !bundler->queued &&
                     send_question(bundler, &all, offsetof(struct bundler_question, path) + 1);
    return bundler->asked ? STATUS_OK : STATUS_BUSY;
}

enum status bundler_next(struct bundler *bundler, int wait_ms, const struct kept **out)
{
    struct kept *kept = &bundler->kept;
    enum status status = bundler->asked ? STATUS_OK : ask(bundler, wait_ms);
    ssize_t n;

    if (status == STATUS_OK)
        status = wait_for(bundler, POLLIN, wait_ms);
    if (status != STATUS_OK)
        return status;
    n = recv(bundler->helper.fd, kept, sizeof(*kept), MSG_DONTWAIT);
    if (n < (ssize_t)sizeof(kept->kind))
        return n < 0 && (errno == EAGAIN || errno == EINTR) ? STATUS_BUSY : STATUS_IO;
    if (kept->kind == KEPT_END)
        kept->count.missing += bundler->untold;
    *out = kept;
    return STATUS_OK;
}
