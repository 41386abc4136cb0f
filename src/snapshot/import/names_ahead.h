/* SPDX-License-Identifier: MIT */
/*
 * NAMES and SYMBOL_FILE records may tell of samples that come before them, since who names code at
 * run time does so when it likes. In a file they can be found ahead: records are passed over by
 * their lengths. They come again where they are.
 *
 * They tell of one program: those that come behind another PROCESS record of their process are
 * delivered behind that.
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

#define NAMES_AHEAD_MAX 65536u /* records of each type; others are not found ahead */

struct record_ahead {
    struct passed_record head;
    uint32_t pid;
    uint32_t next;  /* of the process, from its first PROCESS on; UINT32_MAX: none */
    bool is_behind; /* such a one */
};

struct names_ahead {              /* zero it */
    int fd;                       /* borrowed */
    struct record_ahead *records; /* owned: these, and PROCESS records */
    size_t count, cap;
    struct map by_pid;   /* pid -> what comes next behind a PROCESS of it, which that is itself */
    size_t next;         /* to be delivered, of those that are behind no PROCESS */
    uint32_t behind_pid; /* of whom those behind a PROCESS come next, .. */
    bool has_behind;     /* .. if this is set */
    uint8_t *payload;    /* owned: of the one that was delivered last */
    size_t payload_cap;
};

void names_ahead_deinit(struct names_ahead *ahead);

/*
 * Finds the records from `off` on, where one begins, up to the file's end or to the first head that
 * cannot be one: whoever reads the file comes to that, too. `fd` can be sought; its position stays.
 * NO_MEMORY: none are delivered.
 */
MUST_CHECK enum status names_ahead_find(struct names_ahead *ahead, int fd, uint64_t off);

/* A PROCESS record has been read, from `off` on: what tells of its program may come next. */
void names_ahead_process(struct names_ahead *ahead, uint32_t pid);

/*
 * The next one; damaged ones are left out. What it points to is valid until the next call. END:
 * there are no more; NO_MEMORY.
 */
MUST_CHECK enum status names_ahead_next(struct names_ahead *ahead, struct snap_event *event);

#endif
