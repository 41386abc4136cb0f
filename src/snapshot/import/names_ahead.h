/* SPDX-License-Identifier: MIT */
/*
 * Delivers NAMES and SYMBOL_FILE records before their turn: they may name code of earlier samples,
 * since a run-time compiler writes names when it likes. Works on files, where records can be
 * skipped by their lengths. The records come again at their own places.
 *
 * They belong to one program: those behind a later PROCESS record of their process are delivered
 * behind that record.
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

#define NAMES_AHEAD_MAX 65536u /* records of each type; later ones are not delivered ahead */

struct record_ahead {
    struct passed_record head;
    uint32_t pid;
    /* index of the process's next record behind its first PROCESS; UINT32_MAX: none */
    uint32_t next;
    bool is_behind; /* it lies behind its process's first PROCESS */
};

struct names_ahead {              /* zero it */
    int fd;                       /* borrowed */
    struct record_ahead *records; /* owned: NAMES, SYMBOL_FILE and PROCESS records */
    size_t count, cap;
    struct map by_pid;   /* pid -> the process's next record in that chain, at first its PROCESS */
    size_t next;         /* index of the next record to deliver of those behind no PROCESS */
    uint32_t behind_pid; /* deliver this process's records behind its PROCESS next, .. */
    bool has_behind;     /* .. if this is set */
    uint8_t *payload;    /* owned: of the last delivered record */
    size_t payload_cap;
};

void names_ahead_deinit(struct names_ahead *ahead);

/*
 * Finds the records from `off`, a record's start, to the file's end or the first impossible head,
 * at which reading the file ends, too. `fd` is borrowed and seekable; its position stays.
 * NO_MEMORY: none are delivered.
 */
MUST_CHECK enum status names_ahead_find(struct names_ahead *ahead, int fd, uint64_t off);

/* To be called after delivering a PROCESS record behind `off`: its program's records come next. */
void names_ahead_process(struct names_ahead *ahead, uint32_t pid);

/*
 * Fills *event with the next record, is_ahead set; its pointers are valid until the next call.
 * Passes over damaged records. END: none left; NO_MEMORY.
 */
MUST_CHECK enum status names_ahead_next(struct names_ahead *ahead, struct snap_event *event);

#endif
