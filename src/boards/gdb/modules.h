/* SPDX-License-Identifier: MIT */
/*
 * Finds which code is where in a target: the segments of the firmware files that were named, at
 * their link addresses; for a Linux program those of its file and libraries, as its memory and its
 * stub tell; if nothing tells, a part of the memory that has code.
 *
 * Files, the target's memory and its stub are untrusted: what makes no sense is left out.
 */
#ifndef BOARDS_GDB_MODULES_H
#define BOARDS_GDB_MODULES_H

#include "base/diag.h"
#include "base/status.h"
#include "boards/gdb/state.h"

#define GDB_MODULES_MAX 1024u

/* Returns the architecture of an ELF file; NULL: not known, or no ELF file, as `diag` says. */
const struct arch *gdb_modules_arch(const char *path, struct diag *diag);

/* Adds the named firmware files. On failure `diag` says which cannot be used, and why. */
MUST_CHECK enum status gdb_modules_add_firmware(struct gdb_state *st, struct diag *diag);

/* In a halt, for a Linux program: finds again what is loaded; a change counts up st->generation. */
void gdb_modules_refresh(struct gdb_state *st);

/*
 * In a halt, for a board without a file: adds where its code seems to be (flash of the memory map;
 * around `pc` and the reset address).
 */
void gdb_modules_guess(struct gdb_state *st, uint64_t pc);

/* Sets *out to the entry `type` (AT_...) of a Linux program's auxiliary vector. False: none. */
bool gdb_modules_auxv(const struct gdb_state *st, uint64_t type, uint64_t *out);

bool gdb_modules_has(const struct gdb_state *st, uint64_t addr);
void gdb_modules_deinit(struct gdb_modules *modules);

#endif
