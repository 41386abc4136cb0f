/* SPDX-License-Identifier: MIT */
#include "unwind/code/leaf.h"

#define STEPS_MAX  4096 /* instructions */
#define PLACES_MAX 64   /* that are yet to be looked at */

struct leaf {
    struct code *code;
    uint32_t walk; /* marks the instructions that were looked at */
    struct place {
        uint64_t vaddr;
        enum code_mode mode;
    } places[PLACES_MAX];
    unsigned place_count, steps;
    uint64_t changes;
};

static void note_changes(struct leaf *leaf, const struct code_insn *insn)
{
    const struct op *ops = code_ops(leaf->code, insn);

    for (unsigned i = 0; i < insn->op_count; i++)
        if (ops[i].kind == OP_CLOBBER)
            leaf->changes |= ops[i].mask;
        else if (ops[i].kind != OP_STORE && ops[i].dst < ARCH_REG_MAX)
            leaf->changes |= UINT64_C(1) << ops[i].dst;
}

static bool push(struct leaf *leaf, uint64_t vaddr, enum code_mode mode)
{
    if (leaf->place_count == PLACES_MAX)
        return false;
    leaf->places[leaf->place_count++] = (struct place){vaddr, mode};
    return true;
}

/* Follows one path until it returns or was followed before; false: it goes who knows where. */
static bool follow(struct leaf *leaf, struct place place)
{
    uint8_t context = 0;

    for (;;) {
        struct code_insn insn;
        uint32_t index;

        if (++leaf->steps > STEPS_MAX ||
            code_get(leaf->code, place.vaddr, place.mode, context, &index) != STATUS_OK)
            return false;
        if (code_insn(leaf->code, index)->visited_by == leaf->walk)
            return true;
        code_insn(leaf->code, index)->visited_by = leaf->walk;
        insn = *code_insn(leaf->code, index);
        if (insn.flow == FLOW_CALL || insn.flow == FLOW_INDIRECT)
            return false;
        note_changes(leaf, &insn);
        if ((insn.flow == FLOW_BRANCH || insn.flow == FLOW_JUMP) &&
            (!insn.has_target || !push(leaf, insn.target_vaddr, (enum code_mode)insn.target_mode)))
            return false;
        if (!insn.predicate &&
            (insn.flow == FLOW_JUMP || insn.flow == FLOW_RETURN || insn.flow == FLOW_STOP))
            return true;
        place.vaddr += insn.size;
        context = insn.next_context;
    }
}

uint64_t leaf_changes(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    struct leaf leaf = {.code = code, .walk = code_new_walk(code)};

    (void)push(&leaf, vaddr, mode);
    while (leaf.place_count > 0)
        if (!follow(&leaf, leaf.places[--leaf.place_count]))
            return UINT64_MAX;
    return leaf.changes;
}
