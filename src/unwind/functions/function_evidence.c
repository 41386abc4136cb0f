/* SPDX-License-Identifier: MIT */
#include "unwind/functions/function_evidence.h"

#define READS_CHECKED 64  /* first instructions whose reads and addresses are checked */
#define ARGUMENTS_MAX 192 /* bytes of arguments on the stack; hardly any function has more */

static bool value_is_entry(const struct value *value, unsigned reg)
{
    return value->kind == VALUE_ENTRY && value->reg == reg && value->k == 0;
}

static bool keeps_registers(struct evidence *e, const struct state *state)
{
    uint64_t changed = 0;

    for (unsigned reg = 0; reg < e->code->arch->reg_count; reg++)
        if ((e->kept & e->code->arch->callee_saved) >> reg & 1 &&
            !value_is_entry(&state->regs[reg], reg))
            changed |= UINT64_C(1) << reg;
    e->changes |= changed;
    return !changed;
}

static bool restored(struct evidence *e, const struct code_insn *insn, const struct state *before)
{
    const struct arch *arch = e->code->arch;
    struct state state;

    state_copy(&state, before);
    prologue_execute(e->prologue, insn, &state);
    return state_at_entry_depth(&state, arch) && keeps_registers(e, &state);
}

/* Is it an address in the caller's frame, above any arguments on the stack? */
static bool in_caller(const struct arch *arch, const struct value *base, int64_t off)
{
    return base->kind == VALUE_ENTRY && base->reg == arch->sp &&
           (int64_t)((uint64_t)base->k + (uint64_t)off) > ARGUMENTS_MAX;
}

/* Is it an address at SP's entry value or above? */
static bool is_above(const struct arch *arch, const struct value *base, int64_t off)
{
    return base->kind == VALUE_ENTRY && base->reg == arch->sp &&
           (int64_t)((uint64_t)base->k + (uint64_t)off) >= 0;
}

/* Checks addresses that the instruction uses or makes. */
static void weigh_frame(struct evidence *e, const struct code_insn *insn, const struct state *state)
{
    const struct arch *arch = e->code->arch;
    const struct op *ops = code_ops(e->code, insn);

    for (unsigned i = 0; i < insn->op_count; i++) {
        const struct op *op = &ops[i];

        if (op->kind == OP_STORE
                ? in_caller(arch, &state->regs[op->dst], op->imm)
                : (op->kind == OP_LOAD || op->kind == OP_ADD) && op->dst != arch->sp &&
                      in_caller(arch, &state->regs[op->src], op->imm))
            e->foreign_frame = function_calls_tell(e->code, (enum code_mode)insn->mode);
        e->stores_above = e->stores_above ||
                          (op->kind == OP_STORE && is_above(arch, &state->regs[op->dst], op->imm));
    }
}

/* Returns the callee-saved registers whose entry values are in the frame. */
static uint64_t saved(const struct evidence *e, const struct state *state)
{
    uint64_t regs = 0;

    for (unsigned i = 0; i < state->slot_count; i++) {
        const struct value *value = &state->slots[i].value;

        if (value->kind == VALUE_ENTRY && value->reg < e->code->arch->reg_count &&
            value_is_entry(value, value->reg))
            regs |= UINT64_C(1) << value->reg;
    }
    return regs & e->code->arch->callee_saved;
}

/*
 * Does the instruction only move a register? T16 cannot push r8 to r11, so they are moved to other
 * registers, or LR, and pushed from there, which is no use of their values.
 */
static bool is_moved(const struct evidence *e, const struct code_insn *insn)
{
    const struct op *op = code_ops(e->code, insn);

    return code_has_two_modes(e->code) && insn->op_count == 1 && !insn->predicate &&
           op->kind == OP_ADD && op->imm == 0 && op->dst != e->code->arch->sp;
}

static void weigh_reads(struct evidence *e, const struct code_insn *insn, const struct state *state)
{
    const struct arch *arch = e->code->arch;
    const struct insn_set *set = code_set(e->code, (enum code_mode)insn->mode);
    uint64_t reads = code_reads(e->code, insn->vaddr, (enum code_mode)insn->mode);

    /* A variable that is not set on all ways may be in a saved register. */
    if (reads & arch->callee_saved)
        reads &= ~saved(e, state);

    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if ((reads >> reg & 1) && value_is_entry(&state->regs[reg], reg) &&
            (e->kept & (arch->callee_saved | set->undefined_at_entry)) >> reg & 1)
            *(is_moved(e, insn) ? &e->moved : &e->reads) |= UINT64_C(1) << reg;
}

