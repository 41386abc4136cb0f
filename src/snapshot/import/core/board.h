/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: cores of boards without Linux, as gdb's generate-core-file, probes'
 * tools and ESP-IDF write them. They have no list of files, no auxiliary vector and no dynamic
 * linker; NT_PRSTATUS as of Linux, one a context, the running one first; of ESP-IDF one a
 * task, whose control block's address is its pr_pid. Notes of their own:
 *
 *     CGSNAP 0x4d53                        u32 MSP, u32 PSP of the context that was running
 *     ESP_CORE_DUMP_INFO 8266              from ESP-IDF (components/espcoredump)
 *     ESP_EXTRA_INFO, EXTRA_INFO 677       u32 control block of the task that crashed, …
 *
 * docs/decisions/0047-dumps-of-boards.md
 */
#ifndef SNAPSHOT_IMPORT_CORE_BOARD_H
#define SNAPSHOT_IMPORT_CORE_BOARD_H

#include "snapshot/import/core/notes.h"

#define CORE_TASK_NAME_SIZE 16u /* of FreeRTOS: configMAX_TASK_NAME_LEN of ESP-IDF */

struct core_board {
    bool is_board;
    struct snap_board facts; /* valid when it is one; pid and time are 0 */
};

/*
 * Is the core of a board? What tells are its notes, its first thread's registers, and where these
 * tell nothing whether there is a dynamic linker in memory. If it is: moves the thread that crashed
 * to the front, joins segments that are neighbours, marks those as code that registers show to be.
 * Only NO_MEMORY fails.
 */
MUST_CHECK enum status core_board_find(struct core_image *image, struct core_notes *notes,
                                       struct core_board *out);

/*
 * What a task of ESP-IDF is called, by its control block at `handle_addr`; "" where that does not
 * tell.
 */
void core_board_task_name(const struct core_image *image, const struct core_notes *notes,
                          uint64_t handle_addr, char name[CORE_TASK_NAME_SIZE + 1]);

#endif
