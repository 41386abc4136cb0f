/* SPDX-License-Identifier: MIT */
#include "unwind/functions/callees.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"

#define DEPTH_MAX 16    /* nested callees */
#define STEPS_MAX 20000 /* instructions for one question */
#define LITERALS  16    /* last ones of a function that are remembered */

struct callee_place {
    uint64_t vaddr;
    uint8_t mode;
    /* for code that may be the middle of a function: bytes of stack in use; SP is not known */
    int32_t depth;
    bool sp_lost;
    bool lr_saved; /* the return address is in memory or another register */
};

struct callees {
    struct code *code;
    callees_known_fn *known;
    void *context;
    struct map answers;        /* vaddr -> packed callee */
    struct map asked;          /* places whose answer is being found */
    struct callee_place *todo; /* a stack; of all functions that are being examined */
    size_t todo_count, todo_cap;
    uint64_t steps, steps_max; /* for this question */
    uint64_t steps_left;       /* for all further questions */
    bool is_cut;
};

enum status callees_create(struct code *code, callees_known_fn *known, void *context,
                           uint64_t steps_max, struct callees **out)
{
    struct callees *callees = calloc(1, sizeof(*callees));

    if (!callees)
        return STATUS_NO_MEMORY;
    callees->code = code;
    callees->known = known;
    callees->context = context;
    callees->steps_left = steps_max;
    *out = callees;
    return STATUS_OK;
}

bool callees_are_cut(const struct callees *callees)
{
    return callees->is_cut;
}

void callees_destroy(struct callees *callees)
{
    if (!callees)
        return;
    map_deinit(&callees->answers);
    map_deinit(&callees->asked);
    free(callees->todo);
    free(callees);
}

static uint64_t pack(const struct callee *callee)
{
    return (uint64_t)callee->never_returns | (uint64_t)callee->returns_twice << 1 |
           (uint64_t)callee->is_amid << 2 | (uint64_t)callee->pc_reg << 8 |
           (uint64_t)callee->pops << 16;
}

static void unpack(uint64_t word, struct callee *callee)
{
    *callee = (struct callee){.never_returns = word & 1,
                              .returns_twice = word >> 1 & 1,
                              .is_amid = word >> 2 & 1,
                              .pc_reg = (uint8_t)(word >> 8),
                              .pops = (uint16_t)(word >> 16)};
}

/* Result of examining a function; `sure` is false if a limit stopped the search. */
struct callee_finding {
    bool returns, sure;
    bool returned; /* a return was seen: `pops` is known */
    bool may_be_amid, is_amid;
    uint16_t pops;
    uint64_t literals[LITERALS]; /* addresses of data that it reads, the last ones; a ring */
    unsigned literal_count;
};

static void find(struct callees *callees, uint64_t vaddr, enum code_mode mode, unsigned depth,
                 struct callee *out, bool *sure);

static bool push(struct callees *callees, struct callee_place place)
{
    if (vec_reserve(&callees->todo, &callees->todo_cap, callees->todo_count + 1,
                    sizeof(*callees->todo)) != STATUS_OK)
        return false;
    callees->todo[callees->todo_count++] = place;
    return true;
}

/* Returns the place at `vaddr`, in the state of `from`. */
static struct callee_place place_at(const struct callee_place *from, uint64_t vaddr, uint8_t mode)
{
    struct callee_place place = *from;

    place.vaddr = vaddr;
    place.mode = mode;
    return place;
}

/*
 * Does the instruction call, or return to an address in memory? The address may be a word that the
 * function itself has pushed: libgcc's __aeabi_uldivmod pushes r0 to r2, changes a word and pops
 * PC.
 */
static bool needs_saved_lr(const struct code_insn *insn, const struct callee_place *place)
{
    return insn->flow == FLOW_CALL ||
           (insn->flow == FLOW_RETURN && insn->jump_reg == REG_NONE && place->sp_lost);
}

