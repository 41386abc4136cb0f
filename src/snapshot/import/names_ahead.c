/* SPDX-License-Identifier: MIT */
#include "snapshot/import/names_ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/crc32.h"
#include "base/cursor.h"
#include "base/vec.h"
#include "snapshot/records.h"

#define CHUNK_BYTES (256u << 10)
#define RECORDS_MAX 65536u /* so many are found ahead */

/* How much of it there is. */
static size_t read_at(int fd, uint64_t off, void *buffer, size_t size)
{
    size_t done = 0;

    while (done < size && off <= INT64_MAX - size) {
        ssize_t n = pread(fd, (char *)buffer + done, size - done, (off_t)(off + done));

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    return done;
}

static bool parse_head(const uint8_t *bytes, uint16_t *type, uint32_t *len, uint32_t *crc)
{
    struct cursor c = cursor_init(bytes, SNAP_RECORD_HEAD);
    uint16_t flags;

    return cursor_u16(&c, type) && cursor_u16(&c, &flags) && cursor_u32(&c, len) &&
           cursor_u32(&c, crc) && *len <= SNAP_PAYLOAD_MAX;
}

void names_ahead_deinit(struct names_ahead *ahead)
{
    free(ahead->offs);
    free(ahead->payload);
    *ahead = (struct names_ahead){0};
}

static enum status add(struct names_ahead *ahead, uint64_t off)
{
    enum status status =
        vec_reserve(&ahead->offs, &ahead->cap, ahead->count + 1, sizeof(*ahead->offs));

    if (status == STATUS_OK)
        ahead->offs[ahead->count++] = off;
    return status;
}

enum status names_ahead_find(struct names_ahead *ahead, int fd, uint64_t off)
{
    uint8_t *chunk = malloc(CHUNK_BYTES);
    uint64_t chunk_off = off;
    size_t size = 0;
    enum status status = chunk ? STATUS_OK : STATUS_NO_MEMORY;

    ahead->fd = fd;
    while (status == STATUS_OK && ahead->count < RECORDS_MAX) {
        uint32_t len, crc;
        uint16_t type;

        if (off - chunk_off > size || size - (size_t)(off - chunk_off) < SNAP_RECORD_HEAD) {
            chunk_off = off;
            size = read_at(fd, off, chunk, CHUNK_BYTES);
        }
        if (size - (size_t)(off - chunk_off) < SNAP_RECORD_HEAD ||
            !parse_head(chunk + (off - chunk_off), &type, &len, &crc))
            break;
        if (type == SNAP_NAMES)
            status = add(ahead, off);
        off += SNAP_RECORD_HEAD + len;
    }
    if (status != STATUS_OK)
        ahead->count = 0;
    free(chunk);
    return status;
}

/* NOT_FOUND: it is damaged. */
static enum status load(struct names_ahead *ahead, uint64_t off, struct snap_event *event)
{
    struct snap_records records = {0};
    uint8_t head[SNAP_RECORD_HEAD];
    struct cursor c;
    const char *what;
    uint32_t len, crc;
    uint16_t type;

    if (read_at(ahead->fd, off, head, sizeof(head)) != sizeof(head) ||
        !parse_head(head, &type, &len, &crc) || type != SNAP_NAMES)
        return STATUS_NOT_FOUND;
    if (vec_reserve(&ahead->payload, &ahead->payload_cap, len, 1) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (read_at(ahead->fd, off + sizeof(head), ahead->payload, len) != len ||
        crc32_update(crc32_update(0, head, 8), ahead->payload, len) != crc)
        return STATUS_NOT_FOUND;
    c = cursor_init(ahead->payload, len);
    return snap_records_take(&records, type, 0, &c, event, &what) == STATUS_OK ? STATUS_OK
                                                                               : STATUS_NOT_FOUND;
}

enum status names_ahead_next(struct names_ahead *ahead, struct snap_event *event)
{
    while (ahead->next < ahead->count) {
        enum status status = load(ahead, ahead->offs[ahead->next++], event);

        if (status == STATUS_OK)
            event->names.is_ahead = true;
        if (status != STATUS_NOT_FOUND)
            return status;
    }
    return STATUS_END;
}
