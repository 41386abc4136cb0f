/*
 * x86-64 (System V psABI): the effect of each instruction on stack pointer, frame pointer, callee-saved
 * registers and the frame's memory.
 */
#include <string.h>

#include "unwind/insn_private.h"
#include "unwind/insn_x86_vex.h"
#include "unwind/row.h"

#define WORD      8
#define REX_W     0x08
#define INSN_MAX  15 /* bytes of an instruction, by the manual */
#define STORE_MAX 64 /* bytes that a store of unknown width is taken to write: a vector register */
#define XSAVE_MAX 16384 /* more than the area of any processor has */

enum { RAX, RDX, RCX, RBX, RSI, RDI, RBP, RSP, R8, R9, R10, R11, R12, R13, R14, R15 };

/* What a callee may change (psABI 3.2.1). RSP comes back as it was. */
#define CALL_CLOBBERED                                                                             \
    (1u << RAX | 1u << RDX | 1u << RCX | 1u << RSI | 1u << RDI | 1u << R8 | 1u << R9 | 1u << R10 | \
     1u << R11)

/* DWARF's numbers by the numbers in the encoding; from 8 on they are the same. */
static const uint8_t encoding_order[] = {RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI};

struct register_name {
    uint8_t number; /* DWARF's */
    uint8_t size;
};

/* Capstone's register to DWARF's number and the width of the access; REG_NONE for all others. */
static struct register_name register_name(unsigned reg)
{
    static const struct {
        uint16_t reg64, reg32, reg16, reg8, reg8h;
    } names[] = {
        {X86_REG_RAX, X86_REG_EAX, X86_REG_AX, X86_REG_AL, X86_REG_AH},
        {X86_REG_RDX, X86_REG_EDX, X86_REG_DX, X86_REG_DL, X86_REG_DH},
        {X86_REG_RCX, X86_REG_ECX, X86_REG_CX, X86_REG_CL, X86_REG_CH},
        {X86_REG_RBX, X86_REG_EBX, X86_REG_BX, X86_REG_BL, X86_REG_BH},
        {X86_REG_RSI, X86_REG_ESI, X86_REG_SI, X86_REG_SIL, X86_REG_INVALID},
        {X86_REG_RDI, X86_REG_EDI, X86_REG_DI, X86_REG_DIL, X86_REG_INVALID},
        {X86_REG_RBP, X86_REG_EBP, X86_REG_BP, X86_REG_BPL, X86_REG_INVALID},
        {X86_REG_RSP, X86_REG_ESP, X86_REG_SP, X86_REG_SPL, X86_REG_INVALID},
        {X86_REG_R8, X86_REG_R8D, X86_REG_R8W, X86_REG_R8B, X86_REG_INVALID},
        {X86_REG_R9, X86_REG_R9D, X86_REG_R9W, X86_REG_R9B, X86_REG_INVALID},
        {X86_REG_R10, X86_REG_R10D, X86_REG_R10W, X86_REG_R10B, X86_REG_INVALID},
        {X86_REG_R11, X86_REG_R11D, X86_REG_R11W, X86_REG_R11B, X86_REG_INVALID},
        {X86_REG_R12, X86_REG_R12D, X86_REG_R12W, X86_REG_R12B, X86_REG_INVALID},
        {X86_REG_R13, X86_REG_R13D, X86_REG_R13W, X86_REG_R13B, X86_REG_INVALID},
        {X86_REG_R14, X86_REG_R14D, X86_REG_R14W, X86_REG_R14B, X86_REG_INVALID},
        {X86_REG_R15, X86_REG_R15D, X86_REG_R15W, X86_REG_R15B, X86_REG_INVALID},
    };

