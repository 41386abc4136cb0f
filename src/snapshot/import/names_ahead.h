/* SPDX-License-Identifier: MIT */
/*
 * Delivers NAMES and SYMBOL_FILE records of a snapshot before their turn: they may name code of
 * earlier samples, since a run-time compiler may write names late. Works on files, where records
 * can be skipped by their lengths. The reader delivers the records again at their own places.
 *
 * Names belong to one program: records behind a later PROCESS record of their process (an exec) are
 * delivered right behind that record.
 */
#ifndef SNAPSHOT_IMPORT_NAMES_AHEAD_H
#define SNAPSHOT_IMPORT_NAMES_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "snapshot/event.h"
#include "snapshot/import/record_heads.h"

#define NAMES_AHEAD_MAX 65536u /* most records of each type; others are not delivered ahead */

struct record_ahead {
    struct passed_record head;
    uint32_t pid;
    /*
     * Index of the process's next record, if both are behind its first PROCESS; UINT32_MAX: none.
     */
    uint32_t next;
    bool is_behind; /* the record is behind its process's first PROCESS */
};

struct names_ahead {              /* zero it */
    int fd;                       /* borrowed */
    struct record_ahead *records; /* owned: NAMES, SYMBOL_FILE and PROCESS records */
    size_t count, cap;
    struct map by_pid;   /* pid -> next record in the chain by record_ahead.next */
    size_t next;         /* index of the next record to deliver that is behind no PROCESS */
    uint32_t behind_pid; /* with has_behind: the process whose chain is delivered next */
    bool has_behind;
    uint8_t *payload; /* owned; payload of the last delivered record */
    size_t payload_cap;
};

void names_ahead_deinit(struct names_ahead *ahead);

/*
 * Finds the records of the snapshot in `fd` from `off`, a record's start, to the file's end or the
 * first impossible head, at which the reader ends, too. `fd` is borrowed and seekable; its position
 * stays. NO_MEMORY: no record will be delivered.
 */
MUST_CHECK enum status names_ahead_find(struct names_ahead *ahead, int fd, uint64_t off);

/*
 * To be called after a PROCESS record of process `pid` was delivered: the records up to the next
 * PROCESS of the process are what names_ahead_next gives next.
 */
void names_ahead_process(struct names_ahead *ahead, uint32_t pid);

/*
 * Sets *event to the next NAMES or SYMBOL_FILE, with is_ahead set; pointers are valid until the
 * next call. Damaged records are passed over. END: none is left to deliver now; NO_MEMORY.
 */
MUST_CHECK enum status names_ahead_next(struct names_ahead *ahead, struct snap_event *event);

#endif
