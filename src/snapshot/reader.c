/* SPDX-License-Identifier: MIT */
#include "snapshot/reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/crc32.h"
#include "base/cursor.h"
#include "base/vec.h"
#include "snapshot/records.h"

#define READ_CHUNK 65536

struct snap_reader {
    snap_read_fn *read;
    void *context;
    char *name;
    uint64_t clock_offset;

    uint8_t *buffer; /* bytes read ahead: [pos, len) are not consumed */
    size_t pos, len, cap;
    uint64_t off; /* file offset of buffer[pos] */
    bool ended, complete;
    enum status error; /* repeated once it happened */
    struct diag error_diag;

    struct snap_records records;
};

static enum status fail(struct snap_reader *r, uint64_t off, const char *what)
{
    diag_set_at(&r->error_diag, r->name, off, "%s", what);
    diag_hint(&r->error_diag, "the records before it were used");
    return r->error = STATUS_BAD_DATA;
}

/* Reads until `want` bytes are buffered, in chunks, so that a false length allocates nothing. */
static enum status fill(struct snap_reader *r, size_t want)
{
    while (r->len - r->pos < want) {
        int64_t n;

        if (r->ended)
            return STATUS_END;
        if (r->pos > 0) {
            memmove(r->buffer, r->buffer + r->pos, r->len - r->pos);
            r->len -= r->pos;
            r->pos = 0;
        }
        if (vec_reserve(&r->buffer, &r->cap, r->len + READ_CHUNK, 1) != STATUS_OK)
            return r->error = STATUS_NO_MEMORY;
        n = r->read(r->context, r->buffer + r->len, r->cap - r->len);
        if (n < 0) {
            diag_set_at(&r->error_diag, r->name, r->off + r->len, "cannot read: %s",
                        strerror((int)-n));
            return r->error = STATUS_IO;
        }
        if (n == 0)
            r->ended = true;
        r->len += (size_t)n;
    }
    return STATUS_OK;
}

static enum status read_header(struct snap_reader *r, struct diag *diag)
{
    enum status status = fill(r, SNAP_HEADER_SIZE);
    struct cursor c = cursor_init(r->buffer, r->len);
    uint16_t major, minor, machine;
    uint8_t order, word;
    uint32_t features, crc;

    if (status != STATUS_OK && status != STATUS_END) {
        *diag = r->error_diag;
        return status;
    }
    if (status == STATUS_END && r->len >= SNAP_MAGIC_SIZE &&
        memcmp(r->buffer, SNAP_MAGIC, SNAP_MAGIC_SIZE) == 0) {
        diag_set_at(diag, r->name, r->len, "is cut short inside its file header");
        diag_hint(diag, "capture again");
        return STATUS_BAD_DATA;
    }
    if (status == STATUS_END || memcmp(r->buffer, SNAP_MAGIC, SNAP_MAGIC_SIZE) != 0) {
        diag_set(diag, r->name, r->len == 0 ? "is empty" : "is not a snapshot");
        diag_hint(
            diag,
            "give a file that cgsnap wrote, an ELF core or a perf.data, as they are or gzipped, "
            "or a pprof profile; a board's memory goes with --ram FILE@ADDR");
        return STATUS_BAD_DATA;
    }
    if (!cursor_skip(&c, SNAP_MAGIC_SIZE) || !cursor_u16(&c, &major) || !cursor_u16(&c, &minor) ||
        !cursor_u8(&c, &order) || !cursor_u8(&c, &word) || !cursor_u16(&c, &machine) ||
        !cursor_u64(&c, &r->clock_offset) || !cursor_u32(&c, &features) || !cursor_u32(&c, &crc) ||
        crc != crc32_update(0, r->buffer, SNAP_HEADER_SIZE - 4)) {
        diag_set_at(diag, r->name, 0, "the file header is damaged (checksum)");
        return STATUS_BAD_DATA;
    }
    r->records.arch = arch_by_elf(machine, word);
    if (major != SNAP_MAJOR) {
        diag_set_at(diag, r->name, 8, "snapshot format %u.%u, this program reads %d", major, minor,
                    SNAP_MAJOR);
        diag_hint(diag, "use the cgunwind that came with that cgsnap");
        return STATUS_UNSUPPORTED;
    }
    if (order != 1 || !r->records.arch) {
        diag_set_at(diag, r->name, 12, "unsupported target (machine %u, byte order %u)", machine,
                    order);
        return STATUS_UNSUPPORTED;
    }
    r->pos = SNAP_HEADER_SIZE;
    r->off = SNAP_HEADER_SIZE;
    return STATUS_OK;
}

