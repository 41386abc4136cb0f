/* SPDX-License-Identifier: MIT */
/*
 * A section of a symbol file (symbol_file.h) as it would be in memory: with the relocations applied
 * that unwind tables need (gABI, chapter 4, "Relocation").
 */
#ifndef SYMBOL_ELF_LOADED_SECTION_H
#define SYMBOL_ELF_LOADED_SECTION_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/*
 * The section, with bytes that are a copy: *copy, by malloc, the caller's. What a relocation of
 * another kind, or to a symbol that is nowhere, would change stays as it is. NOT_FOUND: there is no
 * such section, or it is empty; BAD_DATA: it is not all there; NO_MEMORY.
 */
MUST_CHECK enum status loaded_section(struct elf_image *image, const char *name,
                                      struct elf_section *out, uint8_t **copy);

#endif
