/* SPDX-License-Identifier: MIT */
/*
 * A pass over a snapshot in a file from record to record, by their lengths, without reading what
 * they hold: for what has to be found before its turn comes.
 */
#ifndef SNAPSHOT_IMPORT_RECORD_HEADS_H
#define SNAPSHOT_IMPORT_RECORD_HEADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct passed_record {
    uint64_t off; /* of the record */
    uint32_t len, crc;
    uint16_t type;
};

struct record_heads {
    int fd; /* borrowed; its position stays */
    uint64_t off;
    /* Private: the last piece of the file that was read. */
    uint64_t piece_off;
    size_t piece_size;
    uint8_t *piece; /* owned */
};

/* `off`: where a record begins. NO_MEMORY. To be deinitialized if OK. */
MUST_CHECK enum status record_heads_init(struct record_heads *heads, int fd, uint64_t off);
void record_heads_deinit(struct record_heads *heads);

/*
 * False: the file ends here, or there is a head that cannot be one, at `off`: whoever reads the
 * file comes to that, too.
 */
bool record_heads_next(struct record_heads *heads, struct passed_record *out);

/*
 * Reads what the record holds to `payload`, `len` bytes. False: it is damaged.
 */
bool record_payload_read(int fd, const struct passed_record *head, uint8_t *payload);

#endif
