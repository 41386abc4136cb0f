/* SPDX-License-Identifier: MIT */
#include "arch/aarch64/memory.h"

#include "arch/aarch64/mask.h"
#include "arch/aarch64/operands.h"
#include "arch/analysis/ops.h"

/* Returns the bytes that a load or store of the register moves. */
static unsigned access_size(unsigned id, const struct a64_register *reg)
{
    switch (id) {
    case ARM64_INS_LDRB:
    case ARM64_INS_LDURB:
    case ARM64_INS_LDRSB:
    case ARM64_INS_LDURSB:
    case ARM64_INS_STRB:
    case ARM64_INS_STURB:
        return 1;
    case ARM64_INS_LDRH:
    case ARM64_INS_LDURH:
    case ARM64_INS_LDRSH:
    case ARM64_INS_LDURSH:
    case ARM64_INS_STRH:
    case ARM64_INS_STURH:
        return 2;
    case ARM64_INS_LDRSW:
    case ARM64_INS_LDURSW:
    case ARM64_INS_LDPSW:
        return 4;
    }
    return reg->size;
}

bool a64_store(const cs_insn *insn, unsigned count, struct insn *out)
{
    const cs_arm64 *a64 = &insn->detail->arm64;
    struct a64_address at;

    /* An index register: the address is unknown. Registers are not saved in that way. */
    if (!a64_simple_address(a64, count, &at))
        return a64->op_count > count && a64->operands[count].type == ARM64_OP_MEM;
    if (at.before)
        op_add(out, at.base, at.base, at.before);
    for (unsigned i = 0; i < count; i++) {
        struct a64_register reg = a64_register(a64->operands[i].reg);
        unsigned size = access_size(insn->id, &reg);
        /* Whether the base is stored before or after its write-back is not defined. */
        bool whole = size == A64_WORD && !(at.write_back && reg.number == at.base);

        op_store(out, at.base, at.offset + i * size, whole ? reg.number : REG_NONE, size);
    }
    if (at.after)
        op_add(out, at.base, at.base, at.after);
    return true;
}

static void load_one(const cs_insn *insn, unsigned i, const struct a64_address *at,
                     struct insn *out)
{
    struct a64_register reg = a64_register(insn->detail->arm64.operands[i].reg);
    unsigned size = access_size(insn->id, &reg);

    if (reg.number == REG_NONE || (at->write_back && reg.number == at->base))
        return;
    if (size == A64_WORD)
        op_load(out, reg.number, at->base, at->offset + i * size);
    else
        op_clobber(out, UINT64_C(1) << reg.number);
}

/* Appends table[index], a jump table's element, if the index is scaled by the element's size. */
static bool load_element(const cs_insn *insn, struct insn *out)
{
    const cs_arm64_op *from = &insn->detail->arm64.operands[1];
    struct a64_register dst, base = a64_register(from->mem.base);
    bool extends_sign =
        insn->id == ARM64_INS_LDRSB || insn->id == ARM64_INS_LDRSH || insn->id == ARM64_INS_LDRSW;
    unsigned size;
    struct op *op;

    if (!a64_general(&insn->detail->arm64, 0, &dst) || base.number == REG_NONE)
        return false;
    size = access_size(insn->id, &dst);
    if (1u << from->shift.value != size || (extends_sign && dst.size != A64_WORD))
        return false;
    op = insn_push_op(out, OP_ELEMENT);
    op->dst = dst.number;
    op->src = base.number;
    op->size = (uint16_t)size;
    op->shift = extends_sign;
    return true;
}

bool a64_load(const cs_insn *insn, unsigned count, struct insn *out)
{
    const cs_arm64 *a64 = &insn->detail->arm64;
    struct a64_address at;
    int64_t literal;

    if (count == 1 && a64_immediate(a64, 1, &literal)) {
        const struct a64_register name = a64_register(a64->operands[0].reg);
        uint8_t dst = a64_full_register(a64, 0);

        if (a64->operands[0].type != ARM64_OP_REG)
            return false;
        out->literal_vaddr = (uint64_t)literal;
        out->literal_size = (uint8_t)access_size(insn->id, &name);
        if (dst == REG_NONE || insn->id != ARM64_INS_LDR)
            return false;
        *insn_push_op(out, OP_LITERAL) = (struct op){
            .kind = OP_LITERAL, .dst = dst, .src = REG_NONE, .src2 = REG_NONE, .imm = literal};
        return true;
    }
    if (!a64_simple_address(a64, count, &at))
        return count == 1 && a64->op_count > 1 && a64->operands[1].type == ARM64_OP_MEM &&
               load_element(insn, out);
    if (at.before)
        op_add(out, at.base, at.base, at.before);
    /* If the base register is loaded, too, it is the last one. */
    if (count == 2 && a64_register(a64->operands[0].reg).number == at.base) {
        load_one(insn, 1, &at, out);
        load_one(insn, 0, &at, out);
    } else {
        for (unsigned i = 0; i < count; i++)
            load_one(insn, i, &at, out);
    }
    if (at.after)
        op_add(out, at.base, at.base, at.after);
    for (unsigned i = 0; i < count && at.write_back; i++)
        if (a64_register(a64->operands[i].reg).number == at.base)
            op_clobber(out, UINT64_C(1) << at.base);
    return true;
}

bool a64_structure(uint32_t word, struct insn *out)
{
    unsigned bytes = a64_structure_size(word);
    uint8_t base = word >> 5 & 31;

    if (!bytes)
        return false;
    if (!(word >> 22 & 1))
        op_store(out, base, 0, REG_NONE, bytes);
    op_add(out, base, base, bytes);
    return true;
}