/* Is LR's entry value in the frame? Code that stores it was called. */
static bool saved_lr(const struct arch *arch, const struct state *state)
{
    for (unsigned i = 0; arch->lr != REG_NONE && i < state->slot_count; i++)
        if (value_is_entry(&state->slots[i].value, arch->lr))
            return true;
    return false;
}

/* Is LR's entry value in another register? */
static bool moved_lr(const struct arch *arch, const struct state *state)
{
    for (unsigned reg = 0; arch->lr != REG_NONE && reg < arch->reg_count; reg++)
        if (reg != arch->lr && value_is_entry(&state->regs[reg], arch->lr))
            return true;
    return false;
}

bool function_calls_tell(const struct code *code, enum code_mode mode)
{
    return code_set(code, mode)->call_alignment != 0;
}

bool function_misaligned_call(const struct code *code, const struct code_insn *insn,
                              const struct state *state)
{
    uint8_t alignment = code_set(code, (enum code_mode)insn->mode)->call_alignment;
    const struct value *sp = &state->regs[code->arch->sp];

    return alignment && sp->kind == VALUE_ENTRY && sp->reg == code->arch->sp &&
           ((uint64_t)sp->k - code->arch->cfa_entry_off) % alignment != 0;
}

/* Is it a direct call of the file's code, outside of PLTs and known functions? */
static bool is_own_code(const struct marks *marks, const struct code_insn *insn)
{
    const uint8_t *mark = insn->has_target ? marks_at(marks, insn->target_vaddr) : NULL;

    return mark && !(*mark & MARK_KNOWN);
}

/*
 * Does it lead to no code, as data that was decoded as code does? A call of an undefined weak
 * symbol is linked as one of address 0.
 */
static bool leads_astray(const struct evidence *e, const struct code_insn *insn)
{
    return insn->target_vaddr != 0 && !e->marks->holes && !marks_at(e->marks, insn->target_vaddr);
}

/* Checks a jump out of the function: without a frame it is a tail call. */
static void weigh_jump(struct evidence *e, const struct code_insn *insn, const struct state *state)
{
    const struct arch *arch = e->code->arch;
    const uint8_t *mark = marks_at(e->marks, insn->target_vaddr);
    bool leaves = state && insn->flow == FLOW_JUMP && state_at_entry_depth(state, arch);
    bool tail = leaves && function_calls_tell(e->code, (enum code_mode)insn->mode);
    bool keeps = leaves && keeps_registers(e, state);

    if (!mark) {
        e->broken = e->broken || leads_astray(e, insn);
        e->unbalanced = e->unbalanced || (leaves && !keeps);
        return;
    }
    if ((*mark & (MARK_KNOWN | MARK_START)) == MARK_KNOWN)
        e->inside_vaddr = insn->target_vaddr;
    e->tail_calls = e->tail_calls || (keeps && (*mark & (MARK_START | MARK_KNOWN)));
    if (leaves && !keeps)
        e->unbalanced = true;
    else if (tail && (*mark & (MARK_START | MARK_KNOWN)))
        e->returns = true;
    if (tail && !(*mark & (MARK_CODE | MARK_KNOWN)))
        e->leads_on = true;
    if (!(*mark & MARK_CODE) || (*mark & MARK_START) || (!tail && (*mark & MARK_REJECTED)))
        return;
    if (state && state_at_entry_depth(state, arch) && keeps_registers(e, state))
        e->shares_end = true;
    else
        e->joins = true;
}

/* Is SP above its entry value? Then the code continues in a frame, and is no function's start. */
static bool is_above_entry(const struct arch *arch, const struct state *state)
{
    const struct value *sp = &state->regs[arch->sp];

    return sp->kind == VALUE_ENTRY && sp->reg == arch->sp && sp->k > 0;
}

/* Has the code zeroed FP, which says that there is no caller? It may pop argc. */
static bool begins_process(const struct arch *arch, const struct state *state)
{
    return state->regs[arch->fp].kind == VALUE_CONST && state->regs[arch->fp].k == 0;
}

/* Is `vaddr` in the middle of the code of a known function? */
static bool goes_on_elsewhere(const struct evidence *e, uint64_t vaddr)
{
    const uint8_t *mark = marks_at(e->marks, vaddr);

    return mark && (*mark & MARK_CODE) && (*mark & MARK_HEAD) &&
           !(*mark & (MARK_START | MARK_FRAGMENT | MARK_REJECTED));
}

static bool is_data(const struct evidence *e, uint64_t vaddr)
{
    const uint8_t *mark = marks_at(e->marks, vaddr);

    return mark && mark_is_data(*mark);
}

static bool is_doubtful_data(const struct evidence *e, uint64_t vaddr)
{
    const uint8_t *mark = marks_at(e->marks, vaddr);

    return mark && mark_is_doubtful_data(*mark);
}

