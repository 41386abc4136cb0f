/* SPDX-License-Identifier: MIT */
/*
 * Finds the architecture of a stub's target and the places of its registers in the stub's order,
 * and reads them. Goes by names alone: a register of the arch's tables has the same name or a known
 * alias (xPSR for cpsr, fp for s0, x10 for a0).
 */
#ifndef BOARDS_GDB_REGISTERS_H
#define BOARDS_GDB_REGISTERS_H

#include "arch/arch.h"
#include "base/status.h"
#include "boards/gdb/features.h"
#include "boards/gdb/state.h"

/* Returns the architecture that the features name, or unique registers show; NULL: not known. */
const struct arch *gdb_registers_arch(const struct gdb_features *features);

/*
 * For a stub that describes no registers: fills `out` with the classic layout of the `g` reply
 * (gdb's tables for such targets). False: none for this architecture, or no memory.
 */
bool gdb_registers_classic(const struct arch *arch, struct gdb_features *out);

/* Fills `out` with the registers' places. False: PC or SP is missing. */
bool gdb_registers_map(const struct gdb_features *features, const struct arch *arch,
                       struct gdb_layout *out);

/* Parses a `g` reply. Registers that are 'x', or behind its end, are not known. */
void gdb_registers_parse(const char *reply, size_t len, const struct gdb_layout *layout,
                         const struct arch *arch, struct gdb_registers *out);

/* Reads the selected thread's registers. FAULT: an error reply, or PC or SP is not known. IO. */
MUST_CHECK enum status gdb_registers_read(struct gdb_state *st, struct gdb_registers *out);
/* Reads one register, by `p`. False: it cannot be read. */
bool gdb_registers_read_one(struct gdb_state *st, const struct gdb_place *place, uint64_t *out);

#endif
