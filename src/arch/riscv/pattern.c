/* SPDX-License-Identifier: MIT */
#include "arch/riscv/pattern.h"

#include "arch/arch.h"
#include "base/bits.h"
#include "unwind/row/row.h"

/* psABI names of registers: the link registers of calls, ra and t0, and others. */
enum { ZERO, RA, SP, T0 = 5, PC = 32 };

#define ECALL 0x00000073u
#define LI_A7 0x00000893u /* addi a7, zero, 0 */

/* Base-instruction formats of the unprivileged specification, chapter "RV32I". */
#define OPCODE(word) ((word)&0x7f)
#define RD(word)     ((word) >> 7 & 31)
#define RS1(word)    ((word) >> 15 & 31)
enum { OP_AUIPC = 0x17, OP_BRANCH = 0x63, OP_JALR = 0x67, OP_JAL = 0x6f };

#define START_INSNS  12 /* instructions of a prologue that are looked at */
#define START_BEFORE 4  /* the most before SP goes down */

/* "Expanded Instruction-Length Encoding": by the lowest bits of the first parcel. */
unsigned riscv_size(uint32_t half)
{
    if ((half & 3) != 3)
        return 2;
    if ((half & 0x1f) != 0x1f)
        return 4;
    if ((half & 0x3f) != 0x3f)
        return 6;
    return (half & 0x7f) == 0x3f ? 8 : 0;
}

int64_t riscv_j_offset(uint32_t word)
{
    return bits_signed((word >> 31 & 1) << 20 | (word >> 12 & 0xff) << 12 | (word >> 20 & 1) << 11 |
                           (word >> 21 & 0x3ff) << 1,
                       21);
}

int64_t riscv_cj_offset(uint32_t half)
{
    return bits_signed((half >> 12 & 1) << 11 | (half >> 8 & 1) << 10 | (half >> 9 & 3) << 8 |
                           (half >> 6 & 1) << 7 | (half >> 7 & 1) << 6 | (half >> 2 & 1) << 5 |
                           (half >> 11 & 1) << 4 | (half >> 3 & 7) << 1,
                       12);
}

static bool is_link(uint32_t reg)
{
    return reg == RA || reg == T0;
}

/*
 * Returns the target of jal, or of auipc; jalr with the same register (`tail` and `call` of
 * assembly, unless the linker has made one of the two). `calls`: only of calls; else only of jumps.
 */
static uint64_t far_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr, bool calls)
{
    uint32_t word, jalr;

    if (size < 4)
        return 0;
    word = riscv_word(bytes);
    if (OPCODE(word) == OP_JAL)
        return is_link(RD(word)) == calls ? vaddr + (uint64_t)riscv_j_offset(word) : 0;
    if (OPCODE(word) != OP_AUIPC || size < 8)
        return 0;
    jalr = riscv_word(bytes + 4);
    if (OPCODE(jalr) != OP_JALR || (jalr >> 12 & 7) != 0 || RS1(jalr) != RD(word) ||
        is_link(RD(jalr)) != calls)
        return 0;
    return riscv_jalr_target(vaddr + (uint64_t)bits_signed(word & 0xfffff000, 32),
                             bits_signed(jalr >> 20, 12));
}

uint64_t riscv_jump_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    if (size >= 2 && (riscv_half(bytes) & 0xe003) == 0xa001) /* c.j */
        return vaddr + (uint64_t)riscv_cj_offset(riscv_half(bytes));
    return far_target(bytes, size, vaddr, false);
}

uint64_t riscv_call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    return far_target(bytes, size, vaddr, true);
}

uint64_t riscv32_call_target(const uint8_t *bytes, uint64_t size, uint64_t vaddr)
{
    if (size >= 2 && (riscv_half(bytes) & 0xe003) == 0x2001) /* c.jal */
        return (uint32_t)(vaddr + (uint64_t)riscv_cj_offset(riscv_half(bytes)));
    return (uint32_t)far_target(bytes, size, vaddr, true);
}

bool riscv_ends_with_call(const uint8_t *bytes, uint64_t size)
{
    uint32_t half, word;

    if (size < 2)
        return false;
    half = riscv_half(bytes + size - 2);
    if (((half & 0xf07f) == 0x9002 && RD(half) != ZERO) ||       /* c.jalr */
        (half & 0xe003) == 0x2001 ||                             /* c.jal of RV32 */
        ((half & 0xfc03) == 0xa002 && (half >> 2 & 0xff) >= 32)) /* cm.jalt */
        return true;
    if (size < 4)
        return false;
    word = riscv_word(bytes + size - 4);
    if (OPCODE(word) == OP_JAL) /* some code calls with other link registers */
        return RD(word) != ZERO;
    return OPCODE(word) == OP_JALR && (word >> 12 & 7) == 0 && is_link(RD(word));
}

/* mret, sret, mnret */
static bool is_trap_return(uint32_t word)
{
    return word == 0x30200073 || word == 0x10200073 || word == 0x70200073;
}

bool riscv_is_trap_return(const uint8_t *bytes, uint64_t size)
{
    return size >= 4 && is_trap_return(riscv_word(bytes));
}

