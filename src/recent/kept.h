/* SPDX-License-Identifier: MIT */
/* Keeps records of a stream, as they came, while what they say holds. Private to recent/. */
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
    uint8_t *bytes; /* owned */
    size_t size;
    uint32_t pid;
    uint64_t start; /* address, file offset or tid, depending on the list */
    uint64_t end;   /* end of this range */
};

struct kept_list { /* zeroed: empty */
    struct recent_record *records;
    size_t count, cap;
    size_t size; /* bytes of all records */
};

void kept_deinit(struct kept_list *list);

/* Adds a copy of the record at the end; `what` has the other members. Fails with NO_MEMORY only. */
MUST_CHECK enum status kept_add(struct kept_list *list, struct record_bytes record,
                                struct recent_record what);

/* Remove one record, or all of a process; the order stays. */
void kept_remove(struct kept_list *list, size_t index);
void kept_remove_pid(struct kept_list *list, uint32_t pid);

/* Remove records of the pid that overlap [start, end), or that lie in it. */
void kept_remove_overlapped(struct kept_list *list, uint32_t pid, uint64_t start, uint64_t end);
void kept_remove_covered(struct kept_list *list, uint32_t pid, uint64_t start, uint64_t end);

/*
 * Removes [start, end) from MAP records of the pid: keeps the parts outside, with new addresses and
 * offsets. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status kept_cut_maps(struct kept_list *list, uint32_t pid, uint64_t start,
                                     uint64_t end);

#endif
