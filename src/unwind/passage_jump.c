/* SPDX-License-Identifier: MIT */
#include "unwind/passages.h"

/* The code has executed nothing: no row is right, and LR is as at a call. */
struct step_result passage_jump(struct unwind_walk *w)
{
    return w->pos.has_just_jumped ? walk_by_lr(w) : step_undecided();
}
