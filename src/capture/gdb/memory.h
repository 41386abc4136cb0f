/* SPDX-License-Identifier: MIT */
/*
 * Reading a halted target's memory. A board has memory that does something when it is read (the
 * data register of a UART forgets a byte): of ARM's M-profile only code, RAM and external RAM are
 * read (ARMv7-M manual, B3.1, the system address map), but for the registers that are asked for by
 * their addresses; where a stub tells a memory map, what is in it alone.
 */
#ifndef CAPTURE_GDB_MEMORY_H
#define CAPTURE_GDB_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capture/gdb/state.h"

/* How many bytes one request brings, at most. */
size_t gdb_memory_piece(const struct gdb_state *st);

/* How many bytes at `addr` could be read, up to `size`. */
size_t gdb_memory_read(struct gdb_state *st, uint64_t addr, void *buffer, size_t size);

/* All of it, from what was read in this halt where that has it. */
bool gdb_memory_read_cached(struct gdb_state *st, uint64_t addr, void *buffer, size_t size);

/* Registers of the system, which are no memory: a word at an address. */
bool gdb_memory_read_system(struct gdb_state *st, uint64_t addr, uint32_t *words, size_t count);

#endif
