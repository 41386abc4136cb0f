/* SPDX-License-Identifier: MIT */
/*
 * Names from .dynsym and the dynamic relocations: the symbol behind a word of the GOT, the file's
 * own function of a name, and whether exceptions can be thrown.
 */
#ifndef SYMBOL_ELF_DYNSYM_H
#define SYMBOL_ELF_DYNSYM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

struct dynsym;

/* Borrows `image`. Fails with NO_MEMORY only; a file without .dynsym gives an empty table. */
MUST_CHECK enum status dynsym_create(struct elf_image *image, struct dynsym **out);
void dynsym_destroy(struct dynsym *dynsym);

/* Returns the symbol whose address the GOT's word at `vaddr` will hold; NULL: no such word. */
const char *dynsym_word(const struct dynsym *dynsym, uint64_t vaddr);

/* Is it a word that is filled at load time, hence not one that a PLT stub jumps through? */
bool dynsym_is_data_word(const struct dynsym *dynsym, uint64_t vaddr);

/* Finds the file's own function of the name, without version (@...) and IFUNC. *thumb: T32. */
bool dynsym_function(const struct dynsym *dynsym, const char *name, uint64_t *vaddr, bool *thumb);

/*
 * Does the file have, or import, a function that resumes or raises exceptions (Itanium C++ ABI,
 * level 1 and 2; EHABI), or one by which a linked-in unwinder finds tables? Without .dynsym: true.
 */
bool dynsym_may_throw(const struct dynsym *dynsym);

#endif
