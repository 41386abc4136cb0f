/* SPDX-License-Identifier: MIT */
#include "unwind/code/leaf.h"

#define STEPS_MAX  512 /* instructions */
#define PLACES_MAX 64  /* still to follow */

struct leaf {
    struct code *code;
    uint32_t walk; /* marks the instructions of this question */
    struct place {
        uint64_t vaddr;
        enum code_mode mode;
    } places[PLACES_MAX];
    unsigned place_count, steps;
    uint64_t changes;
    bool returns;
};

static bool push(struct leaf *leaf, uint64_t vaddr, enum code_mode mode)
{
    if (leaf->place_count == PLACES_MAX)
        return false;
    leaf->places[leaf->place_count++] = (struct place){vaddr, mode};
    return true;
}

/* Follows a path until it returns or meets an earlier one; false: it leads to an unknown place. */
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
        leaf->changes |= code_writes(leaf->code, &insn);
        leaf->returns = leaf->returns || insn.flow == FLOW_RETURN;
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

static uint64_t find_out(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    struct leaf leaf = {.code = code, .walk = code_new_walk(code)};

    (void)push(&leaf, vaddr, mode);
    while (leaf.place_count > 0)
        if (!follow(&leaf, leaf.places[--leaf.place_count]))
            return UINT64_MAX;
    return leaf.returns ? leaf.changes : UINT64_MAX;
}

uint64_t leaf_changes(struct code *code, uint64_t vaddr, enum code_mode mode)
{
    const uint64_t key = vaddr << 1 | (mode == CODE_T32);
    const uint64_t *answer = map_get(&code->leaves, key);
    uint64_t changes;

    if (answer)
        return *answer;
    changes = find_out(code, vaddr, mode);
    answer = map_put(&code->leaves, key, changes); /* without memory it is not cached */
    return answer ? *answer : changes;
}
