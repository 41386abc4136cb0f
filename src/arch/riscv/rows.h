/* SPDX-License-Identifier: MIT */
/*
 * The tables of RISC-V's instructions: a row for each, by what its encoding has where. They follow
 * the unprivileged and the privileged specification; extensions I M A F D Q C Zicsr Zifencei, Zfh,
 * Zba Zbb Zbc Zbs, Zicond, Zcb Zcmp Zcmt, what writes general registers of V.
 *
 * Operands are told by a string, as the instruction's text has them; a letter each:
 *
 *   d s t    rd, rs1, rs2          D S T R    the same of floating point, rs3
 *   U f      bits 11 to 7 of a compressed one: rd that is rs1 as well; rs1
 *   V        rs2 of a compressed one (bits 6 to 2); W: of floating point
 *   v w      of three bits: rs1' (9 to 7), rs2' (4 to 2); x: rs1' that is rd as well
 *   y Y      rd' (4 to 2), and the same of floating point
 *   g        sp as rd and rs1      G          sp as rs1
 *   z        zero as rs1, not written        Z          ra as rd, not written
 *   i q j    immediate of the I-, S-, CI-type; b c J K of branches and jumps: B, CB, J, CJ
 *   u k      of lui and auipc, of c.lui
 *   > <      shift amount, of the 32-bit and of the compressed encoding
 *   1 2 3 4 5 6 7 8 9
 *            of c.addi16sp, c.addi4spn, c.lw, c.ld, c.lwsp, c.ldsp, c.swsp, c.sdsp, c.lbu
 *   h        of c.lhu              E e        number of a CSR; its immediate (5 bits)
 *   m        rounding mode, not written where it is dynamic; n: of those that need none
 *   P Q      what comes before and after a fence
 *   r a      list of registers, and distance, of cm.push; A: the same of cm.pop
 *   l o      two registers s0 to s7 of cm.mvsa01
 *   p        index of cm.jt
 */
#ifndef ARCH_RISCV_ROWS_H
#define ARCH_RISCV_ROWS_H

#include <stdint.h>

/* What of the instruction matters to whoever follows the stack; the rest is RISCV_OTHER. */
enum riscv_kind {
    RISCV_OTHER, /* writes rd, if it has one, with what is not followed */
    RISCV_ADDI,  /* rd = rs1 + imm; addi, c.li, c.mv (imm 0) … */
    RISCV_ADDIW, /* the same of the lower half, which is sign-extended */
    RISCV_LUI,   /* rd = imm */
    RISCV_AUIPC, /* rd = pc + imm */
    RISCV_ADD,   /* rd = rs1 + rs2 */
    RISCV_SUB,
    RISCV_SHADD, /* rd = rs2 + (rs1 << arg) */
    RISCV_SLLI,  /* and slli.uw */
    RISCV_SRLI,
    RISCV_ANDI,
    RISCV_LOAD,   /* rd = arg bytes at rs1 + imm; RISCV_UNSIGNED; rd REG_NONE: floating point */
    RISCV_STORE,  /* arg bytes at rs1 + imm = rs2 */
    RISCV_ATOMIC, /* writes arg bytes at rs1 */
    RISCV_VECTOR_STORE,
    RISCV_BEQ,
    RISCV_BNE,
    RISCV_BLT,  /* and bge */
    RISCV_BLTU, /* rs1 is compared with rs2, unsigned; branches where it is less */
    RISCV_BGEU,
    RISCV_JAL,
    RISCV_JALR,
    RISCV_ECALL,
    RISCV_STOP, /* ebreak, c.unimp */
    RISCV_TRAP_RETURN,
    RISCV_CSR_READ_WRITE,
    RISCV_CSR_SET, /* and clear: reads where rs1 is zero */
    RISCV_PUSH,
    RISCV_POP,
    RISCV_POPRET, /* and popretz */
    RISCV_MVSA01,
    RISCV_MVA01S,
    RISCV_TABLE_JUMP, /* cm.jt, cm.jalt */
};

/* In arg: of RISCV_LOAD; of RISCV_SHADD and RISCV_SLLI: of the lower half of rs1 alone. */
#define RISCV_UNSIGNED 0x80

/* Which code has the instruction: that of RV32, of RV64, with Zcmp and Zcmt. */
enum { RISCV_BOTH, RISCV_ONLY_32, RISCV_ONLY_64, RISCV_ONLY_ZCMP };

/*
 * What code is of: 32 or 64 bits, and RISCV_ZCMP where it has Zcmp and Zcmt, whose encodings are
 * other instructions where there are C and D.
 */
#define RISCV_ZCMP 1u
static inline unsigned riscv_xlen(unsigned isa)
{
    return isa & ~RISCV_ZCMP;
}

struct riscv_row {
    uint32_t mask, match;
    const char *name, *operands;
    uint8_t kind; /* enum riscv_kind */
    uint8_t arg;
    uint8_t only; /* RISCV_BOTH … */
};

/*
 * The row of an instruction of 4 bytes, or of 2 (whose upper half is 0); NULL: none has it.
 */
const struct riscv_row *riscv_row_of(uint32_t word, unsigned isa);

#endif
