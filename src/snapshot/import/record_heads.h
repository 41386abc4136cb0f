/* SPDX-License-Identifier: MIT */
/* Walks a snapshot file from record to record by their lengths, without reading payloads. */
#ifndef SNAPSHOT_IMPORT_RECORD_HEADS_H
#define SNAPSHOT_IMPORT_RECORD_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct passed_record {
    uint64_t off; /* file offset of the record */
    uint32_t len, crc;
    uint16_t type;
};

struct record_heads {
    int fd; /* borrowed; its position stays */
    uint64_t off;
    /* Private: the piece of the file read last. */
    uint64_t piece_off;
    size_t piece_size;
    uint8_t *piece; /* owned */
};

/* Starts a walk at `off`, a record's start. NO_MEMORY. To be deinitialized if OK. */
MUST_CHECK enum status record_heads_init(struct record_heads *heads, int fd, uint64_t off);
void record_heads_deinit(struct record_heads *heads);

/*
 * Fills *out with the head of the next record. False: the file ends, or the head at heads->off is
 * impossible, at which reading the file ends, too.
 */
bool record_heads_next(struct record_heads *heads, struct passed_record *out);

/* Reads the record's payload, head->len bytes. False: damaged (checksum), or cut. */
bool record_payload_read(int fd, const struct passed_record *head, uint8_t *payload);

#endif
