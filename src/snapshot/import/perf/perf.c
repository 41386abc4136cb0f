/* SPDX-License-Identifier: MIT */
/*
 * perf.data, as perf record writes it to a file or a pipe
 * (tools/perf/Documentation/perf.data-file-format.txt), as a source.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>

#include "snapshot/import/perf/source.h"

static enum status set_current(struct perf_source *s, const struct perf_record *record,
                               struct diag *diag)
{
    perf_record_release(&s->reader, &s->current);
    s->current = *record;
    return perf_record_again(&s->reader, &s->current, diag);
}

static void perf_destroy(struct snap_source *base)
{
    struct perf_source *s = (struct perf_source *)base;

    perf_order_deinit(&s->order, &s->reader);
    if (s->has_ahead)
        perf_record_release(&s->reader, &s->ahead);
    perf_record_release(&s->reader, &s->current);
    perf_reader_deinit(&s->reader);
    perf_header_deinit(&s->header);
    perf_attrs_deinit(&s->attrs);
    perf_tasks_deinit(&s->tasks);
    perf_layout_deinit(&s->layout);
    free(s);
}

/* Takes in a record of perf's own, which has no time, at once. */
static enum status use_user_record(struct perf_source *s, const struct perf_record *record)
{
    enum status status;

    if (record->type == PERF_FINISHED_ROUND) {
        perf_order_round(&s->order);
        return STATUS_OK;
    }
    if (!record->bytes)
        return STATUS_OK;
    status = perf_header_record(&s->header, &s->attrs, record);
    s->counts.damaged += status == STATUS_BAD_DATA;
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

static enum status read_record(struct perf_source *s, struct perf_record *record, struct diag *diag)
{
    enum status status;

    if (!s->has_ahead)
        return perf_reader_next(&s->reader, record, diag);
    s->has_ahead = false;
    /* It stays held until the next record is read. */
    status = set_current(s, &s->ahead, diag);
    *record = s->current;
    return status;
}

/*
 * Reads the next record of the file: it waits for its turn or, without a time, becomes the current
 * one (*now).
 */
static enum status read_on(struct perf_source *s, bool *now, struct diag *diag)
{
    struct perf_record record;
    uint64_t time_ns;
    enum status status = read_record(s, &record, diag);

    *now = false;
    if (status != STATUS_OK)
        return status;
    if (record.type >= PERF_USER_TYPE)
        return use_user_record(s, &record);
    time_ns = perf_attrs_time(&s->attrs, &record);
    if (time_ns != 0)
        return perf_order_put(&s->order, time_ns, &record);
    perf_record_hold(&record);
    *now = true;
    return set_current(s, &record, diag);
}

/* Makes the next record by time the current one. */
static enum status next_record(struct perf_source *s, struct diag *diag)
{
    struct perf_record record;
    bool now;

    for (;;) {
        enum status status;

        if (perf_order_take(&s->order, &s->reader, &record))
            return set_current(s, &record, diag);
        if (s->has_ended) {
            *diag = s->end_diag;
            return s->end;
        }
        status = read_on(s, &now, &s->end_diag);
        if (status == STATUS_OK && now)
            return STATUS_OK;
        if (status == STATUS_OK)
            continue;
        /* Records read before are delivered before the error. */
        if (status == STATUS_NO_MEMORY)
            diag_set_at(&s->end_diag, s->input->name, s->reader.pos, "out of memory");
        s->has_ended = true;
        s->end = status;
        perf_order_end(&s->order);
    }
}

static void note_count(struct perf_source *s, uint64_t count, const char *what, const char *hint)
{
    struct diag *note = count ? source_note(&s->base) : NULL;

    if (!note)
        return;
    diag_set(note, s->input->name, "%" PRIu64 " %s", count, what);
    if (hint)
        diag_hint(note, "%s", hint);
}

/* Notes several counted events. perf's own event for process records has no samples. */
static void note_events(struct perf_source *s)
{
    size_t count = 0;

    for (size_t i = 0; i < s->attrs.count; i++) {
        const struct perf_event_attr *attr = &s->attrs.list[i].attr;

        count += attr->type != PERF_TYPE_SOFTWARE ||
                 (attr->config != PERF_COUNT_SW_DUMMY && attr->config != PERF_COUNT_SW_BPF_OUTPUT);
    }
    if (count > 1)
        diag_set(source_note(&s->base), s->input->name, "the samples of %zu events are added up",
                 count);
}

/* Adds the notes on the whole file. */
static void add_notes(struct perf_source *s)
{
    const struct perf_counts *c = &s->counts;

    if (s->has_notes)
        return;
    s->has_notes = true;
    note_count(s, c->lost_records, "records were lost while perf recorded",
               "chains near them may be wrong; a lower -F or a larger -m loses less");
    note_count(s, c->lost_samples > c->lost_records ? c->lost_samples : 0,
               "samples were lost while perf recorded", NULL);
    note_count(s, c->compat, "samples of processes of another word size were left out", NULL);
    note_count(s, c->guest, "samples of virtual machines were left out", NULL);
    note_count(s, c->damaged, "records are damaged and were left out", NULL);
    note_count(s, s->tasks.maps_forgotten, "mappings were forgotten: there are too many",
               "chains may end there as unknown");
    note_count(s, c->kept_maps, "mappings were not told: far more than a file of this size has",
               "chains of their processes end as unknown");
    note_count(s, s->order.late, "records came too late to be put in the order of time", NULL);
    if (c->samples > 0 && c->with_stack == 0 && c->with_chain == 0) {
        struct diag *note = source_note(&s->base);

        diag_set(note, s->input->name, "was recorded without call chains");
        diag_hint(note, "record with `perf record --call-graph dwarf`");
    }
    note_events(s);
}

static enum status perf_next(struct snap_source *base, struct snap_event *event, struct diag *diag)
{
    struct perf_source *s = (struct perf_source *)base;
    while (!perf_event_next(s, event)) {
        enum status status = next_record(s, diag);

        if (status != STATUS_OK) {
            base->cut_short = status == STATUS_END && s->reader.cut_short;
            base->cut_off = s->reader.pos;
            add_notes(s);
            return status;
        }
        s->counts.bytes += s->current.size;
        status = s->current.type == PERF_RECORD_SAMPLE ? perf_sample_begin(s, &s->current)
                                                       : perf_record_use(s, &s->current);
        if (status == STATUS_NO_MEMORY) {
            diag_set(diag, s->input->name, "out of memory");
            return status;
        }
        s->counts.damaged += status == STATUS_BAD_DATA;
    }
    return STATUS_OK;
}

/* Takes in a stream's header records, which come first; keeps the first other record in `ahead`. */
static enum status read_ahead(struct perf_source *s, struct diag *diag)
{
    enum status status;

