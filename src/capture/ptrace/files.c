/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/helper.h"
#include "base/in_file.h"
#include "base/procfs.h"
#include "base/in_root.h"
#include "base/root_file.h"
#include "capture/target/backend.h"
#include "capture/pace.h"
#include "capture/ptrace/build_id.h"

/* How long one answer is waited for; all answers in a window. */
#define ANSWER_NS UINT64_C(20000000)
#define ALL_NS    UINT64_C(60000000)
#define WINDOW_NS UINT64_C(1000000000)
/* And the process's first packet, when no thread is held yet (ms). */
#define START_MS  1000
#define SECOND_NS UINT64_C(1000000000)
/* A mapping of so many bytes at most is read at once, of a larger one parts. */
#define PIECES_READ  (32u << 10)
#define PIECES_READS 8
/* Perf maps that are kept open. */
#define NAMES_KEPT 16

struct files {
    struct helper helper; /* of packets */
    uint32_t asked;       /* the number of the last question */
    uint32_t waiting;     /* number of a question that was not answered in time; 0: none */
    uint64_t window_ns, waited_ns;
};

struct file_question {
    uint32_t number;
    pid_t pid; /* process whose perf map is asked for; 0: the other question */
    pid_t tid;
    uint64_t off;
    uint64_t start_addr, end_addr, file_off, inode, dev;
    enum file_wants wants;
    char path[PATH_MAX]; /* sent up to its NUL */
};

struct file_answer {
    uint32_t number;
    struct file_facts facts;
};

/* Some file systems show another device in maps than in stat (btrfs, overlays). */
static bool is_mapped(int fd, const struct file_question *question, bool on_device)
{
    struct stat st;

    return fstat(fd, &st) == 0 && st.st_ino == question->inode &&
           (!on_device || st.st_dev == question->dev);
}

/*
 * Opens the mapped file by its path: in the target's root, or in ours (the kernel tells a path from
 * the asker's root if that leads there: for a target in a chroot of our mount namespace). -1: its
 * path leads to another file, or none. `open_in` is in_root_find or root_file_open.
 */
static int open_path(const struct file_question *question,
                     int (*open_in)(int root, const char *path))
{
    const int root = root_open(question->tid);
    int fd = root < 0 ? -1 : open_in(root, question->path);

    if (root >= 0)
        close(root);
    if (fd >= 0 && is_mapped(fd, question, false))
        return fd;
    if (fd >= 0)
        close(fd);
    fd = open_in(AT_FDCWD, question->path);
    if (fd >= 0 && is_mapped(fd, question, true))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Takes every piece of [off, off + size) that is a multiple of `step` bytes from `off`. */
static void take_pieces(int fd, uint64_t off, size_t size, size_t step, struct file_pieces *out)
{
    uint8_t bytes[PIECES_READ];
    const ssize_t n = pread(fd, bytes, size, (off_t)off);

    for (size_t at = 0; n > 0 && at + FILE_PIECE_SIZE <= (size_t)n && out->count < FILE_PIECES;
         at += step) {
        memcpy(out->bytes[out->count], bytes + at, FILE_PIECE_SIZE);
        out->off[out->count++] = off + at;
    }
}

/* Few reads, as hundreds of files may be asked for at once: of a small mapping one. */
static void read_pieces(int fd, const struct file_question *question, struct file_pieces *out)
{
    const uint64_t size = question->end_addr - question->start_addr;
    const uint64_t span = size < FILE_PIECES_SPAN ? size : FILE_PIECES_SPAN;

    if (span <= PIECES_READ) {
        const uint64_t room = (uint64_t)FILE_PIECES * FILE_PIECE_SIZE;

        take_pieces(fd, question->file_off, (size_t)span,
                    (size_t)((span + room - 1) / room) * FILE_PIECE_SIZE, out);
        return;
    }
    for (unsigned i = 0; i < PIECES_READS; i++)
        take_pieces(fd,
                    question->file_off +
                        span * i / PIECES_READS / FILE_PIECE_SIZE * FILE_PIECE_SIZE,
                    (size_t)FILE_PIECES / PIECES_READS * FILE_PIECE_SIZE, FILE_PIECE_SIZE, out);
}

static void identify(int fd, const struct file_question *question, struct file_facts *out)
{
    if (build_id_from_fd(fd, &out->id) != STATUS_OK || question->wants == FILE_WANTS_PIECES)
        read_pieces(fd, question, &out->pieces);
}

/* Identifies the file by its path, if this still is the mapped file. */
static void identify_by_path(const struct file_question *question, struct file_facts *out)
{
    const int fd = open_path(question, root_file_open);

    if (fd < 0)
        return;
    /* Pieces are compared with memory, which tells more than a device's number. */
    if (question->wants == FILE_WANTS_PIECES || is_mapped(fd, question, true))
        identify(fd, question, out);
    close(fd);
}

/*
 * Identifies the mapped file by the kernel's link to it (needs a capability), then by path. No link
 * leads to the file of which the memory is a copy.
 */
static void find_id(const struct file_question *question, struct file_facts *out)
{
    char path[96];
    int fd;

    snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, (int)question->tid,
             question->start_addr, question->end_addr);
    fd = question->wants == FILE_WANTS_PIECES ? -1 : root_link_open(path);
    if (fd < 0) {
        identify_by_path(question, out);
        return;
    }
    identify(fd, question, out);
    close(fd);
}

