/* SPDX-License-Identifier: MIT */
/*
 * A section of a symbol file (symbol_file.h) as memory holds it: with the relocations that unwind
 * tables need applied (gABI, chapter 4, "Relocation").
 */
#ifndef SYMBOL_ELF_LOADED_SECTION_H
#define SYMBOL_ELF_LOADED_SECTION_H

#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/*
 * Copies a section and applies its relocations; out->bytes is *copy, malloc'ed, the caller's.
 * Leaves as they are words with another kind of relocation, or with one to a symbol without
 * address. NOT_FOUND: no such section, or empty; NO_MEMORY; else as elf_image_section.
 */
MUST_CHECK enum status loaded_section(struct elf_image *image, const char *name,
                                      struct elf_section *out, uint8_t **copy);

#endif
