/* SPDX-License-Identifier: MIT */
/* Shared by A32 and T32, without Capstone: operations, jumps and calls, the signal frame. */
#include "arch/arm/insn.h"
#include "unwind/row/row.h"

void arm_op_add(struct insn *insn, uint8_t dst, uint8_t src, int64_t imm)
{
    struct op *op = insn_push_op(insn, OP_ADD);

    op->dst = dst;
    op->src = src;
    op->imm = imm;
}

void arm_op_add_reg(struct insn *insn, uint8_t dst, uint8_t src, uint8_t src2, unsigned shift)
{
    struct op *op = insn_push_op(insn, OP_ADD_REG);

    op->dst = dst;
    op->src = src;
    op->src2 = src2;
    op->shift = (uint8_t)shift;
}

void arm_op_const(struct insn *insn, uint8_t dst, uint64_t value)
{
    struct op *op = insn_push_op(insn, OP_CONST);

    op->dst = dst;
    op->imm = (int64_t)(uint32_t)value;
}

void arm_op_store(struct insn *insn, uint8_t base, int64_t offset, uint8_t src, unsigned size)
{
    struct op *op = insn_push_op(insn, OP_STORE);

    op->dst = base;
    op->imm = offset;
    op->src = src;
    op->size = (uint16_t)size;
}

void arm_op_clobber(struct insn *insn, uint64_t mask)
{
    if (mask)
        insn_push_op(insn, OP_CLOBBER)->mask = mask;
}

void arm_jump(struct insn *out, unsigned condition, uint64_t target_vaddr, enum code_mode mode)
{
    out->flow = FLOW_JUMP;
    out->has_target = true;
    out->target_vaddr = target_vaddr;
    out->target_mode = (uint8_t)mode;
    out->predicate = 0;
    if (condition >= ARM_CONDITION_ALWAYS)
        return;
    out->flow = FLOW_BRANCH;
    out->taken_when = (uint8_t)(condition + 1);
    if (condition <= 1) /* eq, ne */
        out->equal = condition == 0 ? EQUAL_TAKEN : EQUAL_FALLS;
}

void arm_call(struct insn *out, uint64_t target_vaddr, enum code_mode mode)
{
    arm_call_register(out);
    out->has_target = true;
    out->target_vaddr = target_vaddr;
    out->target_mode = (uint8_t)mode;
}

void arm_call_register(struct insn *out)
{
    out->flow = FLOW_CALL;
    out->writes_flags = true;
    arm_op_clobber(out, ARM_CALL_CLOBBERED);
}

void arm_jump_register(struct insn *out, uint8_t reg)
{
    out->flow = reg == ARM_LR ? FLOW_RETURN : FLOW_INDIRECT;
    out->jump_reg = reg;
}

/*
 *      SP at sigreturn         SP at rt_sigreturn: 128 bytes of siginfo, then the same
 *      ucontext: flags, link, stack of 12 bytes
 *   20 sigcontext: trap_no, error_code, oldmask
 *   32 r0 ... r10 fp ip sp lr pc cpsr
 */
enum status arm_sigreturn_row(unsigned number, uint64_t vaddr, unsigned size, struct row *out)
{
    const enum syscall call = number ? syscall_find(&arm_syscalls, number) : CALL_COUNT;
    int32_t registers = 32;

    if (call == CALL_RT_SIGRETURN)
        registers += 128;
    else if (call != CALL_SIGRETURN)
        return STATUS_NOT_FOUND;
    row_init(out, vaddr, vaddr + size, TRUST_PROLOGUE);
    out->signal_frame = true;
    out->cfa =
        (struct rule){.kind = CFA_DEREF, .reg = ARM_SP, .off = registers + ARM_SP * ARM_WORD};
    for (unsigned reg = 0; reg <= ARM_CPSR; reg++)
        if (reg != ARM_SP)
            out->regs[reg] = (struct rule){.kind = RULE_AT_REG,
                                           .reg = ARM_SP,
                                           .off = registers + (int32_t)reg * ARM_WORD};
    out->ra = out->regs[ARM_PC];
    return STATUS_OK;
}
