/* SPDX-License-Identifier: MIT */
#include "base/in_root.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#define LINKS_MAX 40 /* as the kernel's */
#define DEPTH_MAX 64

#define PROC_MAGIC 0x9fa0 /* as in the kernel's <linux/magic.h>, which some C libraries lack */

/* From the root down: fds[0] is borrowed. */
struct way {
    int fds[DEPTH_MAX + 1];
    size_t depth;
    bool is_file; /* what was found is no directory: nothing may follow */
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
    struct statfs fs;

    if (n < 0)
        return -1;
    if (fstatfs(link, &fs) == 0 && (unsigned long)fs.f_type == PROC_MAGIC)
        return failed(ELOOP);
    target[n] = '\0';
    if (++way->links > LINKS_MAX)
        return failed(ELOOP);
    if ((size_t)snprintf(joined, sizeof(joined), "%s%s", target, rest) >= sizeof(joined))
        return failed(ENAMETOOLONG);
    if (target[0] == '/')
        while (way->depth > 0)
            up(way);
    memcpy(way->rest, joined, sizeof(joined));
    return 0;
}

/* Opens `name`; as a directory first where more follows: that mounts what is mounted on demand. */
static int open_name(int directory, const char *name, bool more)
{
    const int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
    const int fd = more ? openat(directory, name, flags | O_DIRECTORY) : -1;

    if (fd >= 0 || (more && errno != ENOTDIR && errno != ELOOP))
        return fd;
    return openat(directory, name, flags);
}

/* Goes into `name`, or to where it leads. */
static int enter(struct way *way, const char *name, const char *rest)
{
    const int fd = open_name(way->fds[way->depth], name, rest[0] != '\0');
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
        way->is_file = !S_ISDIR(st.st_mode);
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

    if (way->is_file)
        return failed(ENOTDIR);
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
    if (!path[0])
        return failed(ENOENT);
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
