/* SPDX-License-Identifier: MIT */
#include "capture/target/backend.h"

#include <time.h>

uint64_t capture_now(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

size_t target_read(const struct target *target, pid_t tid, uint64_t addr, void *buffer, size_t size)
{
    const struct target_memory piece = {.addr = addr, .size = size};
    size_t done = 0;

    (void)!target->backend->memory(target->state, tid, &piece, 1, buffer, &done);
    return done;
}
