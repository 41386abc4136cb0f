/* SPDX-License-Identifier: MIT */
/* Finds out, in the first halt, what the stub can do, and what its target is. */
#ifndef BOARDS_GDB_BEGIN_H
#define BOARDS_GDB_BEGIN_H

#include "base/diag.h"
#include "base/status.h"
#include "boards/gdb/state.h"

/*
 * Halts the target of the stub to which st->client is connected, and fills the rest of `st`, and
 * `machine`. The target stays halted. Errors: `diag` says why, except with NO_MEMORY, and where the
 * connection has failed (st->client.has_failed; st->client.diag says why). On success `diag` may
 * hold a warning.
 */
MUST_CHECK enum status gdb_begin(struct gdb_state *st, struct target_machine *machine,
                                 struct diag *diag);

#endif
