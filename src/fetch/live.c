/* SPDX-License-Identifier: MIT */
#include "fetch/live.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/await.h"
#include "base/helper.h"
#include "base/pass_fd.h"
#include "base/root_file.h"

/* Most that a file system may take to answer; one that takes longer may never answer. */
#define ANSWER_MS 5000

struct live {
    struct helper helper; /* of packets */
    bool is_stuck;        /* the helper did not answer in time: no more questions */
    pthread_mutex_t lock;
};

struct live_question {
    enum live_place place;
    uint32_t pid;
    bool is_exact;
    uint64_t start_addr, end_addr, dev, inode;
    char path[PATH_MAX]; /* sent up to its NUL only */
};

static int open_in_root(const struct live_question *question)
{
    const int root = root_open((pid_t)question->pid);
    const int fd = root < 0 ? -1 : root_file_open(root, question->path);

    if (root >= 0)
        close(root);
    return fd;
}

static int open_place(const struct live_question *question)
{
    char name[96];

    switch (question->place) {
    case LIVE_MAPPED:
        snprintf(name, sizeof(name), "/proc/%" PRIu32 "/map_files/%" PRIx64 "-%" PRIx64,
                 question->pid, question->start_addr, question->end_addr);
        return root_link_open(name);
    case LIVE_IN_ROOT:
        return open_in_root(question);
    case LIVE_EXECUTABLE:
        snprintf(name, sizeof(name), "/proc/%" PRIu32 "/exe", question->pid);
        return root_link_open(name);
    }
    return -1;
}

static bool may_be_given(int fd, const struct live_question *question)
{
    char magic[4];
    struct stat st;

    if (question->is_exact &&
        (fstat(fd, &st) != 0 || st.st_ino != question->inode || st.st_dev != question->dev))
        return false;
    return pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
           memcmp(magic, "\177ELF", sizeof(magic)) == 0;
}

/* The helper: runs until the program that it serves ends. */
static void serve(void *unused, int socket)
{
    struct live_question question;
    const char byte = 0;

    (void)unused;
    for (;;) {
        const ssize_t n = recv(socket, &question, sizeof(question), 0);
        int fd;

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= (ssize_t)offsetof(struct live_question, path))
            return;
        question.path[sizeof(question.path) - 1] = '\0';
        fd = open_place(&question);
        if (fd >= 0 && !may_be_given(fd, &question)) {
            close(fd);
            fd = -1;
        }
        (void)pass_send(socket, &byte, 1, fd, 0);
        if (fd >= 0)
            close(fd);
    }
}

enum status live_begin(struct live **out)
{
    const struct helper_tie tie = {.parent_end = SIGKILL}; /* a stalled file system may hold it */
    struct live *live = calloc(1, sizeof(*live));
    enum status status;

    if (!live)
        return STATUS_NO_MEMORY;
    status = helper_start(&live->helper, SOCK_SEQPACKET, &tie, serve, NULL);
    if (status != STATUS_OK) {
        free(live);
        return status;
    }
    pthread_mutex_init(&live->lock, NULL);
    *out = live;
    return STATUS_OK;
}

void live_end(struct live *live)
{
    if (!live)
        return;
    close(live->helper.fd);
    pthread_mutex_destroy(&live->lock);
    free(live);
}

static int receive(struct live *live)
{
    int fd = -1;
    char byte;

    live->is_stuck = !await_input(live->helper.fd, ANSWER_MS);
    if (!live->is_stuck)
        (void)pass_receive(live->helper.fd, &byte, 1, 0, &fd);
    return fd;
}

int live_open(struct live *live, const struct live_file *file, enum live_place place)
{
    struct live_question question = {.place = place,
                                     .pid = file->pid,
                                     .is_exact = file->is_exact,
                                     .start_addr = file->start_addr,
                                     .end_addr = file->end_addr,
                                     .dev = file->dev,
                                     .inode = file->inode};
    const size_t len = strlen(file->path) + 1;
    const size_t size = offsetof(struct live_question, path) + len;
    int fd = -1;

    if (!live || !file->pid || len > sizeof(question.path))
        return -1;
    memcpy(question.path, file->path, len);
    pthread_mutex_lock(&live->lock);
    if (!live->is_stuck && send(live->helper.fd, &question, size, MSG_NOSIGNAL) == (ssize_t)size)
        fd = receive(live);
    pthread_mutex_unlock(&live->lock);
    return fd;
}
