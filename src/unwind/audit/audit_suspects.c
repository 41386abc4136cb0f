/* SPDX-License-Identifier: MIT */
#include "arch/analysis/insn.h"
#include "base/search.h"
#include "unwind/audit/audit_private.h"

#define SWEEPS_MAX 16 /* over the FDE; each gets past one more backward branch */

/* Returns the place at `vaddr`; NULL: none. */
static const struct counted_insn *find_place(const struct counted_insn *places, size_t count,
                                             uint64_t vaddr)
{
    size_t at = SEARCH_FIRST(i, 0, count, places[i].vaddr < vaddr);

    return at < count && places[at].vaddr == vaddr ? &places[at] : NULL;
}

/* Does `next`, which leads to a return, have the SP that `place` leaves? */
static bool proves(const struct counted_insn *place, const struct counted_insn *next)
{
    return next && next->returns && next->has_state && next->sp.kind == VALUE_ENTRY &&
           value_equal(&place->sp_after, &next->sp);
}

static bool leads_to_return(const struct counted_insn *places, size_t count,
                            const struct counted_insn *place)
{
    bool falls = place->flow == FLOW_NEXT || place->flow == FLOW_BRANCH || place->flow == FLOW_CALL;
    bool jumps = place->flow == FLOW_BRANCH || place->flow == FLOW_JUMP;

    return (falls && proves(place, find_place(places, count, place->vaddr + place->size))) ||
           (jumps && proves(place, find_place(places, count, place->target_vaddr)));
}

static bool any_suspect(const struct counted_insn *places, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (places[i].verdict == AUDIT_SUSPECT)
            return true;
    return false;
}

/* Spreads `returns` backwards from the returns. */
void audit_confirm_suspects(struct counted_insn *places, size_t count)
{
    bool changed = any_suspect(places, count);

    for (unsigned sweep = 0; changed && sweep < SWEEPS_MAX; sweep++) {
        changed = false;
        for (size_t i = count; i-- > 0;)
            if (!places[i].returns && leads_to_return(places, count, &places[i]))
                places[i].returns = changed = true;
    }
    for (size_t i = 0; i < count; i++)
        if (places[i].verdict == AUDIT_SUSPECT && !places[i].returns)
            places[i].verdict = AUDIT_WRONG;
}
