/* SPDX-License-Identifier: MIT */
#include "base/root_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/in_file.h"

/* Kernels before 5.6, and some containers, have no such call: absolute links lead astray there. */
static int find_in(int root_fd, const char *path)
{
    struct open_how how = {.flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
    const int fd = (int)syscall(SYS_openat2, root_fd, path, &how, sizeof(how));

    if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
        return fd;
    while (*path == '/')
        path++;
    return openat(root_fd, path, O_PATH | O_CLOEXEC);
}

int root_file_open(pid_t tid, const char *path)
{
    char name[48];
    int root_fd, found, fd, error;

    if (!tid)
        return in_file_open(path);
    snprintf(name, sizeof(name), "/proc/%d/root", (int)tid);
    root_fd = open(name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root_fd < 0)
        return -1;
    found = find_in(root_fd, path);
    error = errno;
    close(root_fd);
    errno = error;
    if (found < 0)
        return -1;
    snprintf(name, sizeof(name), "/proc/self/fd/%d", found);
    fd = in_file_open(name);
    error = errno;
    close(found);
    errno = error;
    return fd;
}
