/* SPDX-License-Identifier: MIT */
/*
 * One .debug_frame or .eh_frame section as a source of rows: its FDEs by address.
 *
 * A look-up by address tries the table in .eh_frame_hdr first, and believes it if the FDE that it
 * names holds the address. Other look-ups use an index, which one pass over the section makes when
 * it is first needed. Of several FDEs with one start the index has the longest.
 */
#ifndef UNWIND_SOURCES_CFI_H
#define UNWIND_SOURCES_CFI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "unwind/sources/cfi_program.h"
#include "unwind/sources/lsda.h"

#define CFI_FDES_MAX 4000000 /* more than any real file has; those beyond are ignored */

struct cfi;

/*
 * Indexes `section` at once (its bytes are borrowed). Leaves out damaged FDEs and those outside the
 * executable segments of `image` (borrowed; NULL: none is outside). `source` is TRUST_DEBUG_FRAME
 * or TRUST_EH_FRAME and goes to the rows. NOT_FOUND: no usable FDE; NO_MEMORY.
 */
MUST_CHECK enum status cfi_create(const struct cfi_section *section, enum trust source,
                                  const struct elf_image *image, struct cfi **out);
void cfi_destroy(struct cfi *cfi);

/*
 * As cfi_create, for the section of `image` (borrowed) that `source` names: .debug_frame or
 * .eh_frame. Where .eh_frame_hdr is usable the index is made later: look-ups may fail with
 * NO_MEMORY.
 */
MUST_CHECK enum status cfi_create_from_image(struct elf_image *image, enum trust source,
                                             struct cfi **out);

/* The FDEs that cfi_create leaves out, and those whose instructions cannot all be run. */
struct cfi_damage {
    size_t fdes; /* in the section, without those that the linker discarded */
    /*
     * FDEs that are malformed, of an unknown version, or not of executable code. An entry whose
     * length leads out of the section counts as one FDE together with all that follows it.
     */
    size_t damaged;
    uint64_t first_off; /* offset in the section of the first damaged FDE; 0: none */
};

/*
 * Counts the damage in the section of `image` that `source` names; OK also when no FDE is usable.
 * NOT_FOUND: there is no such section; BAD_DATA: the file does not have all of it.
 */
MUST_CHECK enum status cfi_damage_find(struct elf_image *image, enum trust source,
                                       struct cfi_damage *out);

/*
 * Copies the row for `vaddr` to `out`; its expressions are borrowed from the section. NOT_FOUND: no
 * FDE, or no row of it, holds `vaddr`. BAD_DATA, UNSUPPORTED: the FDE or its instructions;
 * NO_MEMORY.
 */
MUST_CHECK enum status cfi_find(struct cfi *cfi, uint64_t vaddr, struct row *out);

/*
 * Returns the range of the FDE that holds `vaddr`, cut where the next FDE starts. NOT_FOUND: no
 * FDE holds `vaddr`, or `vaddr` is behind that cut.
 */
MUST_CHECK enum status cfi_function(struct cfi *cfi, uint64_t vaddr, uint64_t *start_vaddr,
                                    uint64_t *end_vaddr);

struct cfi_surroundings {
    struct vaddr_range range;
    bool is_fde; /* false: the gap between two FDEs */
};

/*
 * Finds the FDE of the index, or the gap between FDEs, that holds `vaddr`. False: FDEs overlap
 * there, or no memory.
 */
bool cfi_surroundings(struct cfi *cfi, uint64_t vaddr, struct cfi_surroundings *out);

/* Returns the range of the i-th FDE by address. NOT_FOUND beyond the last; NO_MEMORY. */
MUST_CHECK enum status cfi_function_at(struct cfi *cfi, size_t index, uint64_t *start_vaddr,
                                       uint64_t *end_vaddr);

/*
 * Does the i-th FDE by address have an LSDA, or (as all of .debug_frame) may it have one that
 * cfi_lsda cannot locate? False beyond the last, and until another function has made the index.
 */
bool cfi_has_lsda_at(const struct cfi *cfi, size_t index);

/*
 * Locates the LSDA of the FDE that holds `vaddr`. NOT_FOUND: no FDE; UNSUPPORTED: the pointer to
 * the LSDA cannot be read; BAD_DATA, NO_MEMORY.
 */
MUST_CHECK enum status cfi_lsda(struct cfi *cfi, uint64_t vaddr, struct lsda_place *out);

/* Delivers the rows of the FDE that holds `vaddr`, as cfi_program_run. NOT_FOUND: no FDE. */
MUST_CHECK enum status cfi_rows_at(struct cfi *cfi, uint64_t vaddr, cfi_row_fn *deliver,
                                   void *context);

/* Delivers the rows of the i-th FDE by address. NOT_FOUND beyond the last. */
MUST_CHECK enum status cfi_rows(struct cfi *cfi, size_t index, cfi_row_fn *deliver, void *context);

#endif
