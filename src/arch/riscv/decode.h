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
    const struct riscv_row *row; /* static; NULL: the tables do not have the instruction */
    uint32_t word;               /* its first 4 bytes; the upper half is 0 if `size` is 2 */
    uint8_t size;                /* bytes: 2, 4, 6, 8 */
    /*
     * Numbers of integer registers; REG_NONE: no such operand, or a floating-point one. A
     * compressed instruction has the operands of the instruction that it stands for, implied ones
     * too.
     */
    uint8_t rd, rs1, rs2;
    int64_t imm; /* the immediate; jumps and branches: distance in bytes to the target */
};

/*
 * Decodes the instruction at `bytes`; `isa` is 32 or 64 for RV32 or RV64, plus RISCV_ZCMP for code
 * with Zcmp. True also for an instruction of which only the size is known (out->row is NULL).
 * False: no instruction can begin so, or it is longer than `size`.
 */
bool riscv_decode(const uint8_t *bytes, uint64_t size, unsigned isa, struct riscv_insn *out);

/*
 * Writes the instruction to `text` as `objdump -d -M no-aliases` does, but with a space behind the
 * name; "" if insn->row is NULL. `vaddr`: the instruction's address, from which targets are
 * computed. `isa`: as for riscv_decode.
 */
void riscv_text(const struct riscv_insn *insn, uint64_t vaddr, unsigned isa, char *text,
                uint64_t text_size);

/*
 * Return, for a cm.push, cm.pop or their like, the mask of registers that it saves or restores, and
 * the number of bytes, positive, by which it moves SP (chapter "Zcmp", rlist and stack_adj).
 */
uint64_t riscv_push_registers(const struct riscv_insn *insn);
int64_t riscv_push_size(const struct riscv_insn *insn, unsigned isa);

#endif
