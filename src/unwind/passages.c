/* SPDX-License-Identifier: MIT */
#include "unwind/passages.h"

static const struct {
    unsigned when; /* enum passage_when, ORed */
    passage_fn *go;
} passages[] = {
    {PASSAGE_FIRST, passage_exception_return},
    {PASSAGE_FIRST, passage_go_stacks},
    {PASSAGE_FIRST, passage_go_end},
    {PASSAGE_FIRST, passage_made_end},
    {PASSAGE_FIRST, passage_new_thread},
    {PASSAGE_FIRST, passage_context_end},
    {PASSAGE_FIRST, passage_jump},
    {PASSAGE_BEFORE_GUESS | PASSAGE_LAST, passage_go_switch},
    {PASSAGE_BEFORE_GUESS | PASSAGE_LAST, passage_plt},
    {PASSAGE_BEFORE_GUESS | PASSAGE_LAST, passage_signal},
    {PASSAGE_BEFORE_GUESS, passage_board_begin},
    {PASSAGE_BEFORE_GUESS, passage_entry},
    {PASSAGE_LAST, passage_exception_by_lr},
    {PASSAGE_LAST, passage_over_made},
};

struct step_result passages_ask(struct unwind_walk *w, enum passage_when when)
{
    for (size_t i = 0; i < sizeof(passages) / sizeof(passages[0]); i++) {
        struct step_result result = step_undecided();

        if (passages[i].when & when)
            result = passages[i].go(w);
        if (result.kind != STEP_UNDECIDED)
            return result;
    }
    return step_undecided();
}