    for (uint8_t i = 0; reg != X86_REG_INVALID && i < sizeof(names) / sizeof(names[0]); i++) {
        if (reg == names[i].reg64)
            return (struct register_name){i, 8};
        if (reg == names[i].reg32)
            return (struct register_name){i, 4};
        if (reg == names[i].reg16)
            return (struct register_name){i, 2};
        if (reg == names[i].reg8 || reg == names[i].reg8h)
            return (struct register_name){i, 1};
    }
    return (struct register_name){REG_NONE, 0};
}

static uint8_t full_register(const cs_x86_op *operand)
{
    struct register_name name;

    if (operand->type != X86_OP_REG)
        return REG_NONE;
    name = register_name(operand->reg);
    return name.size == 8 ? name.number : REG_NONE;
}

/* A memory operand of the form [base + disp] with a full base register; false for all others. */
static bool simple_address(const cs_x86_op *operand, uint8_t *base, int64_t *disp)
{
    struct register_name name;

    if (operand->type != X86_OP_MEM || operand->mem.index != X86_REG_INVALID ||
        operand->mem.segment == X86_REG_FS || operand->mem.segment == X86_REG_GS)
        return false;
    name = register_name(operand->mem.base);
    if (name.size != 8)
        return false;
    *base = name.number;
    *disp = operand->mem.disp;
    return true;
}

static void op_add(struct insn *insn, uint8_t dst, uint8_t src, int64_t imm)
{
    struct op *op = insn_push_op(insn, OP_ADD);

    op->dst = dst;
    op->src = src;
    op->imm = imm;
}

static void op_const(struct insn *insn, uint8_t dst, int64_t imm)
{
    struct op *op = insn_push_op(insn, OP_CONST);

    op->dst = dst;
    op->imm = imm;
}

static void op_load(struct insn *insn, uint8_t dst, uint8_t base, int64_t disp)
{
    struct op *op = insn_push_op(insn, OP_LOAD);

    op->dst = dst;
    op->src = base;
    op->imm = disp;
}

static void op_store(struct insn *insn, uint8_t base, int64_t disp, uint8_t src, unsigned size)
{
    struct op *op = insn_push_op(insn, OP_STORE);

    op->dst = base;
    op->src = src;
    op->imm = disp;
    op->size = (uint16_t)size;
}

static void op_clobber(struct insn *insn, uint64_t mask)
{
    if (mask)
        insn_push_op(insn, OP_CLOBBER)->mask = mask;
}

/* Registers that Capstone's tables leave out. */
static uint64_t unlisted_writes(unsigned id)
{
    switch (id) {
    case X86_INS_SYSCALL: /* the kernel's result, return address and flags */
        return 1u << RAX | 1u << RCX | 1u << R11;
    case X86_INS_INT:
    case X86_INS_CMPXCHG:
        return 1u << RAX;
    case X86_INS_LEAVE:
    case X86_INS_ENTER:
        return 1u << RSP | 1u << RBP;
    }
    return 0;
}

