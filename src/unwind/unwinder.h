/* SPDX-License-Identifier: MIT */
/*
 * From a sample to its chain. The unwinder keeps compiled rows per module; it reads ELF files only
 * through symbol/ and the stack only through the sample.
 */
#ifndef UNWIND_UNWINDER_H
#define UNWIND_UNWINDER_H

#include <stdint.h>

#include "base/status.h"
#include "snapshot/reader.h"
#include "symbol/module.h"
#include "unwind/chain.h"

struct unwinder;

struct unwinder_options {
    enum trust methods[TRUST_COUNT]; /* the row sources to use, in order */
    size_t method_count;             /* 0: the designed order without scan */
    struct cache *cache;             /* of what is found in code; borrowed; NULL: none */
};

MUST_CHECK enum status unwinder_create(const struct arch *arch, struct module_set *modules,
                                       const struct unwinder_options *options,
                                       struct unwinder **out);
/* What it was created for. */
const struct arch *unwinder_arch(const struct unwinder *unwinder);
/* Stores in the cache what it has found. */
void unwinder_keep(struct unwinder *unwinder);
void unwinder_destroy(struct unwinder *unwinder);

/*
 * Unwinds a whole sample into `chain`, which is reused: a zeroed one to begin with, chain_deinit at
 * the end. Fails only for memory; everything else is a stop reason.
 */
MUST_CHECK enum status unwinder_chain(struct unwinder *unwinder, struct address_space *space,
                                      const struct snap_sample *sample, struct chain *chain);

/*
 * As unwinder_chain, of a thread in the system call that makes another: from the instruction before
 * the call on.
 */
MUST_CHECK enum status unwinder_maker(struct unwinder *unwinder, struct address_space *space,
                                      const struct snap_sample *sample, struct chain *chain);

/* What kernel frames are in; borrowed. NULL, as at first: in no module. */
void unwinder_set_kernel(struct unwinder *unwinder, struct module *kernel);

/*
 * Code of the mapping that the snapshot brings, for when its file is not found. Copied; what is too
 * much is left out. Only NO_MEMORY fails.
 */
MUST_CHECK enum status unwinder_code(struct unwinder *unwinder, struct mapping *mapping,
                                     uint64_t start_addr, const uint8_t *bytes, uint64_t size);

/* More functions that were made at run time are told in some address space. */
void unwinder_names(struct unwinder *unwinder);

/*
 * The range of the function that holds `vaddr`, named or not: from symbols, FDEs and code analysis.
 * NOT_FOUND. The start is what names a function without a symbol: `module+0xstart`.
 */
MUST_CHECK enum status unwinder_function(struct unwinder *unwinder, struct module *module,
                                         uint64_t vaddr, uint64_t *start_vaddr,
                                         uint64_t *end_vaddr);

/* Of a call in the module: as module_rows_argument_holds. */
bool unwinder_argument_holds(struct unwinder *unwinder, struct module *module,
                             uint64_t return_vaddr, uint8_t reg, uint64_t parts);

/*
 * How far SP is below the CFA at `vaddr`, and where it is furthest in that function, by the first
 * source that has a row there. NOT_FOUND: there is none, or the CFA is not found by SP.
 */
MUST_CHECK enum status unwinder_sp_depth(struct unwinder *unwinder, struct module *module,
                                         uint64_t vaddr, uint64_t *depth, uint64_t *deepest);

#endif
