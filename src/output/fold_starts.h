/* SPDX-License-Identifier: MIT */
/*
 * A fold without the functions with which all programs and threads begin (runtime_is_start), for
 * people: what they call takes their place, so that a thread's function is a root.
 *
 *     200  _start                          180  main
 *     200  `-- __libc_start_main     ->     20  worker
 *     ...
 *
 * Weight of their own stays theirs: they are roots then, with nothing below. All weights add up to
 * what they did.
 */
#ifndef OUTPUT_FOLD_STARTS_H
#define OUTPUT_FOLD_STARTS_H

#include "output/fold.h"

/* Replaces *fold, which is of FOLD_NODES of the view. NO_MEMORY: it is as it was. */
MUST_CHECK enum status fold_leave_out_starts(const struct view *view, struct fold **fold);

#endif
