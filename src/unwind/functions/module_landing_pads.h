/* SPDX-License-Identifier: MIT */
/*
 * The landing pads of a module's functions, by the LSDAs that .eh_frame and .ARM.exidx lead to.
 * Nothing is read before a function is asked for.
 */
#ifndef UNWIND_FUNCTIONS_MODULE_LANDING_PADS_H
#define UNWIND_FUNCTIONS_MODULE_LANDING_PADS_H

#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "unwind/sources/cfi.h"
#include "unwind/sources/exidx.h"
#include "unwind/sources/lsda.h"

struct module_landing_pads;

/* All is borrowed; the tables may be NULL. Only NO_MEMORY fails. */
MUST_CHECK enum status module_landing_pads_create(const struct elf_image *image,
                                                  struct cfi *eh_frame, const struct exidx *exidx,
                                                  struct module_landing_pads **out);
void module_landing_pads_destroy(struct module_landing_pads *landing_pads);

/*
 * The landing pads of the function that begins at `start_vaddr`, its calls to places outside of it
 * included; no landing pads is an answer too. NOT_FOUND: no table tells, or one that is damaged;
 * NO_MEMORY. Borrowed until the next call.
 */
MUST_CHECK enum status module_landing_pads_of(struct module_landing_pads *landing_pads,
                                              uint64_t start_vaddr,
                                              const struct landing_pads **out);

/*
 * Calls whose landing pads lie in [start, end) while they do not: those of the rest of a function
 * of which that range is a fragment. Ascending by landing pad. Only NO_MEMORY fails. Borrowed until
 * the next call.
 */
MUST_CHECK enum status module_landing_pads_into(struct module_landing_pads *landing_pads,
                                                uint64_t start_vaddr, uint64_t end_vaddr,
                                                const struct landing_pads **out);

#endif
