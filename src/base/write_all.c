/* SPDX-License-Identifier: MIT */
#include "base/write_all.h"

#include <errno.h>
#include <poll.h>
#include <sys/types.h>
#include <unistd.h>

bool write_all(int fd, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const ssize_t n = write(fd, (const char *)bytes + at, size - at);

        if (n < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        else if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? (size_t)n : 0;
    }
    return true;
}