enum status snap_reader_create(snap_read_fn *read, void *context, const char *name,
                               struct snap_reader **out, struct diag *diag)
{
    struct snap_reader *r = calloc(1, sizeof(*r));
    enum status status;

    if (!r)
        return STATUS_NO_MEMORY;
    r->read = read;
    r->context = context;
    r->name = strdup(name);
    status = r->name ? read_header(r, diag) : STATUS_NO_MEMORY;
    if (status != STATUS_OK) {
        snap_reader_destroy(r);
        return status;
    }
    *out = r;
    return STATUS_OK;
}

void snap_reader_destroy(struct snap_reader *r)
{
    if (!r)
        return;
    snap_records_deinit(&r->records);
    free(r->buffer);
    free(r->name);
    free(r);
}

const struct arch *snap_reader_arch(const struct snap_reader *reader)
{
    return reader->records.arch;
}

uint64_t snap_reader_clock_offset(const struct snap_reader *reader)
{
    return reader->clock_offset;
}

uint64_t snap_reader_off(const struct snap_reader *reader)
{
    return reader->off;
}

bool snap_reader_cut_short(const struct snap_reader *reader, uint64_t *off)
{
    *off = reader->off;
    return !reader->complete;
}

/* Buffers and checks the next record. END, or an error that is kept in r->error. */
static enum status load_record(struct snap_reader *r, uint16_t *type, uint16_t *flags,
                               struct cursor *payload)
{
    uint32_t len = 0, crc = 0;
    enum status status = fill(r, SNAP_RECORD_HEAD);
    struct cursor head;

    if (status != STATUS_OK)
        return status;
    head = cursor_init(r->buffer + r->pos, SNAP_RECORD_HEAD);
    if (!cursor_u16(&head, type) || !cursor_u16(&head, flags) || !cursor_u32(&head, &len) ||
        !cursor_u32(&head, &crc))
        return fail(r, r->off, "record header is damaged");
    if (len > SNAP_PAYLOAD_MAX)
        return fail(r, r->off, "record length is beyond the format's limit");
    status = fill(r, SNAP_RECORD_HEAD + (size_t)len);
    if (status != STATUS_OK)
        return status;
    if (crc32_update(crc32_update(0, r->buffer + r->pos, 8), r->buffer + r->pos + SNAP_RECORD_HEAD,
                     len) != crc)
        return fail(r, r->off, "record is damaged (checksum)");
    *payload = cursor_init(r->buffer + r->pos + SNAP_RECORD_HEAD, len);
    return STATUS_OK;
}

enum status snap_reader_next(struct snap_reader *r, struct snap_event *event, struct diag *diag)
{
    for (;;) {
        const char *what = NULL;
        uint16_t type, flags;
        struct cursor payload;
        enum status status;

        if (r->error != STATUS_OK) {
            *diag = r->error_diag;
            return r->error;
        }
        if (snap_records_idle(&r->records, event))
            return STATUS_OK;
        status = load_record(r, &type, &flags, &payload);
        if (status == STATUS_END) {
            r->complete = r->complete && r->pos == r->len; /* a part of a record may follow */
            return STATUS_END;
        }
        if (status != STATUS_OK)
            continue; /* kept in r->error */
        status = snap_records_take(&r->records, type, flags, &payload, event, &what);
        r->complete = status == STATUS_OK && type == SNAP_SUMMARY;
        if (status == STATUS_NO_MEMORY) {
            diag_set_at(&r->error_diag, r->name, r->off, "out of memory");
            r->error = status;
            continue;
        }
        if (status == STATUS_BAD_DATA) {
            (void)fail(r, r->off, what);
            continue;
        }
        r->pos += SNAP_RECORD_HEAD + payload.size;
        r->off += SNAP_RECORD_HEAD + payload.size;
        if (status == STATUS_OK)
            return STATUS_OK;
    }
}
