/* SPDX-License-Identifier: MIT */
/*
 * The entry point of programs and dynamic linkers. Linkers set a library's e_entry to where .text
 * begins, whatever lies there: it is none.
 */
#ifndef SYMBOL_ELF_ENTRY_POINT_H
#define SYMBOL_ELF_ENTRY_POINT_H

#include <stdbool.h>
#include <stdint.h>

#include "symbol/elf/elf_image.h"

/*
 * Sets *vaddr to e_entry, with the mode's bit, if the kernel or a loader begins there (gABI chapter
 * 4); else returns false. Reads the dynamic section. Files without an entry point have e_entry 0;
 * at 0 some firmware begins.
 */
bool entry_point_find(struct elf_image *image, uint64_t *vaddr);

#endif
