/* SPDX-License-Identifier: MIT */
/*
 * Checks that the firmware files that the user named are on the board: compares some bytes of their
 * code with the target's memory, at the code's begin and end, and where the target is halted.
 */
#ifndef BOARDS_GDB_FILE_CHECK_H
#define BOARDS_GDB_FILE_CHECK_H

#include "base/diag.h"
#include "boards/gdb/state.h"

/*
 * Compares the firmware files with the halted board's memory. If one differs, `diag` says which and
 * where; else `diag` stays as it is.
 */
void gdb_file_check(struct gdb_state *st, struct diag *diag);

#endif
