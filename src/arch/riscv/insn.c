/* SPDX-License-Identifier: MIT */
#include "arch/riscv/insn.h"

#include <stdio.h>
#include <string.h>

/*
 * RISC-V (psABI): the effect of each instruction on stack pointer, frame pointer, return address,
 * callee-saved registers and the frame's memory. auipc and the jalr behind it (`call` and `tail` of
 * assembly) are one instruction of 8 bytes here, as neither alone tells the target.
 */
#include "arch/analysis/ops.h"
#include "arch/riscv/decode.h"
#include "arch/riscv/pattern.h"

enum { ZERO, RA, SP, GP, TP, T0, T1, FP = 8, A0 = 10, A1, T3 = 28, MEPC = 33 };

#define BIT(n) (UINT64_C(1) << (n))
/* ra, t0 to t6, a0 to a7 */
#define CALLERS (BIT(1) | UINT64_C(0xe0) | UINT64_C(0xff) << 10 | UINT64_C(0xf) << 28)
/* Nothing of use at a function's entry: not t0 (outlined prologues), nor t2 (static chain). */
#define NOTHING (BIT(T1) | UINT64_C(0xf) << 28)
/* Bytes; assumed for a vector store: the shortest vectors that Linux supports. */
#define VECTOR_BYTES 16

enum { CSR_SEPC = 0x141, CSR_MEPC = 0x341 };

static bool is_register(uint8_t reg)
{
    return reg != ZERO && reg != REG_NONE;
}

static bool is_link(uint8_t reg)
{
    return reg == RA || reg == T0;
}

static void clobber(struct insn *out, uint8_t reg)
{
    if (is_register(reg))
        op_clobber(out, BIT(reg));
}

static void op_const(struct insn *out, uint8_t dst, uint64_t imm)
{
    struct op *op;

    if (!is_register(dst))
        return;
    op = insn_push_op(out, OP_CONST);
    op->dst = dst;
    op->imm = (int64_t)imm;
}

/* dst = src + imm; dst and src may be x0. */
static void move(struct insn *out, uint8_t dst, uint8_t src, int64_t imm)
{
    if (is_register(dst) && src == ZERO)
        op_const(out, dst, (uint64_t)imm);
    else if (is_register(dst))
        op_add(out, dst, src, imm);
}

/* dst = imm, part of an address. In two steps: an OP_CONST would be taken for an address. */
static void upper(struct insn *out, uint8_t dst, int64_t imm)
{
    op_const(out, dst, 0);
    move(out, dst, dst, imm);
}

static void op_regs(struct insn *out, enum op_kind kind, uint8_t dst, uint8_t src, uint8_t src2)
{
    struct op *op = insn_push_op(out, kind);

    op->dst = dst;
    op->src = src;
    op->src2 = src2;
}

static void shift(struct insn *out, uint8_t dst, uint8_t src, int64_t by)
{
    struct op *op;

    if (!is_register(dst))
        return;
    if (src == ZERO) {
        op_const(out, dst, 0);
        return;
    }
    op = insn_push_op(out, OP_SHIFT);
    op->dst = dst;
    op->src = src;
    op->imm = by;
}

static void add(const struct riscv_insn *in, struct insn *out)
{
    if (in->rs1 == ZERO || in->rs2 == ZERO)
        move(out, in->rd, in->rs1 == ZERO ? in->rs2 : in->rs1, 0);
    else if (is_register(in->rd))
        op_regs(out, OP_ADD_REG, in->rd, in->rs1, in->rs2);
}

static void subtract(const struct riscv_insn *in, struct insn *out)
{
    if (in->rs2 == ZERO)
        move(out, in->rd, in->rs1, 0);
    else if (in->rs1 == ZERO)
        clobber(out, in->rd);
    else if (is_register(in->rd))
        op_regs(out, OP_SUB_REG, in->rd, in->rs1, in->rs2);
}

