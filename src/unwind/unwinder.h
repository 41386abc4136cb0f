/* SPDX-License-Identifier: MIT */
/*
 * Unwinds samples to chains. The unwinder caches rows by module; it reads ELF files only through
 * symbol/ and the stack only through the sample.
 */
#ifndef UNWIND_UNWINDER_H
#define UNWIND_UNWINDER_H

#include <stdint.h>

#include "base/status.h"
#include "snapshot/reader.h"
#include "symbol/address_space.h"
#include "unwind/chain.h"

struct unwinder;

struct unwinder_options {
    enum trust methods[TRUST_COUNT]; /* the row sources to use, in order */
    /* 0: use the default: all of enum trust from DEBUG_FRAME to LR, in its order */
    size_t method_count;
    /* keeps results of searches of code for later runs; borrowed; NULL: none */
    struct cache *cache;
};

/*
 * Creates an unwinder; *out is the caller's. Borrows `arch` and `modules`, copies *options. Fails
 * with NO_MEMORY only.
 */
MUST_CHECK enum status unwinder_create(const struct arch *arch, struct module_set *modules,
                                       const struct unwinder_options *options,
                                       struct unwinder **out);
const struct arch *unwinder_arch(const struct unwinder *unwinder);
/*
 * Stores the results of searches of code in the cache of the options; does nothing if a decoder
 * could not be loaded.
 */
void unwinder_keep(struct unwinder *unwinder);
void unwinder_destroy(struct unwinder *unwinder);

/*
 * Unwinds a sample into *chain, which the caller zeroes before a thread's first sample, passes
 * again for the thread's later ones, and frees by chain_deinit. Fails with NO_MEMORY only; all else
 * is told by the chain's stop reason.
 */
MUST_CHECK enum status unwinder_chain(struct unwinder *unwinder, struct address_space *space,
                                      const struct snap_sample *sample, struct chain *chain);

/*
 * As unwinder_chain, for a thread in the system call that makes another thread: the chain begins at
 * the instruction before the call, where tables have rows.
 */
MUST_CHECK enum status unwinder_maker(struct unwinder *unwinder, struct address_space *space,
                                      const struct snap_sample *sample, struct chain *chain);

/* Sets the module that kernel frames get; borrowed. NULL, as at first: they get none. */
void unwinder_set_kernel(struct unwinder *unwinder, struct module *kernel);

/*
 * Adds code of the mapping, `size` bytes at the run-time address `start_addr`, for use if the
 * mapping's file is not found. Copies the bytes; ignores those beyond the limits of code_store.h.
 * Fails with NO_MEMORY only.
 */
MUST_CHECK enum status unwinder_code(struct unwinder *unwinder, struct mapping *mapping,
                                     uint64_t start_addr, const uint8_t *bytes, uint64_t size);

/* Drops what was cached without functions made at run time that have become known since. */
void unwinder_names(struct unwinder *unwinder);

/*
 * Sets *start_vaddr and *end_vaddr to the range of the function that holds `vaddr`, with or without
 * a symbol; fails as module_rows_function. A function without a symbol can be named by the start:
 * `module+0xstart`.
 */
MUST_CHECK enum status unwinder_function(struct unwinder *unwinder, struct module *module,
                                         uint64_t vaddr, uint64_t *start_vaddr,
                                         uint64_t *end_vaddr);

/*
 * Returns module_rows_argument_holds of the module's rows, for the call that returns to
 * `return_vaddr`.
 */
bool unwinder_argument_holds(struct unwinder *unwinder, struct module *module,
                             uint64_t return_vaddr, uint8_t reg, uint64_t parts);

/*
 * Sets *depth to CFA - SP at `vaddr`, and *deepest to the most that it is in the function's first
 * 4096 rows, up to the first gap between rows; both in bytes, by the first source that has a row
 * for `vaddr`. NOT_FOUND: there is no row, or its CFA is not SP + offset; NO_MEMORY.
 */
MUST_CHECK enum status unwinder_sp_depth(struct unwinder *unwinder, struct module *module,
                                         uint64_t vaddr, uint64_t *depth, uint64_t *deepest);

#endif
