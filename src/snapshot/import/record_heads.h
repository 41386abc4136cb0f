/* SPDX-License-Identifier: MIT */
/* Walks a snapshot file from record to record by their lengths, without reading payloads. */
#ifndef SNAPSHOT_IMPORT_RECORD_HEADS_H
#define SNAPSHOT_IMPORT_RECORD_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct passed_record {
    uint64_t off;      /* file offset of the record's head */
    uint32_t len, crc; /* bytes of the payload; checksum */
    uint16_t type;     /* enum snap_type */
};

struct record_heads {
    int fd;       /* borrowed; its position stays */
    uint64_t off; /* file offset of the next record */
    /* Private: the piece of the file that was read last. */
    uint64_t piece_off;
    size_t piece_size;
    uint8_t *piece; /* owned */
};

/*
 * Begins a walk at file offset `off`, a record's start. NO_MEMORY: nothing is to be deinitialized.
 */
MUST_CHECK enum status record_heads_init(struct record_heads *heads, int fd, uint64_t off);
void record_heads_deinit(struct record_heads *heads);

/*
 * Sets *out to the head of the next record. False: the file ends at heads->off, or the head there
 * is impossible, so that the file cannot be read further.
 */
bool record_heads_next(struct record_heads *heads, struct passed_record *out);

/* Copies the record's payload, head->len bytes. False: it is damaged (checksum) or cut. */
bool record_payload_read(int fd, const struct passed_record *head, uint8_t *payload);

#endif