/* Zba's .uw: puts the lower half of the register into a temporary one, and returns that. */
static uint8_t lower_half(struct insn *out, uint8_t reg)
{
    op_const(out, REG_TEMP2, 0);
    op_regs(out, OP_ADD_REG, REG_TEMP, REG_TEMP2, reg);
    out->ops[out->op_count - 1].size = 4 | OP_UNSIGNED;
    return REG_TEMP;
}

static void shift_left(const struct riscv_insn *in, struct insn *out)
{
    if (in->row->arg & RISCV_UNSIGNED && is_register(in->rs1) && is_register(in->rd))
        shift(out, in->rd, lower_half(out, in->rs1), in->imm);
    else
        shift(out, in->rd, in->rs1, in->imm);
}

static void shift_add(const struct riscv_insn *in, struct insn *out)
{
    const unsigned by = in->row->arg & ~(unsigned)RISCV_UNSIGNED;
    uint8_t index = in->rs1;

    if (!is_register(in->rd) || !is_register(in->rs1) || !is_register(in->rs2)) {
        clobber(out, in->rd);
        return;
    }
    if (in->row->arg & RISCV_UNSIGNED)
        index = lower_half(out, index);
    if (by)
        shift(out, REG_TEMP, index, by);
    op_regs(out, OP_ADD_REG, in->rd, in->rs2, REG_TEMP);
}

static void and_immediate(const struct riscv_insn *in, struct insn *out)
{
    const uint64_t cleared = ~(uint64_t)in->imm; /* bits */

    if (!is_register(in->rd) || in->rs1 == ZERO) {
        clobber(out, in->rd);
        return;
    }
    if (in->imm < 0 && (cleared & (cleared + 1)) == 0) {
        if (in->rd != in->rs1)
            op_add(out, in->rd, in->rs1, 0);
        insn_push_op(out, OP_ALIGN)->dst = in->rd;
        return;
    }
    clobber(out, in->rd);
    if (in->imm >= 0 && in->imm != UINT8_MAX) { /* which extends a byte */
        struct op *op = insn_push_op(out, OP_COMPARE);

        op->src = in->rd;
        op->imm = in->imm;
    }
}

static void load(const struct arch *arch, const struct riscv_insn *in, struct insn *out)
{
    const uint8_t size = in->row->arg & (uint8_t)~RISCV_UNSIGNED;

    if (!is_register(in->rd))
        return;
    if (in->rs1 == ZERO) {
        clobber(out, in->rd);
        return;
    }
    op_load(out, in->rd, in->rs1, in->imm);
    if (size == arch->word_size)
        return;
    out->ops[out->op_count - 1].size = size;
    out->ops[out->op_count - 1].shift = !(in->row->arg & RISCV_UNSIGNED);
}

static void store(const struct arch *arch, const struct riscv_insn *in, struct insn *out)
{
    const bool is_word = is_register(in->rs2) && in->row->arg == arch->word_size;

    if (is_register(in->rs1))
        op_store(out, in->rs1, in->imm, is_word ? in->rs2 : REG_NONE, in->row->arg);
}

/*
 * rd = lower half of rs1 + imm, sign-extended: the second part of a constant; without imm, the
 * extension of a jump table's element (gcc -O0).
 */
static void add_word(const struct riscv_insn *in, struct insn *out)
{
    if (in->rs1 == ZERO) {
        move(out, in->rd, ZERO, in->imm);
        return;
    }
    if (!is_register(in->rd) || (in->rd != in->rs1 && in->imm != 0)) {
        clobber(out, in->rd);
        return;
    }
    if (in->imm)
        move(out, REG_TEMP, in->rs1, in->imm);
    op_const(out, REG_TEMP2, 0);
    op_regs(out, OP_ADD_REG, in->rd, REG_TEMP2, in->imm ? REG_TEMP : in->rs1);
    out->ops[out->op_count - 1].size = 4;
}

/* Appends that `reg` is compared with bound + imm, perhaps the bound of a jump table. */
static void compare(struct insn *out, uint8_t reg, uint8_t bound, int64_t imm)
{
    op_regs(out, OP_COMPARE_REG, REG_NONE, reg, bound);
    out->ops[out->op_count - 1].imm = imm;
}

