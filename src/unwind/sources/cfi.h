/* SPDX-License-Identifier: MIT */
/*
 * Makes one .debug_frame or .eh_frame section a source of rows: finds its FDEs by address.
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

/* the most FDEs of a section, more than any real file has; further ones are ignored */
#define CFI_FDES_MAX 4000000

struct cfi;

/*
 * Makes the index of `section` (its bytes are borrowed) at once; *out is the caller's. Leaves out
 * damaged FDEs, and those outside the executable segments of `image` (borrowed; NULL: none counts
 * as outside). `source`: TRUST_DEBUG_FRAME or TRUST_EH_FRAME, the `source` of the rows. NOT_FOUND:
 * no usable FDE; NO_MEMORY.
 */
MUST_CHECK enum status cfi_create(const struct cfi_section *section, enum trust source,
                                  const struct elf_image *image, struct cfi **out);
void cfi_destroy(struct cfi *cfi);

/*
 * As cfi_create, for the section of `image` (borrowed) that `source` names: .debug_frame or
 * .eh_frame. If .eh_frame_hdr can be used, the index is made by a later look-up, which may so fail
 * with NO_MEMORY. Fails also as elf_image_section.
 */
MUST_CHECK enum status cfi_create_from_image(struct elf_image *image, enum trust source,
                                             struct cfi **out);

/*
 * Counts of a section's FDEs that cfi_create leaves out, and of those whose instructions cannot all
 * be run.
 */
struct cfi_damage {
    size_t fdes; /* all FDEs in the section, except those that the linker discarded */
    /*
     * FDEs that are malformed, of an unknown version, or not of executable code. An entry whose
     * length leads out of the section counts as one FDE together with all that follows.
     */
    size_t damaged;
    uint64_t first_off; /* offset in the section of the first damaged FDE; valid if damaged > 0 */
};

/*
 * Fills *out for the section of `image` that `source` names; OK also if no FDE is usable.
 * NOT_FOUND: there is no such section; BAD_DATA: the file does not have all of it.
 */
MUST_CHECK enum status cfi_damage_find(struct elf_image *image, enum trust source,
                                       struct cfi_damage *out);

/*
 * Sets *out to the row for `vaddr`; its expressions are borrowed from the section. NOT_FOUND: no
 * FDE holds `vaddr`, or none of its rows does. BAD_DATA, UNSUPPORTED: the FDE or its instructions
 * are damaged, or of an unknown kind; NO_MEMORY.
 */
MUST_CHECK enum status cfi_find(struct cfi *cfi, uint64_t vaddr, struct row *out);

/*
 * Sets *start_vaddr and *end_vaddr to the range of the FDE that holds `vaddr`, cut where the next
 * FDE starts. NOT_FOUND: no FDE holds `vaddr`, or `vaddr` is not below that cut; NO_MEMORY.
 */
MUST_CHECK enum status cfi_function(struct cfi *cfi, uint64_t vaddr, uint64_t *start_vaddr,
                                    uint64_t *end_vaddr);

struct cfi_surroundings {
    struct vaddr_range range;
    bool is_fde; /* `range` is an FDE's; false: it is the gap between two FDEs */
};

/*
 * Sets *out to the FDE, or the gap between FDEs, that holds `vaddr`. False: FDEs overlap there, or
 * there is no memory for the index.
 */
bool cfi_surroundings(struct cfi *cfi, uint64_t vaddr, struct cfi_surroundings *out);

/*
 * Sets *start_vaddr and *end_vaddr to the range of FDE number `index`, from 0 on, in the order of
 * addresses. NOT_FOUND: there are no more; NO_MEMORY.
 */
MUST_CHECK enum status cfi_function_at(struct cfi *cfi, size_t index, uint64_t *start_vaddr,
                                       uint64_t *end_vaddr);

/*
 * Whether FDE number `index`, in the order of addresses, has an LSDA, or may have one that cfi_lsda
 * cannot locate (as all of .debug_frame). False also if there are no more, or no other function has
 * made the index yet.
 */
bool cfi_has_lsda_at(const struct cfi *cfi, size_t index);

/*
 * Sets *out to the LSDA's place of the FDE that holds `vaddr`. NOT_FOUND: no FDE holds it;
 * UNSUPPORTED: the pointer to the LSDA cannot be read; BAD_DATA: the FDE is damaged; NO_MEMORY.
 */
MUST_CHECK enum status cfi_lsda(struct cfi *cfi, uint64_t vaddr, struct lsda_place *out);

/*
 * Passes the rows of the FDE that holds `vaddr` to `deliver`, as cfi_program_run does. NOT_FOUND:
 * no FDE holds it; BAD_DATA, UNSUPPORTED: as cfi_find; NO_MEMORY.
 */
MUST_CHECK enum status cfi_rows_at(struct cfi *cfi, uint64_t vaddr, cfi_row_fn *deliver,
                                   void *context);

/*
 * Passes the rows of FDE number `index`, in the order of addresses, to `deliver`. NOT_FOUND: there
 * are no more; else fails as cfi_rows_at.
 */
MUST_CHECK enum status cfi_rows(struct cfi *cfi, size_t index, cfi_row_fn *deliver, void *context);

#endif
