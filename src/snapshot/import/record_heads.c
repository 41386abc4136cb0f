/* SPDX-License-Identifier: MIT */
#include "snapshot/import/record_heads.h"

#include <stdlib.h>

#include "base/crc32.h"
#include "base/cursor.h"
#include "base/read_all.h"
#include "snapshot/format.h"

/* Small records lie side by side; behind a large one little is read. */
#define PIECE_BYTES (256u << 10)
#define AFTER_LARGE 4096u

enum status record_heads_init(struct record_heads *heads, int fd, uint64_t off)
{
    *heads = (struct record_heads){.fd = fd, .off = off, .piece = malloc(PIECE_BYTES)};
    return heads->piece ? STATUS_OK : STATUS_NO_MEMORY;
}

void record_heads_deinit(struct record_heads *heads)
{
    free(heads->piece);
}

/* Returns whether the piece has the head at `off`. */
static bool has_head(const struct record_heads *heads)
{
    const uint64_t into = heads->off - heads->piece_off;

    return into <= heads->piece_size && heads->piece_size - into >= SNAP_RECORD_HEAD;
}

bool record_heads_next(struct record_heads *heads, struct passed_record *out)
{
    struct cursor c;
    uint16_t flags;

    if (!has_head(heads)) {
        const bool was_near = heads->off - heads->piece_off < 2 * PIECE_BYTES;

        heads->piece_off = heads->off;
        heads->piece_size =
            read_all(heads->fd, heads->off, heads->piece, was_near ? PIECE_BYTES : AFTER_LARGE);
    }
    if (!has_head(heads))
        return false;
    c = cursor_init(heads->piece + (heads->off - heads->piece_off), SNAP_RECORD_HEAD);
    if (!cursor_u16(&c, &out->type) || !cursor_u16(&c, &flags) || !cursor_u32(&c, &out->len) ||
        !cursor_u32(&c, &out->crc) || out->len > SNAP_PAYLOAD_MAX)
        return false;
    out->off = heads->off;
    heads->off += SNAP_RECORD_HEAD + out->len;
    return true;
}

bool record_payload_read(int fd, const struct passed_record *head, uint8_t *payload)
{
    uint8_t bytes[SNAP_RECORD_HEAD];

    return read_all(fd, head->off, bytes, sizeof(bytes)) == sizeof(bytes) &&
           read_all(fd, head->off + sizeof(bytes), payload, head->len) == head->len &&
           crc32_update(crc32_update(0, bytes, 8), payload, head->len) == head->crc;
}