static void branch(const struct riscv_insn *in, struct insn *out)
{
    const bool registers = is_register(in->rs1) && is_register(in->rs2);

    out->flow = FLOW_BRANCH;
    out->has_target = true;
    out->target_vaddr = out->vaddr + (uint64_t)in->imm;
    switch ((enum riscv_kind)in->row->kind) {
    case RISCV_BEQ:
        out->equal = registers ? EQUAL_TAKEN : EQUAL_NEVER;
        if (registers)
            compare(out, in->rs1, in->rs2, 0);
        return;
    case RISCV_BNE:
        out->equal = registers ? EQUAL_FALLS : EQUAL_NEVER;
        if (registers)
            compare(out, in->rs1, in->rs2, 0);
        return;
    case RISCV_BLTU:
    case RISCV_BGEU:
        if (!registers)
            return;
        compare(out, in->rs2, in->rs1, 0);
        compare(out, in->rs1, in->rs2, -1);
        return;
    default:
        return;
    }
}

/* A call through t0 is to an outlined part of the function, which returns through t0, too. */
static void call(struct insn *out, uint8_t link)
{
    out->flow = FLOW_CALL;
    if (link != RA)
        out->jump_reg = link;
    op_clobber(out, CALLERS | BIT(link));
}

static void jump_to(struct insn *out, uint8_t link, uint64_t vaddr)
{
    out->has_target = true;
    out->target_vaddr = vaddr;
    if (is_register(link))
        call(out, link);
    else
        out->flow = FLOW_JUMP;
}

static void jump_register(const struct riscv_insn *in, struct insn *out)
{
    if (is_link(in->rd)) {
        call(out, in->rd);
        return;
    }
    out->jump_reg = in->rs1;
    if (is_link(in->rs1) && !is_register(in->rd) && in->imm == 0) {
        out->flow = FLOW_RETURN;
        return;
    }
    out->flow = FLOW_INDIRECT;
    if (!is_register(in->rs1)) {
        out->jump_reg = REG_NONE;
    } else if (in->imm || is_register(in->rd)) {
        op_add(out, REG_TEMP, in->rs1, in->imm);
        out->jump_reg = REG_TEMP;
    }
    clobber(out, in->rd);
}

/* Says whether the CSR has the interrupted PC, to which the handler returns: mepc, sepc. */
static bool is_exception_pc(const struct riscv_insn *in)
{
    return in->word >> 20 == CSR_MEPC || in->word >> 20 == CSR_SEPC;
}

static void csr(const struct riscv_insn *in, struct insn *out)
{
    const bool writes = in->row->kind == RISCV_CSR_READ_WRITE || in->rs1 != ZERO;

    if (!is_exception_pc(in)) {
        clobber(out, in->rd);
        return;
    }
    if (writes && in->rs1 != ZERO)
        op_add(out, REG_TEMP, in->rs1, 0);
    move(out, in->rd, MEPC, 0);
    if (in->row->kind == RISCV_CSR_READ_WRITE && in->rs1 != ZERO)
        op_add(out, MEPC, REG_TEMP, 0);
    else if (writes)
        op_clobber(out, BIT(MEPC));
}

/*
 * cm.push {ra, s0-sN}, -size: stores the registers below SP, the last one uppermost, ra lowest;
 * then SP goes down (chapter "Zcmp").
 */
static void push(const struct arch *arch, const struct riscv_insn *in, struct insn *out)
{
    const int64_t size = riscv_push_size(in, 8u * arch->word_size);
    int64_t off = 0;

    for (uint64_t left = riscv_push_registers(in); left;) {
        const uint8_t reg = (uint8_t)(63 - __builtin_clzll(left));

        left &= ~BIT(reg);
        off -= arch->word_size;
        op_store(out, SP, off, reg, arch->word_size);
    }
    op_add(out, SP, SP, -size);
}

