/* SPDX-License-Identifier: MIT */
/* The registers that an instruction uses: insn_set.reads. */
#include "arch/x86/capstone_compat.h"
#include "arch/x86/operands.h"
#include "arch/x86/ops.h"
#include "arch/x86/vex.h"

static uint64_t bit_of(const struct x86_mode *mode, unsigned reg)
{
    uint8_t number = x86_register(mode, reg).number;

    return number == REG_NONE ? 0 : UINT64_C(1) << number;
}

/* Says whether no operand matters: xor eax, eax; or eax, -1; nop [eax]; lea esi, [esi]. */
static bool reads_nothing(const struct x86_mode *mode, const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    const cs_x86_op *to = &x86->operands[0], *from = &x86->operands[1];
    bool same = x86->op_count == 2 && to->type == X86_OP_REG && from->type == X86_OP_REG &&
                to->reg == from->reg;
    struct x86_address address;

    switch (insn->id) {
    case X86_INS_NOP:
        return true;
    case X86_INS_XOR:
    case X86_INS_SUB:
    case X86_INS_SBB:
    case X86_INS_CMP:
        return same;
    case X86_INS_MOV:
        return same && x86_full_register(mode, to) != REG_NONE;
    case X86_INS_OR:
        return to->type == X86_OP_REG && from->type == X86_OP_IMM && (int8_t)from->imm == -1 &&
               (int32_t)from->imm == -1;
    case X86_INS_AND:
        return to->type == X86_OP_REG && from->type == X86_OP_IMM && from->imm == 0;
    case X86_INS_LEA:
        return x86_simple_address(mode, insn, from, &address) && address.disp == 0 &&
               address.base == x86_full_register(mode, to);
    }
    return false;
}

/* Returns the registers saved in the frame: push reg; mov [rsp + 8], reg; mov [rbp - 8], reg. */
static uint64_t saved(const struct x86_mode *mode, const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    struct x86_address to;

    if (insn->id == X86_INS_PUSH && x86->operands[0].type == X86_OP_REG)
        return bit_of(mode, x86->operands[0].reg);
    if (insn->id == X86_INS_PUSHAL || insn->id == X86_INS_PUSHAW)
        return UINT64_MAX;
    if (insn->id == X86_INS_ENTER)
        return x86_bit(mode, X86_BP);
    if (insn->id == X86_INS_MOV && x86->operands[1].type == X86_OP_REG &&
        x86_simple_address(mode, insn, &x86->operands[0], &to) &&
        (to.base == mode->numbers[X86_SP] || to.base == mode->numbers[X86_BP]))
        return bit_of(mode, x86->operands[1].reg) & ~(UINT64_C(1) << to.base);
    return 0;
}

/* Returns registers that are read and that Capstone's tables leave out. */
static uint64_t unlisted_reads(const struct x86_mode *mode, const cs_insn *insn)
{
    const cs_x86 *x86 = &insn->detail->x86;
    uint64_t mask = 0;

    /* cmov, which may leave its first operand as it is. */
    if (x86->opcode[0] == 0x0f && (x86->opcode[1] & 0xf0) == 0x40)
        return bit_of(mode, x86->operands[0].reg);
    switch (insn->id) {
    case X86_INS_BSWAP:
        return bit_of(mode, x86->operands[0].reg);
    case X86_INS_TEST:
        for (uint8_t i = 0; i < x86->op_count; i++)
            if (x86->operands[i].type == X86_OP_REG)
                mask |= bit_of(mode, x86->operands[i].reg);
        return mask;
    case X86_INS_SYSCALL:
    case X86_INS_SYSENTER:
    case X86_INS_INT:
    case X86_INS_CMPXCHG:
        return x86_bit(mode, X86_AX);
    case X86_INS_XLATB:
        return x86_bit(mode, X86_AX) | x86_bit(mode, X86_BX);
    }
    return 0;
}

/* test al, al: the number of vector arguments (psABI, 3.5.7), AX's only use at an entry. */
static bool tests_vector_count(const uint8_t *bytes, uint64_t size)
{
    return size >= 2 && bytes[0] == 0x84 && bytes[1] == 0xc0;
}

uint64_t x86_reads(const struct x86_mode *mode, struct decoder *decoder, const uint8_t *bytes,
                   uint64_t size, uint64_t vaddr)
{
    size_t left = size < INSN_SIZE_MAX ? (size_t)size : INSN_SIZE_MAX;
    cs_regs read, written;
    uint8_t read_count, written_count;
    uint64_t mask, next = vaddr;
    struct insn scratch = {.op_count = 0};
    unsigned segment = x86_segment_prefixes(bytes, left);

    if (tests_vector_count(bytes, size) ||
        x86_is_late_vector(bytes + segment, left - segment, mode->word == 8) ||
        x86_decode_compat(mode, bytes, left, &scratch) != COMPAT_NOT ||
        !capstone_next(decoder, &bytes, &left, &next) ||
        reads_nothing(mode, capstone_insn(decoder)) ||
        !capstone_regs(decoder, read, &read_count, written, &written_count))
        return 0;
    mask = unlisted_reads(mode, capstone_insn(decoder));
    for (uint8_t i = 0; i < read_count; i++)
        mask |= bit_of(mode, read[i]);
    /* SP has its value everywhere. */
    return mask & ~saved(mode, capstone_insn(decoder)) & ~(x86_bit(mode, X86_SP));
}