    while ((status = perf_reader_next(&s->reader, &s->ahead, diag)) == STATUS_OK &&
           s->ahead.type >= PERF_USER_TYPE && s->ahead.type != PERF_FINISHED_ROUND) {
        status = use_user_record(s, &s->ahead);
        if (status != STATUS_OK)
            return status;
    }
    if (status == STATUS_OK) {
        perf_record_hold(&s->ahead);
        s->has_ahead = true;
    } else {
        s->has_ended = true;
        s->end = status;
        s->end_diag = *diag;
    }
    return status == STATUS_END || status == STATUS_BAD_DATA ? STATUS_OK : status;
}

/* Finds the architecture: the header's, else by the registers' mask, else this machine's. */
static enum status find_arch(struct perf_source *s, struct diag *diag)
{
    const struct arch *arch = s->header.arch;
    struct utsname here;
    uint64_t mask = 0;

    for (size_t i = 0; i < s->attrs.count; i++)
        mask |= s->attrs.list[i].attr.sample_regs_user;
    if (!arch)
        arch = perf_arch_by_mask(mask);
    if (!arch && mask != 0xffff && uname(&here) == 0)
        arch = perf_arch_by_name(here.machine);
    if (!arch || s->attrs.count == 0) {
        diag_set(diag, s->input->name,
                 s->attrs.count == 0 ? "says nothing of the events that were recorded"
                                     : "does not say of which architecture it is");
        diag_hint(diag, "was the recording ended properly?");
        return s->attrs.count == 0 ? STATUS_BAD_DATA : STATUS_UNSUPPORTED;
    }
    s->base.arch = arch;
    perf_attrs_set_arch(&s->attrs, arch);
    return STATUS_OK;
}

/* Returns whether the recorded kernel runs here, by host name and release. */
static bool is_this_kernel(const struct perf_header *header)
{
    struct utsname here;

    return header->host && header->release && uname(&here) == 0 &&
           strcmp(header->host, here.nodename) == 0 && strcmp(header->release, here.release) == 0;
}

static bool is_file(const struct source_input *input)
{
    struct stat st;

    return input->is_seekable && fstat(input->fd, &st) == 0 && S_ISREG(st.st_mode);
}

enum status perf_source_open(struct source_input *input, struct snap_source **out,
                             struct diag *diag)
{
    static const struct source_ops ops = {.next = perf_next, .destroy = perf_destroy};
    struct perf_source *s = calloc(1, sizeof(*s));
    enum status status;

    if (!s)
        return STATUS_NO_MEMORY;
    s->base = (struct snap_source){.kind = SOURCE_PERF, .ops = &ops};
    s->input = input;
    perf_reader_init(&s->reader, input);
    status = is_file(input) ? perf_reader_map(&s->reader, input->fd, diag) : STATUS_OK;
    if (status == STATUS_OK)
        status = perf_header_read(&s->header, &s->attrs, &s->reader, diag);
    if (status == STATUS_END) {
        diag_set(diag, input->name, "ends within its header");
        status = STATUS_BAD_DATA;
    }
    if (status == STATUS_OK && s->attrs.count == 0)
        status = read_ahead(s, diag);
    if (status == STATUS_OK)
        status = find_arch(s, diag);
    if (status != STATUS_OK) {
        perf_destroy(&s->base);
        return status;
    }
    s->base.clock_offset = s->header.clock_offset;
    s->kernel.facts.is_this = is_this_kernel(&s->header);
    *out = &s->base;
    return STATUS_OK;
}
