/* SPDX-License-Identifier: MIT */
/* Loads and stores of core registers: see insn.h. */
#include "arch/arm/insn.h"
#include "arch/analysis/ops.h"

static void op_literal(struct insn *insn, uint8_t dst, uint64_t vaddr)
{
    struct op *op = insn_push_op(insn, OP_LITERAL);

    op->dst = dst;
    op->imm = (int64_t)vaddr;
}

static void op_element(struct insn *insn, uint8_t dst, uint8_t table, uint64_t offset,
                       unsigned size, bool is_signed)
{
    struct op *op = insn_push_op(insn, OP_ELEMENT);

    op->dst = dst;
    op->src = table;
    op->imm = (int64_t)offset;
    op->size = (uint16_t)size;
    op->shift = is_signed;
}

static void jump_through_memory(struct insn *out)
{
    out->flow = FLOW_INDIRECT;
    out->jump_reg = REG_NONE;
}

/* A memory operand, with the write-back of its base. */
struct address {
    uint8_t base, index;  /* index REG_NONE: base + offset */
    bool up;              /* the index is added; else subtracted */
    bool pre, post;       /* base becomes base + distance, before or after the access */
    unsigned shift;       /* of the index; 32: not a shift to the left */
    int64_t offset;       /* from the base, after a `pre` write-back */
    int64_t distance;     /* of the write-back */
    uint8_t distance_reg; /* register with the distance; REG_NONE: it is `distance` */
    bool distance_up;     /* the register, shifted by distance_shift, is added */
    unsigned distance_shift;
};

static bool operand_address(const struct arm_decoded *in, unsigned index, struct address *out)
{
    const cs_arm_op *operand = &in->arm->operands[index];
    int64_t disp;

    if (index >= in->arm->op_count || operand->type != ARM_OP_MEM)
        return false;
    disp = operand->mem.disp == INT32_MIN ? 0 : operand->mem.disp; /* #-0 */
    *out = (struct address){.base = arm_core_register((unsigned)operand->mem.base),
                            .index = arm_core_register((unsigned)operand->mem.index),
                            .up = !operand->subtracted && operand->mem.scale >= 0,
                            .offset = disp,
                            .distance_reg = REG_NONE};
    if (!arm_plain_shift(operand, &out->shift))
        out->shift = 32;
    out->post = index + 1u < in->arm->op_count;
    out->pre = !out->post && in->arm->writeback;
    if (out->pre) {
        out->distance = out->offset;
        out->distance_reg = out->index;
        out->distance_up = out->up;
        out->distance_shift = out->shift;
        out->offset = 0;
        out->index = REG_NONE;
    } else if (out->post) {
        const cs_arm_op *distance = operand + 1;
        int64_t k = distance->type == ARM_OP_IMM ? distance->imm : 0;

        k = k == INT32_MIN ? 0 : k;
        out->distance = distance->subtracted && k > 0 ? -k : k;
        out->distance_reg = arm_operand_register(in, index + 1);
        out->distance_up = out->distance_reg != REG_NONE && !distance->subtracted;
        if (out->distance_reg == REG_NONE && distance->type != ARM_OP_IMM)
            out->distance_reg = out->base; /* any register: the base becomes unknown */
        if (!arm_plain_shift(distance, &out->distance_shift))
            out->distance_shift = 32;
    }
    return out->base != REG_NONE && !((out->pre || out->post) && out->base == ARM_PC);
}

static void write_back(const struct address *address, struct insn *out)
{
    const uint8_t base = address->base, reg = address->distance_reg;

    if (reg == REG_NONE)
        arm_op_add(out, base, base, address->distance);
    else if (address->distance_up && address->distance_shift < 32)
        arm_op_add_reg(out, base, base, reg, address->distance_shift);
    else
        arm_op_clobber(out, ARM_BIT(base));
}

/* Appends the load of one register. `offset` counts from the base after a `pre` write-back. */
static void load_register(const struct arm_decoded *in, uint8_t dst, const struct address *address,
                          int64_t offset, unsigned size, bool is_signed, struct insn *out)
{
    bool in_table = address->index != REG_NONE && address->up && !address->pre &&
                    address->shift < 4 && 1u << address->shift == size;

    if (address->base == ARM_PC) {
        uint64_t vaddr = arm_address(in->pc & ~UINT64_C(3), offset);

        if (in_table)
            op_element(out, dst, REG_NONE, vaddr, size, is_signed);
        else if (address->index == REG_NONE && size == ARM_WORD && dst != ARM_PC)
            op_literal(out, dst, vaddr);
        else if (dst != ARM_PC)
            arm_op_clobber(out, ARM_BIT(dst));
    } else if (in_table) {
        op_element(out, dst, address->base, 0, size, is_signed);
    } else if (address->index == REG_NONE && size == ARM_WORD && dst != ARM_PC) {
        op_load(out, dst, address->base, offset);
    } else if (dst != ARM_PC) {
        arm_op_clobber(out, ARM_BIT(dst));
    }
    if (dst != ARM_PC)
        return;
    if (in_table)
        arm_jump_register(out, ARM_PC);
    else if (address->base == ARM_SP)
        out->flow = FLOW_RETURN;
    else
        jump_through_memory(out);
}

bool arm_load(const struct arm_decoded *in, unsigned count, unsigned size, bool is_signed,
              struct insn *out)
{
    uint8_t regs[2] = {arm_operand_register(in, 0), arm_operand_register(in, 1)};
    struct address address;
    bool backwards;

