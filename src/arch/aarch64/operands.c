/* SPDX-License-Identifier: MIT */
#include "arch/aarch64/operands.h"

#include "arch/aarch64/mask.h"

struct a64_register a64_register(unsigned reg)
{
    if (reg >= ARM64_REG_X0 && reg <= ARM64_REG_X28)
        return (struct a64_register){(uint8_t)(reg - ARM64_REG_X0), 8};
    if (reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30)
        return (struct a64_register){(uint8_t)(reg - ARM64_REG_W0), 4};
    if (reg >= ARM64_REG_B0 && reg <= ARM64_REG_B31)
        return (struct a64_register){REG_NONE, 1};
    if (reg >= ARM64_REG_D0 && reg <= ARM64_REG_D31)
        return (struct a64_register){REG_NONE, 8};
    if (reg >= ARM64_REG_H0 && reg <= ARM64_REG_H31)
        return (struct a64_register){REG_NONE, 2};
    if (reg >= ARM64_REG_S0 && reg <= ARM64_REG_S31)
        return (struct a64_register){REG_NONE, 4};
    switch (reg) {
    case ARM64_REG_X29:
        return (struct a64_register){A64_FP, 8};
    case ARM64_REG_X30:
        return (struct a64_register){A64_LR, 8};
    case ARM64_REG_SP:
        return (struct a64_register){A64_SP, 8};
    case ARM64_REG_WSP:
        return (struct a64_register){A64_SP, 4};
    case ARM64_REG_XZR:
        return (struct a64_register){REG_NONE, 8};
    case ARM64_REG_WZR:
        return (struct a64_register){REG_NONE, 4};
    }
    return (struct a64_register){REG_NONE, 16}; /* the widest, if not known */
}

bool a64_general(const cs_arm64 *a64, unsigned i, struct a64_register *out)
{
    if (i >= a64->op_count || a64->operands[i].type != ARM64_OP_REG)
        return false;
    *out = a64_register(a64->operands[i].reg);
    return out->number != REG_NONE;
}

uint8_t a64_full_register(const cs_arm64 *a64, unsigned i)
{
    struct a64_register name;

    return a64_general(a64, i, &name) && name.size == A64_WORD ? name.number : REG_NONE;
}

bool a64_is_zero_register(const cs_arm64 *a64, unsigned i)
{
    return i < a64->op_count && a64->operands[i].type == ARM64_OP_REG &&
           (a64->operands[i].reg == ARM64_REG_XZR || a64->operands[i].reg == ARM64_REG_WZR);
}

bool a64_immediate(const cs_arm64 *a64, unsigned i, int64_t *out)
{
    const cs_arm64_op *operand = &a64->operands[i];

    if (i >= a64->op_count || operand->type != ARM64_OP_IMM ||
        (operand->shift.type != ARM64_SFT_INVALID && operand->shift.type != ARM64_SFT_LSL))
        return false;
    *out = operand->imm;
    if (operand->shift.type == ARM64_SFT_LSL)
        *out = (int64_t)((uint64_t)*out << (operand->shift.value & 63));
    return true;
}

bool a64_simple_address(const cs_arm64 *a64, unsigned i, struct a64_address *out)
{
    const cs_arm64_op *operand = &a64->operands[i];
    struct a64_register base;

    if (i >= a64->op_count || operand->type != ARM64_OP_MEM ||
        operand->mem.index != ARM64_REG_INVALID)
        return false;
    base = a64_register(operand->mem.base);
    if (base.number == REG_NONE || base.size != A64_WORD)
        return false;
    *out = (struct a64_address){.base = base.number, .write_back = a64->writeback};
    if (!a64->writeback)
        out->offset = operand->mem.disp;
    else if (!a64_immediate(a64, i + 1, &out->after))
        out->before = operand->mem.disp;
    return true;
}
