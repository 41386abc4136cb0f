/* SPDX-License-Identifier: MIT */
/*
 * Capstone, loaded when a first instruction is to be decoded. For capstone_decoder.h.
 *
 * Linked as other libraries are, its 77,000 relocations would make up a third of a run that follows
 * tables only, which most do.
 */
#ifndef ARCH_ANALYSIS_CAPSTONE_CALLS_H
#define ARCH_ANALYSIS_CAPSTONE_CALLS_H

#include <capstone/capstone.h>

struct capstone_calls { /* each as in capstone.h */
    __typeof__(cs_open) *open;
    __typeof__(cs_close) *close;
    __typeof__(cs_option) *option;
    __typeof__(cs_malloc) *malloc;
    __typeof__(cs_free) *free;
    __typeof__(cs_disasm_iter) *disasm_iter;
    __typeof__(cs_regs_access) *regs_access;
};

/* For any thread. NULL: it cannot be loaded, and capstone_problem says why. */
const struct capstone_calls *capstone_calls(void);

/* Why it could not be loaded when that was tried; NULL: it could, or was not. */
const char *capstone_problem(void);

#endif
