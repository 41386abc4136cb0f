/* SPDX-License-Identifier: MIT */
/*
 * Reads a halted target's memory. Reading some memory of a board has effects (a UART's data
 * register forgets a byte): so on ARM's M-profile only code, RAM and external RAM are read (ARMv7-M
 * manual, B3.1, the system address map), except for system registers that are asked for by address;
 * and where the stub tells a memory map, only what is in it.
 */
#ifndef BOARDS_GDB_MEMORY_H
#define BOARDS_GDB_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "boards/gdb/state.h"

/* Returns how many bytes one request brings, at most. */
size_t gdb_memory_piece(const struct gdb_state *st);

/* Reads up to `size` bytes; returns how many could be read. */
size_t gdb_memory_read(struct gdb_state *st, uint64_t addr, void *buffer, size_t size);

/* Reads `size` bytes, from lines that were read in this halt where possible. False: not all. */
bool gdb_memory_read_cached(struct gdb_state *st, uint64_t addr, void *buffer, size_t size);

/* Reads system registers, `count` words from `addr` on, without those checks. False: not all. */
bool gdb_memory_read_system(struct gdb_state *st, uint64_t addr, uint32_t *words, size_t count);

#endif
