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
    const uint8_t *symbols; /* `size` bytes of ElfN_Sym; borrowed from the image */
    uint64_t size;
    const char *names; /* `names_size` bytes, maybe without a final NUL; borrowed from the image */
    uint64_t names_size;
};

/*
 * Sets *out to the dynamic symbols. NOT_FOUND: there is no dynamic section, or no symbol table in
 * it; BAD_DATA: symbols or names are not all in the file.
 */
MUST_CHECK enum status dynamic_find_symbols(struct elf_image *image, struct dynamic_symbols *out);

/*
 * Sets *value to that of the first entry with this tag (DT_...), as in the file. NOT_FOUND: none.
 */
MUST_CHECK enum status dynamic_value(struct elf_image *image, int64_t tag, uint64_t *value);

/* Whether the dynamic linker writes addresses into code and constants (DT_TEXTREL). */
bool dynamic_relocates_text(struct elf_image *image);

/* Returns the text of DT_SONAME, owned by the image; NULL: none. */
const char *dynamic_soname(struct elf_image *image);

#endif
