/* SPDX-License-Identifier: MIT */
/*
 * Reads the registers of a task that does not run, which the RTOS's port has saved in memory: for
 * each port a table (struct saved_context) says which saved word is which register.
 *
 *     lower addresses                                   higher
 *     | words of the port                | Cortex-M: what the exception had pushed |
 *     ^ where the kernel says            ^ r0-r3 r12 lr pc xPSR [s0-s15 FPSCR -]
 *
 * A firmware does not say which port it has. So every table of its machine is tried and has to fit:
 * words with known contents (EXC_RETURN, xPSR, mstatus) are plausible, PC is in code, and SP is
 * inside the stack. If none fits, no register is known.
 *
 * Private to rtos/.
 */
#ifndef BOARDS_RTOS_CONTEXT_H
#define BOARDS_RTOS_CONTEXT_H

#include "boards/rtos/walk.h"

/* A machine: its register numbers of PC and SP (arch/arch.h), for saved_context.pc and sp. */
#define CONTEXT_ARM   15, 13
#define CONTEXT_RISCV 32, 2

#define CONTEXT_WORDS_MAX 40
/* Words that are no register, for saved_context.regs: */
#define CONTEXT_SKIP    0xfe /* a word with any value, which is ignored */
#define CONTEXT_EXC     0xfd /* EXC_RETURN of the exception that saved it (ARMv7-M, B1.5.8) */
#define CONTEXT_MSTATUS 0xfc /* mstatus of a return to M-mode (RISC-V, privileged, 3.1.6) */
#define CONTEXT_SMALL   0xfb /* a word with a number of at most 65535 */

struct saved_context {
    uint8_t pc, sp;                  /* the machine: CONTEXT_ARM or CONTEXT_RISCV */
    uint8_t words;                   /* number of saved words, without the frame */
    bool has_frame;                  /* a Cortex-M's exception frame follows the words */
    uint8_t regs[CONTEXT_WORDS_MAX]; /* for each word: a register's number, or one of the above */
};

/*
 * Sets registers in `regs` from a Cortex-M's exception frame at `addr`, in a stack that ends at
 * end_addr (0: not known); is_extended: the frame has the FPU's registers. False, and `regs` is
 * unchanged: no plausible frame is there, or the machine is another.
 */
MUST_CHECK bool context_frame(struct walk *w, uint64_t addr, uint64_t end_addr, bool is_extended,
                              struct regs *regs);

/*
 * Sets `regs` by the first of the `count` tables that fits at `addr`, in a stack that ends at
 * end_addr (0: not known). If none fits, no register in `regs` is known.
 */
void context_find(struct walk *w, const struct saved_context *list, size_t count, uint64_t addr,
                  uint64_t end_addr, struct regs *regs);

#endif