/*
 * Is the code the middle of a function? A function neither pops what its caller has pushed, nor a
 * return address that it has not stored, nor calls while the return address is in LR only.
 */
static void look_at_frame(const struct callees *callees, const struct code_insn *insn,
                          struct callee_place *place, struct callee_finding *finding)
{
    const struct arch *arch = callees->code->arch;
    const struct op *ops = code_ops(callees->code, insn);

    for (unsigned i = 0; i < insn->op_count; i++) {
        if ((ops[i].kind == OP_STORE || ops[i].kind == OP_ADD) && ops[i].src == arch->lr)
            place->lr_saved = true;
        if (ops[i].kind == OP_STORE || ops[i].kind == OP_CLOBBER || ops[i].dst != arch->sp)
            continue;
        if (ops[i].kind != OP_ADD || ops[i].src != arch->sp || ops[i].imm > INT16_MAX ||
            ops[i].imm < -INT16_MAX)
            place->sp_lost = true;
        else if (!place->sp_lost)
            place->depth -= (int32_t)ops[i].imm;
    }
    finding->is_amid = place->depth < 0 || (!place->lr_saved && needs_saved_lr(insn, place));
}

/* Does the call return? A function that calls itself returns only if it does on another path. */
static bool call_returns(struct callees *callees, const struct code_insn *insn, uint64_t self,
                         unsigned depth, struct callee_finding *finding, bool *is_jump)
{
    struct callee callee;

    *is_jump = false;
    if ((!insn->has_target && !insn->slot) || insn->predicate || code_reads_pc(callees->code, insn))
        return true;
    if (insn->target_vaddr == self)
        return false;
    find(callees, insn->target_vaddr, (enum code_mode)insn->target_mode, depth + 1, &callee,
         &finding->sure);
    *is_jump = callee.is_amid;
    return !callee.never_returns;
}

/* Does the function in which a tail call ends return? Its effects are the caller's. */
static bool tail_call_returns(struct callees *callees, const struct code_insn *insn, uint64_t self,
                              unsigned depth, struct callee_finding *finding)
{
    struct callee callee;

    if (insn->target_vaddr == self)
        return false;
    find(callees, insn->target_vaddr, (enum code_mode)insn->target_mode, depth + 1, &callee,
         &finding->sure);
    finding->pops = callee.pops;
    finding->returned = !callee.never_returns;
    return !callee.never_returns;
}

/* Is the target of a jump known to be a function, so that the jump is a tail call? */
static bool is_function(struct callees *callees, uint64_t vaddr)
{
    const uint64_t *answer = map_get(&callees->answers, vaddr);
    struct callee callee;
    uint64_t same_vaddr;
    enum code_mode same_mode;

    if (answer) {
        unpack(*answer, &callee);
        return !callee.is_amid;
    }
    return (callees->known && callees->known(callees->context, vaddr, &callee, &same_vaddr,
                                             &same_mode) != CALLEE_UNKNOWN);
}

static void note_literal(struct callee_finding *finding, const struct code_insn *insn)
{
    if (insn->literal_vaddr)
        finding->literals[finding->literal_count++ % LITERALS] = insn->literal_vaddr;
}

/* Does data that the function reads begin at `vaddr`, or behind padding there? */
static bool reads_data_at(const struct callees *callees, const struct callee_finding *finding,
                          uint64_t vaddr, enum code_mode mode)
{
    unsigned count = finding->literal_count < LITERALS ? finding->literal_count : LITERALS;
    uint64_t data_vaddr = vaddr;
    uint32_t index;

    if (count == 0)
        return false;
    if (vaddr % 4 != 0 && code_get(callees->code, vaddr, mode, 0, &index) == STATUS_OK &&
        code_insn(callees->code, index)->padding)
        data_vaddr += code_insn(callees->code, index)->size;
    for (unsigned i = 0; i < count; i++)
        if (finding->literals[i] == vaddr || finding->literals[i] == data_vaddr)
            return true;
    return false;
}

