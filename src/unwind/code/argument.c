/* SPDX-License-Identifier: MIT */
#include "unwind/code/argument.h"

#include "base/keyed_hash.h"

#define STEPS_MAX 50000 /* instructions of a function */

static bool find_out(struct code *code, const struct argument_place *place)
{
    uint64_t vaddr = place->start_vaddr;
    uint8_t context = 0;
    bool is_made = false; /* the argument was made, and none of its parts has changed since */

    for (unsigned steps = 0; steps < STEPS_MAX && vaddr < place->return_vaddr; steps++) {
        struct code_insn insn;
        uint64_t writes;
        uint32_t index;

        if (code_get(code, vaddr, place->mode, context, &index) != STATUS_OK)
            return false;
        insn = *code_insn(code, index);
        vaddr += insn.size;
        context = insn.next_context;
        if (vaddr == place->return_vaddr)
            return is_made && insn.flow == FLOW_CALL;
        writes = code_writes(code, &insn);
        if (insn.flow != FLOW_NEXT || writes & place->parts)
            is_made = false;
        else if (writes >> place->reg & 1)
            is_made = !insn.predicate;
    }
    return false;
}

bool argument_holds(struct code *code, const struct argument_place *place)
{
    /* The highest bit distinguishes the key from addresses of functions. */
    const uint64_t key =
        keyed_words(place->return_vaddr, place->parts << 8 | place->reg) | UINT64_C(1) << 63;
    const uint64_t *known = map_get(&code->leaves, key);
    bool holds;

    if (known)
        return *known;
    holds = find_out(code, place);
    known = map_put(&code->leaves, key, holds); /* without memory it is not cached */
    return known ? *known : holds;
}
