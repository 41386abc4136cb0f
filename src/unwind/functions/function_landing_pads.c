/* SPDX-License-Identifier: MIT */
/* Follows code that only exceptions enter to the fragments that it jumps to. */
#include "unwind/functions/function_evidence.h"
#include "unwind/functions/function_walk.h"

struct landing_pad_claim {
    struct search *s;
    const struct code_function *function;
};

/* Adds the targets of jumps out of guessed code, which is landing pads, as fragments. */
static bool claim_landing_pad(void *context, const struct code_insn *insn,
                              const struct state *state, bool guessed)
{
    const struct landing_pad_claim *claim = context;
    struct search *s = claim->s;
    const uint8_t *mark;

    if (!guessed || !state || !insn->has_target ||
        (insn->flow != FLOW_JUMP && insn->flow != FLOW_BRANCH) ||
        (insn->target_vaddr >= claim->function->start_vaddr &&
         insn->target_vaddr < claim->function->end_vaddr))
        return true;
    mark = marks_at(&s->marks, insn->target_vaddr);
    if (!mark || state_at_entry_depth(state, s->code->arch) ||
        !state_tells_frame(state, s->code->arch) ||
        *mark & (MARK_KNOWN | MARK_START | MARK_FRAGMENT) || search_is_claimed(*mark, false))
        return true;
    search_add_jump(s, insn->vaddr, insn->target_vaddr);
    search_add_fragment(s, insn->target_vaddr, (enum code_mode)insn->target_mode,
                        claim->function->start_vaddr, false, state);
    return s->failed == STATUS_OK;
}

/* Is there code in [start, end) that no path reaches? */
static bool has_pads(struct search *s, uint64_t vaddr, uint64_t end_vaddr, enum code_mode mode)
{
    const struct area *area = marks_area(&s->marks, vaddr);

    while (area && vaddr < end_vaddr && vaddr < area->end_vaddr) {
        uint8_t mark = area->marks[vaddr - area->start_vaddr];
        uint32_t index;

        if ((mark & MARK_REJECTED) || !(mark & (MARK_CODE | MARK_DATA))) {
            if (code_get(s->code, vaddr, mode, 0, &index) != STATUS_OK) {
                vaddr += s->code->unit;
                continue;
            }
            if (!code_insn(s->code, index)->padding)
                return true;
            vaddr += code_insn(s->code, index)->size;
            continue;
        }
        vaddr++;
    }
    return false;
}

/* Follows the landing pads of a function to the fragments that they jump to. */
static void walk_landing_pads(struct search *s, const struct code_function *function)
{
    struct landing_pad_claim landing_pads = {s, function};
    enum code_mode mode = (enum code_mode)function->mode;
    struct prologue *prologue;
    enum status status;

    if (!has_pads(s, function->start_vaddr, function->end_vaddr, mode))
        return;
    status = search_walk_from(s, function->start_vaddr, mode, NULL, function->end_vaddr,
                              WALK_KNOWN_END_AND_GAPS, &prologue);
    if (status == STATUS_NO_MEMORY)
        s->failed = status;
    if (status != STATUS_OK)
        return;
    prologue_visit(prologue, claim_landing_pad, &landing_pads);
    prologue_destroy(prologue);
    search_walk_found(s);
}

void search_landing_pads(struct search *s)
{
    size_t known = s->known_walked ? s->functions->count : 0, count = s->found_count;

    if (!function_calls_tell(s->code, CODE_DEFAULT))
        return;
    for (size_t i = 0; i < known && s->failed == STATUS_OK && s->work < s->work_max; i++)
        if (s->functions->items[i].origin != FUNCTION_PLT)
            walk_landing_pads(s, &s->functions->items[i]);
    for (size_t i = 0; i < count && s->failed == STATUS_OK && s->work < s->work_max; i++) {
        const struct code_function function = {.start_vaddr = s->found[i].vaddr,
                                               .end_vaddr =
                                                   marks_limit(&s->marks, s->found[i].vaddr),
                                               .mode = s->found[i].mode};

        if (s->found[i].origin != FUNCTION_FRAGMENT)
            walk_landing_pads(s, &function);
    }
}
