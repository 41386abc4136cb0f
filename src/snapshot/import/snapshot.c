/* SPDX-License-Identifier: MIT */
/* A snapshot of cgsnap's as a source: the reader does it all. */
#include <stdlib.h>

#include "snapshot/import/source.h"

struct snapshot_source {
    struct snap_source base;
    struct snap_reader *reader;
};

static enum status snapshot_next(struct snap_source *base, struct snap_event *event,
                                 struct diag *diag)
{
    struct snapshot_source *source = (struct snapshot_source *)base;
    enum status status = snap_reader_next(source->reader, event, diag);

    base->used_off = snap_reader_off(source->reader);
    if (status == STATUS_END)
        base->cut_short = snap_reader_cut_short(source->reader, &base->cut_off);
    return status;
}

static void snapshot_destroy(struct snap_source *base)
{
    snap_reader_destroy(((struct snapshot_source *)base)->reader);
    free(base);
}

enum status snapshot_source_open(snap_read_fn *read, void *context, const char *name,
                                 struct snap_source **out, struct diag *diag)
{
    static const struct source_ops ops = {.next = snapshot_next, .destroy = snapshot_destroy};
    struct snapshot_source *source = calloc(1, sizeof(*source));
    enum status status;

    if (!source)
        return STATUS_NO_MEMORY;
    status = snap_reader_create(read, context, name, &source->reader, diag);
    if (status != STATUS_OK) {
        free(source);
        return status;
    }
    source->base = (struct snap_source){.kind = SOURCE_SNAPSHOT,
                                        .arch = snap_reader_arch(source->reader),
                                        .clock_offset = snap_reader_clock_offset(source->reader),
                                        .ops = &ops};
    *out = &source->base;
    return STATUS_OK;
}