static void pop(const struct arch *arch, const struct riscv_insn *in, struct insn *out)
{
    const int64_t size = riscv_push_size(in, 8u * arch->word_size);
    int64_t off = size;

    for (uint64_t left = riscv_push_registers(in); left;) {
        const uint8_t reg = (uint8_t)(63 - __builtin_clzll(left));

        left &= ~BIT(reg);
        off -= arch->word_size;
        op_load(out, reg, SP, off);
    }
    op_add(out, SP, SP, size);
    if (in->row->kind != RISCV_POPRET)
        return;
    if (in->row->arg)
        op_const(out, A0, 0);
    out->flow = FLOW_RETURN;
    out->jump_reg = RA;
}

/* cm.jt and cm.jalt: a jump or call through a table, whose address is in a CSR. */
static void table_jump(const struct riscv_insn *in, struct insn *out)
{
    if (in->imm >= 32)
        call(out, RA);
    else
        out->flow = FLOW_INDIRECT;
}

static void effect(const struct arch *arch, const struct riscv_insn *in, struct insn *out)
{
    switch ((enum riscv_kind)in->row->kind) {
    case RISCV_OTHER:
        clobber(out, in->rd);
        out->padding = in->rd == REG_NONE && in->size == 2; /* c.nop */
        return;
    case RISCV_ADDI:
        move(out, in->rd, in->rs1, in->imm);
        out->padding = in->rd == ZERO && in->rs1 == ZERO && in->imm == 0;
        return;
    case RISCV_ADDIW:
        add_word(in, out);
        return;
    case RISCV_LUI:
        upper(out, in->rd, in->imm);
        return;
    case RISCV_AUIPC:
        upper(out, in->rd, (int64_t)(out->vaddr + (uint64_t)in->imm));
        out->anywhere = false;
        return;
    case RISCV_ADD:
        add(in, out);
        return;
    case RISCV_SUB:
        subtract(in, out);
        return;
    case RISCV_SHADD:
        shift_add(in, out);
        return;
    case RISCV_SLLI:
        shift_left(in, out);
        return;
    case RISCV_SRLI:
        shift(out, in->rd, in->rs1, -in->imm);
        return;
    case RISCV_ANDI:
        and_immediate(in, out);
        return;
    case RISCV_LOAD:
        load(arch, in, out);
        return;
    case RISCV_STORE:
        store(arch, in, out);
        return;
    case RISCV_ATOMIC:
        if (is_register(in->rs1))
            op_store(out, in->rs1, 0, REG_NONE, in->row->arg);
        clobber(out, in->rd);
        return;
    case RISCV_VECTOR_STORE:
        if (is_register(in->rs1))
            op_store(out, in->rs1, 0, REG_NONE, VECTOR_BYTES);
        return;
    case RISCV_BEQ:
    case RISCV_BNE:
    case RISCV_BLT:
    case RISCV_BLTU:
    case RISCV_BGEU:
        branch(in, out);
        return;
    case RISCV_JAL:
        jump_to(out, in->rd, out->vaddr + (uint64_t)in->imm);
        return;
    case RISCV_JALR:
        jump_register(in, out);
        return;
    case RISCV_ECALL:
        op_clobber(out, BIT(A0));
        return;
    case RISCV_STOP:
        out->flow = FLOW_STOP;
        return;
    case RISCV_TRAP_RETURN:
        out->flow = FLOW_RETURN;
        out->jump_reg = MEPC;
        return;
    case RISCV_CSR_READ_WRITE:
    case RISCV_CSR_SET:
        csr(in, out);
        return;
    case RISCV_PUSH:
        push(arch, in, out);
        return;
    case RISCV_POP:
    case RISCV_POPRET:
        pop(arch, in, out);
        return;
    case RISCV_MVSA01:
        op_add(out, in->rs1, A0, 0);
        op_add(out, in->rs2, A1, 0);
        return;
    case RISCV_MVA01S:
        op_add(out, A0, in->rs1, 0);
        op_add(out, A1, in->rs2, 0);
        return;
    case RISCV_TABLE_JUMP:
        table_jump(in, out);
        return;
    }
}

