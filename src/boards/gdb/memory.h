/* SPDX-License-Identifier: MIT */
/*
 * Reads a halted target's memory. Reading some memory of a board has effects (a UART's data
 * register forgets a byte): so on ARM's M-profile only code, RAM and external RAM are read (ARMv7-M
 * manual, B3.1, the system address map); and where the stub tells a memory map, only memory in that
 * map. gdb_memory_read_system does not have these limits.
 */
#ifndef BOARDS_GDB_MEMORY_H
#define BOARDS_GDB_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boards/gdb/state.h"

/* Returns the most bytes of memory that one request brings. */
size_t gdb_memory_piece(const struct gdb_state *st);

/*
 * Reads `size` bytes from `addr` on; returns how many could be read before the first that cannot
 * be; 0 also if the first or the last byte must not be read (see above).
 */
size_t gdb_memory_read(struct gdb_state *st, uint64_t addr, void *buffer, size_t size);

/*
 * Reads `size` bytes from `addr` on, where possible out of lines of GDB_LINE bytes that were read
 * before in this halt. False: not all can be read.
 */
bool gdb_memory_read_cached(struct gdb_state *st, uint64_t addr, void *buffer, size_t size);

/*
 * Reads `count` words of system registers from `addr` on, which need not be in the memory map or in
 * RAM. False: not all can be read.
 */
bool gdb_memory_read_system(struct gdb_state *st, uint64_t addr, uint32_t *words, size_t count);

#endif
