/* SPDX-License-Identifier: MIT */
#include "base/in_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* O_PATH opens nothing, so that it can be looked at; then the same is opened through its link. */
static int open_regular(const char *path, int flags, const uid_t *owner)
{
    int found = open(path, O_PATH | O_CLOEXEC | flags), fd = -1, error = EMEDIUMTYPE;
    char link[64];
    struct stat st;

    if (found < 0)
        return -1;
    if (fstat(found, &st) != 0) {
        error = errno;
    } else if (owner && st.st_uid != *owner) {
        error = EPERM;
    } else if (S_ISREG(st.st_mode)) {
        snprintf(link, sizeof(link), "/proc/self/fd/%d", found);
        fd = open(link, O_RDONLY | O_CLOEXEC | O_NOCTTY);
        error = errno;
        if (fd < 0 && error == ENOENT) { /* /proc is not mounted */
            fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
            error = errno;
        }
    }
    close(found);
    errno = error;
    return fd;
}

int in_file_open(const char *path)
{
    return open_regular(path, 0, NULL);
}

int in_file_open_owned(const char *path, uid_t owner)
{
    return open_regular(path, O_NOFOLLOW, &owner);
}
