/* SPDX-License-Identifier: MIT */
/*
 * Checks that the firmware that was named is the one on the board: compares some bytes of its code
 * with the target's memory, where its code begins, where it ends, and where the target is halted.
 */
#ifndef BOARDS_GDB_FILE_CHECK_H
#define BOARDS_GDB_FILE_CHECK_H

#include "base/diag.h"
#include "boards/gdb/state.h"

/* In a halt of a board: `diag` says which file differs where; it is left alone if none does. */
void gdb_file_check(struct gdb_state *st, struct diag *diag);

#endif
