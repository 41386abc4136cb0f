/* SPDX-License-Identifier: MIT */
/*
 * Build attributes of an ELF file: facts on how its code was made, which assemblers and linkers
 * write (psABI of RISC-V, "Attributes", in the form of Arm's).
 */
#ifndef SYMBOL_ELF_ATTRIBUTES_H
#define SYMBOL_ELF_ATTRIBUTES_H

#include <stdint.h>

#include "symbol/elf/elf_image.h"

/*
 * Returns the text of the vendor's attribute `tag` (odd, as attributes with a text are) that the
 * section named `section` has for the whole file; owned by the image. NULL: there is none, or the
 * section is damaged.
 */
const char *elf_attribute_text(struct elf_image *image, const char *section, const char *vendor,
                               uint64_t tag);

#endif
