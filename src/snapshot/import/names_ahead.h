/* SPDX-License-Identifier: MIT */
/*
 * NAMES and SYMBOL_FILE records may tell of samples that come before them, since who names code at
 * run time does so when it likes. In a file they can be found ahead: records are passed over by
 * their lengths. They come again where they are.
 */
#ifndef SNAPSHOT_IMPORT_NAMES_AHEAD_H
#define SNAPSHOT_IMPORT_NAMES_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "snapshot/event.h"
#include "snapshot/import/record_heads.h"

struct names_ahead {             /* zero it */
    int fd;                      /* borrowed */
    struct passed_record *heads; /* owned: of these records */
    size_t count, cap, next;
    uint8_t *payload; /* owned: of the one that was delivered last */
    size_t payload_cap;
};

void names_ahead_deinit(struct names_ahead *ahead);

/*
 * Finds the records from `off` on, where one begins, up to the file's end or to the first head that
 * cannot be one: whoever reads the file comes to that, too. `fd` can be sought; its position stays.
 * NO_MEMORY: none are delivered.
 */
MUST_CHECK enum status names_ahead_find(struct names_ahead *ahead, int fd, uint64_t off);

/*
 * The next one; damaged ones are left out. What it points to is valid until the next call. END:
 * there are no more; NO_MEMORY.
 */
MUST_CHECK enum status names_ahead_next(struct names_ahead *ahead, struct snap_event *event);

#endif