/*
 * Does the call that ends at `vaddr` not return, since the function's own data, or another
 * function's start, is there?
 */
static bool call_is_last(struct callees *callees, const struct callee_finding *finding,
                         uint64_t vaddr, enum code_mode mode)
{
    return reads_data_at(callees, finding, vaddr, mode) ||
           (code_has_two_modes(callees->code) && code_start_is_behind(callees->code, vaddr, mode));
}

/* Follows one path to its end; true: the function returns. */
static bool follow(struct callees *callees, struct callee_place place, uint32_t walk, uint64_t self,
                   unsigned depth, struct callee_finding *finding)
{
    uint8_t context = 0;

    for (;;) {
        struct code_insn insn;
        uint32_t index;
        bool is_jump;

        if (++callees->steps > callees->steps_max) {
            finding->sure = false;
            return true;
        }
        if (code_get(callees->code, place.vaddr, (enum code_mode)place.mode, context, &index) !=
            STATUS_OK)
            return true;
        if (code_insn(callees->code, index)->visited_by == walk)
            return false;
        code_insn(callees->code, index)->visited_by = walk;
        insn = *code_insn(callees->code, index);
        note_literal(finding, &insn);
        if (finding->may_be_amid)
            look_at_frame(callees, &insn, &place, finding);
        if (finding->is_amid)
            return true;
        switch ((enum flow)insn.flow) {
        case FLOW_NEXT:
            break;
        case FLOW_BRANCH:
            if (!insn.has_target ||
                !push(callees, place_at(&place, insn.target_vaddr, insn.target_mode)))
                return true;
            break;
        case FLOW_CALL:
            if (!call_returns(callees, &insn, self, depth, finding, &is_jump))
                return false;
            if (is_jump) {
                place = place_at(&place, insn.target_vaddr, insn.target_mode);
                context = 0;
                continue;
            }
            if (code_call_is_last(callees->code, &insn) ||
                call_is_last(callees, finding, place.vaddr + insn.size,
                             (enum code_mode)place.mode) ||
                code_ends_function(callees->code, self, place.vaddr + insn.size,
                                   (enum code_mode)place.mode, &callees->steps))
                return false;
            break;
        case FLOW_RETURN:
            finding->pops = insn.pops;
            finding->returned = true;
            return true;
        case FLOW_INDIRECT:
            return !insn.slot || insn.predicate ||
                   tail_call_returns(callees, &insn, self, depth, finding);
        case FLOW_JUMP:
            if (insn.target_vaddr == self)
                return false;
            if (insn.predicate &&
                !push(callees, place_at(&place, place.vaddr + insn.size, place.mode)))
                return true;
            if (is_function(callees, insn.target_vaddr)) {
                return tail_call_returns(callees, &insn, self, depth, finding);
            }
            place = place_at(&place, insn.target_vaddr, insn.target_mode);
            context = 0;
            continue;
        case FLOW_STOP:
            if (!insn.predicate)
                return false;
            break;
        }
        place.vaddr += insn.size;
        context = insn.next_context;
    }
}

/* Looks for a path out of the function. */
static struct callee_finding examine(struct callees *callees, uint64_t vaddr, enum code_mode mode,
                                     unsigned depth)
{
    struct callee_finding finding = {.sure = true,
                                     .may_be_amid =
                                         code_far_jump(callees->code, vaddr, mode) != 0 &&
                                         !code_strong_start(callees->code, vaddr, mode)};
    uint32_t walk = code_new_walk(callees->code);
    size_t bottom = callees->todo_count;
    bool callee_pops = code_set(callees->code, mode)->callee_pops;

    if (!push(callees, (struct callee_place){.vaddr = vaddr, .mode = (uint8_t)mode}))
        return (struct callee_finding){.returns = true};
    /* All returns of a function pop the same: one must be seen where functions may pop. */
    while (callees->todo_count > bottom &&
           (!finding.returns || (callee_pops && !finding.returned && finding.sure) ||
            (finding.may_be_amid && !finding.is_amid && callees->steps <= callees->steps_max)))
        if (follow(callees, callees->todo[--callees->todo_count], walk, vaddr, depth, &finding))
            finding.returns = true;
    callees->todo_count = bottom;
    return finding;
}

