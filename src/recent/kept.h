/* SPDX-License-Identifier: MIT */
/*
 * Lists of records of a snapshot, kept byte for byte while what they say still holds: a list for
 * each type of record. Private to recent/.
 */
#ifndef RECENT_KEPT_H
#define RECENT_KEPT_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A record's bytes, head and payload. */
struct record_bytes {
    const uint8_t *bytes;
    size_t size;
};

struct recent_record {
    uint8_t *bytes; /* owned; head and payload */
    size_t size;
    uint32_t pid;   /* process that the record is about */
    uint64_t start; /* range that the record is about: addresses, file offsets or tids */
    uint64_t end;   /* end of that range, exclusive */
};

struct kept_list { /* zeroed: empty */
    struct recent_record *records;
    size_t count, cap;
    size_t size; /* bytes of all records together */
};

void kept_deinit(struct kept_list *list);

/*
 * Adds a copy of the record's bytes at the end, with pid, start and end of `what`. Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status kept_add(struct kept_list *list, struct record_bytes record,
                                struct recent_record what);

/* Remove and free the record at `index`, or all records of a process; the others keep the order. */
void kept_remove(struct kept_list *list, size_t index);
void kept_remove_pid(struct kept_list *list, uint32_t pid);

/* Remove and free the pid's records that overlap [start, end), or that lie within the range. */
void kept_remove_overlapped(struct kept_list *list, uint32_t pid, uint64_t start, uint64_t end);
void kept_remove_covered(struct kept_list *list, uint32_t pid, uint64_t start, uint64_t end);

/*
 * Removes the addresses [start, end) from the MAP records of the pid: parts outside are kept, as
 * records with addresses, file offset and checksum changed. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status kept_cut_maps(struct kept_list *list, uint32_t pid, uint64_t start,
                                     uint64_t end);

#endif
