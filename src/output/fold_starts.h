/* SPDX-License-Identifier: MIT */
/*
 * Leaves out of a fold the functions with which all programs and threads begin (runtime_is_start),
 * for outputs that people read: their callees take their place, so that a thread's function is at
 * the top.
 *
 *     200  _start                          180  main
 *     200  `-- __libc_start_main     ->     20  worker
 *     ...
 *
 * A start function with self weight stays at the top, without callees. The sum of all weights does
 * not change.
 */
#ifndef OUTPUT_FOLD_STARTS_H
#define OUTPUT_FOLD_STARTS_H

#include "output/fold.h"

/*
 * Replaces *fold, a FOLD_NODES fold of `view`, by a new one without start functions, and destroys
 * the old one. NO_MEMORY: *fold is as before.
 */
MUST_CHECK enum status fold_leave_out_starts(const struct view *view, struct fold **fold);

#endif
