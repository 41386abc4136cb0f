/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/pipes.h"

#include <errno.h>
#include <unistd.h>

#include "base/write_all.h"

void pipe_read_or_exit(int fd, void *buffer, size_t size)
{
    char *at = buffer;

    while (size > 0) {
        const ssize_t got = read(fd, at, size);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) /* 0: there are no more questions */
            _exit(got == 0 ? 0 : CHILD_EXIT_PIPE);
        at += got;
        size -= (size_t)got;
    }
}

void pipe_write_or_exit(int fd, const void *bytes, size_t size)
{
    if (!write_all(fd, bytes, size))
        _exit(CHILD_EXIT_PIPE);
}
