/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/files.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/in_file.h"
#include "capture/target/backend.h"
#include "capture/pace.h"
#include "capture/ptrace/build_id.h"

/* How long answers are waited for: one, and all within a second. */
#define ANSWER_NS UINT64_C(20000000)
#define ALL_NS    UINT64_C(60000000)
#define WINDOW_NS UINT64_C(1000000000)
/* And the process's first word, when nothing is held yet. */
#define START_MS 1000

struct files {
    int fd;           /* a socket, of packets */
    uint32_t asked;   /* the number of the last question */
    uint32_t waiting; /* of one that was not answered in time; 0: all were */
    uint64_t window_ns, waited_ns;
};

struct file_question {
    uint32_t number;
    pid_t tid;
    uint64_t start_addr, end_addr, inode, dev;
    bool wants_id;
    char path[PATH_MAX]; /* as long as it is */
};

struct file_answer {
    uint32_t number;
    struct file_facts facts;
};

/* The build-id by the file's name, if that is still the mapped file, not one that replaced it. */
static void id_from_path(const struct file_question *question, struct build_id *id)
{
    char path[PATH_MAX + 32];
    struct stat st;
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/root%s", (int)question->tid, question->path);
    fd = in_file_open(path);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && st.st_ino == question->inode && st.st_dev == question->dev)
        (void)!build_id_from_fd(fd, id);
    close(fd);
}

/* By the kernel's link to the mapped file (which needs a capability), then by name. */
static void find_id(const struct file_question *question, struct build_id *id)
{
    char path[96];
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)question->tid,
             question->start_addr, question->end_addr);
    fd = in_file_open(path);
    if (fd < 0) {
        id_from_path(question, id);
        return;
    }
    (void)!build_id_from_fd(fd, id);
    close(fd);
}

static bool was_replaced(const struct file_question *question)
{
    char path[PATH_MAX + 32];
    struct stat st;

    snprintf(path, sizeof(path), "/proc/%d/root%s", (int)question->tid, question->path);
    return stat(path, &st) != 0 || st.st_ino != question->inode;
}

/* Its first word is the answer to no question. */
static _Noreturn void answer_all(int fd)
{
    const struct file_answer ready = {.number = 0};
    struct file_question question;
    ssize_t n;

    (void)!send(fd, &ready, sizeof(ready), MSG_NOSIGNAL);
    for (;;) {
        struct file_answer answer = {.number = 0};
        n = recv(fd, &question, sizeof(question), 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= (ssize_t)offsetof(struct file_question, path))
            _exit(0);
        answer.number = question.number;
        answer.facts.is_replaced = question.path[0] == '/' && was_replaced(&question);
        if (question.wants_id)
            find_id(&question, &answer.facts.id);
        (void)!send(fd, &answer, sizeof(answer), MSG_NOSIGNAL);
    }
}

void files_destroy(struct files *files)
{
    if (!files)
        return;
    close(files->fd);
    free(files);
}

/* The answer to the question with this number; others come too late. */
static bool receive(struct files *files, uint32_t number, int wait_ms, struct file_answer *answer)
{
    struct pollfd poll_fd = {.fd = files->fd, .events = POLLIN};

    while (poll(&poll_fd, 1, wait_ms) == 1) {
        if (recv(files->fd, answer, sizeof(*answer), MSG_DONTWAIT) != (ssize_t)sizeof(*answer))
            return false;
        if (answer->number == files->waiting)
            files->waiting = 0;
        if (answer->number == number)
            return true;
    }
    return false;
}

struct files *files_start(void)
{
    struct files *files = calloc(1, sizeof(*files));
    struct file_answer ready;
    int pair[2];
    pid_t pid;

    if (!files || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
        free(files);
        return NULL;
    }
    pid = fork();
    if (pid == 0) {
        child_begin(&pair[1], 1);
        pace_ask_scheduler(); /* we wait for it */
        answer_all(pair[1]);
    }
    close(pair[1]);
    files->fd = pair[0];
    if (pid > 0) {
        (void)!receive(files, 0, START_MS, &ready);
        return files;
    }
    files_destroy(files);
    return NULL;
}

/* How long the next answer may take. */
static uint64_t allowed(struct files *files, uint64_t now)
{
    uint64_t left;

    if (now - files->window_ns >= WINDOW_NS) {
        files->window_ns = now;
        files->waited_ns = 0;
    }
    left = files->waited_ns < ALL_NS ? ALL_NS - files->waited_ns : 0;
    return left < ANSWER_NS ? left : ANSWER_NS;
}

bool files_ask(struct files *files, pid_t tid, const struct exec_map *map, const char *path,
               bool wants_id, struct file_facts *out)
{
    struct file_question question = {.tid = tid,
                                     .start_addr = map->start_addr,
                                     .end_addr = map->end_addr,
                                     .inode = map->inode,
                                     .dev = map->dev,
                                     .wants_id = wants_id};
    size_t size = offsetof(struct file_question, path) + strlen(path) + 1;
    struct file_answer answer;
    bool answered;
    uint64_t now;

    *out = (struct file_facts){.is_replaced = false};
    if (!files || strlen(path) >= sizeof(question.path))
        return false;
    if (files->waiting)
        (void)!receive(files, files->waiting, 0, &answer);
    if (files->waiting)
        return false; /* it still looks at that one */
    strcpy(question.path, path);
    question.number = ++files->asked;
    if (send(files->fd, &question, size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)size)
        return false;
    now = capture_now();
    answered = receive(files, question.number, (int)(allowed(files, now) / 1000000), &answer);
    files->waited_ns += capture_now() - now;
    if (!answered) {
        files->waiting = question.number;
        return false;
    }
    *out = answer.facts;
    return true;
}
