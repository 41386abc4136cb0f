/* SPDX-License-Identifier: MIT */
#include "base/await.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>

#include "base/clock.h"

bool await_input(int fd, int wait_ms)
{
    const int64_t deadline = clock_now_ms() + wait_ms;
    struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
    int64_t left = wait_ms;
    int ready;

    while ((ready = poll(&poll_fd, 1, left > 0 ? (int)left : 0)) < 0 && errno == EINTR)
        left = deadline - clock_now_ms();
    return ready > 0;
}
