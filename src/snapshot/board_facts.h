/* SPDX-License-Identifier: MIT */
/*
 * What SYSTEM and TASK records tell of one thread of a board (FORMAT.md, types 22 and 23). Private
 * to snapshot/.
 */
#ifndef SNAPSHOT_BOARD_FACTS_H
#define SNAPSHOT_BOARD_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cursor.h"
#include "base/status.h"
#include "snapshot/event.h"

#define BOARD_TEXT_MAX 64 /* bytes of a name, with its NUL; longer ones are cut */

struct board_facts {
    uint64_t system_ns; /* of the SAMPLE that these are of */
    struct snap_system system[SNAP_SYSTEM_MAX];
    uint32_t system_count;
    bool has_task, has_new_task;     /* as of its last sample or repeat; from the next one on */
    struct snap_task task, new_task; /* their names are those below */
    char object[BOARD_TEXT_MAX], new_object[BOARD_TEXT_MAX];
    char system_name[BOARD_TEXT_MAX]; /* one for all: a board has one RTOS */
};

/*
 * Take what a record says, from its time on; *facts is made when it is NULL. BAD_DATA: `what` says
 * why, and nothing has changed.
 */
MUST_CHECK enum status board_facts_take_system(struct board_facts **facts, struct cursor *c,
                                               const char **what);
MUST_CHECK enum status board_facts_take_task(struct board_facts **facts, struct cursor *c,
                                             const char **what);

/* A sample, or a repeat of one, begins: what the RTOS said since the one before is so. */
void board_facts_settle(struct board_facts *facts);

/* Of a sample or repeat: what is known, by the time of the sample. `facts` may be NULL. */
void board_facts_give(const struct board_facts *facts, uint64_t sample_ns, struct snap_sample *s);

#endif