    if (!operand_address(in, count, &address))
        return false;
    if (address.base == ARM_PC && address.index == REG_NONE) {
        out->literal_vaddr = arm_address(in->pc & ~UINT64_C(3), address.offset);
        out->literal_size = (uint8_t)(count * size);
    }
    for (unsigned i = 0; i < count; i++)
        if (regs[i] == REG_NONE || ((address.pre || address.post) && regs[i] == address.base))
            return false;
    if (address.pre)
        write_back(&address, out);
    backwards = count == 2 && regs[0] == address.base; /* ldrd r0, r1, [r0] */
    for (unsigned i = 0; i < count; i++) {
        unsigned at = backwards ? 1 - i : i;

        load_register(in, regs[at], &address, address.offset + (int64_t)(at * size), size,
                      is_signed, out);
    }
    for (unsigned i = 0; i < count; i++) /* ldr r3, [sp], r3 adds the old value */
        if (address.post && regs[i] == address.distance_reg)
            address.distance_up = false;
    if (address.post)
        write_back(&address, out);
    return true;
}

bool arm_store(const struct arm_decoded *in, unsigned count, unsigned size, struct insn *out)
{
    struct address address;

    if (!operand_address(in, count, &address))
        return false;
    if (address.pre)
        write_back(&address, out);
    for (unsigned i = 0; i < count && address.index == REG_NONE && address.base != ARM_PC; i++) {
        uint8_t reg = arm_operand_register(in, i);

        /* After the write-back the base has another value. */
        if (size != ARM_WORD || reg == ARM_PC || (address.pre && reg == address.base))
            reg = REG_NONE;
        arm_op_store(out, address.base, address.offset + (int64_t)(i * size), reg, size);
    }
    if (address.post)
        write_back(&address, out);
    return true;
}

/* ldm, stm, push, pop: the lowest register is at the lowest address. */
struct multiple {
    uint8_t base;
    bool write_back;
    uint32_t regs; /* bit mask */
    int64_t first; /* offset of the lowest from the base */
    int64_t step;  /* of the write-back */
};

static bool operand_list(const struct arm_decoded *in, bool on_stack, enum arm_direction direction,
                         struct multiple *out)
{
    unsigned first = on_stack ? 0 : 1;
    int64_t bytes;

    *out = (struct multiple){.base = on_stack ? ARM_SP : arm_operand_register(in, 0),
                             .write_back = on_stack || in->arm->writeback};
    if (out->base == REG_NONE || out->base == ARM_PC || in->arm->usermode)
        return false;
    for (unsigned i = first; i < in->arm->op_count; i++) {
        uint8_t reg = arm_operand_register(in, i);

        if (reg == REG_NONE)
            return false;
        out->regs |= 1u << reg;
    }
    bytes = __builtin_popcount(out->regs) * ARM_WORD;
    switch (direction) {
    case ARM_UP_AFTER:
        break;
    case ARM_UP_BEFORE:
        out->first = ARM_WORD;
        break;
    case ARM_DOWN_AFTER:
        out->first = ARM_WORD - bytes;
        break;
    case ARM_DOWN_BEFORE:
        out->first = -bytes;
        break;
    }
    out->step = direction == ARM_UP_AFTER || direction == ARM_UP_BEFORE ? bytes : -bytes;
    return out->regs != 0;
}

bool arm_load_multiple(const struct arm_decoded *in, bool on_stack, enum arm_direction direction,
                       struct insn *out)
{
    struct multiple list;
    int64_t offset, base_offset = 0;
    bool loads_base;

    if (!operand_list(in, on_stack, direction, &list))
        return false;
    loads_base = list.regs >> list.base & 1;
    if (loads_base && list.write_back)
        return false;
    offset = list.first;
    for (uint8_t reg = 0; reg < ARM_PC; reg++) {
        if (!(list.regs >> reg & 1))
            continue;
        if (reg == list.base)
            base_offset = offset; /* loaded last, as the others need it */
        else
            op_load(out, reg, list.base, offset);
        offset += ARM_WORD;
    }
    if (loads_base)
        op_load(out, list.base, list.base, base_offset);
    else if (list.write_back)
        arm_op_add(out, list.base, list.base, list.step);
    if (!(list.regs >> ARM_PC & 1))
        return true;
    /* ldm fp, {.., sp, pc}: an APCS frame */
    if (list.base == ARM_SP || list.regs >> ARM_SP & 1)
        out->flow = FLOW_RETURN;
    else
        jump_through_memory(out);
    return true;
}

bool arm_store_multiple(const struct arm_decoded *in, bool on_stack, enum arm_direction direction,
                        struct insn *out)
{
    struct multiple list;
    bool first;

    if (!operand_list(in, on_stack, direction, &list))
        return false;
    /* SP moves first: nothing may be stored below it. */
    first = list.write_back && list.step < 0;
    if (first) {
        arm_op_add(out, list.base, list.base, list.step);
        list.first -= list.step;
    }
    for (uint8_t reg = 0; reg <= ARM_PC; reg++) {
        if (!(list.regs >> reg & 1))
            continue;
        arm_op_store(out, list.base, list.first,
                     reg == ARM_PC || (reg == list.base && list.write_back) ? REG_NONE : reg,
                     ARM_WORD);
        list.first += ARM_WORD;
    }
    if (list.write_back && !first)
        arm_op_add(out, list.base, list.base, list.step);
    return true;
}
