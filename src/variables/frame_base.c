/* SPDX-License-Identifier: MIT */
#include "variables/frame_base.h"

#include <dwarf.h>

#define NOT_SET "the function has just begun, or ends"

/* The register of DW_OP_regN, or below of DW_OP_bregN; REG_NONE: another operation. */
static uint64_t reg_of(const struct location_op *op)
{
    return op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31 ? (uint64_t)(op->atom - DW_OP_reg0)
                                                             : REG_NONE;
}

static uint64_t breg_of(const struct location_op *op)
{
    if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31)
        return (uint64_t)(op->atom - DW_OP_breg0);
    return op->atom == DW_OP_bregx ? op->operand[0] : REG_NONE;
}

/* The register that is the frame base, as by LLVM; REG_NONE: it is the CFA, as by gcc. */
static uint64_t base_register(const struct frame_view *view)
{
    const struct location *base = &view->scope->frame_base;

    if (!view->scope->has_frame_base || base->count != 1)
        return REG_NONE;
    return reg_of(base->ops) != REG_NONE ? reg_of(base->ops) : breg_of(base->ops);
}

/*
 * Is SP as far from the CFA as in the body? Where the body begins there may be no frame yet, if it
 * is only made when needed: then where SP is lowest.
 */
static bool sp_is_set(const struct frame_view *view, const struct frame *frame,
                      const struct frame_regs *regs)
{
    uint64_t depth, deepest;

    if (!regs->cfa_known || !regs_has(&regs->regs, view->arch->sp) || !view->source.unwinder)
        return false;
    /* With a frame pointer SP is only right at calls: pushed arguments may lower it before. */
    if (regs->cfa_reg != view->arch->sp)
        return frame->is_call && view->arch->word_size == 8;
    if (unwinder_sp_depth(view->source.unwinder, frame->module, view->scope->body_vaddr, &depth,
                          &deepest) != STATUS_OK)
        return false;
    if (depth == (uint64_t)(int64_t)view->arch->cfa_entry_off)
        depth = deepest;
    return regs->cfa - regs->regs.value[view->arch->sp] == depth;
}

static bool register_is_set(const struct frame_view *view, uint64_t reg)
{
    const struct chain *chain = view->frame.chain;
    const struct frame *frame = &chain->frames[view->frame.index];
    const struct frame_regs *regs;

    if (!chain->regs)
        return true; /* unavailable then anyway */
    regs = &chain->regs[view->frame.index];
    if (reg == view->arch->sp)
        return sp_is_set(view, frame, regs);
    return frame->is_call || (regs->cfa_known && regs->cfa_reg == reg);
}

static bool is_kept(const struct frame_view *view, uint64_t reg)
{
    return reg == view->arch->sp ||
           (reg < view->arch->reg_count && view->arch->callee_saved >> reg & 1);
}

struct known_how frame_base_is_set(const struct frame_view *view)
{
    const uint64_t reg = base_register(view);

    return reg == REG_NONE || register_is_set(view, reg) ? known_yes() : unavailable(NOT_SET);
}

/*
 * Is the location an address that LLVM gives as the value? It does so when a variable with an
 * expression was spilled. A conversion to fewer bytes shows it: a part of an address is no value.
 */
static bool is_place_for_value(const struct frame_view *view, const struct location *location)
{
    const uint64_t base = base_register(view);
    bool is_place = false;

    for (uint32_t i = 0; i < location->count; i++) {
        const struct location_op *op = &location->ops[i];
        const uint64_t reg = breg_of(op);

        if (op->atom == DW_OP_fbreg || (reg != REG_NONE && (reg == base || reg == view->arch->sp)))
            is_place = base != REG_NONE;
        else if (op->atom == DW_OP_deref || op->atom == DW_OP_deref_size ||
                 op->atom == DW_OP_piece || op->atom == DW_OP_bit_piece)
            is_place = false;
        else if (is_place && op->atom == DW_OP_convert && op->type.size > 0 &&
                 op->type.size < view->arch->word_size)
            return true;
    }
    return false;
}

struct known_how frame_variable_is_set(const struct frame_view *view,
                                       const struct scope_variable *variable)
{
    const struct location *location = &variable->location;
    const uint64_t base = base_register(view);
    const bool is_value =
        location->count > 0 && location->ops[location->count - 1].atom == DW_OP_stack_value;

    if (is_place_for_value(view, location))
        return unavailable("its location cannot be right");
    for (uint32_t i = 0; i < location->count; i++) {
        const uint64_t reg = breg_of(&location->ops[i]);
        const uint64_t held = reg_of(&location->ops[i]);
        bool matters = false;

        if (view->scope->is_untracked && !variable->is_listed &&
            (held != REG_NONE ||
             (reg != REG_NONE && reg != view->arch->sp && reg != view->arch->fp)))
            return unavailable("in a register that the compiler did not follow");
        /* LLVM's lists say where other registers are valid */
        if (reg != REG_NONE && base != REG_NONE)
            matters = reg == view->arch->sp || reg == base ||
                      (!variable->is_listed && !is_value && is_kept(view, reg));
        else if (reg != REG_NONE)
            matters = !variable->is_listed && is_kept(view, reg);
        /* A register for the whole function holds the caller's value again at its end. */
        else if (base == REG_NONE && !variable->is_listed)
            matters = is_kept(view, held);
        if (matters && !register_is_set(view, reg != REG_NONE ? reg : held))
            return unavailable(NOT_SET);
    }
    return known_yes();
}

struct known_how frame_argument_is_set(const struct frame_view *view, uint64_t reg,
                                       const struct location *value)
{
    const struct frame *frame = &view->frame.chain->frames[view->frame.index];
    uint64_t parts = 0;

    if (base_register(view) == REG_NONE)
        return known_yes();
    for (uint32_t i = 0; i < value->count; i++) {
        const uint64_t part =
            reg_of(&value->ops[i]) != REG_NONE ? reg_of(&value->ops[i]) : breg_of(&value->ops[i]);

        if (part == view->arch->sp && !register_is_set(view, part))
            return unavailable("arguments were being pushed");
        if (part < view->arch->reg_count && part != view->arch->sp)
            parts |= UINT64_C(1) << part;
    }
    if (parts && (reg >= view->arch->reg_count || !view->source.unwinder ||
                  !unwinder_argument_holds(view->source.unwinder, frame->module,
                                           frame->lookup_vaddr + 1, (uint8_t)reg, parts)))
        return unavailable("what the caller passed may have changed there");
    return known_yes();
}
