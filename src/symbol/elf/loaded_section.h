/* SPDX-License-Identifier: MIT */
/*
 * A section of a symbol file (symbol_file.h) with its contents once loaded: with the relocations
 * applied that unwind tables need (gABI, chapter 4, "Relocation").
 */
#ifndef SYMBOL_ELF_LOADED_SECTION_H
#define SYMBOL_ELF_LOADED_SECTION_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/*
 * Sets *out to the section with this name, and out->bytes and *copy to a copy of its bytes,
 * malloc'ed, for the caller to free; in a relocatable file (ET_REL) with relocations applied, but
 * for those of other kinds and to symbols without an address. NOT_FOUND: there is no such section,
 * or it is empty; NO_MEMORY; else fails like elf_image_section.
 */
MUST_CHECK enum status loaded_section(struct elf_image *image, const char *name,
                                      struct elf_section *out, uint8_t **copy);

#endif
