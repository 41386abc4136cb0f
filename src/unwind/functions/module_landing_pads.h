/* SPDX-License-Identifier: MIT */
/*
 * The landing pads of a module's functions, from the LSDAs that .eh_frame and .ARM.exidx lead to,
 * read when first needed.
 */
#ifndef UNWIND_FUNCTIONS_MODULE_LANDING_PADS_H
#define UNWIND_FUNCTIONS_MODULE_LANDING_PADS_H

#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "unwind/sources/cfi.h"
#include "unwind/sources/exidx.h"
#include "unwind/sources/lsda.h"

struct module_landing_pads;

/* Borrows its arguments; the tables may be NULL. Only NO_MEMORY fails. */
MUST_CHECK enum status module_landing_pads_create(const struct elf_image *image,
                                                  struct cfi *eh_frame, const struct exidx *exidx,
                                                  struct module_landing_pads **out);
void module_landing_pads_destroy(struct module_landing_pads *landing_pads);

/*
 * Returns the landing pads, perhaps none, of the function whose table entry holds `start_vaddr`,
 * also those outside of the function; borrowed until the next call. NOT_FOUND: no table entry, or a
 * damaged one; NO_MEMORY.
 */
MUST_CHECK enum status module_landing_pads_of(struct module_landing_pads *landing_pads,
                                              uint64_t start_vaddr,
                                              const struct landing_pads **out);

/*
 * Returns the calls outside of [start, end) whose landing pads are inside: calls of a function of
 * which the range is a fragment. Ascending by landing pad; borrowed until the next call. Only
 * NO_MEMORY fails.
 */
MUST_CHECK enum status module_landing_pads_into(struct module_landing_pads *landing_pads,
                                                uint64_t start_vaddr, uint64_t end_vaddr,
                                                const struct landing_pads **out);

#endif
