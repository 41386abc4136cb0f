/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/ and unwind/: words of data that dynamic relocations fill: words of the GOT, by
 * the symbol whose address they will hold, and words that will hold an address in the file itself.
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
 * Adds to `out`: address of each word of the GOT -> index in .dynsym of the symbol whose address it
 * will hold. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status got_symbols(struct elf_image *image, enum got_part part, struct map *out);

/*
 * Adds to `out`: address of each relocated word whose value the file does not hold (RELA) -> the
 * vaddr that it will hold. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status got_pointers(struct elf_image *image, struct map *out);

/* Returns _GLOBAL_OFFSET_TABLE_, which i386 code adds to; 0: not known. */
uint64_t got_base_vaddr(struct elf_image *image);

#endif