/* jr t0 */
bool riscv_is_outline_return(const uint8_t *bytes, uint64_t size)
{
    return (size >= 2 && riscv_half(bytes) == 0x8282) ||
           (size >= 4 && riscv_word(bytes) == 0x00028067);
}

/* addi a7, zero, number; ecall */
unsigned riscv_system_call(const uint8_t *bytes, uint64_t size)
{
    if (size < 8 || (riscv_word(bytes) & 0x800fffff) != LI_A7 || riscv_word(bytes + 4) != ECALL)
        return 0;
    return riscv_word(bytes) >> 20;
}

/*
 * li a7, 139; ecall (the kernel's vDSO, musl): rt_sigreturn. At that point SP points at struct
 * rt_sigframe (the kernel's arch/riscv/kernel/signal.c; asm/ucontext.h):
 *
 *     sp + 0    siginfo, 128 bytes
 *     sp + 128  ucontext: uc_flags, uc_link, uc_stack (3 words), uc_sigmask and what it
 *               may grow to (128 bytes)
 *     sp + saved  its uc_mcontext, aligned to 16: pc, x1 ... x31
 */
static enum status sigreturn_row(const struct arch *arch, int32_t saved, const uint8_t *bytes,
                                 uint64_t size, uint64_t vaddr, struct row *out)
{
    const uint8_t word = arch->word_size;

    if ((int)riscv_system_call(bytes, size) != syscall_number(arch->syscalls, CALL_RT_SIGRETURN))
        return STATUS_NOT_FOUND;
    row_init(out, vaddr, vaddr + 8, TRUST_PROLOGUE);
    out->signal_frame = true;
    out->cfa = (struct rule){.kind = CFA_DEREF, .reg = SP, .off = saved + SP * word};
    for (uint8_t reg = RA; reg < PC; reg++)
        out->regs[reg] = (struct rule){.kind = RULE_AT_REG, .reg = SP, .off = saved + reg * word};
    out->regs[PC] = (struct rule){.kind = RULE_AT_REG, .reg = SP, .off = saved};
    out->ra = out->regs[PC];
    return STATUS_OK;
}

enum status riscv64_sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                  struct row *out)
{
    return sigreturn_row(&arch_riscv64, 128 + 176, bytes, size, vaddr, out);
}

enum status riscv32_sigreturn_row(const uint8_t *bytes, uint64_t size, uint64_t vaddr,
                                  struct row *out)
{
    return sigreturn_row(&arch_riscv32, 128 + 160, bytes, size, vaddr, out);
}

static bool moves_sp_down(uint32_t word)
{
    if ((word & 0xef83) == 0x6101 && (word & 0x1000)) /* c.addi16sp, negative */
        return true;
    if ((word & 0xef83) == 0x0101 && (word & 0x1000)) /* c.addi sp, negative */
        return true;
    return (word & 0x800fffff) == 0x80010113; /* addi sp, sp, negative */
}

/* Says whether it stores ra, or one of s0 to s11, in the frame. */
static bool saves_register(uint32_t word)
{
    const uint32_t kept = 0x0ffc0302;

    if ((word & 3) != 3) /* c.sdsp, c.swsp */
        return ((word & 0xe003) == 0xe002 || (word & 0xe003) == 0xc002) &&
               (kept >> (word >> 2 & 31) & 1);
    return ((word & 0x000ff07f) == 0x00013023 || (word & 0x000ff07f) == 0x00012023) && /* sd, sw */
           (kept >> (word >> 20 & 31) & 1);
}

static bool leaves_line(uint32_t word, bool is_rv32)
{
    if ((word & 3) == 3)
        return OPCODE(word) == OP_BRANCH || OPCODE(word) == OP_JALR || OPCODE(word) == OP_JAL ||
               is_trap_return(word);
    if (is_rv32 && (word & 0xe003) == 0x2001) /* c.jal, elsewhere c.addiw */
        return true;
    return word == 0 || (word & 0xe003) == 0xa001 || (word & 0xc003) == 0xc001 || /* c.j, c.beqz */
           (word & 0xe07f) == 0x8002;                                             /* c.jr, c.jalr */
}

/*
 * Says whether SP goes down, with little code before, and a register is saved a little later: in
 * the middle of a function SP does not go down. Also an outlined prologue: jal t0, __riscv_save_N.
 */
static bool strong_start(const uint8_t *bytes, uint64_t size, bool is_rv32)
{
    bool down = false;
    uint64_t at = 0;

    for (unsigned i = 0; i < START_INSNS && size - at >= 2; i++) {
        uint32_t word = riscv_half(bytes + at);
        const unsigned length = riscv_size(word);

        if ((length != 2 && length != 4) || size - at < length)
            return false;
        if (length == 4)
            word = riscv_word(bytes + at);
        if (leaves_line(word, is_rv32))
            return !down && OPCODE(word) == OP_JAL && RD(word) == T0;
        if (down && saves_register(word))
            return true;
        down = down || moves_sp_down(word);
        if (!down && i >= START_BEFORE)
            return false;
        at += length;
    }
    return false;
}

bool riscv64_strong_start(const uint8_t *bytes, uint64_t size)
{
    return strong_start(bytes, size, false);
}

bool riscv32_strong_start(const uint8_t *bytes, uint64_t size)
{
    return strong_start(bytes, size, true);
}
