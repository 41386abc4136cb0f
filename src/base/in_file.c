/* SPDX-License-Identifier: MIT */
#include "base/in_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LEASE_WAIT_MS 1000
#define LEASE_LOOK_MS 20

int in_file_reopen(int found)
{
    const struct timespec look = {.tv_nsec = LEASE_LOOK_MS * 1000000};
    char link[64];
    int fd;

    snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
    fd = open(link, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    for (int ms = 0; fd < 0 && errno == EWOULDBLOCK && ms < LEASE_WAIT_MS; ms += LEASE_LOOK_MS) {
        nanosleep(&look, NULL);
        fd = open(link, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    }
    return fd;
}

/*
 * Opens the file that `found`, an O_PATH descriptor, refers to, if it is a regular one (of
 * `owner`). O_PATH has opened nothing yet, so looking at the file has no effect. Closes `found`.
 */
static int open_found(int found, const uid_t *owner)
{
    int fd = -1, error = EMEDIUMTYPE;
    struct stat st;

    if (found < 0)
        return -1;
    if (fstat(found, &st) != 0) {
        error = errno;
    } else if (owner && st.st_uid != *owner) {
        error = EPERM;
    } else if (S_ISREG(st.st_mode)) {
        fd = in_file_reopen(found);
        error = errno;
    }
    close(found);
    errno = error;
    return fd;
}

int in_file_open(const char *path)
{
    struct stat st;
    int fd = open_found(open(path, O_PATH | O_CLOEXEC), NULL);

    /* /proc is not mounted */
    if (fd < 0 && errno == ENOENT && stat(path, &st) == 0 && S_ISREG(st.st_mode))
        fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    return fd;
}

int in_file_open_below(const char *root, const char *directory, const char *name, uid_t owner)
{
    const int root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    const int flags = O_PATH | O_NOFOLLOW | O_CLOEXEC;
    const int directory_fd = root_fd < 0 ? -1 : openat(root_fd, directory, flags | O_DIRECTORY);
    const int fd = directory_fd < 0 ? -1 : open_found(openat(directory_fd, name, flags), &owner);
    const int error = errno;

    if (directory_fd >= 0)
        close(directory_fd);
    if (root_fd >= 0)
        close(root_fd);
    errno = error;
    return fd;
}
