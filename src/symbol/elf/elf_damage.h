/* SPDX-License-Identifier: MIT */
/*
 * Does an ELF file hold all that its headers announce? A file that was cut short or overwritten
 * still opens, and what is left of it is of use; but a report of it must say that it is
 * not all.
 */
#ifndef SYMBOL_ELF_ELF_DAMAGE_H
#define SYMBOL_ELF_ELF_DAMAGE_H

#include <stdbool.h>

#include "base/diag.h"
#include "symbol/elf/elf_image.h"

/*
 * The first of these that the image has, with `diag` set: a segment, the section headers or a
 * section's content beyond the file's end; section headers that make no sense. Segments of a
 * separate debug file are those of the file it was made of, and not looked at.
 */
bool elf_damage_find(struct elf_image *image, struct diag *diag);

#endif
