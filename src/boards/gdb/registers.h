/* SPDX-License-Identifier: MIT */
/*
 * Finds the architecture of a stub's target and the places of its registers in the stub's order,
 * and reads the registers. Registers are matched by name alone: the name in the arch's tables, or a
 * known alias (xPSR for cpsr, fp for s0, x10 for a0).
 */
#ifndef BOARDS_GDB_REGISTERS_H
#define BOARDS_GDB_REGISTERS_H

#include "arch/arch.h"
#include "base/status.h"
#include "boards/gdb/features.h"
#include "boards/gdb/state.h"

/*
 * Returns the architecture that `features` names, or that registers which no other architecture has
 * show (static storage). NULL: not known.
 */
const struct arch *gdb_registers_arch(const struct gdb_features *features);

/*
 * Fills `out`, for a stub that describes no registers, with the layout of the `g` reply that gdb
 * assumes then. False: no such layout is known for `arch`, or no memory.
 */
bool gdb_registers_classic(const struct arch *arch, struct gdb_features *out);

/* Fills `out` with the places of arch's registers in `features`. False: PC or SP is missing. */
bool gdb_registers_map(const struct gdb_features *features, const struct arch *arch,
                       struct gdb_layout *out);

/* Parses a `g` reply into *out. Registers of which it has 'x', or behind its end, are not known. */
void gdb_registers_parse(const char *reply, size_t len, const struct gdb_layout *layout,
                         const struct arch *arch, struct gdb_registers *out);

/*
 * Reads the registers of the thread st->selected. FAULT: the stub replied with an error, or PC or
 * SP is not known. IO: the connection has failed.
 */
MUST_CHECK enum status gdb_registers_read(struct gdb_state *st, struct gdb_registers *out);
/* Reads the register at `place` of the thread st->selected, by `p`. False: it cannot be read. */
bool gdb_registers_read_one(struct gdb_state *st, const struct gdb_place *place, uint64_t *out);

#endif
