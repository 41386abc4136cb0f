/* SPDX-License-Identifier: MIT */
/*
 * Which architecture a stub's target is of, where its registers are in the stub's order, and
 * reading them. By names alone: a register of the arch's tables is that of the same name, or of
 * another name for the same (xPSR for cpsr, fp for s0, x10 for a0).
 */
#ifndef CAPTURE_GDB_REGISTERS_H
#define CAPTURE_GDB_REGISTERS_H

#include "arch/arch.h"
#include "base/status.h"
#include "capture/gdb/features.h"
#include "capture/gdb/state.h"

/*
 * By what the features say of the architecture or, where they do not, by registers that only one
 * has. NULL: it is none that is known.
 */
const struct arch *gdb_registers_arch(const struct gdb_features *features);

/*
 * Of a stub that describes no registers: those of its `g` reply as they have always been (gdb's
 * tables for such targets). False: not known for this architecture.
 */
bool gdb_registers_classic(const struct arch *arch, struct gdb_features *out);

/* False: PC or SP are not among the registers. */
bool gdb_registers_map(const struct gdb_features *features, const struct arch *arch,
                       struct gdb_layout *out);

/* A `g` reply becomes registers. Those that are 'x', or behind its end, are not known. */
void gdb_registers_parse(const char *reply, size_t len, const struct gdb_layout *layout,
                         const struct arch *arch, struct gdb_registers *out);

/* Those of the thread that is selected. FAULT: the stub answers with an error. IO. */
MUST_CHECK enum status gdb_registers_read(struct gdb_state *st, struct gdb_registers *out);
/* One of them, by `p`. False: it cannot be read. */
bool gdb_registers_read_one(struct gdb_state *st, const struct gdb_place *place, uint64_t *out);

#endif
