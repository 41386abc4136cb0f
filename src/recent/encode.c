/* SPDX-License-Identifier: MIT */
#include "recent/encode.h"

/* Ends the record. UNSUPPORTED: too large, and dropped. */
static enum status end(struct snap_writer *writer)
{
    return snap_writer_end(writer) == STATUS_OK ? STATUS_OK : STATUS_UNSUPPORTED;
}

static void put_regions(struct snap_writer *writer, const struct snap_sample *sample)
{
    snap_writer_u8(writer, (uint8_t)sample->region_count);
    for (uint32_t i = 0; i < sample->region_count; i++) {
        const struct snap_region *region = &sample->regions[i];
        const uint32_t size = (uint32_t)(region->end_addr - region->start_addr);

        snap_writer_u64(writer, region->start_addr);
        snap_writer_u64(writer, region->end_addr);
        snap_writer_u64(writer, region->map_end_addr);
        snap_writer_u32(writer, size ? 1 : 0);
        if (!size)
            continue;
        snap_writer_u32(writer, 0);
        snap_writer_u32(writer, size);
        snap_writer_raw(writer, region->bytes, size);
    }
}

/* Puts all that follows the regions (FORMAT.md), whatever version the sample was read from. */
static void put_tail(struct snap_writer *writer, const struct arch *arch,
                     const struct snap_sample *sample)
{
    const uint64_t all = (UINT64_C(1) << arch->all_regs) - 1;
    const struct snap_goroutine *goroutine = &sample->goroutine;

    snap_writer_u64(writer, sample->stack_map_addr);
    snap_writer_u64(writer, sample->delay_ns);
    snap_writer_u8(writer, goroutine->state);
    if (goroutine->state == SNAP_GOROUTINE_LEFT) {
        snap_writer_u64(writer, goroutine->sp);
        snap_writer_u64(writer, goroutine->pc);
        snap_writer_u64(writer, goroutine->lr);
    }
    snap_writer_u64(writer, sample->goroutine_id);
    snap_writer_u64(writer, all & ~sample->regs.known);
}

enum status encode_sample(struct snap_writer *writer, const struct arch *arch,
                          const struct snap_sample *sample)
{
    const bool is_ready = sample->state == SNAP_STATE_READY;
    unsigned flags = sample->flags & ~(unsigned)(SNAP_SAMPLE_READY | SNAP_SAMPLE_HELD);

    flags |= (is_ready ? SNAP_SAMPLE_READY : 0u) | (sample->held ? SNAP_SAMPLE_HELD : 0u);
    snap_writer_begin(writer, SNAP_SAMPLE, true);
    snap_writer_u32(writer, sample->pid);
    snap_writer_u32(writer, sample->tid);
    snap_writer_u64(writer, sample->time_ns);
    snap_writer_u8(writer, (uint8_t)(is_ready ? 'R' : sample->state));
    snap_writer_u8(writer, (uint8_t)flags);
    snap_writer_u16(writer, arch->all_regs);
    snap_writer_u64(writer, sample->cpu_ns);
    if (sample->has_syscall) {
        snap_writer_u64(writer, (uint64_t)sample->syscall);
        for (unsigned i = 0; i < 6; i++)
            snap_writer_u64(writer, sample->syscall_args[i]);
    }
    for (unsigned i = 0; i < arch->all_regs; i++)
        snap_writer_u64(writer, regs_has(&sample->regs, i) ? sample->regs.value[i] : 0);
    put_regions(writer, sample);
    put_tail(writer, arch, sample);
    return end(writer);
}

enum status encode_wait(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                        const struct snap_wait *wait)
{
    snap_writer_begin(writer, SNAP_WAIT, false);
    snap_writer_u32(writer, pid);
    snap_writer_u32(writer, tid);
    snap_writer_u64(writer, wait->time_ns);
    snap_writer_u8(writer, wait->kind);
    if (wait->kind == SNAP_WAIT_FD) {
        snap_writer_u32(writer, wait->fd);
        snap_writer_str(writer, wait->link);
        return end(writer);
    }
    snap_writer_u64(writer, wait->addr);
    snap_writer_bytes(writer, wait->bytes, wait->size);
    snap_writer_u8(writer, wait->place);
    snap_writer_u64(writer, wait->map_start_addr);
    snap_writer_u64(writer, wait->map_end_addr);
    snap_writer_u64(writer, wait->file_addr);
    snap_writer_str(writer, wait->path);
    return end(writer);
}

enum status encode_pointees(struct snap_writer *writer, uint32_t pid, uint32_t tid,
                            uint64_t time_ns, const struct pointee_list *pointees)
{
    snap_writer_begin(writer, SNAP_POINTEES, false);
    snap_writer_u32(writer, pid);
    snap_writer_u32(writer, tid);
    snap_writer_u64(writer, time_ns);
    snap_writer_u16(writer, (uint16_t)pointees->count);
    for (uint32_t i = 0; i < pointees->count; i++) {
        const struct snap_region *piece = &pointees->pieces[i];
        const uint32_t size = (uint32_t)(piece->end_addr - piece->start_addr);

        snap_writer_u64(writer, piece->start_addr);
        snap_writer_u32(writer, size);
        snap_writer_u8(writer, SNAP_POINTEE_NEW);
        snap_writer_raw(writer, piece->bytes, size);
    }
    return end(writer);
}

enum status encode_usage(struct snap_writer *writer, const struct snap_usage *usage)
{
    snap_writer_begin(writer, SNAP_USAGE, false);
    snap_writer_u32(writer, usage->pid);
    snap_writer_u64(writer, usage->time_ns);
    snap_writer_u64(writer, usage->cpu_ns);
    snap_writer_u64(writer, usage->period_ns);
    return end(writer);
}

enum status encode_summary(struct snap_writer *writer, const struct snap_summary *summary)
{
    snap_writer_begin(writer, SNAP_SUMMARY, false);
    snap_writer_u64(writer, summary->time_ns);
    snap_writer_u64(writer, summary->samples);
    snap_writer_u64(writer, summary->repeats);
    snap_writer_u64(writer, summary->lost);
    snap_writer_u64(writer, summary->rounds);
    snap_writer_u64(writer, summary->rate_asked_mhz);
    snap_writer_u64(writer, summary->rate_reached_mhz);
    snap_writer_u64(writer, summary->stopped_ns);
    snap_writer_u64(writer, summary->stopped_max_ns);
    snap_writer_u64(writer, summary->bytes_written);
    snap_writer_u32(writer, summary->end);
    return end(writer);
}
