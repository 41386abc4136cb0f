/* SPDX-License-Identifier: MIT */
/* The importer of Zephyr's dumps over any bytes, as a file and as the log's text. */
#include <sys/mman.h>

#include "fuzz.h"

#include "snapshot/import/source.h"

#define EVENTS_MAX 200000

static void check_sample(const struct snap_source *source, const struct snap_sample *sample)
{
    const struct arch *arch = source->arch;

    if (!regs_has(&sample->regs, arch->pc) || !regs_has(&sample->regs, arch->sp))
        abort();
    for (uint32_t i = 0; i < sample->region_count; i++) {
        const struct snap_region *region = &sample->regions[i];
        uint8_t byte;

        if (region->start_addr == region->end_addr ||
            !snap_source_memory(source, region->end_addr - 1, &byte, 1) ||
            snap_source_memory(source, region->end_addr, &byte, 1))
            abort();
        if (i > 1 && region->start_addr <= sample->regions[i - 1].end_addr)
            abort();
    }
    fuzz_use(fuzz_touch_regions(sample));
}

static void read_all(struct snap_source *source)
{
    struct snap_event event;
    struct diag diag;
    uint64_t sum;

    for (unsigned i = 0; snap_source_next(source, &event, &diag) == STATUS_OK; i++) {
        if (i == EVENTS_MAX)
            abort();
        if (fuzz_touch_description(&event, &sum))
            fuzz_use(sum);
        else if (event.type == SNAP_SAMPLE)
            check_sample(source, &event.sample);
        else if (event.type != SNAP_BOARD)
            abort();
    }
    for (size_t i = 0; i < source->note_count; i++)
        fuzz_use_diag(&source->notes[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct snap_source *source;
    struct diag diag = {.what = ""};
    int fd;

    /* What is an ELF file, a snapshot or a perf.data is for others to read. */
    if (size == 0 || data[0] == 0x7f || data[0] == 0x89 ||
        (size > 8 && memcmp(data, "PERF", 4) == 0))
        return 0;
    fd = memfd_create("input", MFD_CLOEXEC);
    if (fd < 0)
        return 0;
    fuzz_write(fd, data, size);
    if (snap_source_open(fd, "input", &source, &diag) == STATUS_OK) {
        read_all(source);
        snap_source_close(source);
    } else {
        if (!diag.what[0])
            abort();
        fuzz_use_diag(&diag);
    }
    close(fd);
    return 0;
}