/* Decodes auipc with the jalr behind it: a call or jump to a known place. */
static bool far_jump(unsigned isa, const struct riscv_insn *auipc, const uint8_t *bytes,
                     uint64_t size, struct insn *out)
{
    struct riscv_insn jalr;

    if (!riscv_decode(bytes + auipc->size, size - auipc->size, isa, &jalr) || !jalr.row ||
        jalr.row->kind != RISCV_JALR || jalr.rs1 != auipc->rd || !is_register(jalr.rs1))
        return false;
    if (is_register(jalr.rd) && !is_link(jalr.rd))
        return false;
    out->size = auipc->size + jalr.size;
    clobber(out, auipc->rd);
    jump_to(out, jalr.rd, riscv_jalr_target(out->vaddr + (uint64_t)auipc->imm, jalr.imm));
    out->far = out->flow == FLOW_JUMP;
    return true;
}

/* psABI, e_flags: doubles are passed in registers */
#define EF_FLOAT_ABI_DOUBLE 0x4u

enum { ISA_KNOWN = 1, ISA_ZCMP = 2 }; /* struct decoder's isa */

/* Says whether `text`, extensions separated by underscores, has `name`, with or without version. */
static bool has_extension(const char *text, const char *name)
{
    const size_t length = strlen(name);

    for (; text; text = strchr(text, '_')) {
        text += *text == '_';
        if (strncmp(text, name, length) == 0 && strchr("_0123456789", text[length]))
            return true;
    }
    return false;
}

/* Implements isa_attribute.read for psABI's Tag_RISCV_arch: "rv32i2p1_m2p0_zca1p0_zcmp1p0". */
static uint32_t read_isa(const char *text)
{
    if (strncmp(text, "rv", 2) != 0)
        return 0;
    return has_extension(text, "zcmp") || has_extension(text, "zcmt") || has_extension(text, "zce")
               ? ISA_KNOWN | ISA_ZCMP
               : ISA_KNOWN;
}

static const struct isa_attribute isa_attribute = {.section = ".riscv.attributes",
                                                   .vendor = "riscv",
                                                   .tag = 5,
                                                   .read = read_isa};

/*
 * Returns the isa for rows.h. Zcmp and Zcmt use the encodings of c.fsdsp and its like. If the file
 * does not say what it has: code that passes doubles in registers has no Zcmp; other code may. If
 * nothing is known of the file, RV32 may have it, as the smallest processors do, and RV64 not.
 */
static unsigned isa_of(const struct decoder *decoder)
{
    const unsigned xlen = 8u * decoder->set->arch->word_size;
    const bool is_known = decoder->elf_flags != 0;

    if (decoder->isa)
        return decoder->isa & ISA_ZCMP ? xlen | RISCV_ZCMP : xlen;
    if (decoder->elf_flags & EF_FLOAT_ABI_DOUBLE || (!is_known && xlen == 64))
        return xlen;
    return xlen | RISCV_ZCMP;
}

#define EBREAK 0x00100073u

/*
 * Recognises a call of the debugger, which returns a value ("RISC-V Semihosting"): slli x0, x0, 31;
 * ebreak; srai x0, x0, 7.
 */
static bool calls_debugger(const struct riscv_insn *in, const uint8_t *bytes, uint64_t size)
{
    return in->row->kind == RISCV_STOP && in->word == EBREAK && size >= 8 &&
           riscv_word(bytes + 4) == 0x40705013;
}

static enum status decode(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                          uint64_t vaddr, struct insn *out)
{
    const struct arch *arch = decoder->set->arch;
    const unsigned isa = isa_of(decoder);
    struct riscv_insn in;

    (void)vaddr;
    if (!riscv_decode(bytes, size, isa, &in) || (!in.row && in.size == 2))
        return STATUS_NOT_FOUND;
    out->size = in.size;
    out->anywhere = in.word != EBREAK; /* its effect depends on the code behind it */
    if (!in.row)                       /* unknown instructions have the result where most have it */
        clobber(out, in.word >> 7 & 31);
    else if (calls_debugger(&in, bytes, size))
        op_clobber(out, BIT(A0));
    else if (in.row->kind != RISCV_AUIPC || !far_jump(isa, &in, bytes, size, out))
        effect(arch, &in, out);
    if (out->has_target) {
        out->anywhere = false;
        if (arch->word_size == 4)
            out->target_vaddr = (uint32_t)out->target_vaddr;
    }
    return STATUS_OK;
}

