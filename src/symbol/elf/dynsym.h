/* SPDX-License-Identifier: MIT */
/*
 * What .dynsym and the dynamic relocations tell of names: what a word of the GOT will hold the
 * address of, where the file's own function of a name is, whether exceptions can be thrown.
 */
#ifndef SYMBOL_ELF_DYNSYM_H
#define SYMBOL_ELF_DYNSYM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

struct dynsym;

/* Only NO_MEMORY fails. `image` is borrowed. */
MUST_CHECK enum status dynsym_create(struct elf_image *image, struct dynsym **out);
void dynsym_destroy(struct dynsym *dynsym);

/* The name of the symbol whose address the word at `vaddr` will hold; NULL: it is no such word. */
const char *dynsym_word(const struct dynsym *dynsym, uint64_t vaddr);

/* Is it one that is filled when the file is loaded, and so not a PLT stub's? */
bool dynsym_is_data_word(const struct dynsym *dynsym, uint64_t vaddr);

/* The file's own function of the name, whose version (@…) does not matter. False: it has none. */
bool dynsym_function(const struct dynsym *dynsym, const char *name, uint64_t *vaddr, bool *thumb);

/*
 * Does the file have, or import, what goes on with an exception behind a landing pad (Itanium C++
 * ABI, level 1 and 2; EHABI), or what a runtime that is linked in needs? True also where there is
 * no .dynsym.
 */
bool dynsym_may_throw(const struct dynsym *dynsym);

#endif
