/* SPDX-License-Identifier: MIT */
/*
 * Does an ELF file hold all that its headers announce? A file that was cut short or overwritten
 * still opens, and what is left of it is used, but a report must mention the damage.
 */
#ifndef SYMBOL_ELF_ELF_DAMAGE_H
#define SYMBOL_ELF_ELF_DAMAGE_H

#include <stdbool.h>

#include "base/diag.h"
#include "symbol/elf/elf_image.h"

/*
 * Reports the first of these in `diag`, and returns whether there is one: a segment, the table of
 * section headers or a section's content beyond the file's end; section headers that make no sense.
 * Ignores the segments of a separate debug file, which are those of the file it was made from.
 */
bool elf_damage_find(struct elf_image *image, struct diag *diag);

#endif
