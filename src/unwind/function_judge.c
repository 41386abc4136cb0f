#include "unwind/function_judge.h"

#define READS_CHECKED 64 /* instructions of a candidate whose reads are looked at */

static bool value_is_entry(const struct value *value, unsigned reg)
{
    return value->kind == VALUE_ENTRY && value->reg == reg && value->k == 0;
}

static bool restored(const struct judgement *j, const struct code_insn *insn,
                     const struct state *before)
{
    const struct arch *arch = j->code->arch;
    struct state state;

    state_copy(&state, before);
    prologue_execute(j->prologue, insn, &state);
    if (!state_at_entry_depth(&state, arch))
        return false;
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if ((arch->callee_saved >> reg & 1) && !value_is_entry(&state.regs[reg], reg))
            return false;
    return true;
}

static void judge_reads(struct judgement *j, const struct code_insn *insn,
                        const struct state *state)
{
    const struct arch *arch = j->code->arch;
    const struct insn_set *set = code_set(j->code, (enum code_mode)insn->mode);
    uint64_t reads = code_reads(j->code, insn->vaddr, (enum code_mode)insn->mode);

    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if ((reads >> reg & 1) && value_is_entry(&state->regs[reg], reg) &&
            ((arch->callee_saved | set->undefined_at_entry) >> reg & 1)) {
            j->foreign_read = true;
        }
}

/* Is LR's value at the entry in the frame? Whoever stores it has been called. */
static bool saved_lr(const struct arch *arch, const struct state *state)
{
    for (unsigned i = 0; arch->lr != REG_NONE && i < state->slot_count; i++)
        if (value_is_entry(&state->slots[i].value, arch->lr))
            return true;
    return false;
}

/* Is LR's value at the entry in another register? */
static bool moved_lr(const struct arch *arch, const struct state *state)
{
    for (unsigned reg = 0; arch->lr != REG_NONE && reg < arch->reg_count; reg++)
        if (reg != arch->lr && value_is_entry(&state->regs[reg], arch->lr))
            return true;
    return false;
}

static bool judge_insn(void *context, const struct code_insn *insn, const struct state *state,
                       bool guessed)
{
    struct judgement *j = context;
    const struct arch *arch = j->code->arch;

    (void)guessed;
    if (j->falls && insn->vaddr != j->last_end_vaddr)
        j->broken = true;
    if (state && j->count++ < READS_CHECKED)
        judge_reads(j, insn, state);
    if (state && !j->saves_lr)
        j->saves_lr = saved_lr(arch, state);
    if (state && insn->flow == FLOW_CALL && arch->lr != REG_NONE && !saved_lr(arch, state) &&
        !moved_lr(arch, state))
        j->loses_lr = true;
    if (state && insn->flow == FLOW_RETURN && !restored(j, insn, state))
        j->unbalanced = true;
    if (insn->has_target && insn->flow != FLOW_CALL &&
        (insn->target_vaddr < j->start_vaddr || insn->target_vaddr >= j->end_vaddr)) {
        const uint8_t *mark = marks_at(j->marks, insn->target_vaddr);

        if (!mark)
            j->broken = true;
        else if ((*mark & MARK_CODE) && !(*mark & MARK_START))
            j->joins = true;
    }
    j->last_end_vaddr = insn->vaddr + insn->size;
    j->falls = prologue_goes_on(j->prologue, insn);
    j->after_call = insn->flow == FLOW_CALL;
    return true;
}

struct judgement function_judge(struct code *code, const struct marks *marks,
                                const struct prologue *prologue, uint64_t vaddr, uint64_t limit)
{
    struct judgement j = {.code = code,
                          .marks = marks,
                          .prologue = prologue,
                          .start_vaddr = vaddr,
                          .end_vaddr = limit};

    prologue_visit(prologue, judge_insn, &j);
    if (j.falls && !j.after_call)
        j.broken = true;
    return j;
}
