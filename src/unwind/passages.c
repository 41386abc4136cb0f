/* SPDX-License-Identifier: MIT */
#include "unwind/passages.h"

static const struct {
    const char *name;
    unsigned when; /* enum passage_when, ORed */
    passage_fn *go;
} passages[] = {
    {"return from an exception", PASSAGE_FIRST, passage_exception_return},
    {"Go's stacks", PASSAGE_FIRST, passage_go_stacks},
    {"a goroutine's end", PASSAGE_FIRST, passage_go_end},
    {"an Erlang process's end", PASSAGE_FIRST, passage_made_end},
    {"a new thread", PASSAGE_FIRST, passage_new_thread},
    {"a jump that faulted", PASSAGE_FIRST, passage_jump},
    {"the midst of a switch by Go", PASSAGE_BEFORE_GUESS | PASSAGE_LAST, passage_go_switch},
    {"a board's begin", PASSAGE_BEFORE_GUESS, passage_board_begin},
    {"an exception handler's LR", PASSAGE_LAST, passage_exception_by_lr},
    {"code made at run time", PASSAGE_LAST, passage_over_made},
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
