/* SPDX-License-Identifier: MIT */
/*
 * What a board without Linux tells of itself: where its vector table is and how it begins (ARMv7-M
 * manual, B1.5.2 and B3.2.5), which of the two stack pointers of ARM's M-profile is which (B1.4.1),
 * and registers of the system that say why a handler runs (B3.2.15 to B3.2.18; RISC-V privileged
 * specification, 3.1).
 */
#ifndef CAPTURE_GDB_BOARD_H
#define CAPTURE_GDB_BOARD_H

#include <stdbool.h>

#include "capture/gdb/state.h"

/* In a halt: looks at the vector table. True: it is not what it was. */
bool gdb_board_look(struct gdb_state *st);
/* The same once a second, and where the CPU is found at its first instruction. */
void gdb_board_check(struct gdb_state *st, const struct gdb_registers *regs);

/* Does an exception handler run? Of ARM's M-profile; false: it is none, or that is not known. */
bool gdb_board_in_handler(const struct gdb_state *st, const struct gdb_registers *regs);

/* In a halt: adds registers that only boards have to those of a CPU, as far as they are needed. */
void gdb_board_complete(struct gdb_state *st, struct gdb_registers *regs);

/* In a halt: SNAP_SYSTEM_MAX at most, of a CPU with these registers; how many. */
uint32_t gdb_board_system(struct gdb_state *st, const struct gdb_registers *regs,
                          struct snap_system *out);

#endif
