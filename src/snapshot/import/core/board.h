/* SPDX-License-Identifier: MIT */
/*
 * Private to the core importer: cores of boards without Linux, written by gdb's generate-core-file,
 * probes' tools and ESP-IDF. They have no list of files, no auxiliary vector and no dynamic linker.
 * NT_PRSTATUS is laid out as on Linux: one per context, the running one first; with ESP-IDF one per
 * task, with the address of its control block in pr_pid. Notes that only boards have:
 *
 *     CGSNAP 0x4d53                        u32 MSP, u32 PSP of the context that was running
 *     ESP_CORE_DUMP_INFO 8266              from ESP-IDF (components/espcoredump)
 *     ESP_EXTRA_INFO, EXTRA_INFO 677       u32 control block of the task that crashed, ...
 *
 * docs/decisions/0047-dumps-of-boards.md
 */
#ifndef SNAPSHOT_IMPORT_CORE_BOARD_H
#define SNAPSHOT_IMPORT_CORE_BOARD_H

#include "snapshot/import/core/notes.h"

#define CORE_TASK_NAME_SIZE 16u /* bytes of a name: configMAX_TASK_NAME_LEN of ESP-IDF */

struct core_board {
    bool is_board;
    struct snap_board facts; /* valid if is_board; pid and time are 0 */
};

/*
 * Sets *out: whether the core is a board's, by its notes, its first thread's registers, and if
 * these are undecided by whether memory has a dynamic linker. For a board, moves the crashed thread
 * to the front of `notes`, joins adjacent segments of `image`, and marks as code the segments that
 * PC and LR of threads point to. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status core_board_find(struct core_image *image, struct core_notes *notes,
                                       struct core_board *out);

/* Sets `name` to the name of the ESP-IDF task with control block `handle_addr`; "": not known. */
void core_board_task_name(const struct core_image *image, const struct core_notes *notes,
                          uint64_t handle_addr, char name[CORE_TASK_NAME_SIZE + 1]);

#endif
