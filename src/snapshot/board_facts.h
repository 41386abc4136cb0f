/* SPDX-License-Identifier: MIT */
/*
 * Facts of one thread from the latest SYSTEM and TASK records (FORMAT.md, 22 and 23). Private to
 * snapshot/.
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
    uint64_t system_ns; /* time of the SAMPLE that `system` belongs to */
    struct snap_system system[SNAP_SYSTEM_MAX];
    uint32_t system_count;
    /* task: at the thread's last sample or repeat; new_task: from the thread's next one on. */
    bool has_task, has_new_task;
    struct snap_task task, new_task; /* `object` and `system` point to the texts below */
    char object[BOARD_TEXT_MAX], new_object[BOARD_TEXT_MAX];
    char system_name[BOARD_TEXT_MAX]; /* name of the RTOS, for both tasks: a board has one RTOS */
};

/*
 * Take in a SYSTEM or TASK record, read from its time field on. If *facts is NULL, *facts is
 * allocated; the caller frees it with free(). BAD_DATA: *what (static storage) says why, and no
 * fact has changed; NO_MEMORY.
 */
MUST_CHECK enum status board_facts_take_system(struct board_facts **facts, struct cursor *c,
                                               const char **what);
MUST_CHECK enum status board_facts_take_task(struct board_facts **facts, struct cursor *c,
                                             const char **what);

/* To be called at the thread's sample or repeat: new_task becomes `task`. `facts` may be NULL. */
void board_facts_settle(struct board_facts *facts);

/*
 * Sets system, system_count and task of *s, borrowed from `facts`; NULL and 0 if `facts` is NULL.
 * `sample_ns`: time of the sample or, for a repeat, of the repeated sample; system registers of
 * another time are left out.
 */
void board_facts_give(const struct board_facts *facts, uint64_t sample_ns, struct snap_sample *s);

#endif
