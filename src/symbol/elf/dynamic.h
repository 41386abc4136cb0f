/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the dynamic section, and the dynamic symbol table of a file without section
 * headers (gABI chapter 5; counted by DT_HASH, or by DT_GNU_HASH as glibc's loader reads it).
 */
#ifndef SYMBOL_ELF_DYNAMIC_H
#define SYMBOL_ELF_DYNAMIC_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

struct dynamic_symbols {
    const uint8_t *symbols; /* ElfN_Sym, `size` bytes */
    uint64_t size;
    const char *names; /* `names_size` bytes, not checked for a final NUL */
    uint64_t names_size;
};

/*
 * Finds the dynamic symbols; views of the image. NOT_FOUND: no dynamic section, or it names no
 * symbols; BAD_DATA: they are not all in the file.
 */
MUST_CHECK enum status dynamic_find_symbols(struct elf_image *image, struct dynamic_symbols *out);

/* Sets *value to the first entry with this tag (DT_...), as the file has it. NOT_FOUND. */
MUST_CHECK enum status dynamic_value(struct elf_image *image, int64_t tag, uint64_t *value);

/* Does the dynamic linker put addresses into code and constants (DT_TEXTREL)? */
bool dynamic_relocates_text(struct elf_image *image);

/* Returns DT_SONAME, a view of the image; NULL: none. */
const char *dynamic_soname(struct elf_image *image);

#endif