/* Does it lead to a known function, or to code that begins like one? */
static bool is_start(const struct evidence *e, const struct code_insn *insn)
{
    const uint8_t *mark = marks_at(e->marks, insn->target_vaddr);

    return (mark && (*mark & (MARK_START | MARK_KNOWN))) ||
           code_strong_start(e->code, insn->target_vaddr, (enum code_mode)insn->target_mode);
}

static bool weigh_insn(void *context, const struct code_insn *insn, const struct state *state,
                       bool guessed)
{
    struct evidence *e = context;
    const struct arch *arch = e->code->arch;
    uint32_t index;

    (void)guessed;
    if (e->falls && (insn->vaddr != e->last_end_vaddr || is_data(e, insn->vaddr)))
        e->broken = true;
    e->doubtful = e->doubtful || (e->falls && is_doubtful_data(e, insn->vaddr));
    /* A table of distances decodes like this; of functions only a linker's veneers do. */
    if (insn->vaddr == e->start_vaddr && insn->flow == FLOW_INDIRECT &&
        insn->jump_reg == REG_NONE && !insn->literal_vaddr && code_has_two_modes(e->code))
        e->broken = true;
    /* Not on x86, where string functions do so. */
    if (e->falls && code_has_two_modes(e->code) && goes_on_elsewhere(e, insn->vaddr))
        e->joins = true;
    if (state && e->count++ < READS_CHECKED) {
        weigh_reads(e, insn, state);
        weigh_frame(e, insn, state);
    }
    if (state && insn->flow != FLOW_INDIRECT && is_above_entry(arch, state) &&
        !begins_process(arch, state))
        e->underflow = true;
    if (state && !e->saves_lr)
        e->saves_lr = saved_lr(arch, state);
    if (state && insn->flow == FLOW_CALL && arch->lr != REG_NONE && !saved_lr(arch, state) &&
        !moved_lr(arch, state)) {
        e->loses_lr = true;
        /* Its arguments are in its caller's frame: so that frame is its own. */
        if (e->stores_above && state_at_entry_depth(state, arch))
            e->foreign_frame = true;
    }
    if (state && insn->flow == FLOW_RETURN) {
        if (restored(e, insn, state))
            e->returns = e->returned = true;
        else
            e->unbalanced = true;
    }
    if (state && insn->flow != FLOW_NEXT)
        e->saves |= saved(e, state);
    if (state && e->moved)
        e->moved &= ~saved(e, state);
    if (insn->flow == FLOW_CALL && insn->has_target && leads_astray(e, insn))
        e->broken = true;
    if (state && insn->flow == FLOW_CALL) {
        e->calls++;
        if (function_misaligned_call(e->code, insn, state)) {
            e->misaligned++;
            e->misaligned_inside += is_own_code(e->marks, insn);
        }
    }
    if (insn->has_target && insn->flow != FLOW_CALL &&
        (insn->target_vaddr < e->start_vaddr || insn->target_vaddr >= e->end_vaddr ||
         !prologue_reaches(e->prologue, insn->target_vaddr)))
        weigh_jump(e, insn, state);
    e->jumps_on = insn->vaddr == e->start_vaddr && insn->flow == FLOW_JUMP && !insn->predicate &&
                  !is_start(e, insn);
    e->last_end_vaddr = insn->vaddr + insn->size;
    e->falls = prologue_goes_on(e->prologue, insn);
    e->ends = e->ends || (!e->falls && !(insn->flow == FLOW_JUMP &&
                                         prologue_reaches(e->prologue, insn->target_vaddr)));
    /* Padding may follow a call that does not return. */
    e->after_padding = insn->padding && (e->after_call || e->after_padding);
    e->after_call = insn->flow == FLOW_CALL;
    if (state && insn->has_target && insn->flow != FLOW_CALL && /* decoding moves `insn` */
        marks_at(e->marks, insn->target_vaddr) &&
        code_get(e->code, insn->target_vaddr, (enum code_mode)insn->target_mode, 0, &index) !=
            STATUS_OK)
        e->broken = true;
    return true;
}

struct evidence function_evidence(struct code *code, const struct marks *marks,
                                  const struct prologue *prologue, uint64_t vaddr, uint64_t limit,
                                  uint64_t kept)
{
    struct evidence e = {.code = code,
                         .marks = marks,
                         .prologue = prologue,
                         .kept = kept,
                         .start_vaddr = vaddr,
                         .end_vaddr = limit};

    prologue_visit(prologue, weigh_insn, &e);
    e.reads |= e.moved;
    if (e.falls && !e.after_call && !(e.after_padding && (e.returned || e.tail_calls)))
        e.broken = true;
    return e;
}