static bool leads_to_file(const struct file_question *question)
{
    const int fd = open_path(question, in_root_find);

    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

/*
 * Reads the question's path in the first way by which it leads to the mapped file, else as usual.
 * Most paths can be read in one way only.
 */
static void read_path(struct file_question *question, struct file_facts *out)
{
    static const unsigned ways[] = {0, MAPS_DELETED, MAPS_NEWLINES, MAPS_USUAL};
    char path[PATH_MAX];
    unsigned found;

    strcpy(path, question->path);
    for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        found = maps_copy_path(question->path, PATH_MAX, path, ways[i]);
        out->reading = ways[i];
        if (found == ways[i] && path[0] == '/' && leads_to_file(question))
            return;
    }
    out->is_replaced = path[0] == '/' || found & MAPS_DELETED;
}

/* A perf map that is kept open; pid 0: none. */
struct names_file {
    pid_t pid;
    int fd;
};

/* Was the file last written before the process began? */
static bool is_older(int fd, pid_t pid)
{
    const uint64_t tick_ns = SECOND_NS / (uint64_t)sysconf(_SC_CLK_TCK);
    struct timespec now, up;
    struct proc_stat process;
    struct stat st;

    return proc_read_stat(AT_FDCWD, pid, &process) > 0 && fstat(fd, &st) == 0 &&
           clock_gettime(CLOCK_REALTIME, &now) == 0 && clock_gettime(CLOCK_BOOTTIME, &up) == 0 &&
           st.st_mtim.tv_sec + 1 <
               now.tv_sec - up.tv_sec + (time_t)(process.start_ticks * tick_ns / SECOND_NS);
}

/* Opens the perf map, in the process's root, by its number there. -1: none. */
static int open_names(const struct file_question *question, struct names_file kept[NAMES_KEPT])
{
    struct names_file *file = kept;
    char root[32], name[32];
    int fd;

    while (file < kept + NAMES_KEPT - 1 && file->pid && file->pid != question->pid)
        file++;
    snprintf(root, sizeof(root), "/proc/%d/root", (int)question->tid);
    snprintf(name, sizeof(name), "perf-%u.map",
             (unsigned)proc_status_last(question->pid, "NSpid", (uint64_t)question->pid));
    fd =
        in_file_open_below(root, "tmp", name, (uid_t)proc_status(question->pid, "Uid", UINT32_MAX));
    if (fd >= 0 && is_older(fd, question->pid)) {
        close(fd);
        return -1; /* of an earlier process with this number */
    }
    if (fd >= 0) {
        if (file->pid)
            close(file->fd);
        *file = (struct names_file){.pid = question->pid, .fd = fd};
    }
    return file->pid == question->pid ? file->fd : -1;
}

static void answer_names(int fd, const struct file_question *question,
                         struct names_file kept[NAMES_KEPT])
{
    struct names_part part = {.number = question->number};
    const int map = open_names(question, kept);
    struct stat st;
    ssize_t n = pread(map, part.bytes, sizeof(part.bytes), (off_t)question->off);

    part.is_there = n >= 0 && fstat(map, &st) == 0;
    if (part.is_there)
        part.changed_ns = (uint64_t)st.st_mtim.tv_sec * SECOND_NS + (uint64_t)st.st_mtim.tv_nsec;
    (void)!send(fd, &part, offsetof(struct names_part, bytes) + (n > 0 ? (size_t)n : 0),
                MSG_NOSIGNAL);
}

