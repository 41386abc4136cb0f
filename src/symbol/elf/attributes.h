/* SPDX-License-Identifier: MIT */
/*
 * Build attributes of an ELF file: what assemblers and linkers note of how its code was made
 * (psABI of RISC-V, "Attributes", whose form is that of Arm's).
 */
#ifndef SYMBOL_ELF_ATTRIBUTES_H
#define SYMBOL_ELF_ATTRIBUTES_H

#include <stdint.h>

#include "symbol/elf/elf_image.h"

/*
 * The text of the attribute `tag` of the vendor, of the file as a whole, in the section; NULL: it
 * has none, or the section is damaged. Odd tags are texts. Borrowed from the image.
 */
const char *elf_attribute_text(struct elf_image *image, const char *section, const char *vendor,
                               uint64_t tag);

#endif
