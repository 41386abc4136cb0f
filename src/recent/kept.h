/* SPDX-License-Identifier: MIT */
/*
 * Records of a stream as they came, kept because what they say still holds. Private to recent/.
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
    uint8_t *bytes; /* owned */
    size_t size;
    uint32_t pid;
    uint64_t start; /* address, offset in a file, or tid; by the list */
    uint64_t end;   /* behind it */
};

struct kept_list { /* zeroed: empty */
    struct recent_record *records;
    size_t count, cap;
    size_t size; /* bytes of all */
};

void kept_deinit(struct kept_list *list);

/* Adds a copy at the end; `what` has all but the bytes. Only NO_MEMORY fails. */
MUST_CHECK enum status kept_add(struct kept_list *list, struct record_bytes record,
                                struct recent_record what);

/* Those behind come nearer. */
void kept_remove(struct kept_list *list, size_t index);
void kept_remove_pid(struct kept_list *list, uint32_t pid);

/* Of the pid, those that [start, end) has a part of; or those that lie in it. */
void kept_remove_overlapped(struct kept_list *list, uint32_t pid, uint64_t start, uint64_t end);
void kept_remove_covered(struct kept_list *list, uint32_t pid, uint64_t start, uint64_t end);

/*
 * The same of MAP records, of which those parts stay that lie outside: their addresses and offsets
 * are made anew. Only NO_MEMORY fails.
 */
MUST_CHECK enum status kept_cut_maps(struct kept_list *list, uint32_t pid, uint64_t start,
                                     uint64_t end);

#endif
