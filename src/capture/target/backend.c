/* SPDX-License-Identifier: MIT */
#include "capture/target/backend.h"

size_t target_read(const struct target *target, pid_t tid, uint64_t addr, void *buffer, size_t size)
{
    const struct target_memory piece = {.addr = addr, .size = size};
    size_t done = 0;

    (void)!target->backend->memory(target->state, tid, &piece, 1, buffer, &done);
    return done;
}
