/* SPDX-License-Identifier: MIT */
#include "recent/recent.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/vec.h"
#include "base/write_all.h"
#include "recent/encode.h"
#include "recent/state.h"
#include "snapshot/reader.h"

/* Records come this much after what they tell, at most. */
#define LATE_NS UINT64_C(1000000000)

/* Records that came at about the same time, and leave the window together. */
struct slice {
    uint64_t time_ns; /* when its first record was complete */
    size_t size;
};

struct recent {
    struct recent_options options;
    uint8_t header[SNAP_HEADER_SIZE];
    bool has_header;
    struct snap_writer *writer; /* memory for records */
    struct recent_state state;  /* what holds before the window */
    uint64_t from_ns;           /* begin of the window; 0: of the stream */
    uint64_t last_ns;           /* when bytes came last */
    bool is_short;
    bool has_sample;  /* a SAMPLE has come */
    bool has_summary; /* the last record is SUMMARY */
    /* The window: [head, whole) are records, [whole, len) is the beginning of one. */
    uint8_t *bytes;
    size_t head, whole, len, cap;
    struct slice *slices; /* [slice_head, slice_count) are of the window */
    size_t slice_head, slice_count, slice_cap;
};

enum status recent_create(const struct recent_options *options, struct recent **out)
{
    struct recent *recent = calloc(1, sizeof(*recent));

    if (!recent)
        return STATUS_NO_MEMORY;
    recent->options = *options;
    recent->state.kept_max = options->kept_max;
    *out = recent;
    return STATUS_OK;
}

void recent_destroy(struct recent *recent)
{
    if (!recent)
        return;
    recent_state_deinit(&recent->state);
    snap_writer_destroy(recent->writer);
    free(recent->bytes);
    free(recent->slices);
    free(recent);
}

struct header_reading {
    const struct recent *recent;
    size_t pos;
};

static int64_t read_header(void *context, void *buffer, uint64_t size)
{
    struct header_reading *reading = context;
    size_t left = SNAP_HEADER_SIZE - reading->pos;
    size_t n = size < left ? (size_t)size : left;

    memcpy(buffer, reading->recent->header + reading->pos, n);
    reading->pos += n;
    return (int64_t)n;
}

/* Takes the header, which a reader checks. */
static enum status take_header(struct recent *recent, struct diag *diag)
{
    struct header_reading reading = {.recent = recent};
    struct snap_reader *reader;
    size_t ignored;
    enum status status;

    memcpy(recent->header, recent->bytes, SNAP_HEADER_SIZE);
    status = snap_reader_create(read_header, &reading, "the capture", &reader, diag);
    if (status != STATUS_OK)
        return status;
    recent->state.records.arch = snap_reader_arch(reader);
    status = snap_writer_create(-1, "the capture", snap_reader_arch(reader),
                                snap_reader_clock_offset(reader), &recent->writer, diag);
    snap_reader_destroy(reader);
    if (status != STATUS_OK)
        return status;
    (void)snap_writer_take(recent->writer, &ignored); /* drop its header: we have one */
    recent->has_header = true;
    recent->head = recent->whole = SNAP_HEADER_SIZE;
    return STATUS_OK;
}

/* Returns the size of the record at `at`; 0: its head is incomplete. */
static size_t record_size(const struct recent *recent, size_t at, uint16_t *type)
{
    struct cursor c = cursor_init(recent->bytes + at, recent->len - at);
    uint16_t flags;
    uint32_t len, crc;

    if (!cursor_u16(&c, type) || !cursor_u16(&c, &flags) || !cursor_u32(&c, &len) ||
        !cursor_u32(&c, &crc))
        return 0;
    return SNAP_RECORD_HEAD + (size_t)len;
}

static enum status add_to_slice(struct recent *recent, size_t size)
{
    const uint64_t step_ns = recent->options.window_ns / RECENT_STEPS;
    struct slice *last =
        recent->slice_count > recent->slice_head ? &recent->slices[recent->slice_count - 1] : NULL;

