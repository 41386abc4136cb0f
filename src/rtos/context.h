/* SPDX-License-Identifier: MIT */
/*
 * The registers that a port of an RTOS keeps of a task that does not run: which word of what it
 * pushes has which, in a table a port.
 *
 *     lower addresses                                   higher
 *     | words of the port                | Cortex-M: what the exception had pushed |
 *     ^ where the kernel says            ^ r0-r3 r12 lr pc xPSR [s0-s15 FPSCR -]
 *
 * Which port a firmware has is not written in it. So every table of its machine is tried, and has
 * to fit: words that can be told (EXC_RETURN, xPSR, mstatus) are as they have to be, PC is in code,
 * and all is inside the stack. Where none fits the registers are not known.
 *
 * Private to rtos/.
 */
#ifndef RTOS_CONTEXT_H
#define RTOS_CONTEXT_H

#include "rtos/walk.h"

/* Machines, by the numbers of PC and SP (arch/arch.h). */
#define CONTEXT_ARM   15, 13
#define CONTEXT_RISCV 32, 2

#define CONTEXT_WORDS_MAX 40
#define CONTEXT_SKIP      0xfe /* a word that is no register */
#define CONTEXT_EXC       0xfd /* ARMv7-M, B1.5.8: EXC_RETURN, of the exception that saved it */
#define CONTEXT_MSTATUS   0xfc /* RISC-V, privileged specification, 3.1.6: a return to M-mode */
#define CONTEXT_SMALL     0xfb /* a count */

struct saved_context {
    uint8_t pc, sp; /* the machine: the numbers of these registers tell one from another */
    uint8_t words;
    bool has_frame;                  /* the exception frame of a Cortex-M is behind */
    uint8_t regs[CONTEXT_WORDS_MAX]; /* by word: the register, or one of the above */
};

/*
 * What a Cortex-M pushed itself: at `addr`. False: it cannot be that, or the machine is another.
 */
MUST_CHECK bool context_frame(struct walk *w, uint64_t addr, uint64_t end_addr, bool is_extended,
                              struct regs *regs);

/*
 * By the first that fits at `addr`, of a stack that ends at end_addr (0: that is not known). None
 * does: no register is known.
 */
void context_find(struct walk *w, const struct saved_context *list, size_t count, uint64_t addr,
                  uint64_t end_addr, struct regs *regs);

#endif
