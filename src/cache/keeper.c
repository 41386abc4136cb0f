/* SPDX-License-Identifier: MIT */
#include "cache/keeper.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/helper.h"
#include "base/vec.h"
#include "base/write_all.h"
#include "cache/cache.h"

#define MAKING          ".new-" /* prefix of files that are not whole yet */
#define STALLED_SECONDS 2       /* without progress, before we give up */
#define PIECE           65536
#define FILE_MAX        (CACHE_ENTRY_MAX + 4096) /* with the head */
#define BLOCK           4096u
#define OLD_SECONDS     600 /* age of an unfinished file that is abandoned */

struct announced { /* precedes a file's bytes */
    char name[KEEPER_NAME_SIZE];
    uint64_t size;
};

struct kept_file {
    char name[KEEPER_NAME_SIZE + 1];
    struct timespec used;
    uint64_t size;
};

/* Returns what a file takes of the cache: a block of the disk at least. */
static uint64_t room_of(uint64_t size)
{
    return size < BLOCK ? BLOCK : size;
}

static bool receive(int socket, void *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const ssize_t n = read(socket, (char *)bytes + at, size - at);

        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        at += n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool is_name(const char name[KEEPER_NAME_SIZE])
{
    for (size_t i = 0; i < KEEPER_NAME_SIZE; i++)
        if (!name[i] || !strchr("0123456789abcdef", name[i]))
            return false;
    return true;
}

static int by_use(const void *a, const void *b)
{
    const struct timespec *x = &((const struct kept_file *)a)->used;
    const struct timespec *y = &((const struct kept_file *)b)->used;

    if (x->tv_sec != y->tv_sec)
        return x->tv_sec < y->tv_sec ? -1 : 1;
    return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

/* Removes an old unfinished file, which its writer has abandoned. */
static void remove_leftover(int directory, const char *name, const struct stat *st)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (strncmp(name, MAKING, strlen(MAKING)) == 0 && now.tv_sec - st->st_mtim.tv_sec > OLD_SECONDS)
        unlinkat(directory, name, 0);
}

/* Removes the least recently used files until there is room for `room` bytes more. */
static void trim(int directory, uint64_t room)
{
    struct kept_file *files = NULL;
    size_t count = 0, cap = 0;
    uint64_t size = 0;
    const int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
    struct dirent *entry;
    struct stat st;

    while (dir && (entry = readdir(dir))) {
        struct kept_file *file;

        if (fstatat(directory, entry->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(st.st_mode))
            continue;
        if (strlen(entry->d_name) != KEEPER_NAME_SIZE || !is_name(entry->d_name)) {
            remove_leftover(directory, entry->d_name, &st);
            continue;
        }
        if (vec_reserve(&files, &cap, count + 1, sizeof(*files)) != STATUS_OK)
            break;
        file = &files[count++];
        memcpy(file->name, entry->d_name, sizeof(file->name));
        file->size = room_of((uint64_t)st.st_size);
        file->used = st.st_atim.tv_sec > st.st_mtim.tv_sec ? st.st_atim : st.st_mtim;
        size += file->size;
    }
    if (dir)
        closedir(dir);
    else if (fd >= 0)
        close(fd);
    if (count)
        qsort(files, count, sizeof(*files), by_use);
    for (size_t i = 0; i < count && size > CACHE_SIZE_MAX - room; i++)
        if (unlinkat(directory, files[i].name, 0) == 0)
            size -= files[i].size;
    free(files);
}

/* Receives the file's bytes and writes them to `fd`; false: they do not all come. */
static bool take(int socket, int fd, uint64_t size, bool *written)
{
    static char piece[PIECE];

    for (*written = fd >= 0; size > 0;) {
        const size_t next = size < PIECE ? (size_t)size : PIECE;

        if (!receive(socket, piece, next))
            return false;
        *written = *written && write_all(fd, piece, next);
        size -= next;
    }
    return true;
}

static bool keep(int directory, int socket, const struct announced *file)
{
    char name[KEEPER_NAME_SIZE + 1] = {0}, making[32];
    uint64_t number = 0; /* random: unique even over containers and hosts */
    bool written, whole;
    int fd;

    memcpy(name, file->name, KEEPER_NAME_SIZE);
    (void)!getrandom(&number, sizeof(number), GRND_NONBLOCK);
    snprintf(making, sizeof(making), MAKING "%016" PRIx64, number);
    fd = openat(directory, making, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    whole = take(socket, fd, file->size, &written);
    if (fd >= 0 && close(fd) != 0)
        written = false;
    if (fd >= 0 && (!whole || !written || renameat(directory, making, directory, name) != 0))
        unlinkat(directory, making, 0);
    return whole;
}

/* The helper: runs until the program that it serves ends, however that ends. */
static void serve(void *context, int socket)
{
    const int directory = *(const int *)context;
    struct announced file;
    uint64_t room = 0; /* left below the cap, unless other runs have used it */

    while (receive(socket, &file, sizeof(file)) && is_name(file.name) && file.size <= FILE_MAX) {
        if (room_of(file.size) > room) {
            trim(directory, FILE_MAX);
            room = FILE_MAX;
        }
        room -= room_of(file.size);
        if (!keep(directory, socket, &file))
            break;
    }
}

/* Bounds the wait for a stalled helper (a file system may stall); then nothing more is kept. */
static bool bound_waits(int socket)
{
    const struct timeval most = {.tv_sec = STALLED_SECONDS};

    return setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof(most)) == 0;
}

enum status keeper_begin(struct keeper *keeper, int directory)
{
    const struct helper_tie tie = {.keep = &directory, .keep_count = 1};
    enum status status = helper_start(&keeper->helper, SOCK_STREAM, &tie, serve, &directory);

    if (status == STATUS_OK)
        keeper->stalled = !bound_waits(keeper->helper.fd);
    return status;
}

/* Signals may interrupt a send, more than once, before its timeout. */
static bool send_all(int socket, const void *bytes, size_t size)
{
    int64_t moved_ms = clock_now_ms();

    for (size_t at = 0; at < size;) {
        const ssize_t n = send(socket, (const char *)bytes + at, size - at, MSG_NOSIGNAL);

        if (n > 0) {
            at += (size_t)n;
            moved_ms = clock_now_ms();
        } else if (n == 0 || errno != EINTR || clock_now_ms() - moved_ms > STALLED_SECONDS * 1000) {
            return false;
        }
    }
    return true;
}

void keeper_write(struct keeper *keeper, const char name[KEEPER_NAME_SIZE], const void *head,
                  size_t head_size, const void *body, size_t body_size)
{
    struct announced file = {.size = (uint64_t)head_size + body_size};

    memcpy(file.name, name, sizeof(file.name));
    keeper->stalled = keeper->stalled || !send_all(keeper->helper.fd, &file, sizeof(file)) ||
                      !send_all(keeper->helper.fd, head, head_size) ||
                      !send_all(keeper->helper.fd, body, body_size);
}

/* The helper ends when it sees the socket's end: soon, unless it has much to write. */
void keeper_end(struct keeper *keeper)
{
    struct timespec moment = {.tv_nsec = 50000};

    close(keeper->helper.fd);
    for (int64_t waited_ns = 0;
         !keeper->stalled && waited_ns < STALLED_SECONDS * INT64_C(1000000000);
         waited_ns += moment.tv_nsec) {
        const pid_t ended = waitpid(keeper->helper.pid, NULL, WNOHANG);

        if (ended > 0 || (ended < 0 && errno != EINTR))
            return;
        nanosleep(&moment, NULL);
        if (moment.tv_nsec < 10000000)
            moment.tv_nsec *= 2;
    }
}