/* Bytes that an instruction may write through a memory operand. Capstone does not know of the large areas. */
static unsigned stored_size(const cs_insn *insn, const cs_x86_op *operand)
{
    switch (insn->id) {
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
    return operand->size ? operand->size : STORE_MAX;
}

/* What is not modelled: registers written become unknown, so does memory written at a known place. */
static void unknown_effect(struct decoder *decoder, struct insn *out)
{
    const cs_x86 *x86 = &decoder->insn->detail->x86;
    cs_regs read, written;
    uint8_t read_count, written_count;
    uint64_t mask = 0;
    uint8_t base;
    int64_t disp;

    for (uint8_t i = 0; i < x86->op_count; i++) {
        const cs_x86_op *operand = &x86->operands[i];

        /* Capstone 4 says of some stores (cmpxchg, vector moves) that they read: take no chance. */
        if ((i == 0 || operand->access != CS_AC_READ) && simple_address(operand, &base, &disp))
            op_store(out, base, disp, REG_NONE, stored_size(decoder->insn, operand));
        if (operand->type == X86_OP_REG &&
            (operand->access & CS_AC_WRITE || operand->access == 0) &&
            register_name(operand->reg).number != REG_NONE)
            mask |= UINT64_C(1) << register_name(operand->reg).number;
    }
    if (cs_regs_access(decoder->handle, decoder->insn, read, &read_count, written,
                       &written_count) == CS_ERR_OK)
        for (uint8_t i = 0; i < written_count; i++)
            if (register_name(written[i]).number != REG_NONE)
                mask |= UINT64_C(1) << register_name(written[i]).number;
    op_clobber(out, mask | unlisted_writes(decoder->insn->id));
}

static bool push(const cs_x86 *x86, unsigned size, struct insn *out)
{
    uint8_t reg = full_register(&x86->operands[0]);

    op_add(out, RSP, RSP, -(int64_t)size);
    /* push rsp stores the value from before; nobody saves it that way. */
    op_store(out, RSP, 0, reg == RSP ? REG_NONE : reg, size);
    return true;
}

static bool pop(const cs_x86 *x86, unsigned size, struct insn *out)
{
    uint8_t reg = full_register(&x86->operands[0]);
    struct register_name name = {REG_NONE, 0};
    uint8_t base;
    int64_t disp;

    if (x86->operands[0].type == X86_OP_REG)
        name = register_name(x86->operands[0].reg);
    if (reg == RSP) {
        op_load(out, RSP, RSP, 0);
        return true;
    }
    if (reg != REG_NONE)
        op_load(out, reg, RSP, 0);
    else if (name.number != REG_NONE)
        op_clobber(out, UINT64_C(1) << name.number);
    op_add(out, RSP, RSP, (int64_t)size);
    /* An address that uses rsp means the incremented one. */
    if (simple_address(&x86->operands[0], &base, &disp))
        op_store(out, base, disp, REG_NONE, size);
    return true;
}

static bool mov(const cs_x86 *x86, struct insn *out)
{
    const cs_x86_op *to = &x86->operands[0], *from = &x86->operands[1];
    uint8_t dst = full_register(to), src = full_register(from);
    uint8_t base;
    int64_t disp;

    if (dst != REG_NONE && src != REG_NONE) {
        op_add(out, dst, src, 0);
        return true;
    }
    if (dst != REG_NONE && from->type == X86_OP_IMM) {
        op_const(out, dst, from->imm);
        return true;
    }
    /* A 32-bit move zero-extends. */
    if (to->type == X86_OP_REG && register_name(to->reg).size == 4 && from->type == X86_OP_IMM) {
        op_const(out, register_name(to->reg).number, (int64_t)(uint32_t)from->imm);
        return true;
    }
    if (dst != REG_NONE && simple_address(from, &base, &disp)) {
        op_load(out, dst, base, disp);
        return true;
    }
    if (simple_address(to, &base, &disp)) {
        op_store(out, base, disp, src, to->size);
        return true;
    }
    return false;
}

static bool lea(const cs_x86 *x86, struct insn *out)
{
    uint8_t dst = full_register(&x86->operands[0]);
    uint8_t base;
    int64_t disp;

    if (dst == REG_NONE || !simple_address(&x86->operands[1], &base, &disp))
        return false;
    op_add(out, dst, base, disp);
    return true;
}

static bool add_sub(const cs_x86 *x86, bool subtract, struct insn *out)
{
    uint8_t dst = full_register(&x86->operands[0]), src = full_register(&x86->operands[1]);
    int64_t imm = x86->operands[1].imm;

    if (dst == REG_NONE)
        return false;
    if (x86->operands[1].type == X86_OP_IMM) {
        op_add(out, dst, dst, subtract ? (int64_t)(0 - (uint64_t)imm) : imm);
        return true;
    }
    if (src != REG_NONE) {
        struct op *op = insn_push_op(out, subtract ? OP_SUB_REG : OP_ADD_REG);

        op->dst = dst;
        op->src = dst;
        op->src2 = src;
        return true;
    }
    return false;
}

static bool bit_and(const cs_x86 *x86, struct insn *out)
{
    uint8_t dst = full_register(&x86->operands[0]);
    int64_t imm = x86->operands[1].imm;

    /* and rsp, -32: rounding down to a power of two. */
    if (dst == REG_NONE || x86->operands[1].type != X86_OP_IMM || imm >= 0 ||
        ((uint64_t)imm & (0 - (uint64_t)imm)) != 0 - (uint64_t)imm)
        return false;
    insn_push_op(out, OP_ALIGN)->dst = dst;
    return true;
}

static bool xor_self(const cs_x86 *x86, struct insn *out)
{
    if (x86->operands[0].type != X86_OP_REG || x86->operands[1].type != X86_OP_REG ||
        x86->operands[0].reg != x86->operands[1].reg ||
        register_name(x86->operands[0].reg).size < 4)
        return false;
    op_const(out, register_name(x86->operands[0].reg).number, 0);
    return true;
}

static bool leave(bool word16, struct insn *out)
{
    if (word16)
        return false;
    op_add(out, RSP, RBP, 0);
    op_load(out, RBP, RSP, 0);
    op_add(out, RSP, RSP, WORD);
    return true;
}

/* enter size, 0 is push rbp; mov rbp, rsp; sub rsp, size. Nested levels are not modelled. */
static bool enter(const cs_x86 *x86, struct insn *out)
{
    if (x86->operands[1].imm != 0)
        return false;
    op_add(out, RSP, RSP, -WORD);
    op_store(out, RSP, 0, RBP, WORD);
    op_add(out, RBP, RSP, 0);
    op_add(out, RSP, RSP, -(x86->operands[0].imm & 0xffff)); /* Capstone extends the sign */
    return true;
}

static void set_target(const cs_x86 *x86, struct insn *out)
{
    if (x86->op_count == 1 && x86->operands[0].type == X86_OP_IMM) {
        out->has_target = true;
        out->target_vaddr = (uint64_t)x86->operands[0].imm;
    }
}

/* Fills flow for instructions that change it; true when the instruction is done with. */
static bool control_flow(const cs_insn *insn, struct insn *out)
{
    const cs_x86 *x86 = &insn->detail->x86;
    bool jump = false;

    switch (insn->id) {
    case X86_INS_RET:
    case X86_INS_RETF:
    case X86_INS_RETFQ:
    case X86_INS_IRET:
    case X86_INS_IRETD:
    case X86_INS_IRETQ:
        out->flow = FLOW_RETURN;
        return true;
    case X86_INS_HLT:
    case X86_INS_INT3:
        out->flow = FLOW_STOP;
        out->padding = insn->id == X86_INS_INT3;
        return true;
    case X86_INS_CALL:
        out->flow = FLOW_CALL;
        set_target(x86, out);
        op_clobber(out, CALL_CLOBBERED);
        return true;
    case X86_INS_JMP:
    case X86_INS_LJMP:
        set_target(x86, out);
        out->flow = out->has_target ? FLOW_JUMP : FLOW_INDIRECT;
        return true;
    case X86_INS_LOOP:
    case X86_INS_LOOPE:
    case X86_INS_LOOPNE:
    case X86_INS_XBEGIN:
        jump = true;
        op_clobber(out, 1u << RCX | 1u << RAX);
        break;
    }
    for (uint8_t i = 0; i < insn->detail->groups_count; i++)
        jump = jump || insn->detail->groups[i] == X86_GRP_JUMP;
    if (!jump)
        return false;
    out->flow = FLOW_BRANCH;
    set_target(x86, out);
    return true;
}

/* Instructions whose effect is modelled; false: not this one. */
static bool data_effect(const cs_insn *insn, struct insn *out)
{
    const cs_x86 *x86 = &insn->detail->x86;
    bool word16 = x86->prefix[2] == 0x66 && !(x86->rex & REX_W);

    switch (insn->id) {
    case X86_INS_PUSH:
        return push(x86, word16 ? 2 : WORD, out);
    case X86_INS_PUSHFQ:
        op_add(out, RSP, RSP, -WORD);
        op_store(out, RSP, 0, REG_NONE, WORD);
        return true;
    case X86_INS_POP:
        return pop(x86, word16 ? 2 : WORD, out);
    case X86_INS_POPFQ:
        op_add(out, RSP, RSP, WORD);
        return true;
    case X86_INS_MOV:
    case X86_INS_MOVABS:
        return mov(x86, out);
    case X86_INS_LEA:
        return lea(x86, out);
    case X86_INS_ADD:
        return add_sub(x86, false, out);
    case X86_INS_SUB:
        return add_sub(x86, true, out);
    case X86_INS_AND:
        return bit_and(x86, out);
    case X86_INS_XOR:
        return xor_self(x86, out);
    case X86_INS_LEAVE:
        return leave(word16, out);
    case X86_INS_ENTER:
        return !word16 && enter(x86, out);
    case X86_INS_NOP:
        out->padding = true;
        return true;
    case X86_INS_ENDBR64:
    case X86_INS_CMP:
    case X86_INS_TEST:
        return true;
    }
    return false;
}

/*
 * What Capstone 4.0.2 does not know, by mask: rdsspq/rdsspd (f3 [48] 0f 1e /1) writes its register, incsspq/incsspd
 * (f3 [48] 0f ae /5) none; endbr64 is f3 0f 1e fa. And what Capstone 4 and 5 name differently: ud2, ud1, ud0.
 */
static bool decode_by_mask(const uint8_t *b, uint64_t size, struct insn *out)
{
    unsigned rex = size > 1 && (b[1] & 0xf0) == 0x40 ? 1 : 0;
    uint8_t modrm;

    if (size >= 2 && b[0] == 0x0f && (b[1] == 0x0b || b[1] == 0xb9 || b[1] == 0xff)) {
        out->flow = FLOW_STOP;
        out->size = 2;
        return true;
    }
    if (size < 4 + rex || b[0] != 0xf3 || b[1 + rex] != 0x0f)
        return false;
    modrm = b[3 + rex];
    if (modrm < 0xc0)
        return false;
    if (b[2 + rex] == 0x1e && (modrm & 0x38) == 0x08)
        op_clobber(out, UINT64_C(1)
                            << (rex && b[1] & 1 ? R8 + (modrm & 7) : encoding_order[modrm & 7]));
    else if (!(b[2 + rex] == 0xae && (modrm & 0x38) == 0x28))
        return false;
    out->size = (uint8_t)(4 + rex);
    return true;
}

/* Vector instructions of later processors, where Capstone gave up. */
static bool decode_vector(const uint8_t *bytes, uint64_t size, struct insn *out)
{
    uint32_t written;
    uint64_t mask = 0;

    out->size = (uint8_t)x86_vector_length(bytes, size, &written);
    for (unsigned reg = 0; reg < 16; reg++)
        if (written >> reg & 1)
            mask |= UINT64_C(1) << (reg < 8 ? encoding_order[reg] : reg);
    op_clobber(out, mask);
    return out->size != 0;
}

static enum status decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out)
{
    /* Capstone reads prefixes as long as there are any. */
    size_t left = size < INSN_MAX ? (size_t)size : INSN_MAX;
    uint64_t next = vaddr;

