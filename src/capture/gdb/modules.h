/* SPDX-License-Identifier: MIT */
/*
 * Which code is where in a target: the segments of the firmware files that were named, at their
 * link addresses; of a Linux program those of its file and libraries, as its own memory and its
 * stub tell of them; where nothing tells, a part of the memory that has code.
 *
 * What comes from files, from the target's memory and from its stub is untrusted: everything that
 * makes no sense is left out.
 */
#ifndef CAPTURE_GDB_MODULES_H
#define CAPTURE_GDB_MODULES_H

#include "base/diag.h"
#include "base/status.h"
#include "capture/gdb/state.h"

#define GDB_MODULES_MAX 1024u

/* The machine of an ELF file; NULL: it is no ELF file of an architecture that is known. `diag`. */
const struct arch *gdb_modules_arch(const char *path, struct diag *diag);

/* Of the files that were named. `diag` says which is none. */
MUST_CHECK enum status gdb_modules_add_firmware(struct gdb_state *st, struct diag *diag);

/* In a halt. Of a Linux program: looks again at what is loaded; generation changes if that does. */
void gdb_modules_refresh(struct gdb_state *st);

/* In a halt. Of a board of which no file is known: where its code seems to be. */
void gdb_modules_guess(struct gdb_state *st, uint64_t pc);

/* Of a Linux program's auxiliary vector: what AT_… `type` has. */
bool gdb_modules_auxv(const struct gdb_state *st, uint64_t type, uint64_t *out);

bool gdb_modules_has(const struct gdb_state *st, uint64_t addr);
void gdb_modules_deinit(struct gdb_modules *modules);

#endif