/* Its first packet answers no question. */
static void answer_all(void *unused, int fd)
{
    const struct file_answer ready = {.number = 0};
    struct names_file kept[NAMES_KEPT] = {{.pid = 0}};
    struct file_question question;
    ssize_t n;

    (void)unused;
    pace_ask_scheduler(); /* cgsnap waits for it */
    (void)!send(fd, &ready, sizeof(ready), MSG_NOSIGNAL);
    for (;;) {
        struct file_answer answer = {.number = 0};
        n = recv(fd, &question, sizeof(question), 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= (ssize_t)offsetof(struct file_question, path))
            return;
        if (question.pid) {
            answer_names(fd, &question, kept);
            continue;
        }
        answer.number = question.number;
        read_path(&question, &answer.facts);
        if (question.wants != FILE_WANTS_PLACE)
            find_id(&question, &answer.facts);
        (void)!send(fd, &answer, sizeof(answer), MSG_NOSIGNAL);
    }
}

void files_destroy(struct files *files)
{
    if (!files)
        return;
    close(files->helper.fd);
    free(files);
}

/* Receives the answer with this number, and returns its size; 0: none. Drops late answers. */
static size_t receive(struct files *files, uint32_t number, int wait_ms, void *answer, size_t size)
{
    struct pollfd poll_fd = {.fd = files->helper.fd, .events = POLLIN};
    uint32_t answered;
    ssize_t n;

    while (poll(&poll_fd, 1, wait_ms) == 1) {
        n = recv(files->helper.fd, answer, size, MSG_DONTWAIT);
        if (n < (ssize_t)sizeof(answered))
            return 0;
        memcpy(&answered, answer, sizeof(answered));
        if (answered == files->waiting)
            files->waiting = 0;
        if (answered == number)
            return (size_t)n;
    }
    return 0;
}

struct files *files_start(void)
{
    const struct helper_tie tie = {.parent_end = SIGKILL}; /* it may hang in a file system */
    struct files *files = calloc(1, sizeof(*files));
    struct file_answer ready;

    if (!files ||
        helper_start(&files->helper, SOCK_SEQPACKET, &tie, answer_all, NULL) != STATUS_OK) {
        free(files);
        return NULL;
    }
    (void)!receive(files, 0, START_MS, &ready, sizeof(ready));
    return files;
}

/* Returns how long the next answer may take, in ns. */
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

/* Asks, and waits for the answer; returns its size; 0: none in time. */
static size_t ask(struct files *files, struct file_question *question, size_t size, void *answer,
                  size_t answer_size)
{
    size_t answered;
    uint64_t now;

    if (files->waiting)
        (void)!receive(files, files->waiting, 0, answer, answer_size);
    if (files->waiting)
        return 0; /* it still works on that one */
    question->number = ++files->asked;
    if (send(files->helper.fd, question, size, MSG_NOSIGNAL | MSG_DONTWAIT) != (ssize_t)size)
        return 0;
    now = clock_now_ns();
    answered =
        receive(files, question->number, (int)(allowed(files, now) / 1000000), answer, answer_size);
    files->waited_ns += clock_now_ns() - now;
    if (!answered)
        files->waiting = question->number;
    return answered;
}

bool files_ask(struct files *files, pid_t tid, const struct exec_map *map, const char *path,
               enum file_wants wants, struct file_facts *out)
{
    struct file_question question = {.tid = tid,
                                     .start_addr = map->start_addr,
                                     .end_addr = map->end_addr,
                                     .file_off = map->file_off,
                                     .inode = map->inode,
                                     .dev = map->dev,
                                     .wants = wants};
    size_t size = offsetof(struct file_question, path) + strlen(path) + 1;
    struct file_answer answer;

    *out = (struct file_facts){.reading = MAPS_USUAL};
    if (!files || strlen(path) >= sizeof(question.path))
        return false;
    strcpy(question.path, path);
    if (ask(files, &question, size, &answer, sizeof(answer)) != sizeof(answer))
        return false;
    *out = answer.facts;
    return true;
}

ssize_t files_read_names(struct files *files, pid_t pid, pid_t tid, uint64_t off,
                         struct names_part *out)
{
    struct file_question question = {.pid = pid, .tid = tid, .off = off};
    size_t n;

    if (!files)
        return -1;
    n = ask(files, &question, offsetof(struct file_question, path) + 1, out, sizeof(*out));
    return n >= offsetof(struct names_part, bytes) && out->is_there
               ? (ssize_t)(n - offsetof(struct names_part, bytes))
               : -1;
}
