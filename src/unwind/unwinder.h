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
#include "symbol/module.h"
#include "unwind/chain.h"

struct unwinder;

struct unwinder_options {
    enum trust methods[TRUST_COUNT]; /* the row sources to use, in order */
    size_t method_count;             /* 0: the default, all from DEBUG_FRAME to LR in order */
    struct cache *cache;             /* for results of searching code; borrowed; NULL: none */
};

/* Borrows `arch` and `modules`, copies `options`. Only NO_MEMORY fails. */
MUST_CHECK enum status unwinder_create(const struct arch *arch, struct module_set *modules,
                                       const struct unwinder_options *options,
                                       struct unwinder **out);
const struct arch *unwinder_arch(const struct unwinder *unwinder);
/* Stores the results of searching code in the cache; nothing if a decoder could not be loaded. */
void unwinder_keep(struct unwinder *unwinder);
void unwinder_destroy(struct unwinder *unwinder);

/*
 * Unwinds a sample into `chain`: zero it before the first sample of a thread, pass it again for the
 * next, chain_deinit frees it. Only NO_MEMORY fails; everything else is a stop reason.
 */
MUST_CHECK enum status unwinder_chain(struct unwinder *unwinder, struct address_space *space,
                                      const struct snap_sample *sample, struct chain *chain);

/*
 * As unwinder_chain, for a thread in the system call that makes another thread: begins at the
 * instruction before the call, where tables have rows.
 */
MUST_CHECK enum status unwinder_maker(struct unwinder *unwinder, struct address_space *space,
                                      const struct snap_sample *sample, struct chain *chain);

/* Sets the module of kernel frames; borrowed. NULL, as at first: none. */
void unwinder_set_kernel(struct unwinder *unwinder, struct module *kernel);

/*
 * Adds code of the mapping that is in the snapshot, to use if the mapping's file is not found.
 * Copies the bytes; ignores those over the caps of code_store.h. Only NO_MEMORY fails.
 */
MUST_CHECK enum status unwinder_code(struct unwinder *unwinder, struct mapping *mapping,
                                     uint64_t start_addr, const uint8_t *bytes, uint64_t size);

/* Says that more functions made at run time are known: drops what was cached without them. */
void unwinder_names(struct unwinder *unwinder);

/*
 * Returns the range of the function that holds `vaddr`, named or not, as module_rows_function. The
 * start names a function without a symbol: `module+0xstart`.
 */
MUST_CHECK enum status unwinder_function(struct unwinder *unwinder, struct module *module,
                                         uint64_t vaddr, uint64_t *start_vaddr,
                                         uint64_t *end_vaddr);

/* As module_rows_argument_holds, for a call in the module. */
bool unwinder_argument_holds(struct unwinder *unwinder, struct module *module,
                             uint64_t return_vaddr, uint8_t reg, uint64_t parts);

/*
 * Stores CFA - SP at `vaddr` in *depth, and its maximum in the function in *deepest; both in bytes,
 * by the first source that has a row for `vaddr`. NOT_FOUND: no row, or its CFA is not SP + offset;
 * NO_MEMORY.
 */
MUST_CHECK enum status unwinder_sp_depth(struct unwinder *unwinder, struct module *module,
                                         uint64_t vaddr, uint64_t *depth, uint64_t *deepest);

#endif
