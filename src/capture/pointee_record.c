/* SPDX-License-Identifier: MIT */
#include "capture/pointee_record.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "capture/session.h"

/* Each thread's memory grows in steps of this. */
#define ROOM_STEP 1024u

void pointee_record_forget(struct thread *thread)
{
    thread->pointees.count = 0;
}

void pointee_record_deinit(struct thread *thread)
{
    free(thread->pointees.pieces);
    thread->pointees = (struct pointee_base){0};
}

void pointee_record_copy(struct capture *cap, struct pending_sample *sample)
{
    const struct target_machine *machine = &cap->target.machine;
    const struct pointee_request request = {
        .target = &cap->target,
        .tid = sample->thread->target.tid,
        .maps = &sample->thread->process->maps,
        .regs = sample->regs,
        .sp = sample->regs[machine->arch->sp] & machine->addr_mask,
        .stack = &sample->stack,
        .size = cap->options.pointees,
        .budget = cap->options.pointees_budget,
    };

    if (!cap->options.pointees)
        return;
    cap->result.no_pointees |= pointees_copy(&request, &cap->arena, &sample->pointees) == STATUS_IO;
}

/* Did a piece of the last record have these bytes at this address? */
static bool is_known(const struct pointee_base *base, const struct target_memory *piece,
                     const uint8_t *bytes)
{
    const struct target_memory *old = base->pieces;
    const size_t at = SEARCH_FIRST(i, 0, base->count, old[i].addr <= piece->addr);
    const uint8_t *old_bytes;
    uint64_t off;

    if (!at)
        return false;
    old = &old[at - 1];
    off = piece->addr - old->addr;
    if (off > old->size || piece->size > old->size - off)
        return false;
    old_bytes = (const uint8_t *)(base->pieces + base->count);
    for (const struct target_memory *before = base->pieces; before < old; before++)
        old_bytes += before->size;
    return memcmp(old_bytes + off, bytes, piece->size) == 0;
}

static void keep(struct pointee_base *base, const struct pointees *now, size_t size)
{
    const size_t list_size = now->count * sizeof(*now->pieces);
    const size_t cap = (list_size + size + ROOM_STEP - 1) / ROOM_STEP * ROOM_STEP;
    struct target_memory *pieces;

    base->count = 0;
    if (cap > base->cap) {
        pieces = realloc(base->pieces, cap);
        if (!pieces)
            return;
        base->pieces = pieces;
        base->cap = cap;
    }
    base->count = now->count;
    memcpy(base->pieces, now->pieces, list_size);
    memcpy(base->pieces + base->count, now->bytes, size);
}

void pointee_record_write(struct capture *cap, const struct pending_sample *sample)
{
    const struct pointees *now = &sample->pointees;
    struct thread *thread = sample->thread;
    struct snap_writer *writer = cap->writer;
    const uint8_t *bytes = now->bytes;

    if (!now->count)
        return;
    snap_writer_begin(writer, SNAP_POINTEES, false);
    snap_writer_u32(writer, (uint32_t)thread->process->target.pid);
    snap_writer_u32(writer, (uint32_t)thread->target.tid);
    snap_writer_u64(writer, sample->time_ns);
    snap_writer_u16(writer, (uint16_t)now->count);
    for (const struct target_memory *p = now->pieces; p < now->pieces + now->count; p++) {
        const bool known = is_known(&thread->pointees, p, bytes);

        snap_writer_u64(writer, p->addr);
        snap_writer_u32(writer, (uint32_t)p->size);
        snap_writer_u8(writer, known ? SNAP_POINTEE_KNOWN : SNAP_POINTEE_NEW);
        if (!known)
            snap_writer_raw(writer, bytes, p->size);
        bytes += p->size;
    }
    if (snap_writer_end(writer) == STATUS_OK)
        keep(&thread->pointees, now, (size_t)(bytes - now->bytes));
}
