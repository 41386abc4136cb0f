/* SPDX-License-Identifier: MIT */
/* What the targets that read files and streams of samples share. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "snapshot/event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Keeps the compiler from leaving out the reading. */
static inline void fuzz_use(uint64_t value)
{
    __asm__ volatile("" : : "r"(value));
}

/* Reads all that an event points to, for the sanitizer to see. */
static inline uint64_t fuzz_touch(const void *bytes, uint64_t size)
{
    const uint8_t *byte = bytes;
    uint64_t sum = 0;

    for (uint64_t i = 0; i < size; i++)
        sum += byte[i];
    return sum;
}

static inline uint64_t fuzz_touch_regions(const struct snap_sample *sample)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < sample->region_count; i++) {
        const struct snap_region *region = &sample->regions[i];

        if (region->start_addr > region->end_addr || region->end_addr > region->map_end_addr)
            abort();
        sum += fuzz_touch(region->bytes, region->end_addr - region->start_addr);
    }
    return sum;
}

/* Of PROCESS, MAP, CODE and THREAD; false: it is none of these. */
static inline bool fuzz_touch_description(const struct snap_event *event, uint64_t *sum)
{
    switch (event->type) {
    case SNAP_PROCESS:
        *sum = strlen(event->process.exe) + strlen(event->process.host) +
               strlen(event->process.kernel) +
               fuzz_touch(event->process.command_line, event->process.command_line_size) +
               fuzz_touch(event->process.auxv, event->process.auxv_size);
        return true;
    case SNAP_MAP:
        if (event->map.start_addr >= event->map.end_addr)
            abort();
        *sum = strlen(event->map.path) + fuzz_touch(event->map.build_id, event->map.build_id_size);
        return true;
    case SNAP_CODE:
        *sum = fuzz_touch(event->range.bytes, event->range.end_addr - event->range.start_addr);
        return true;
    case SNAP_THREAD:
        *sum = strlen(event->thread.name);
        return true;
    default:
        return false;
    }
}

static inline void fuzz_use_diag(const struct diag *diag)
{
    char text[800];

    fuzz_use(strlen(diag_format(diag, text, sizeof(text))));
}

/* Into a file in memory, or a pipe that has room for it. */
static inline void fuzz_write(int fd, const void *bytes, size_t size)
{
    if (write(fd, bytes, size) != (ssize_t)size)
        abort();
}

#endif
