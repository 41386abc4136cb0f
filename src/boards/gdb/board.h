/* SPDX-License-Identifier: MIT */
/*
 * Reads the state of a board without Linux: its vector table (ARMv7-M manual, B1.5.2 and
 * B3.2.5), which of the two stack pointers of ARM's M-profile is which (B1.4.1), and system
 * registers that say why a handler runs (B3.2.15 to B3.2.18; RISC-V privileged specification, 3.1).
 */
#ifndef BOARDS_GDB_BOARD_H
#define BOARDS_GDB_BOARD_H

#include <stdbool.h>

#include "boards/gdb/state.h"

/*
 * Reads, in a halt, the vector table's address and first two words into st->board. True: they have
 * changed. False also for others than ARM's M-profile, and if they cannot be read.
 */
bool gdb_board_look(struct gdb_state *st);
/*
 * Calls gdb_board_look once a second, and when SP in `regs` is the initial SP. Notes a reset, by
 * setting st->board.time_ns to now, if the CPU is at its first instruction. ARM's M-profile only.
 */
void gdb_board_check(struct gdb_state *st, const struct gdb_registers *regs);

/*
 * Whether the CPU with these registers runs an exception handler of ARM's M-profile. False also for
 * other CPUs, and if that is not known.
 */
bool gdb_board_in_handler(const struct gdb_state *st, const struct gdb_registers *regs);

/* Adds to a halted CPU's registers those that are missing: MSP or PSP; RISC-V's MEPC. */
void gdb_board_complete(struct gdb_state *st, struct gdb_registers *regs);

/*
 * Reads the system registers that tell of a fault into `out`, if the halted CPU with the registers
 * `regs` runs a fault handler (RISC-V: if its interrupts are off). Returns their number, at most
 * SNAP_SYSTEM_MAX; 0: no such handler runs.
 */
uint32_t gdb_board_system(struct gdb_state *st, const struct gdb_registers *regs,
                          struct snap_system *out);

#endif
