/* SPDX-License-Identifier: MIT */
#include "capture/bundle.h"

#include "base/clock.h"
#include "capture/events.h"
#include "capture/session.h"
#include "capture/suspend.h"
#include "capture/target/kept.h"

/* How long nothing may come; how often signals are looked at meanwhile. */
#define PATIENCE_NS UINT64_C(10000000000)
#define STEP_MS     100

static void write_file(struct capture *cap, const struct bundled_file *file, uint32_t number)
{
    struct snap_writer *writer = cap->writer;

    snap_writer_begin(writer, SNAP_FILE, false);
    snap_writer_u32(writer, number);
    snap_writer_u8(writer, (uint8_t)file->kind);
    snap_writer_u8(writer, file->id.size);
    snap_writer_raw(writer, file->id.bytes, file->id.size);
    snap_writer_u64(writer, file->size);
    snap_writer_u64(writer, file->written_ns);
    snap_writer_str(writer, file->path);
    snap_writer_str(writer, file->place);
    snap_writer_u64(writer, file->dev);
    snap_writer_u64(writer, file->inode);
    (void)!snap_writer_end(writer); /* the writer keeps its first error */
}

static void write_part(struct capture *cap, const struct bundled_part *part, uint32_t number)
{
    struct snap_writer *writer = cap->writer;

    snap_writer_begin(writer, SNAP_FILE_PART, false);
    snap_writer_u32(writer, number);
    snap_writer_u64(writer, part->off);
    snap_writer_u32(writer, part->size);
    snap_writer_u8(writer, (uint8_t)part->coding);
    snap_writer_bytes(writer, part->bytes, part->coded_size);
    (void)!snap_writer_end(writer);
}

/* Returns the next piece; NULL: there are no more, and result.bundle_end says why. */
static const struct kept *next(struct capture *cap, unsigned signals)
{
    const struct target *target = &cap->target;
    uint64_t begin = clock_now_ns();
    const struct kept *kept;

    for (;;) {
        const enum status status = target->backend->next_kept(target->state, STEP_MS, &kept);

        events_wait(cap, &cap->end_set, clock_now_ns()); /* for a signal that has come */
        if (cap->signals > signals)
            cap->result.bundle_end = CAPTURE_BUNDLE_SIGNAL;
        else if (status == STATUS_OK)
            return kept;
        else if (status != STATUS_BUSY)
            cap->result.bundle_end = CAPTURE_BUNDLE_FAILED;
        else if (clock_now_ns() - begin > PATIENCE_NS)
            cap->result.bundle_end = CAPTURE_BUNDLE_STUCK;
        if (cap->suspend) {
            suspend_self(cap);
            begin = clock_now_ns();
        }
        if (cap->result.bundle_end != CAPTURE_BUNDLE_WHOLE)
            return NULL;
    }
}

void bundle_write(struct capture *cap)
{
    const unsigned signals = cap->signals;
    struct capture_result *result = &cap->result;
    const struct kept *kept;

    while ((kept = next(cap, signals)) != NULL) {
        switch (kept->kind) {
        case KEPT_FILE:
            write_file(cap, &kept->file, result->bundled++);
            result->bundled_bytes += kept->file.size;
            break;
        case KEPT_PART:
            if (result->bundled)
                write_part(cap, &kept->part, result->bundled - 1);
            break;
        case KEPT_END:
            result->unbundled = kept->count.missing;
            return;
        }
        if (snap_writer_relieve(cap->writer) != STATUS_OK)
            return;
    }
}
