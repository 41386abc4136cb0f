/* SPDX-License-Identifier: MIT */
#include "capture/names.h"

#include <string.h>

#include "base/clock.h"
#include "capture/events.h"
#include "capture/session.h"

/* How often the file is looked at; parts that are copied then; parts in all. */
#define INTERVAL_NS UINT64_C(250000000)
#define PARTS_DUE   16u
#define PARTS_MAX   2048u

static void write_part(struct capture *cap, const struct process *process, const uint8_t *bytes,
                       size_t size)
{
    snap_writer_begin(cap->writer, SNAP_NAMES, false);
    snap_writer_u32(cap->writer, (uint32_t)process->target.pid);
    snap_writer_u64(cap->writer, clock_now_ns());
    snap_writer_u64(cap->writer, process->names.size);
    snap_writer_bytes(cap->writer, bytes, size);
    (void)!snap_writer_end(cap->writer);
}

/*
 * Writes the part after what was written, if the file still has the bytes before it; if not, begins
 * again. False: nothing new.
 */
static bool write_next(struct capture *cap, struct process *process)
{
    struct made_names *names = &process->names;
    const pid_t tid = process->threads[0]->target.tid;
    struct names_part part;
    const size_t before = names->tail_size;
    const ssize_t found = cap->target.backend->read_names(cap->target.state, &process->target, tid,
                                                          names->size - before, &part);
    const size_t n = found > 0 ? (size_t)found : 0;

    if (found < 0)
        return false;
    if (n < before || memcmp(part.bytes, names->tail, before) != 0) {
        names->size = names->tail_size = 0; /* another file: from its beginning */
        return true;
    }
    if (n == before) {
        /* Changed, but not longer: another file of the same size. */
        if (names->size && names->changed_ns != part.changed_ns) {
            names->size = names->tail_size = 0;
            names->changed_ns = part.changed_ns;
            return true;
        }
        return false;
    }
    names->changed_ns = part.changed_ns;
    write_part(cap, process, part.bytes + before, n - before);
    names->size += n - before;
    names->tail_size = n < NAMES_TAIL ? (uint8_t)n : NAMES_TAIL;
    memcpy(names->tail, part.bytes + n - names->tail_size, names->tail_size);
    return true;
}

static void write_new(struct capture *cap, struct process *process, unsigned parts)
{
    if (cap->options.no_jit || !cap->target.backend->read_names || !process->announced ||
        !process->code.len)
        return;
    process->names.due_ns = clock_now_ns() + INTERVAL_NS;
    while (parts-- && process->thread_len && process->names.size / NAMES_PART_MAX < PARTS_MAX &&
           write_next(cap, process) && snap_writer_relieve(cap->writer) == STATUS_OK)
        if (parts % PARTS_DUE == 0)
            events_wait_only(cap, 0); /* no thread stays stopped meanwhile */
}

void names_write_due(struct capture *cap, uint64_t now)
{
    for (size_t i = 0; i < cap->process_len; i++)
        if (now >= cap->processes[i]->names.due_ns)
            write_new(cap, cap->processes[i], PARTS_DUE);
}

void names_write_last(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++)
        write_new(cap, cap->processes[i], PARTS_MAX);
}

void names_write_ended(struct capture *cap)
{
    for (size_t i = 0; i < cap->process_len; i++)
        if (!cap->processes[i]->target.live)
            write_new(cap, cap->processes[i], PARTS_MAX);
}