    if (last && recent->last_ns - last->time_ns < step_ns &&
        last->size < recent->options.bytes_max / RECENT_STEPS) {
        last->size += size;
        return STATUS_OK;
    }
    if (vec_reserve(&recent->slices, &recent->slice_cap, recent->slice_count + 1,
                    sizeof(*recent->slices)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    recent->slices[recent->slice_count++] =
        (struct slice){.time_ns = recent->last_ns, .size = size};
    return STATUS_OK;
}

static enum status find_records(struct recent *recent, struct diag *diag)
{
    uint16_t type;
    size_t size;
    enum status status = STATUS_OK;

    while (status == STATUS_OK && (size = record_size(recent, recent->whole, &type)) > 0) {
        if (size > SNAP_RECORD_HEAD + (size_t)SNAP_PAYLOAD_MAX) {
            diag_set(diag, NULL, "record length is beyond the format's limit");
            return STATUS_BAD_DATA;
        }
        if (size > recent->len - recent->whole)
            break;
        recent->whole += size;
        recent->has_summary = type == SNAP_SUMMARY;
        recent->has_sample |= type == SNAP_SAMPLE;
        status = add_to_slice(recent, size);
    }
    return status;
}

/* Moves the first slice out of the window, into the state. */
static enum status give_up_slice(struct recent *recent, struct diag *diag)
{
    const size_t end = recent->head + recent->slices[recent->slice_head].size;
    enum status status = STATUS_OK;
    uint16_t type;

    while (recent->head < end && status == STATUS_OK) {
        const size_t size = record_size(recent, recent->head, &type);

        status = recent_state_take(&recent->state,
                                   (struct record_bytes){recent->bytes + recent->head, size}, diag);
        recent->head += size;
    }
    recent->slice_head++;
    recent->from_ns = recent->slice_head < recent->slice_count
                          ? recent->slices[recent->slice_head].time_ns
                          : recent->last_ns;
    return status;
}

/* Is the first slice too old, as the next one reaches back far enough? */
static bool is_too_old(const struct recent *recent)
{
    return recent->slice_count - recent->slice_head > 1 &&
           recent->last_ns - recent->slices[recent->slice_head + 1].time_ns >=
               recent->options.window_ns;
}

static bool is_too_large(const struct recent *recent)
{
    return recent->slice_count - recent->slice_head > 1 &&
           recent->whole - recent->head > recent->options.bytes_max;
}

static enum status trim(struct recent *recent, struct diag *diag)
{
    enum status status = STATUS_OK;

    while (status == STATUS_OK && is_too_old(recent)) {
        status = give_up_slice(recent, diag);
        recent->is_short = false;
    }
    while (status == STATUS_OK && is_too_large(recent)) {
        status = give_up_slice(recent, diag);
        recent->is_short = true;
    }
    return status;
}

/* Moves what is left to the front when half of the memory is free. */
static void close_up(struct recent *recent)
{
    if (recent->head > recent->len - recent->head) {
        memmove(recent->bytes, recent->bytes + recent->head, recent->len - recent->head);
        recent->len -= recent->head;
        recent->whole -= recent->head;
        recent->head = 0;
    }
    if (recent->slice_head > recent->slice_count - recent->slice_head) {
        memmove(recent->slices, recent->slices + recent->slice_head,
                (recent->slice_count - recent->slice_head) * sizeof(*recent->slices));
        recent->slice_count -= recent->slice_head;
        recent->slice_head = 0;
    }
}

enum status recent_push(struct recent *recent, const void *bytes, size_t size, uint64_t now_ns,
                        struct diag *diag)
{
    enum status status = STATUS_OK;

    if (vec_reserve(&recent->bytes, &recent->cap, recent->len + size, 1) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (size)
        memcpy(recent->bytes + recent->len, bytes, size);
    recent->len += size;
    recent->last_ns = now_ns;
    if (!recent->has_header && recent->len < SNAP_HEADER_SIZE)
        return STATUS_OK;
    if (!recent->has_header)
        status = take_header(recent, diag);
    if (status == STATUS_OK)
        status = find_records(recent, diag);
    if (status == STATUS_OK)
        status = trim(recent, diag);
    close_up(recent);
    return status;
}

bool recent_has_begun(const struct recent *recent)
{
    return recent->has_sample;
}

size_t recent_size(const struct recent *recent)
{
    return recent->whole - recent->head;
}

size_t recent_memory(const struct recent *recent)
{
    return recent->cap + recent_state_size(&recent->state);
}

bool recent_is_cut(const struct recent *recent)
{
    return recent->is_short || recent->state.left_out;
}

struct writing {
    int fd;
    uint64_t size;
};

static enum status put(void *context, const uint8_t *bytes, size_t size)
{
    struct writing *writing = context;

    writing->size += size;
    return write_all(writing->fd, bytes, size) ? STATUS_OK : STATUS_IO;
}

static enum status tell(enum status status, struct diag *diag)
{
    if (status == STATUS_IO)
        diag_set(diag, NULL, "cannot write: %s", strerror(errno));
    else if (status == STATUS_UNSUPPORTED)
        diag_set(diag, NULL, "a thread's stacks are larger than a record of a snapshot may be");
    return status;
}

enum status recent_write(const struct recent *recent, int fd, uint64_t *size, struct diag *diag)
{
    struct writing writing = {.fd = fd};
    enum status status = put(&writing, recent->header, SNAP_HEADER_SIZE);

    if (status == STATUS_OK)
        status = recent_state_put(&recent->state,
                                  recent->from_ns > LATE_NS ? recent->from_ns - LATE_NS : 0,
                                  recent->writer, put, &writing);
    if (status == STATUS_OK)
        status = put(&writing, recent->bytes + recent->head, recent->whole - recent->head);
    *size = writing.size;
    return tell(status, diag);
}

enum status recent_write_summary(const struct recent *recent, int fd,
                                 const struct snap_summary *summary, struct diag *diag)
{
    struct writing writing = {.fd = fd};
    const uint8_t *bytes;
    size_t size;
    enum status status;

    if (recent->has_summary)
        return STATUS_OK;
    status = encode_summary(recent->writer, summary);
    bytes = snap_writer_take(recent->writer, &size);
    return tell(status == STATUS_OK ? put(&writing, bytes, size) : status, diag);
}
