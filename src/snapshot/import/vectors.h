/* SPDX-License-Identifier: MIT */
/*
 * For importers of dumps: the name of a board's process, and the vector table of ARM's M-profile,
 * recognized by its contents if the dump has its memory (ARMv7-M ARM, B1.5.2):
 *
 *     initial SP | reset | NMI | HardFault | ...      handlers are odd: Thumb code
 */
#ifndef SNAPSHOT_IMPORT_VECTORS_H
#define SNAPSHOT_IMPORT_VECTORS_H

#include "snapshot/event.h"

#define BOARD_NAME "firmware" /* name of a board's process, if no other is known */

struct vector_memory {
    /* Copies `size` bytes at `addr`; false: not all of them are there. */
    bool (*read)(const void *context, uint64_t addr, void *buffer, size_t size);
    const void *context; /* borrowed */
};

/*
 * Sets vectors_addr, initial_sp and reset_addr of *board if the memory at `addr` looks like a
 * vector table; else changes nothing, nor if initial_sp is set already or the profile is not ARM_M.
 */
void vectors_try(const struct vector_memory *memory, uint64_t addr, struct snap_board *board);

#endif
