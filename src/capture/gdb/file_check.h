/* SPDX-License-Identifier: MIT */
/*
 * Is the firmware that was named the one on the board? Some bytes of its code are compared with the
 * target's memory: where its code begins, where it ends, and where the target is halted.
 */
#ifndef CAPTURE_GDB_FILE_CHECK_H
#define CAPTURE_GDB_FILE_CHECK_H

#include "base/diag.h"
#include "capture/gdb/state.h"

/* In a halt, of a board. `diag` says which file differs where, and is left alone if none does. */
void gdb_file_check(struct gdb_state *st, struct diag *diag);

#endif
