/* SPDX-License-Identifier: MIT */
/*
 * Build attributes of an ELF file: notes of assemblers and linkers on how its code was made (psABI
 * of RISC-V, "Attributes", in the form of Arm's).
 */
#ifndef SYMBOL_ELF_ATTRIBUTES_H
#define SYMBOL_ELF_ATTRIBUTES_H

#include <stdint.h>

#include "symbol/elf/elf_image.h"

/*
 * Returns the text of the vendor's attribute `tag` (odd: a text) that `section` has for the whole
 * file; NULL: none, or the section is damaged. Borrowed from the image.
 */
const char *elf_attribute_text(struct elf_image *image, const char *section, const char *vendor,
                               uint64_t tag);

#endif