/* Without SP, which always has a value. */
static uint64_t reads(struct decoder *decoder, const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    struct riscv_insn in;
    uint64_t mask = 0;

    (void)vaddr;
    if (!riscv_decode(bytes, size, isa_of(decoder), &in) || !in.row)
        return 0;
    if (is_register(in.rs1))
        mask |= BIT(in.rs1);
    if (is_register(in.rs2) && !(in.row->kind == RISCV_STORE && (in.rs1 == SP || in.rs1 == FP)))
        mask |= BIT(in.rs2);
    return mask & ~BIT(SP);
}

/* Does nothing: the tables are our own. */
static enum status open_state(struct decoder *decoder)
{
    (void)decoder;
    return STATUS_OK;
}

static void close_state(struct decoder *decoder)
{
    (void)decoder;
}

static const char *problem(void)
{
    return NULL;
}

static enum status text(struct decoder *decoder, const uint8_t *bytes, uint64_t size,
                        uint64_t vaddr, uint8_t context, struct insn_text *out)
{
    const unsigned isa = isa_of(decoder);
    struct riscv_insn in;
    struct insn insn;
    enum status status = decoder_decode(decoder, bytes, size, vaddr, context, &insn);
    size_t len;

    if (!riscv_decode(bytes, size, isa, &in))
        return status;
    riscv_text(&in, vaddr, isa, out->text, sizeof(out->text));
    if (status != STATUS_OK || insn.size == in.size ||
        !riscv_decode(bytes + in.size, size - in.size, isa, &in))
        return status;
    len = strlen(out->text);
    len += (size_t)snprintf(out->text + len, sizeof(out->text) - len, "; ");
    riscv_text(&in, vaddr + insn.size - in.size, isa, out->text + len, sizeof(out->text) - len);
    return status;
}

static const struct decoder_kind riscv_decoder = {.open = open_state,
                                                  .close = close_state,
                                                  .problem = problem,
                                                  .text = text};

/* andi sp, sp, -16; c.li a3, 0; c.li a4, 0: glibc's _start, shortly before it calls */
#define START_CODE "\x13\x71\x01\xff\x81\x46\x01\x47"

/* sigreturn_marks: si_signo is below 128, uc_flags is 0 (struct rt_sigframe, pattern.c) */
#define COMMON                                                                                     \
    .mode = CODE_DEFAULT, .decoder = &riscv_decoder, .isa_attribute = &isa_attribute,              \
    .alignment = RISCV_PARCEL_SIZE, .tells_anywhere = true, .undefined_at_entry = NOTHING,         \
    .decode = decode, .reads = reads, .jump_target = riscv_jump_target,                            \
    .ends_with_call = riscv_ends_with_call, .is_trap_return = riscv_is_trap_return,                \
    .is_outline_return = riscv_is_outline_return, .system_call = riscv_system_call,                \
    .start_code = START_CODE, .sigreturn_code = "\x93\x08\xb0\x08\x73\0\0\0", .sigreturn_size = 8, \
    .sigreturn_marks = {{0, ~UINT32_C(0x7f), 0}, {128, UINT32_MAX, 0}},                            \
    .sigreturn_kept = UINT64_C(1) << GP | UINT64_C(1) << TP

const struct insn_set insn_set_rv64 = {COMMON,
                                       .arch = &arch_riscv64,
                                       .call_alignment = 16,
                                       .call_target = riscv_call_target,
                                       .strong_start = riscv64_strong_start,
                                       .sigreturn_row = riscv64_sigreturn_row};

/* The ABI of RV32E aligns SP to 4 bytes only. */
const struct insn_set insn_set_rv32 = {COMMON,
                                       .arch = &arch_riscv32,
                                       .call_alignment = 4,
                                       .call_target = riscv32_call_target,
                                       .strong_start = riscv32_strong_start,
                                       .sigreturn_row = riscv32_sigreturn_row};