    if (decode_by_mask(bytes, size, out))
        return STATUS_OK;
    if (!cs_disasm_iter(decoder->handle, &bytes, &left, &next, decoder->insn))
        return decode_vector(bytes, size, out) ? STATUS_OK : STATUS_NOT_FOUND;
    out->size = (uint8_t)decoder->insn->size;
    if (!control_flow(decoder->insn, out) && !data_effect(decoder->insn, out)) {
        out->op_count = 0;
        unknown_effect(decoder, out);
    }
    return STATUS_OK;
}

/* jmp rel32 (e9) and jcc rel32 (0f 8x); a jump to another function is never short. */
static uint64_t jump_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    unsigned opcode = size >= 5 && bytes[0] == 0xe9                                ? 1
                      : size >= 6 && bytes[0] == 0x0f && (bytes[1] & 0xf0) == 0x80 ? 2
                                                                                   : 0;
    int32_t rel;

    if (!opcode)
        return 0;
    memcpy(&rel, bytes + opcode, sizeof(rel));
    return vaddr + opcode + sizeof(rel) + (uint64_t)(int64_t)rel;
}

/*
 * call rel32 is e8 and four bytes; call r/m64 is [41] ff /2 with 0, 1 or 4 bytes of displacement and perhaps a SIB
 * byte: 2 to 7 bytes, 8 with a REX prefix that does not matter here.
 */
