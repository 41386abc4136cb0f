/* SPDX-License-Identifier: MIT */
/*
 * Arm's exception index, .ARM.exidx, as a source of rows and of function starts (IHI 0038, EHABI32,
 * section 6).
 *
 *     .ARM.exidx   ┌──────────┬──────────┐   the first word is the address of a function, the
 *       ascending  │ function │ 1        │   second is 1: cannot be unwound
 *                  │ function │ 80a8b0b0 │   bit 31 set: the instructions themselves
 *                  │ function │    ──────┼─► else the address of an entry in .ARM.extab
 *                  └──────────┴──────────┘
 *
 * An entry's range ends where the next entry starts, the last one's in an executable section at the
 * section's end. Linkers leave out an entry that is equal to the one before, so one range may hold
 * several functions: its start is the start of a function, its end not always the end of that
 * function.
 *
 * An index with a damaged or unordered first word is refused as a whole, since each first word
 * ends the range before. Damage in or behind a second word affects that entry alone.
 */
#ifndef UNWIND_SOURCES_EXIDX_H
#define UNWIND_SOURCES_EXIDX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "unwind/sources/cfi_program.h"
#include "unwind/sources/lsda.h"

#define EXIDX_ENTRIES_MAX 4000000 /* more than any real file has; a larger index is refused */

struct exidx;

/*
 * Indexes .ARM.exidx, with or without section headers; `image` is borrowed and outlives the index.
 * NOT_FOUND: no index, or no entry of executable code. BAD_DATA: unordered, or cut short.
 * UNSUPPORTED: over EXIDX_ENTRIES_MAX, or a file that is not linked. NO_MEMORY. `diag` (may be
 * NULL) is set unless OK or NOT_FOUND.
 */
MUST_CHECK enum status exidx_create_from_image(struct elf_image *image, struct exidx **out,
                                               struct diag *diag);
void exidx_destroy(struct exidx *exidx);

/*
 * Copies the row for `vaddr` to `out`; it holds at call sites only. NOT_FOUND: no entry, or one
 * that says "cannot be unwound" or refuses to unwind, which is no information and not the end of
 * the stack. BAD_DATA, UNSUPPORTED: as ehabi_row; `diag` (may be NULL) is set.
 */
MUST_CHECK enum status exidx_find(const struct exidx *exidx, uint64_t vaddr, struct row *out,
                                  struct diag *diag);

/*
 * Locates the LSDA of the entry that holds `vaddr`: in the generic model it lies behind the unwind
 * instructions; other entries have none. NOT_FOUND: no entry; BAD_DATA: the entry is damaged;
 * UNSUPPORTED: the entry has descriptors of the compact models.
 */
MUST_CHECK enum status exidx_lsda(const struct exidx *exidx, uint64_t vaddr,
                                  struct lsda_place *out);

/* Returns the range of the entry that holds `vaddr`, of any kind. NOT_FOUND: no entry. */
MUST_CHECK enum status exidx_function(const struct exidx *exidx, uint64_t vaddr,
                                      uint64_t *start_vaddr, uint64_t *end_vaddr);

/*
 * Does the range of the i-th entry hold one function only? True if the entry refers to .ARM.extab:
 * linkers never merge such entries.
 */
bool exidx_is_one_function(const struct exidx *exidx, size_t index);

/* Returns the i-th range by address; ranges are disjoint. NOT_FOUND beyond the last. */
MUST_CHECK enum status exidx_function_at(const struct exidx *exidx, size_t index,
                                         uint64_t *start_vaddr, uint64_t *end_vaddr);

/*
 * Delivers the row of the i-th entry; none (and OK) when it gives no information. NOT_FOUND beyond
 * the last; BAD_DATA, UNSUPPORTED: `diag` (may be NULL) is set.
 */
MUST_CHECK enum status exidx_rows(const struct exidx *exidx, size_t index, cfi_row_fn *deliver,
                                  void *context, struct diag *diag);

#endif
