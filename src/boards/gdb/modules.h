/* SPDX-License-Identifier: MIT */
/*
 * Finds which code is where in a target: the segments of the firmware files that the user named, at
 * their link addresses; for a Linux program the segments of its file and libraries, as its memory
 * and its stub tell; if nothing tells, memory that seems to have code.
 *
 * Files, the target's memory and its stub are untrusted: what makes no sense is left out.
 */
#ifndef BOARDS_GDB_MODULES_H
#define BOARDS_GDB_MODULES_H

#include "base/diag.h"
#include "base/status.h"
#include "boards/gdb/state.h"

#define GDB_MODULES_MAX 1024u

/*
 * Returns the architecture of the ELF file `path`, in static storage. NULL: the file cannot be
 * read, is no ELF file, or is for an unknown architecture, as `diag` says.
 */
const struct arch *gdb_modules_arch(const char *path, struct diag *diag);

/*
 * Adds the segments of code of the firmware files in st->options to st->modules. On failure `diag`
 * says which file cannot be used, and why.
 */
MUST_CHECK enum status gdb_modules_add_firmware(struct gdb_state *st, struct diag *diag);

/*
 * Replaces st->modules by those that a halted Linux program has loaded now; if they differ, adds 1
 * to st->generation. Does nothing for a board, or if they cannot be read.
 *
 * A program that was just begun has linked no library yet: until a look finds some, and no change
 * since the last one, the next is due soon, then ever later, and never before 20 times what a look
 * has cost; then every 5 s:
 *
 *     refresh_ns = 50 ms, 100 ms, 200 ms ... 5 s
 */
void gdb_modules_refresh(struct gdb_state *st);

/*
 * Adds modules without a file for a halted board of which no firmware was named, where its code
 * seems to be: flash of the memory map; around `pc` and the reset address.
 */
void gdb_modules_guess(struct gdb_state *st, uint64_t pc);

/*
 * Sets *out to the value of the entry `type` (AT_...) in a Linux program's auxiliary vector. False:
 * there is no such entry.
 */
bool gdb_modules_auxv(const struct gdb_state *st, uint64_t type, uint64_t *out);

/* Whether a module contains the run-time address `addr`. */
bool gdb_modules_has(const struct gdb_state *st, uint64_t addr);
void gdb_modules_deinit(struct gdb_modules *modules);

#endif
