/* SPDX-License-Identifier: MIT */
#include "base/in_root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as the kernel's */
#define DEPTH_MAX 64

/* From the root down: fds[0] is borrowed. */
struct way {
    int fds[DEPTH_MAX + 1];
    size_t depth;
    unsigned links;
    char rest[PATH_MAX]; /* of the path */
};

static void up(struct way *way)
{
    if (way->depth > 0)
        close(way->fds[way->depth--]);
}

static int failed(int error)
{
    errno = error;
    return -1;
}

/* Puts what the link leads to before `rest`, a part of way->rest. */
static int follow(struct way *way, int link, const char *rest)
{
    char target[PATH_MAX], joined[PATH_MAX];
    const ssize_t n = readlinkat(link, "", target, sizeof(target) - 1);

    if (n < 0)
        return -1;
    target[n] = '\0';
    if (++way->links > LINKS_MAX)
        return failed(ELOOP);
    if ((size_t)snprintf(joined, sizeof(joined), "%s/%s", target, rest) >= sizeof(joined))
        return failed(ENAMETOOLONG);
    if (target[0] == '/')
        while (way->depth > 0)
            up(way);
    memcpy(way->rest, joined, sizeof(joined));
    return 0;
}

/* Goes into `name`, or to where it leads. */
static int enter(struct way *way, const char *name, const char *rest)
{
    const int fd = openat(way->fds[way->depth], name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;
    int status, error;

    if (fd < 0)
        return -1;
    if (fstat(fd, &st) != 0) {
        status = -1;
    } else if (S_ISLNK(st.st_mode)) {
        status = follow(way, fd, rest);
    } else if (way->depth == DEPTH_MAX) {
        status = failed(ENAMETOOLONG);
    } else {
        way->fds[++way->depth] = fd;
        memmove(way->rest, rest, strlen(rest) + 1);
        return 0;
    }
    error = errno;
    close(fd);
    return status < 0 ? failed(error) : 0;
}

/* Takes the first name of way->rest. */
static int step(struct way *way)
{
    const char *name = way->rest + strspn(way->rest, "/");
    const size_t size = strcspn(name, "/");
    char copy[NAME_MAX + 1];

    if (size > NAME_MAX)
        return failed(ENAMETOOLONG);
    memcpy(copy, name, size);
    copy[size] = '\0';
    if (strcmp(copy, "..") == 0)
        up(way);
    else if (size > 0 && strcmp(copy, ".") != 0)
        return enter(way, copy, name + size);
    memmove(way->rest, name + size, strlen(name + size) + 1);
    return 0;
}

int in_root_find(int root, const char *path)
{
    struct way way = {.fds = {root}};
    int status = 0, fd = -1, error;

    if (root == AT_FDCWD)
        return open(path, O_PATH | O_CLOEXEC);
    if (strlen(path) >= sizeof(way.rest))
        return failed(ENAMETOOLONG);
    memcpy(way.rest, path, strlen(path) + 1);
    while (status == 0 && way.rest[0])
        status = step(&way);
    error = errno;
    if (status == 0 && way.depth > 0) {
        fd = way.fds[way.depth--];
    } else if (status == 0) {
        fd = openat(root, ".", O_PATH | O_CLOEXEC);
        error = errno;
    }
    while (way.depth > 0)
        up(&way);
    return fd < 0 ? failed(error) : fd;
}
