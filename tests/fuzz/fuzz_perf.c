/* SPDX-License-Identifier: MIT */
/*
 * The importer of perf.data over any bytes.
 *
 * Input: one byte of flags, then the file. Flag 1: it comes from a pipe. Flag 2: the chunks of
 * bytes behind the header are what a compressed stream holds: they are put into a COMPRESSED
 * record, without which no mutation gets past the decompressor.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "fuzz.h"

#include "snapshot/import/perf/format.h"
#include "snapshot/import/source.h"

#define EVENTS_MAX 20000
#define INPUT_MAX  60000 /* bytes: a pipe holds them, and so does a record */

static uint64_t touch_sample(const struct snap_sample *sample, const struct arch *arch)
{
    uint64_t sum = fuzz_touch(sample->kernel_chain, 8 * (uint64_t)sample->kernel_count) +
                   fuzz_touch(sample->user_chain, 8 * (uint64_t)sample->user_count);

    if (!sample->no_context &&
        !(regs_has(&sample->regs, arch->pc) && regs_has(&sample->regs, arch->sp)))
        abort();
    return sum + fuzz_touch_regions(sample);
}

static uint64_t touch_event(const struct snap_event *event, const struct arch *arch)
{
    switch (event->type) {
    case SNAP_PROCESS:
        return strlen(event->process.exe) + strlen(event->process.host) +
               strlen(event->process.kernel);
    case SNAP_MAP:
        if (event->map.kind != SNAP_MAP_KERNEL && event->map.start_addr >= event->map.end_addr)
            abort();
        return strlen(event->map.path) + fuzz_touch(event->map.build_id, event->map.build_id_size) +
               (event->map.kernel && event->map.kernel->symbol ? strlen(event->map.kernel->symbol)
                                                               : 0);
    case SNAP_CODE:
        return fuzz_touch(event->range.bytes, event->range.end_addr - event->range.start_addr);
    case SNAP_THREAD:
        return strlen(event->thread.name);
    case SNAP_SAMPLE:
        return touch_sample(&event->sample, arch);
    case SNAP_UNMAP:
    case SNAP_THREAD_END:
    case SNAP_LOSS:
        return 0;
    case SNAP_SUMMARY:
    case SNAP_REPEAT:
    case SNAP_IDLE:
    case SNAP_CREATION:
    case SNAP_TICK:
    case SNAP_NAMES:
    case SNAP_SYMBOL_FILE:
    case SNAP_WAIT:
    case SNAP_UNCHANGED:
    case SNAP_POINTEES:
    case SNAP_BOARD:
    case SNAP_SYSTEM:
    case SNAP_TASK:
    case SNAP_FILE:
    case SNAP_FILE_PART:
    case SNAP_USAGE:
        abort();
    }
    abort();
}

static void read_all(int fd)
{
    struct snap_source *source = NULL;
    struct snap_event event;
    struct diag diag = {.what = ""};
    enum status status = snap_source_open(fd, "input", &source, &diag);

    if (status != STATUS_OK) {
        fuzz_use_diag(&diag);
        return;
    }
    for (unsigned i = 0; i < EVENTS_MAX; i++) {
        status = snap_source_next(source, &event, &diag);
        if (status != STATUS_OK) {
            /* An end stays the end, an error the same error. */
            if (snap_source_next(source, &event, &diag) != status)
                abort();
            if (status != STATUS_END)
                fuzz_use_diag(&diag);
            break;
        }
        if (source->kind == SOURCE_PERF)
            fuzz_use(touch_event(&event, source->arch));
    }
    snap_source_close(source);
}

/* All records behind the first as one that is compressed. */
static void write_packed(int fd, const uint8_t *data, size_t size)
{
    size_t first = PERF_PIPE_HEADER_SIZE;
    uint16_t attr = 0;
    uint32_t head[2] = {PERF_COMPRESSED, 0};
    uint8_t *packed = malloc(ZSTD_compressBound(size));
    size_t packed_size;

    if (size > first + PERF_RECORD_HEAD)
        memcpy(&attr, data + first + 6, 2);
    first = attr < size - first ? first + attr : first;
    packed_size =
        packed ? ZSTD_compress(packed, ZSTD_compressBound(size), data + first, size - first, 1) : 0;
    fuzz_write(fd, data, first);
    if (packed && packed_size + PERF_RECORD_HEAD <= UINT16_MAX) {
        head[1] = (uint32_t)(packed_size + PERF_RECORD_HEAD) << 16;
        fuzz_write(fd, head, sizeof(head));
        fuzz_write(fd, packed, packed_size);
    }
    free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fds[2] = {-1, -1};

    if (size < 1 + PERF_PIPE_HEADER_SIZE || size > INPUT_MAX)
        return 0;
    if (data[0] & 1 ? pipe(fds) != 0 : (fds[1] = memfd_create("perf.data", 0)) < 0)
        return 0;
    if (data[0] & 2)
        write_packed(fds[1], data + 1, size - 1);
    else
        fuzz_write(fds[1], data + 1, size - 1);
    if (data[0] & 1)
        close(fds[1]);
    read_all(data[0] & 1 ? fds[0] : fds[1]);
    close(data[0] & 1 ? fds[0] : fds[1]);
    return 0;
}
