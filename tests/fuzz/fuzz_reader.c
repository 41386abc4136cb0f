/* SPDX-License-Identifier: MIT */
/*
 * The snapshot reader over any bytes.
 *
 * Input: one byte of flags, then the stream. Flag 1: the checksums of file header and records are
 * put right first, without which nearly every mutation ends at the CRC. Flag 2: the stream arrives
 * in small reads, as from a pipe.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_checksums.h"

#include "snapshot/reader.h"

/* an IDLE record of 24 bytes may stand for a sample of each of 65,536 threads */
#define EVENTS_MAX 20000

struct stream {
    const uint8_t *bytes;
    size_t size, pos;
    size_t chunk;
};

static int64_t read_stream(void *context, void *buffer, uint64_t size)
{
    struct stream *s = context;
    size_t n = s->size - s->pos;

    if (n > size)
        n = (size_t)size;
    if (n > s->chunk)
        n = s->chunk;
    if (n)
        memcpy(buffer, s->bytes + s->pos, n);
    s->pos += n;
    return (int64_t)n;
}

static uint64_t touch_waits(const struct snap_sample *sample)
{
    uint64_t sum = 0;

    if (sample->wait_count > SNAP_WAIT_MAX)
        abort();
    for (uint32_t i = 0; i < sample->wait_count; i++) {
        const struct snap_wait *wait = &sample->waits[i];

        if (wait->kind == SNAP_WAIT_FD)
            sum += strlen(wait->link);
        else if (wait->kind == SNAP_WAIT_MEMORY && wait->size <= SNAP_WAIT_MEMORY_MAX &&
                 wait->addr <= UINT64_MAX - wait->size)
            sum += strlen(wait->path) + fuzz_touch(wait->bytes, wait->size);
        else
            abort();
    }
    return sum;
}

static uint64_t touch_pointees(const struct snap_sample *sample)
{
    uint64_t sum = 0, end = 0;

    for (uint32_t i = 0; i < sample->pointee_count; i++) {
        const struct snap_region *piece = &sample->pointees[i];

        if (piece->start_addr < end || piece->end_addr <= piece->start_addr ||
            piece->end_addr - piece->start_addr > SNAP_POINTEES_MAX)
            abort();
        end = piece->end_addr;
        sum += fuzz_touch(piece->bytes, (size_t)(end - piece->start_addr));
    }
    return sum;
}

static uint64_t touch_board(const struct snap_sample *sample)
{
    uint64_t sum = 0;

    if (sample->system_count > SNAP_SYSTEM_MAX)
        abort();
    for (uint32_t i = 0; i < sample->system_count; i++)
        sum += sample->system[i].number + sample->system[i].value;
    if (sample->task) {
        const struct snap_task *task = sample->task;

        if (task->stack_start_addr > task->stack_end_addr || task->state > SNAP_TASK_ENDED ||
            task->wait_kind > SNAP_TASK_WAIT_OTHER)
            abort();
        sum += strlen(task->object) + strlen(task->system);
    }
    return sum;
}

static uint64_t touch_sample(const struct snap_sample *sample, const struct arch *arch)
{
    if (sample->region_count < 1 || sample->region_count > SNAP_REGION_MAX)
        abort();
    if (!regs_has(&sample->regs, arch->pc) || !regs_has(&sample->regs, arch->sp))
        abort(); /* others may be told as unknown */
    return fuzz_touch_regions(sample) + touch_waits(sample) + touch_pointees(sample) +
           touch_board(sample);
}

static uint64_t touch_tick(const struct snap_sample *tick, const struct arch *arch)
{
    if (tick->region_count < 1 || tick->region_count > SNAP_REGION_MAX ||
        !regs_has(&tick->regs, arch->pc) || !regs_has(&tick->regs, arch->sp))
        abort();
    return fuzz_touch_regions(tick);
}

static uint64_t touch_event(const struct snap_event *event, const struct arch *arch)
{
    uint64_t sum;

    if (fuzz_touch_description(event, &sum))
        return sum;
    switch (event->type) {
    case SNAP_SAMPLE:
        return touch_sample(&event->sample, arch);
    case SNAP_TICK:
        return touch_tick(&event->sample, arch);
    case SNAP_CREATION:
        return touch_sample(&event->creation.maker, arch);
    case SNAP_SYMBOL_FILE:
        return fuzz_touch(event->symbol_file.bytes, event->symbol_file.size);
    case SNAP_NAMES:
        return fuzz_touch(event->names.bytes, event->names.size);
    case SNAP_BOARD:
        return strlen(event->board.machine);
    case SNAP_UNMAP:
        if (event->range.start_addr >= event->range.end_addr)
            abort();
        return 0;
    case SNAP_THREAD_END:
    case SNAP_LOSS:
    case SNAP_USAGE:
    case SNAP_SUMMARY:
        return 0;
    default: /* REPEAT, IDLE, WAIT, POINTEES, SYSTEM and TASK are never delivered */
        abort();
    }
}

static void read_all(struct stream *stream)
{
    struct snap_reader *reader;
    struct snap_event event;
    struct diag diag = {.what = ""};
    uint64_t end;
    enum status status;

    if (snap_reader_create(read_stream, stream, "input", &reader, &diag) != STATUS_OK) {
        fuzz_use_diag(&diag);
        return;
    }
    for (unsigned i = 0; i < EVENTS_MAX; i++) {
        status = snap_reader_next(reader, &event, &diag);
        if (status != STATUS_OK) {
            /* An end stays the end, an error the same error. */
            if (snap_reader_next(reader, &event, &diag) != status)
                abort();
            if (status != STATUS_END)
                fuzz_use_diag(&diag);
            break;
        }
        fuzz_use(touch_event(&event, snap_reader_arch(reader)));
    }
    (void)snap_reader_cut_short(reader, &end);
    if (end > stream->size)
        abort();
    snap_reader_destroy(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stream stream = {.chunk = SIZE_MAX};
    uint8_t *copy;

    if (size < 1)
        return 0;
    copy = malloc(size);
    if (!copy)
        return 0;
    memcpy(copy, data + 1, size - 1);
    if (data[0] & 1)
        fuzz_repair_checksums(copy, size - 1);
    if (data[0] & 2)
        stream.chunk = 7;
    stream.bytes = copy;
    stream.size = size - 1;
    read_all(&stream);
    free(copy);
    return 0;
}