static bool ends_with_call(const uint8_t *bytes, uint64_t size)
{
    const uint8_t *end = bytes + size;

    if (size >= 5 && end[-5] == 0xe8)
        return true;
    for (unsigned len = 2; len <= 7 && len <= size; len++) {
        uint8_t modrm, mod;
        unsigned want = 2;

        if (end[-(int)len] != 0xff)
            continue;
        modrm = end[1 - (int)len];
        mod = modrm >> 6;
        if ((modrm & 0x38) != 0x10 && (modrm & 0x38) != 0x18)
            continue;
        if (mod != 3 && (modrm & 7) == 4)
            want += 1;
        if (mod == 1)
            want += 1;
        else if (mod == 2 || (mod == 0 && (modrm & 7) == 5))
            want += 4;
        else if (mod == 0 && (modrm & 7) == 4 && len >= 3 && (end[2 - (int)len] & 7) == 5)
            want += 4;
        if (want == len)
            return true;
    }
    return false;
}

/*
 * mov $15,%rax; syscall (glibc, musl, the kernel's ABI): rt_sigreturn. At that point RSP points at struct
 * ucontext, whose registers are at fixed offsets (asm/sigcontext.h, struct sigcontext_64 at +40):
 *
 *     rsp + 40   r8 … r15        rsp + 104  rdi rsi rbp rbx rdx rax rcx rsp rip
 */
