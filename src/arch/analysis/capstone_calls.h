/* SPDX-License-Identifier: MIT */
/*
 * Loads Capstone when the first instruction is to be decoded. For capstone_decoder.h.
 *
 * Linked as other libraries are, its 77,000 relocations would be a third of the time of a run that
 * follows tables only, as most do.
 */
#ifndef ARCH_ANALYSIS_CAPSTONE_CALLS_H
#define ARCH_ANALYSIS_CAPSTONE_CALLS_H

#include <capstone/capstone.h>

struct capstone_calls { /* Capstone's functions of the same names with cs_ (capstone.h) */
    __typeof__(cs_open) *open;
    __typeof__(cs_close) *close;
    __typeof__(cs_option) *option;
    __typeof__(cs_malloc) *malloc;
    __typeof__(cs_free) *free;
    __typeof__(cs_disasm_iter) *disasm_iter;
    __typeof__(cs_regs_access) *regs_access;
};

/*
 * Returns Capstone's functions, in static storage. The first call loads the library. Thread-safe.
 * NULL: it cannot be loaded; capstone_problem says why.
 */
const struct capstone_calls *capstone_calls(void);

/* Returns why Capstone could not be loaded (static storage). NULL: it could, or was not tried. */
const char *capstone_problem(void);

#endif
