/* SPDX-License-Identifier: MIT */
/* The first halt: what the stub can do, and what its target is. */
#ifndef CAPTURE_GDB_BEGIN_H
#define CAPTURE_GDB_BEGIN_H

#include "base/diag.h"
#include "base/status.h"
#include "capture/gdb/state.h"

/* Of a stub that is connected. The target stays halted. With `diag` but of NO_MEMORY. */
MUST_CHECK enum status gdb_begin(struct gdb_state *st, struct target_machine *machine,
                                 struct diag *diag);

#endif
