/* SPDX-License-Identifier: MIT */
/*
 * Names from .dynsym and the dynamic relocations: the symbol whose address a word of the GOT gets,
 * the file's own function with a name, and whether exceptions can be thrown.
 */
#ifndef SYMBOL_ELF_DYNSYM_H
#define SYMBOL_ELF_DYNSYM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

struct dynsym;

/*
 * Reads .dynsym and the relocations of `image`, which is borrowed; a file without .dynsym gives an
 * empty table. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status dynsym_create(struct elf_image *image, struct dynsym **out);
void dynsym_destroy(struct dynsym *dynsym);

/*
 * Returns the name of the symbol whose address the GOT's word at `vaddr` will hold, owned by the
 * image; NULL: no such word.
 */
const char *dynsym_word(const struct dynsym *dynsym, uint64_t vaddr);

/* Whether the GOT has a word at `vaddr` that is filled at load time, so no PLT stub's. */
bool dynsym_is_data_word(const struct dynsym *dynsym, uint64_t vaddr);

/*
 * Sets *vaddr to the start of the function with this name (a version, @..., is ignored) that the
 * file itself has, and *thumb to whether the function is T32. False: there is none; an IFUNC does
 * not count.
 */
bool dynsym_function(const struct dynsym *dynsym, const char *name, uint64_t *vaddr, bool *thumb);

/*
 * Whether the file may have landing pads. It may if it has, or imports, a function that resumes or
 * catches exceptions, or raises them by level 1 (Itanium C++ ABI; EHABI), or a function by which a
 * linked-in unwinder finds tables. True without .dynsym. __cxa_throw alone does not count.
 */
bool dynsym_may_throw(const struct dynsym *dynsym);

#endif
