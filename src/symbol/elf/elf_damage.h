/* SPDX-License-Identifier: MIT */
/*
 * Finds parts that an ELF file lacks although its headers announce them. A file that was cut short
 * or overwritten still opens, and the rest is used, but a report must mention the damage.
 */
#ifndef SYMBOL_ELF_ELF_DAMAGE_H
#define SYMBOL_ELF_ELF_DAMAGE_H

#include <stdbool.h>

#include "base/diag.h"
#include "symbol/elf/elf_image.h"

/*
 * Returns whether the file is damaged, and describes the first damage in `diag`: a segment, the
 * table of section headers or a section's content reaches beyond the file's end, or section headers
 * make no sense. Ignores the segments of a separate debug file, which describe the file that it was
 * made from.
 */
bool elf_damage_find(struct elf_image *image, struct diag *diag);

#endif
