/* SPDX-License-Identifier: MIT */
#include "unwind/passages.h"

/* The code has executed nothing: no row is right, and LR is as at a call. */
struct step_result passage_jump(struct unwind_walk *w)
{
    struct step_result result = step_undecided();

    if (w->has_just_jumped)
        result = walk_by_source(w, TRUST_LR);
    return result.kind == STEP_TO_CALLER ? result : step_undecided();
}
