/* SPDX-License-Identifier: MIT */
/* A source of bytes: a program's memory, or a file. */
#ifndef RUNTIME_JIT_CAPTURE_TARGET_BYTES_H
#define RUNTIME_JIT_CAPTURE_TARGET_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct target_bytes {
    /* Reads `size` bytes from `at` (run-time address or file offset) on. False: not all can be. */
    bool (*read)(void *context, uint64_t at, void *buffer, size_t size);
    void *context;
};

static inline bool target_bytes_read(const struct target_bytes *from, uint64_t at, void *buffer,
                                     size_t size)
{
    return from->read(from->context, at, buffer, size);
}

#endif
