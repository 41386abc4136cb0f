/* SPDX-License-Identifier: MIT */
/* The effect of instructions that are not modelled: everything that they write becomes unknown. */
#include "arch/x86/operands.h"
#include "arch/x86/ops.h"

#define STORE_MAX 64    /* bytes; assumed for a store of unknown width: a vector register */
#define XSAVE_MAX 16384 /* bytes; more than any processor's area */

/* Returns registers that are written and that Capstone's tables leave out. */
static uint64_t unlisted_writes(const struct x86_mode *mode, const cs_insn *insn)
{
    switch (insn->id) {
    case X86_INS_SYSCALL: /* the kernel's result, return address and flags */
        return x86_bit(mode, X86_AX) | x86_bit(mode, X86_CX) |
               (mode->word == 8 ? x86_bit(mode, 11) : 0);
    /* Any results of the hypervisor; SP and callee-saved registers are left alone. */
    case X86_INS_VMCALL:
    case X86_INS_VMMCALL:
        return mode->call_clobbered;
    case X86_INS_SYSENTER: /* the kernel returns by sysexit, with SP as it was */
        return x86_bit(mode, X86_AX) | x86_bit(mode, X86_CX) | x86_bit(mode, X86_DX);
    case X86_INS_INT:
    case X86_INS_CMPXCHG:
    case X86_INS_XABORT:
    case X86_INS_XLATB:
    case X86_INS_AAA:
    case X86_INS_AAD:
    case X86_INS_AAM:
    case X86_INS_AAS:
    case X86_INS_DAA:
    case X86_INS_DAS:
        return x86_bit(mode, X86_AX);
    case X86_INS_MOVSD: /* repne movsd, which is rep movsd */
        return insn->detail->x86.opcode[0] == 0xa5 ? x86_bit(mode, X86_CX) : 0;
    /* The port is in DX. With REX.W Capstone 5 does not say that DX is only read. */
    case X86_INS_INSB:
    case X86_INS_INSW:
    case X86_INS_INSD:
    case X86_INS_OUTSB:
    case X86_INS_OUTSW:
    case X86_INS_OUTSD:
        return x86_bit(mode, X86_DX);
    case X86_INS_SYSEXIT:
    case X86_INS_SYSRET:
        return x86_bit(mode, X86_SP);
    case X86_INS_LEAVE:
    case X86_INS_ENTER:
        return x86_bit(mode, X86_SP) | x86_bit(mode, X86_BP);
    }
    return 0;
}

/* Returns the bytes that may be written through an operand; Capstone lacks the large areas. */
static unsigned stored_size(const cs_insn *insn, const cs_x86_op *operand)
{
    const cs_x86 *x86 = &insn->detail->x86;

    switch (insn->id) {
    case X86_INS_FNSTSW:
        return 2;
    case X86_INS_FNSTENV:
        return 28;
    case X86_INS_FNSAVE:
        return 108;
    case X86_INS_FXSAVE:
    case X86_INS_FXSAVE64:
        return 512;
    case X86_INS_XSAVE:
    case X86_INS_XSAVE64:
    case X86_INS_XSAVEC:
    case X86_INS_XSAVEC64:
    case X86_INS_XSAVEOPT:
    case X86_INS_XSAVEOPT64:
    case X86_INS_XSAVES:
    case X86_INS_XSAVES64:
        return XSAVE_MAX;
    }
    /* rep stosw: Capstone 4 ignores the operand size prefix. */
    if (operand->size == 4 && x86->prefix[2] == 0x66 && x86->opcode[0] >= 0xa4 &&
        x86->opcode[0] <= 0xaf)
        return 2;
    return operand->size ? operand->size : STORE_MAX;
}

void x86_unknown_effect(const struct x86_mode *mode, const cs_insn *insn, struct insn *out)
{
    const cs_detail *detail = insn->detail;
    uint64_t mask = unlisted_writes(mode, insn);
    struct x86_register reg;
    struct x86_address to;

    for (uint8_t i = 0; i < detail->x86.op_count; i++) {
        const cs_x86_op *operand = &detail->x86.operands[i];

        /* Capstone calls some stores reads (cmpxchg, vector moves); some loads are neither. */
        if ((i == 0 || (i == 1 && operand->access & CS_AC_WRITE)) &&
            x86_simple_address(mode, insn, operand, &to))
            op_store(out, to.base, to.disp, REG_NONE, stored_size(insn, operand));
        if (operand->type == X86_OP_REG &&
            (operand->access & CS_AC_WRITE || operand->access == 0)) {
            reg = x86_register(mode, operand->reg);
            mask |= reg.number == REG_NONE ? 0 : UINT64_C(1) << reg.number;
        }
    }
    for (uint8_t i = 0; i < detail->regs_write_count; i++) {
        reg = x86_register(mode, detail->regs_write[i]);
        mask |= reg.number == REG_NONE ? 0 : UINT64_C(1) << reg.number;
    }
    op_clobber(out, mask);
}
