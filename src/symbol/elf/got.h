/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/ and unwind/: words of data that dynamic relocations fill: words of the GOT,
 * with the symbol whose address they will hold, and words that will hold an address of the file
 * itself.
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
 * Adds to `out`, for each word of the GOT: vaddr of the word -> index in .dynsym of the symbol
 * whose address the word will hold. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status got_symbols(struct elf_image *image, enum got_part part, struct map *out);

/*
 * Adds to `out`, for each RELATIVE entry of the table that DT_RELA names: vaddr of the word -> its
 * addend, the vaddr that the word will hold. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status got_pointers(struct elf_image *image, struct map *out);

/* Returns the vaddr of _GLOBAL_OFFSET_TABLE_, to which i386 code adds offsets; 0: not known. */
uint64_t got_base_vaddr(struct elf_image *image);

#endif