static enum status sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                 struct row *out)
{
    static const uint8_t code[] = {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05};
    static const struct {
        uint8_t reg, off;
    } saved[] = {{R8, 40},   {R9, 48},   {R10, 56},  {R11, 64},  {R12, 72},  {R13, 80},
                 {R14, 88},  {R15, 96},  {RDI, 104}, {RSI, 112}, {RBP, 120}, {RBX, 128},
                 {RDX, 136}, {RAX, 144}, {RCX, 152}, {RSP, 160}};

    if (size < sizeof(code) || memcmp(bytes, code, sizeof(code)) != 0)
        return STATUS_NOT_FOUND;
    row_init(out, vaddr, vaddr + sizeof(code), TRUST_PROLOGUE);
    out->signal_frame = true;
    out->cfa = (struct rule){.kind = CFA_DEREF, .reg = RSP, .off = 160};
    for (size_t i = 0; i < sizeof(saved) / sizeof(saved[0]); i++)
        out->regs[saved[i].reg] =
            (struct rule){.kind = RULE_AT_REG, .reg = RSP, .off = saved[i].off};
    out->ra = (struct rule){.kind = RULE_AT_REG, .reg = RSP, .off = 168};
    out->regs[16] = out->ra;
    return STATUS_OK;
}

const struct insn_set insn_set_x86_64 = {.arch = ARCH_X86_64,
                                         .capstone_arch = CS_ARCH_X86,
                                         .capstone_mode = CS_MODE_64,
                                         .decode = decode,
                                         .jump_target = jump_target,
                                         .alignment = 1,
                                         .ends_with_call = ends_with_call,
                                         .sigreturn_row = sigreturn_row};
