/* SPDX-License-Identifier: MIT */
/*
 * Finds the landing pads of a module's functions, from the LSDAs that .eh_frame and .ARM.exidx lead
 * to, which are read when first needed.
 */
#ifndef UNWIND_FUNCTIONS_MODULE_LANDING_PADS_H
#define UNWIND_FUNCTIONS_MODULE_LANDING_PADS_H

#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "unwind/sources/cfi.h"
#include "unwind/sources/exidx.h"
#include "unwind/sources/lsda.h"

struct module_landing_pads;

/*
 * Prepares the landing pads of the image's functions; *out is the caller's, and borrows the
 * arguments. `eh_frame` and `exidx` NULL: the file has no such table. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_landing_pads_create(const struct elf_image *image,
                                                  struct cfi *eh_frame, const struct exidx *exidx,
                                                  struct module_landing_pads **out);
void module_landing_pads_destroy(struct module_landing_pads *landing_pads);

/*
 * Sets *out to the landing pads, perhaps none, of the function whose table entry holds
 * `start_vaddr`, also those outside of the function; owned by `landing_pads`, valid until the next
 * call. NOT_FOUND: no table entry, or a damaged one; NO_MEMORY.
 */
MUST_CHECK enum status module_landing_pads_of(struct module_landing_pads *landing_pads,
                                              uint64_t start_vaddr,
                                              const struct landing_pads **out);

/*
 * Sets *out to the calls outside of [start_vaddr, end_vaddr) whose landing pads are inside: calls
 * of a function that the range is a fragment of. Ascending by landing pad; owned by `landing_pads`,
 * valid until the next call. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_landing_pads_into(struct module_landing_pads *landing_pads,
                                                uint64_t start_vaddr, uint64_t end_vaddr,
                                                const struct landing_pads **out);

#endif
