/* SPDX-License-Identifier: MIT */
/*
 * One .debug_frame or .eh_frame section as a source of rows: its FDEs by address. The table in
 * .eh_frame_hdr is asked first, and believed when the FDE that it names holds the address. Else,
 * and for all that is not about one address, there is an index, made by one pass over the entries
 * when it is first needed.
 */
#ifndef UNWIND_SOURCES_CFI_H
#define UNWIND_SOURCES_CFI_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"
#include "unwind/sources/cfi_program.h"
#include "unwind/sources/lsda.h"

#define CFI_FDES_MAX 4000000 /* more than any real file; a larger section is cut there */

struct cfi;

/*
 * Indexes `section` (borrowed bytes), leaving out what is damaged and FDEs outside the image's
 * executable segments (`image`, borrowed, may be NULL: all are taken). NOT_FOUND: no usable FDE.
 * `source` is TRUST_DEBUG_FRAME or TRUST_EH_FRAME.
 */
MUST_CHECK enum status cfi_create(const struct cfi_section *section, enum trust source,
                                  const struct elf_image *image, struct cfi **out);
void cfi_destroy(struct cfi *cfi);

/*
 * From the sections of an ELF file, whichever of .debug_frame and .eh_frame `source` names. It is
 * borrowed. What is asked afterwards may make the index, and so fail with NO_MEMORY.
 */
MUST_CHECK enum status cfi_create_from_image(struct elf_image *image, enum trust source,
                                             struct cfi **out);

/* What cfi_create leaves out, and programs that cannot be run to their end. */
struct cfi_damage {
    size_t fdes; /* in the section, those that the linker discarded not counted */
    /*
     * of them, or of a version that is not known, or not of executable code; with what follows an
     * entry that leads out of the section as one
     */
    size_t damaged;
    uint64_t first_off; /* in the section, of the first that is damaged */
};

/*
 * As cfi_create_from_image, for a section of which no FDE may be usable. NOT_FOUND: no section;
 * BAD_DATA: it is not all there.
 */
MUST_CHECK enum status cfi_damage_find(struct elf_image *image, enum trust source,
                                       struct cfi_damage *out);

/* The row for `vaddr`; NOT_FOUND, BAD_DATA, UNSUPPORTED. */
MUST_CHECK enum status cfi_find(struct cfi *cfi, uint64_t vaddr, struct row *out);

/*
 * The range of the FDE that holds `vaddr`, up to the next one. NOT_FOUND also behind an FDE that
 * lies inside it.
 */
MUST_CHECK enum status cfi_function(struct cfi *cfi, uint64_t vaddr, uint64_t *start_vaddr,
                                    uint64_t *end_vaddr);

struct cfi_surroundings {
    struct vaddr_range range;
    bool is_fde; /* false: it is the room between FDEs */
};

/* What holds `vaddr`, as cfi_function_at has the FDEs. False: they overlap there, or no memory. */
bool cfi_surroundings(struct cfi *cfi, uint64_t vaddr, struct cfi_surroundings *out);

/* The i-th FDE by address. NOT_FOUND beyond the last. */
MUST_CHECK enum status cfi_function_at(struct cfi *cfi, size_t index, uint64_t *start_vaddr,
                                       uint64_t *end_vaddr);

/* Does the i-th FDE by address name an LSDA, whether or not cfi_lsda can tell where? */
bool cfi_has_lsda_at(const struct cfi *cfi, size_t index);

/* The LSDA of the FDE that holds `vaddr`. NOT_FOUND: no FDE; UNSUPPORTED: it does not tell. */
MUST_CHECK enum status cfi_lsda(struct cfi *cfi, uint64_t vaddr, struct lsda_place *out);

/* All rows of the FDE that holds `vaddr`. */
MUST_CHECK enum status cfi_rows_at(struct cfi *cfi, uint64_t vaddr, cfi_row_fn *deliver,
                                   void *context);

/* All rows of the i-th FDE, in order. */
MUST_CHECK enum status cfi_rows(struct cfi *cfi, size_t index, cfi_row_fn *deliver, void *context);

#endif
