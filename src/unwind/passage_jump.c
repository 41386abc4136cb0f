/* SPDX-License-Identifier: MIT */
#include "unwind/passages.h"

/* Nothing was executed there: no row is right, and LR, or the top of the stack, is as at a call. */
struct step_result passage_jump(struct unwind_walk *w)
{
    return w->pos.has_just_jumped ? walk_by_lr(w) : step_undecided();
}
