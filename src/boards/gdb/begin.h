/* SPDX-License-Identifier: MIT */
/* The first halt: finds out what the stub can do, and what its target is. */
#ifndef BOARDS_GDB_BEGIN_H
#define BOARDS_GDB_BEGIN_H

#include "base/diag.h"
#include "base/status.h"
#include "boards/gdb/state.h"

/*
 * Begins with a connected stub: fills `st` and `machine`. The target stays halted. On failure
 * `diag` says why, unless the connection has failed (client.diag) or memory; on success it may hold
 * a warning.
 */
MUST_CHECK enum status gdb_begin(struct gdb_state *st, struct target_machine *machine,
                                 struct diag *diag);

#endif
