/* SPDX-License-Identifier: MIT */
/*
 * Reads what a board without Linux tells of itself: its vector table (ARMv7-M manual, B1.5.2 and
 * B3.2.5), which of the two stack pointers of ARM's M-profile is which (B1.4.1), and system
 * registers that say why a handler runs (B3.2.15 to B3.2.18; RISC-V privileged specification, 3.1).
 */
#ifndef BOARDS_GDB_BOARD_H
#define BOARDS_GDB_BOARD_H

#include <stdbool.h>

#include "boards/gdb/state.h"

/* In a halt: reads the vector table into st->board. True: it has changed. */
bool gdb_board_look(struct gdb_state *st);
/*
 * gdb_board_look once a second, and when SP is the initial SP. Notes a reset, as a new
 * st->board.time_ns, if the CPU is at its first instruction.
 */
void gdb_board_check(struct gdb_state *st, const struct gdb_registers *regs);

/* Does an exception handler of ARM's M-profile run? False also for others, or if not known. */
bool gdb_board_in_handler(const struct gdb_state *st, const struct gdb_registers *regs);

/* In a halt: adds to a CPU's registers, as needed: MSP and PSP; RISC-V's system registers. */
void gdb_board_complete(struct gdb_state *st, struct gdb_registers *regs);

/*
 * In a halt: fills `out` with system registers of the CPU with these registers, if it runs a fault
 * handler (RISC-V: with interrupts off). Returns how many, at most SNAP_SYSTEM_MAX.
 */
uint32_t gdb_board_system(struct gdb_state *st, const struct gdb_registers *regs,
                          struct snap_system *out);

#endif
