/* SPDX-License-Identifier: MIT */
/*
 * Reads the registers that a port of an RTOS saved of a task that does not run: a table for each
 * port says which word of what the port pushes is which register.
 *
 *     lower addresses                                   higher
 *     | words of the port                | Cortex-M: what the exception had pushed |
 *     ^ where the kernel says            ^ r0-r3 r12 lr pc xPSR [s0-s15 FPSCR -]
 *
 * A firmware does not say which port it has. So every table of its machine is tried and has to fit:
 * words with known contents (EXC_RETURN, xPSR, mstatus) are plausible, PC is in code, and all lies
 * inside the stack. If none fits, no register is known.
 *
 * Private to rtos/.
 */
#ifndef BOARDS_RTOS_CONTEXT_H
#define BOARDS_RTOS_CONTEXT_H

#include "boards/rtos/walk.h"

/* Machines, told apart by the numbers of PC and SP (arch/arch.h). */
#define CONTEXT_ARM   15, 13
#define CONTEXT_RISCV 32, 2

#define CONTEXT_WORDS_MAX 40
#define CONTEXT_SKIP      0xfe /* a word that is ignored */
#define CONTEXT_EXC       0xfd /* ARMv7-M, B1.5.8: EXC_RETURN of the exception that saved it */
#define CONTEXT_MSTATUS   0xfc /* RISC-V, privileged specification, 3.1.6: a return to M-mode */
#define CONTEXT_SMALL     0xfb /* a small count */

struct saved_context {
    uint8_t pc, sp; /* a CONTEXT_ machine */
    uint8_t words;
    bool has_frame;                  /* a Cortex-M's exception frame follows the words */
    uint8_t regs[CONTEXT_WORDS_MAX]; /* for each word: a register's number, or one of the above */
};

/* Sets `regs` from a Cortex-M's exception frame at `addr`. False: none, or another machine. */
MUST_CHECK bool context_frame(struct walk *w, uint64_t addr, uint64_t end_addr, bool is_extended,
                              struct regs *regs);

/*
 * Sets `regs` by the first table that fits at `addr`, in a stack that ends at end_addr (0: not
 * known). If none does, no register is known.
 */
void context_find(struct walk *w, const struct saved_context *list, size_t count, uint64_t addr,
                  uint64_t end_addr, struct regs *regs);

#endif
