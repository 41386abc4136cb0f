/* SPDX-License-Identifier: MIT */
/*
 * Arm's exception index, .ARM.exidx, as a source of rows and of function starts (IHI 0038, EHABI32,
 * section 6).
 *
 *     .ARM.exidx   ┌──────────┬──────────┐   the first word is the place of a function, the
 *       ascending  │ function │ 1        │   second is 1: cannot be unwound
 *                  │ function │ 80a8b0b0 │   bit 31 set: the instructions themselves
 *                  │ function │    ──────┼─► else the place of an entry in .ARM.extab
 *                  └──────────┴──────────┘
 *
 * An entry holds up to the next one, and the last of an executable section up to the section's end.
 * Linkers leave out an entry that says the same as the one before it, so that one entry may hold
 * several functions: a start is a function's, an end not always.
 *
 * As an entry's end is its neighbour's word, an index of which any function's place is damaged or
 * out of order is refused as a whole. What is wrong behind a second word costs that entry alone.
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

#define EXIDX_ENTRIES_MAX 4000000 /* more than any real file; a larger index is refused */

struct exidx;

/*
 * Indexes .ARM.exidx, found with or without section headers; `image` is borrowed and outlives the
 * index. NOT_FOUND: none, or none that lies in code. BAD_DATA: not in order, or cut short.
 * UNSUPPORTED: too large, or not linked. `diag` (may be NULL) is set unless NOT_FOUND.
 */
MUST_CHECK enum status exidx_create_from_image(struct elf_image *image, struct exidx **out,
                                               struct diag *diag);
void exidx_destroy(struct exidx *exidx);

/*
 * The row for `vaddr`, which holds at call sites only. NOT_FOUND: no entry, or one that says
 * "cannot be unwound" or refuses to: that is no information, not the end of the stack. BAD_DATA,
 * UNSUPPORTED: with `diag` (may be NULL).
 */
MUST_CHECK enum status exidx_find(const struct exidx *exidx, uint64_t vaddr, struct row *out,
                                  struct diag *diag);

/*
 * The LSDA of the entry that holds `vaddr`: of one of the generic model what follows its unwind
 * instructions. NOT_FOUND: no entry; BAD_DATA: it is damaged; UNSUPPORTED: it has descriptors of
 * the compact models.
 */
MUST_CHECK enum status exidx_lsda(const struct exidx *exidx, uint64_t vaddr,
                                  struct lsda_place *out);

/* The range of the entry that holds `vaddr`, whatever it says. NOT_FOUND. */
MUST_CHECK enum status exidx_function(const struct exidx *exidx, uint64_t vaddr,
                                      uint64_t *start_vaddr, uint64_t *end_vaddr);

/*
 * Is the range of the i-th entry that of one function? What has an entry of .ARM.extab for itself
 * is never left out.
 */
bool exidx_is_one_function(const struct exidx *exidx, size_t index);

/* The i-th entry by address; they do not overlap. NOT_FOUND beyond the last. */
MUST_CHECK enum status exidx_function_at(const struct exidx *exidx, size_t index,
                                         uint64_t *start_vaddr, uint64_t *end_vaddr);

/*
 * The row of the i-th entry, none when it gives no information. NOT_FOUND beyond the last;
 * BAD_DATA, UNSUPPORTED: with `diag` (may be NULL).
 */
MUST_CHECK enum status exidx_rows(const struct exidx *exidx, size_t index, cfi_row_fn *deliver,
                                  void *context, struct diag *diag);

#endif
