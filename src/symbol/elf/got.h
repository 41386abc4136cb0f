/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/ and unwind/: what the dynamic relocations put into words of data: the GOT's
 * words by the symbol they will hold the address of, and words that will hold an address of the
 * file itself.
 */
#ifndef SYMBOL_ELF_GOT_H
#define SYMBOL_ELF_GOT_H

#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "symbol/elf/elf_image.h"

enum got_part {
    GOT_ALL,
    GOT_DATA, /* without the words that PLT stubs jump through */
};

/*
 * Adds the address of each word of the GOT -> the index in .dynsym of the symbol whose address it
 * will hold. Only NO_MEMORY fails.
 */
MUST_CHECK enum status got_symbols(struct elf_image *image, enum got_part part, struct map *out);

/*
 * Adds the address of each relocated word that the file does not hold the value of (RELA) -> the
 * address in the file that it will hold. Only NO_MEMORY fails.
 */
MUST_CHECK enum status got_pointers(struct elf_image *image, struct map *out);

/* _GLOBAL_OFFSET_TABLE_, to which i386 code is relative; 0: not known. */
uint64_t got_base_vaddr(struct elf_image *image);

#endif
