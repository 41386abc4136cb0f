/* SPDX-License-Identifier: MIT */
#include "base/read_all.h"

#include <errno.h>
#include <unistd.h>

size_t read_all(int fd, uint64_t off, void *buffer, size_t size)
{
    size_t done = 0;

    while (done < size && off <= (uint64_t)INT64_MAX - size) {
        const ssize_t n = pread(fd, (char *)buffer + done, size - done, (off_t)(off + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return done;
}