static uint8_t pc_thunk(const struct callees *callees, uint64_t vaddr, enum code_mode mode)
{
    const struct insn_set *set = code_set(callees->code, mode);
    const uint8_t *bytes;
    uint64_t avail;

    if (!set->pc_thunk)
        return REG_NONE;
    bytes = callees->code->bytes_at(callees->code->context, vaddr, &avail);
    return bytes ? set->pc_thunk(bytes, avail) : REG_NONE;
}

/* Finds the answer by `known`, else by the code. */
static struct callee_finding find_out(struct callees *callees, uint64_t vaddr, enum code_mode mode,
                                      unsigned depth, struct callee *out)
{
    struct callee_finding finding = {.returns = true, .sure = true};
    uint64_t same_vaddr = vaddr;
    enum code_mode same_mode = mode;
    enum callee_knowledge knowledge = CALLEE_UNKNOWN;

    if (callees->known)
        knowledge = callees->known(callees->context, vaddr, out, &same_vaddr, &same_mode);
    switch (knowledge) {
    case CALLEE_KNOWN:
        break;
    case CALLEE_SAME:
        find(callees, same_vaddr, same_mode, depth + 1, out, &finding.sure);
        break;
    case CALLEE_UNKNOWN:
        finding = examine(callees, vaddr, mode, depth);
        *out = (struct callee){.never_returns = !finding.returns,
                               .is_amid = finding.is_amid,
                               .pops = finding.pops,
                               .pc_reg = pc_thunk(callees, vaddr, mode)};
        break;
    }
    return finding;
}

/* Clears *sure if the answer is only a guess. */
static void find(struct callees *callees, uint64_t vaddr, enum code_mode mode, unsigned depth,
                 struct callee *out, bool *sure)
{
    const uint64_t *answer = map_get(&callees->answers, vaddr);
    struct callee_finding finding;
    uint64_t *place;

    *out = (struct callee){.pc_reg = REG_NONE};
    if (answer) {
        unpack(*answer, out);
        return;
    }
    /* Functions that call each other return only if one of them does on another path. */
    out->never_returns = map_get(&callees->asked, vaddr) != NULL;
    if (depth > DEPTH_MAX || out->never_returns || !map_put(&callees->asked, vaddr, 0)) {
        *sure = false;
        return;
    }
    finding = find_out(callees, vaddr, mode, depth, out);
    map_remove(&callees->asked, vaddr);
    if (!finding.sure)
        *sure = false;
    if ((finding.sure || depth == 0) && (place = map_put(&callees->answers, vaddr, 0)))
        *place = pack(out);
}

void callees_find(struct callees *callees, uint64_t vaddr, enum code_mode mode, struct callee *out)
{
    bool sure = true;

    callees->steps = 0;
    callees->steps_max = callees->steps_left < STEPS_MAX ? callees->steps_left : STEPS_MAX;
    find(callees, vaddr, mode, 0, out, &sure);
    callees->is_cut |= callees->steps > callees->steps_left;
    callees->steps_left -= callees->is_cut ? callees->steps_left : callees->steps;
}

size_t callees_count(const struct callees *callees)
{
    return map_len(&callees->answers);
}

void callees_list(const struct callees *callees, struct map_pair *out)
{
    map_list(&callees->answers, out);
}

enum status callees_add(struct callees *callees, const struct map_pair *answers, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!map_put(&callees->answers, answers[i].key, answers[i].value))
            return STATUS_NO_MEMORY;
    return STATUS_OK;
}
