/* SPDX-License-Identifier: MIT */
/* Translates jumps, calls, returns and traps from Capstone's form: see translation.h. */
#include "arch/x86/translation.h"

static void set_target(const struct translation *t)
{
    const cs_x86_op *operand = &t->x86->operands[0];

    if (t->x86->op_count != 1 || operand->type != X86_OP_IMM)
        return;
    t->out->has_target = true;
    t->out->target_vaddr = zero_extended(operand->imm, t->mode->word);
}

/*
 * Says whether the jump is longer than necessary: a linker or assembler that knew the distance
 * would have used two bytes.
 */
static bool is_far(const struct translation *t)
{
    const uint8_t *opcode = t->x86->opcode;
    int64_t distance =
        sign_extended((int64_t)(t->out->target_vaddr - t->out->vaddr - t->insn->size),
                      t->mode->word);

    return (opcode[0] == 0xe9 || (opcode[0] == 0x0f && (opcode[1] & 0xf0) == 0x80)) &&
           distance == (int8_t)distance;
}

/*
 * Sets the slot of call *f@GOTPCREL(%rip), call *f@GOT, call *f@GOT(%ebx). The last one always has
 * a displacement of four bytes; other calls through EBX have as few as possible.
 */
static void set_slot(const struct translation *t)
{
    const struct x86_mode *mode = t->mode;
    struct x86_address address;

    if (t->word16 || t->x86->op_count != 1 ||
        !x86_address(mode, t->insn, &t->x86->operands[0], &address) || address.index != REG_NONE)
        return;
    if (address.base == REG_NONE) {
        t->out->slot = SLOT_AT;
    } else if (mode->word == 4 && address.base == mode->numbers[X86_BX] &&
               t->x86->modrm >> 6 == 2) {
        t->out->slot = SLOT_IN_GOT;
    }
    if (t->out->slot)
        t->out->target_vaddr = zero_extended(address.disp, mode->word);
}

/* jmp reg, jmp [table + index * size], or through memory that is not modelled. */
static void indirect_jump(const struct translation *t)
{
    const cs_x86_op *operand = &t->x86->operands[0];
    struct x86_address address;

    t->out->flow = FLOW_INDIRECT;
    t->out->jump_reg = x86_full_register(t->mode, operand);
    if (t->insn->id == X86_INS_JMP && full_address(t, operand, &address) &&
        address.index != REG_NONE) {
        load_element(t, t->mode->pc, &address, t->mode->word, false);
        t->out->jump_reg = t->mode->pc;
    }
    if (t->insn->id == X86_INS_JMP)
        set_slot(t);
}

static void branch(const struct translation *t, uint64_t clobbered, enum equal equal)
{
    t->out->flow = FLOW_BRANCH;
    t->out->equal = (uint8_t)equal;
    set_target(t);
    t->out->far = is_far(t);
    op_clobber(t->out, clobbered);
}

bool x86_control_flow(const struct translation *t)
{
    const struct x86_mode *mode = t->mode;
    struct insn *out = t->out;

    switch (t->insn->id) {
    case X86_INS_RET:
    case X86_INS_RETF:
    case X86_INS_RETFQ:
        out->flow = FLOW_RETURN;
        if (t->x86->op_count == 1)
            out->pops = (uint16_t)t->x86->operands[0].imm;
        return true;
    case X86_INS_IRET:
    case X86_INS_IRETD:
    case X86_INS_IRETQ:
        out->flow = FLOW_RETURN;
        return true;
    case X86_INS_HLT:
    case X86_INS_INT3:
        out->flow = FLOW_STOP;
        out->padding = t->insn->id == X86_INS_INT3;
        return true;
    case X86_INS_CALL:
    case X86_INS_LCALL:
        if (out->trampoline) {
            set_target(t);
            push_value(t, REG_NONE, mode->word);
            out->flow = FLOW_JUMP;
            return true;
        }
        out->flow = FLOW_CALL;
        set_target(t);
        if (!out->has_target && t->insn->id == X86_INS_CALL)
            set_slot(t);
        op_clobber(out, mode->call_clobbered);
        return true;
    case X86_INS_JMP:
    case X86_INS_LJMP:
        set_target(t);
        out->flow = FLOW_JUMP;
        out->far = out->has_target && is_far(t);
        if (!out->has_target)
            indirect_jump(t);
        return true;
    case X86_INS_LOOP:
    case X86_INS_LOOPE:
    case X86_INS_LOOPNE:
        branch(t, x86_bit(mode, X86_CX), EQUAL_NEVER);
        return true;
    case X86_INS_XBEGIN:
        branch(t, x86_bit(mode, X86_AX), EQUAL_NEVER);
        return true;
    case X86_INS_JE:
        branch(t, 0, EQUAL_TAKEN);
        return true;
    case X86_INS_JNE:
        branch(t, 0, EQUAL_FALLS);
        return true;
    case X86_INS_JA:
    case X86_INS_JAE:
    case X86_INS_JB:
    case X86_INS_JBE:
    case X86_INS_JG:
    case X86_INS_JGE:
    case X86_INS_JL:
    case X86_INS_JLE:
    case X86_INS_JO:
    case X86_INS_JNO:
    case X86_INS_JP:
    case X86_INS_JNP:
    case X86_INS_JS:
    case X86_INS_JNS:
    case X86_INS_JCXZ:
    case X86_INS_JECXZ:
    case X86_INS_JRCXZ:
        branch(t, 0, EQUAL_NEVER);
        return true;
    }
    return false;
}
