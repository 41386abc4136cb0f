/* SPDX-License-Identifier: MIT */
/*
 * One instruction of RISC-V taken to pieces: which it is, its registers and its immediate, by
 * tables of masks (rows.h). What the tables do not have is unknown, of a length that its lowest
 * bits tell ("Expanded Instruction-Length Encoding" of the unprivileged specification).
 */
#ifndef ARCH_RISCV_DECODE_H
#define ARCH_RISCV_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/riscv/rows.h"

struct riscv_insn {
    const struct riscv_row *row; /* static; NULL: unknown */
    uint32_t word;               /* its first 4 bytes; of a compressed one the upper half is 0 */
    uint8_t size;                /* bytes: 2, 4, 6, 8 */
    /*
     * Numbers of integer registers; REG_NONE: it has no such operand, or one of floating point. A
     * compressed instruction has the operands of the one that it stands for, implied ones too.
     */
    uint8_t rd, rs1, rs2;
    int64_t imm; /* of jumps and branches: the distance to the target */
};

/*
 * Decodes the instruction that begins with `bytes`. False: no instruction begins so, or it is cut.
 * `isa`: see rows.h.
 */
bool riscv_decode(const uint8_t *bytes, uint64_t size, unsigned isa, struct riscv_insn *out);

/*
 * As `objdump -d -M no-aliases` has it, a space behind the name. `vaddr`: where the instruction is,
 * for targets. "" for an unknown one.
 */
void riscv_text(const struct riscv_insn *insn, uint64_t vaddr, unsigned isa, char *text,
                uint64_t text_size);

/*
 * cm.push, cm.pop and their like: a mask of the registers that they save, and how far they move SP
 * (chapter "Zcmp", rlist and stack_adj).
 */
uint64_t riscv_push_registers(const struct riscv_insn *insn);
int64_t riscv_push_size(const struct riscv_insn *insn, unsigned isa);

#endif
