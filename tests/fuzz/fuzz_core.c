/* SPDX-License-Identifier: MIT */
/*
 * The importer of ELF core files over any bytes.
 *
 * Input: one byte of flags, then the file. Flag 1: it comes through a pipe's way, as a stream that
 * cannot be sought (of at most so many bytes as a pipe holds). Flag 2: it is cut to half of its
 * size after the first sample.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz.h"

#include "snapshot/import/source.h"

#define PIPE_MAX   65536
#define EVENTS_MAX 20000

/* A board's core may lack any register; what is known of a process's is all of them. */
static uint64_t touch_sample(const struct snap_sample *sample, const struct arch *arch, bool board)
{
    for (unsigned reg = 0; reg < arch->reg_count && !board; reg++)
        if (!regs_has(&sample->regs, reg))
            abort();
    for (uint32_t i = 2; i < sample->region_count; i++)
        if (sample->regions[i].start_addr < sample->regions[i - 1].end_addr)
            abort();
    return fuzz_touch_regions(sample);
}

/* *board: such an event has come. */
static uint64_t touch_event(const struct snap_event *event, const struct arch *arch, bool *board)
{
    uint64_t sum;

    if (fuzz_touch_description(event, &sum))
        return sum;
    if (event->type == SNAP_SAMPLE)
        return touch_sample(&event->sample, arch, *board);
    if (event->type != SNAP_BOARD)
        abort(); /* nothing else is in a core */
    *board = true;
    return strlen(event->board.machine);
}

static void read_all(int fd, bool cut, size_t size)
{
    struct snap_source *source;
    struct snap_event event;
    struct diag diag = {.what = ""};
    enum status status = STATUS_OK;
    bool board = false;

    if (snap_source_open(fd, "input", &source, &diag) != STATUS_OK) {
        if (!diag.what[0])
            abort();
        fuzz_use_diag(&diag);
        return;
    }
    for (unsigned i = 0; i < EVENTS_MAX && status == STATUS_OK; i++) {
        status = snap_source_next(source, &event, &diag);
        if (status == STATUS_OK)
            fuzz_use(touch_event(&event, source->arch, &board));
        if (status == STATUS_OK && event.type == SNAP_SAMPLE && cut &&
            ftruncate(fd, (off_t)(size / 2)) != 0)
            abort();
    }
    if (status != STATUS_OK && status != STATUS_END)
        abort();
    for (size_t i = 0; i < source->note_count; i++)
        fuzz_use_diag(&source->notes[i]);
    snap_source_close(source);
}

static int open_pipe(const uint8_t *data, size_t size)
{
    int ends[2];

    if (size > PIPE_MAX || pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    fuzz_write(ends[1], data, size);
    close(ends[1]);
    return ends[0];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int fd;

    /* What is no ELF file is for others to read. */
    if (size < 5 || memcmp(data + 1, "\177ELF", 4) != 0)
        return 0;
    size--;
    if (data[0] & 1) {
        fd = open_pipe(data + 1, size);
    } else {
        fd = memfd_create("input", MFD_CLOEXEC);
        if (fd >= 0)
            fuzz_write(fd, data + 1, size);
    }
    if (fd < 0)
        return 0;
    read_all(fd, (data[0] & 3) == 2, size);
    close(fd);
    return 0;
}
