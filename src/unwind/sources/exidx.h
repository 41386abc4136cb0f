/* SPDX-License-Identifier: MIT */
/*
 * Makes Arm's exception index, .ARM.exidx, a source of rows and of function starts (IHI 0038,
 * EHABI32, section 6).
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

/* the most entries, more than any real file has; a larger index is refused */
#define EXIDX_ENTRIES_MAX 4000000

struct exidx;

/*
 * Reads the .ARM.exidx of `image` (borrowed), with or without section headers; *out is the
 * caller's. NOT_FOUND: there is no index, or no entry of executable code. BAD_DATA: the index is
 * not ordered, or cut short. UNSUPPORTED: it has more than EXIDX_ENTRIES_MAX entries, or the file
 * is not linked. NO_MEMORY. For all but OK and NOT_FOUND `diag` (may be NULL) says why.
 */
MUST_CHECK enum status exidx_create_from_image(struct elf_image *image, struct exidx **out,
                                               struct diag *diag);
void exidx_destroy(struct exidx *exidx);

/*
 * Sets *out to the row for `vaddr`, which holds at call sites only. NOT_FOUND: no entry holds
 * `vaddr`, or the entry says "cannot be unwound" or refuses to unwind, which gives no information
 * and does not mean the end of the stack. BAD_DATA, UNSUPPORTED: as ehabi_row, or the index entry
 * is damaged; `diag` (may be NULL) says why.
 */
MUST_CHECK enum status exidx_find(const struct exidx *exidx, uint64_t vaddr, struct row *out,
                                  struct diag *diag);

/*
 * Sets *out to the LSDA's place of the entry that holds `vaddr`. In an entry of the generic model
 * the LSDA follows the unwind instructions; other entries have none. NOT_FOUND: no entry holds
 * `vaddr`; BAD_DATA: the entry is damaged; UNSUPPORTED: the entry has descriptors of the compact
 * models.
 */
MUST_CHECK enum status exidx_lsda(const struct exidx *exidx, uint64_t vaddr,
                                  struct lsda_place *out);

/*
 * Sets *start_vaddr and *end_vaddr to the range of the entry, of any kind, that holds `vaddr`.
 * NOT_FOUND: no entry does.
 */
MUST_CHECK enum status exidx_function(const struct exidx *exidx, uint64_t vaddr,
                                      uint64_t *start_vaddr, uint64_t *end_vaddr);

/*
 * Whether the range of entry number `index` certainly holds one function only: the entry refers to
 * .ARM.extab, and linkers never merge such entries. False: perhaps not, or there is no such entry.
 */
bool exidx_is_one_function(const struct exidx *exidx, size_t index);

/*
 * Sets *start_vaddr and *end_vaddr to the range of entry number `index`, from 0 on, in the order of
 * addresses; ranges are disjoint. NOT_FOUND: there are no more.
 */
MUST_CHECK enum status exidx_function_at(const struct exidx *exidx, size_t index,
                                         uint64_t *start_vaddr, uint64_t *end_vaddr);

/*
 * Passes the row of entry number `index` to `deliver`; no row, and OK, if the entry gives no
 * information. NOT_FOUND: there are no more entries; BAD_DATA, UNSUPPORTED: as exidx_find.
 */
MUST_CHECK enum status exidx_rows(const struct exidx *exidx, size_t index, cfi_row_fn *deliver,
                                  void *context, struct diag *diag);

#endif
