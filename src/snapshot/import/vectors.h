/* SPDX-License-Identifier: MIT */
/*
 * For importers of dumps: what a board's process is called; and the vector table of ARM's
 * M-profile, found by what it holds, where a dump has the memory that it is in (ARMv7-M ARM,
 * B1.5.2):
 *
 *     initial SP | reset | NMI | HardFault | …      handlers are odd: Thumb code
 */
#ifndef SNAPSHOT_IMPORT_VECTORS_H
#define SNAPSHOT_IMPORT_VECTORS_H

#include "snapshot/event.h"

#define BOARD_NAME "firmware" /* of a board's process, where nothing tells another */

struct vector_memory {
    bool (*read)(const void *context, uint64_t addr, void *buffer, size_t size);
    const void *context; /* borrowed */
};

/*
 * Fills what a board's record says of its vector table if there can be one at `addr`, and none is
 * known yet. Boards of other profiles have none.
 */
void vectors_try(const struct vector_memory *memory, uint64_t addr, struct snap_board *board);

#endif
