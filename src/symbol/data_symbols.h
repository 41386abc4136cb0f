/* SPDX-License-Identifier: MIT */
/*
 * Variables by address: the STT_OBJECT and STT_COMMON symbols of .symtab, of the separate debug
 * file's .symtab, and of .dynsym, read in that order. symtab.h is the like for functions.
 */
#ifndef SYMBOL_DATA_SYMBOLS_H
#define SYMBOL_DATA_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/* Most variables of one file; others are not found. */
#define DATA_SYMBOLS_MAX (UINT32_C(1) << 22)

struct data_symbol {
    uint64_t start_vaddr, size;
    const char *name; /* as in the file, without version; owned by the table */
};

struct data_symbols;

/*
 * Reads the symbol tables of `image` and `debug` (its separate debug file; NULL: none); a damaged
 * one is left out. Both images are borrowed as long as *out. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status data_symbols_create(struct elf_image *image, struct elf_image *debug,
                                           struct data_symbols **out);
void data_symbols_destroy(struct data_symbols *symbols);

/*
 * Sets *out to the variable that holds `vaddr`; false: none does. Of several the one that begins
 * last is taken, then the smallest, then the first that was read. A symbol without size holds its
 * own address only. Looks at 16 symbols at most; O(log n).
 */
bool data_symbols_find(const struct data_symbols *symbols, uint64_t vaddr, struct data_symbol *out);

#endif
