/* SPDX-License-Identifier: MIT */
/* A snapshot as a source, by snapshot/reader.h. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/import/bundle.h"
#include "snapshot/import/names_ahead.h"
#include "snapshot/import/source.h"
#include "snapshot/import/spool.h"

struct snapshot_source {
    struct snap_source base;
    struct snap_reader *reader;
    struct names_ahead names;
    bool has_looked; /* looked for names ahead */
};

/* Returns whether the mapping may have code made at run time. */
static bool maps_made_code(const struct snap_map *map)
{
    return map->kind == SNAP_MAP_ANON || (map->flags & SNAP_MAP_DELETED && !map->build_id_size);
}

/* Finds names ahead at the first mapping that may need them: it takes a pass over the file. */
static enum status look_ahead(struct snapshot_source *source, const struct snap_event *event)
{
    const struct source_input *input = source->base.input;

    if (source->has_looked || !input || !input->is_seekable || event->type != SNAP_MAP ||
        !maps_made_code(&event->map))
        return STATUS_OK;
    source->has_looked = true;
    return names_ahead_find(&source->names, input->fd, snap_reader_off(source->reader));
}

static enum status snapshot_next(struct snap_source *base, struct snap_event *event,
                                 struct diag *diag)
{
    struct snapshot_source *source = (struct snapshot_source *)base;
    enum status status = names_ahead_next(&source->names, event);

    if (status == STATUS_OK)
        return status;
    if (status == STATUS_END)
        status = snap_reader_next(source->reader, event, diag);
    else
        diag_set(diag, base->input->name, "out of memory");
    base->used_off = snap_reader_off(source->reader);
    if (status == STATUS_OK && event->type == SNAP_PROCESS) {
        names_ahead_process(&source->names, event->process.pid);
        event->process.pac_mask = source_pac_mask(base->arch, event->process.pac_mask);
    }
    if (status == STATUS_OK && look_ahead(source, event) != STATUS_OK) {
        diag_set(diag, base->input->name, "out of memory");
        status = STATUS_NO_MEMORY;
    }
    if (status == STATUS_END)
        base->cut_short = snap_reader_cut_short(source->reader, &base->cut_off);
    return status;
}

static void snapshot_destroy(struct snap_source *base)
{
    struct snapshot_source *source = (struct snapshot_source *)base;

    names_ahead_deinit(&source->names);
    snap_reader_destroy(source->reader);
    free(base);
}

enum status snapshot_source_open_read(snap_read_fn *read, void *context, const char *name,
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

/* Files come last: a stream is copied to its end first, and then read like a file. */
static enum status open_with_files(struct source_input *input, struct snap_source **out,
                                   struct diag *diag)
{
    struct bundle *bundle;
    enum status status;

    if (!input->is_seekable && input->has_spool && input->spool_fd < 0) {
        status = snapshot_source_open_read(source_read, input, input->name, out, diag);
        if (status == STATUS_OK) {
            struct diag *note = source_note(*out);

            diag_set(note, input->name, "the files that it brings along cannot be kept: %s",
                     strerror(-input->spool_fd));
            diag_hint(note, "give it as a file, or TMPDIR a directory to write to");
        }
        return status;
    }
    if (!input->is_seekable) {
        int kept;

        status = spool_stream(input, &kept, diag);
        if (status != STATUS_OK)
            return status;
        input->fd = kept;
        input->owns_fd = true;
        input->is_seekable = lseek(input->fd, 0, SEEK_SET) == 0;
    }
    status = bundle_open(input->fd, input->name, &bundle, diag);
    if (status != STATUS_OK)
        return status;
    status = snapshot_source_open_read(source_read, input, input->name, out, diag);
    if (status != STATUS_OK) {
        bundle_close(bundle);
        return status;
    }
    (*out)->bundle = bundle;
    (*out)->has_files = true;
    return STATUS_OK;
}

enum status snapshot_source_open(struct source_input *input, struct snap_source **out,
                                 struct diag *diag)
{
    return bundle_is_promised(input->head, input->head_len)
               ? open_with_files(input, out, diag)
               : snapshot_source_open_read(source_read, input, input->name, out, diag);
}
