/* SPDX-License-Identifier: MIT */
/* One thread's facts from SYSTEM and TASK records (FORMAT.md, 22 and 23). Private to snapshot/. */
#ifndef SNAPSHOT_BOARD_FACTS_H
#define SNAPSHOT_BOARD_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"
#include "snapshot/event.h"

#define BOARD_TEXT_MAX 64 /* bytes of a name, with its NUL; longer ones are cut */

struct board_facts {
    uint64_t system_ns; /* time of the SAMPLE that `system` belongs to */
    struct snap_system system[SNAP_SYSTEM_MAX];
    uint32_t system_count;
    bool has_task, has_new_task;     /* in force at its last sample or repeat; from its next on */
    struct snap_task task, new_task; /* their names point to the texts below */
    char object[BOARD_TEXT_MAX], new_object[BOARD_TEXT_MAX];
    char system_name[BOARD_TEXT_MAX]; /* for both: a board has one RTOS */
};

/*
 * Take in a record, read from its time field on; allocate *facts (the caller's to free) if it is
 * NULL. BAD_DATA: *what says why, and nothing has changed; NO_MEMORY.
 */
MUST_CHECK enum status board_facts_take_system(struct board_facts **facts, struct cursor *c,
                                               const char **what);
MUST_CHECK enum status board_facts_take_task(struct board_facts **facts, struct cursor *c,
                                             const char **what);

/* At a sample or repeat: puts the latest TASK in force. `facts` may be NULL. */
void board_facts_settle(struct board_facts *facts);

/*
 * Fills system and task of *s (borrowed from `facts`, which may be NULL). `sample_ns`: time of the
 * sample or, for a repeat, of the repeated sample; system registers of another time are left out.
 */
void board_facts_give(const struct board_facts *facts, uint64_t sample_ns, struct snap_sample *s);

#endif
