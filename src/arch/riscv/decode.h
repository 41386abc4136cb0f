/* SPDX-License-Identifier: MIT */
/*
 * Decodes one RISC-V instruction, registers and immediate, by tables of masks (rows.h). An
 * instruction that the tables do not have is unknown; its lowest bits tell its size ("Expanded
 * Instruction-Length Encoding" of the unprivileged specification).
 */
#ifndef ARCH_RISCV_DECODE_H
#define ARCH_RISCV_DECODE_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/riscv/rows.h"

struct riscv_insn {
    const struct riscv_row *row; /* static; NULL: unknown */
    uint32_t word;               /* the first 4 bytes; the upper half is 0 if it has 2 */
    uint8_t size;                /* bytes: 2, 4, 6, 8 */
    /*
     * Numbers of integer registers; REG_NONE: no such operand, or a floating-point one. A
     * compressed instruction has the operands of the instruction that it stands for, implied ones
     * too.
     */
    uint8_t rd, rs1, rs2;
    int64_t imm; /* jumps and branches: distance to the target */
};

/*
 * Decodes the instruction at `bytes`. An unknown one has a NULL row. False: none can begin so, or
 * it is cut. `isa`: see riscv_xlen in rows.h.
 */
bool riscv_decode(const uint8_t *bytes, uint64_t size, unsigned isa, struct riscv_insn *out);

/*
 * Writes the instruction as `objdump -d -M no-aliases` does, with a space behind the name. `vaddr`:
 * the instruction's address, for targets. "" for an unknown instruction.
 */
void riscv_text(const struct riscv_insn *insn, uint64_t vaddr, unsigned isa, char *text,
                uint64_t text_size);

/*
 * For cm.push, cm.pop and their like: the mask of registers that they save or restore, and by how
 * many bytes they move SP, without sign (chapter "Zcmp", rlist and stack_adj).
 */
uint64_t riscv_push_registers(const struct riscv_insn *insn);
int64_t riscv_push_size(const struct riscv_insn *insn, unsigned isa);

#endif
