/* SPDX-License-Identifier: MIT */
/*
 * The tables of RISC-V's instructions: a row for each, with the encoding's fixed bits, its operands
 * and its kind. Sources: the unprivileged and the privileged specification; extensions I M A F D Q
 * C Zicsr Zifencei, Zfh, Zba Zbb Zbc Zbs, Zicond, Zcb Zcmp Zcmt, and those of V that write general
 * registers.
 *
 * Operands are a string in the form of the instruction's text, with a letter for each operand:
 *
 *     d s t    rd, rs1, rs2          D S T R    floating-point rd, rs1, rs2, rs3
 *     U f      bits 11 to 7 of a compressed one: rd that is rs1 as well; rs1
 *     V        rs2 of a compressed one (bits 6 to 2); W: floating-point
 *     v w      of three bits: rs1' (9 to 7), rs2' (4 to 2); x: rs1' that is rd as well
 *     y Y      rd' (4 to 2), and the same for floating point
 *     g        sp as rd and rs1      G          sp as rs1
 *     z        zero as rs1, not written        Z          ra as rd, not written
 *     i q j    immediate of the I-, S-, CI-type; b c J K of branches and jumps: B, CB, J, CJ
 *     u k      of lui and auipc, of c.lui
 *     > <      shift amount, of the 32-bit and of the compressed encoding
 *     1 2 3 4 5 6 7 8 9
 *              of c.addi16sp, c.addi4spn, c.lw, c.ld, c.lwsp, c.ldsp, c.swsp, c.sdsp, c.lbu
 *     h        of c.lhu              E e        number of a CSR; its immediate (5 bits)
 *     m        rounding mode, not written if dynamic; n: not written if 0, for those that need none
 *     P Q      what comes before and after a fence
 *     r a      list of registers, and distance, of cm.push; A: distance of cm.pop
 *     l o      two registers s0 to s7 of cm.mvsa01
 *     p        index of cm.jt
 *
 * A letter that is none of these is itself, as a comma or a parenthesis.
 */
#ifndef ARCH_RISCV_ROWS_H
#define ARCH_RISCV_ROWS_H

#include <stdint.h>

/* An instruction's effect, as far as it matters for following the stack. */
enum riscv_kind {
    RISCV_OTHER, /* rd, if the instruction has one, becomes unknown */
    RISCV_ADDI,  /* rd = rs1 + imm; addi, c.li, c.mv (imm 0) ... */
    RISCV_ADDIW, /* rd = the lower 32 bits of rs1 + imm, sign-extended */
    RISCV_LUI,   /* rd = imm */
    RISCV_AUIPC, /* rd = pc + imm */
    RISCV_ADD,   /* rd = rs1 + rs2 */
    RISCV_SUB,
    RISCV_SHADD, /* rd = rs2 + (rs1 << arg) */
    RISCV_SLLI,  /* rd = rs1 << imm: slli and slli.uw */
    RISCV_SRLI,
    RISCV_ANDI,
    RISCV_LOAD,   /* rd = arg & ~RISCV_UNSIGNED bytes at rs1 + imm; rd REG_NONE: floating point */
    RISCV_STORE,  /* arg bytes at rs1 + imm = rs2 */
    RISCV_ATOMIC, /* writes arg bytes at rs1 */
    RISCV_VECTOR_STORE,
    RISCV_BEQ,
    RISCV_BNE,
    RISCV_BLT,  /* blt and bge */
    RISCV_BLTU, /* branches if rs1 < rs2, unsigned */
    RISCV_BGEU,
    RISCV_JAL,
    RISCV_JALR,
    RISCV_ECALL,
    RISCV_STOP, /* ebreak, c.unimp */
    RISCV_TRAP_RETURN,
    RISCV_CSR_READ_WRITE,
    RISCV_CSR_SET, /* csrrs, csrrc: read a CSR, and set or clear bits of it unless rs1 is zero */
    RISCV_PUSH,
    RISCV_POP,
    RISCV_POPRET, /* cm.popret and cm.popretz */
    RISCV_MVSA01,
    RISCV_MVA01S,
    RISCV_TABLE_JUMP, /* cm.jt, cm.jalt */
};

/*
 * Set in riscv_row.arg: RISCV_LOAD zero-extends; RISCV_SHADD, RISCV_SLLI use rs1's lower half only.
 */
#define RISCV_UNSIGNED 0x80

/* Code that may have the instruction: all; RV32 only; RV64 only; code with Zcmp and Zcmt only. */
enum { RISCV_BOTH, RISCV_ONLY_32, RISCV_ONLY_64, RISCV_ONLY_ZCMP };

/*
 * `isa` is 32 or 64 (bits of a register), plus RISCV_ZCMP for code with Zcmp and Zcmt, whose
 * encodings are other instructions in code with C and D. riscv_xlen returns the 32 or 64 of it.
 */
#define RISCV_ZCMP 1u
static inline unsigned riscv_xlen(unsigned isa)
{
    return isa & ~RISCV_ZCMP;
}

struct riscv_row {
    uint32_t mask, match; /* the instruction is this one if (word & mask) == match */
    const char *name, *operands;
    uint8_t kind; /* enum riscv_kind */
    uint8_t arg;  /* see enum riscv_kind */
    uint8_t only; /* code that may have the instruction: RISCV_BOTH ... */
};

/*
 * Returns the row (static storage) of the instruction `word` of 4 bytes, or of 2 (the upper half is
 * 0), in code of `isa`: 32 or 64, plus RISCV_ZCMP. NULL: the tables do not have it.
 */
const struct riscv_row *riscv_row_of(uint32_t word, unsigned isa);

#endif
