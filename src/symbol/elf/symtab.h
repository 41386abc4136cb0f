/* SPDX-License-Identifier: MIT */
/*
 * Functions by address: .symtab, the separate debug file's .symtab, .dynsym and the compressed
 * .gnu_debugdata ("mini-debuginfo"), read in this order, merged, sorted, looked up by binary
 * search.
 *
 * Names are as in the file (mangled), without symbol version; PLT stubs are "NAME@plt". Of several
 * symbols that hold an address the choice is that of elfutils (dwfl_module_addrinfo), so that names
 * agree with eu-stack: sized before unsized, global and weak before local, the later start, global
 * before weak, the shorter, the first read. A symbol without size reaches to the next symbol or its
 * section's end, whichever is first; inside a sized symbol it is a mere label and left out. A table
 * is cut after 16 million entries.
 */
#ifndef SYMBOL_ELF_SYMTAB_H
#define SYMBOL_ELF_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/* The table that a symbol is from, in the order in which tables are read. */
enum symbol_source { SYMBOL_SYMTAB, SYMBOL_DEBUG_FILE, SYMBOL_DYNSYM, SYMBOL_MINI_DEBUGINFO };

struct symbol {
    uint64_t start_vaddr, end_vaddr;
    const char *name; /* owned by the symtab */
    enum symbol_source source;
    uint8_t type, binding; /* STT_FUNC, STT_GNU_IFUNC or STT_NOTYPE; STB_... */
    bool sized; /* has a size; false: end_vaddr is the next symbol's start, or the section's end */
    bool thumb; /* ARM: the first instruction is T32 */
};

struct symtab;

/*
 * Reads the tables of `image` and `debug` (its separate debug file; NULL: none); damaged ones are
 * left out. Both images are borrowed as long as *out, which takes 12 bytes for each range of
 * addresses. NO_MEMORY.
 */
MUST_CHECK enum status symtab_create(struct elf_image *image, struct elf_image *debug,
                                     struct symtab **out);
void symtab_destroy(struct symtab *symtab);

/* Sets *out to the function that holds `vaddr`. NOT_FOUND: there is none. O(log n). */
MUST_CHECK enum status symtab_find(const struct symtab *symtab, uint64_t vaddr, struct symbol *out);

/*
 * symtab_at sets *out to a function by its index, below symtab_count: those that symtab_find
 * returns for some address, ascending by start. Several may have the same start and different ends.
 */
size_t symtab_count(const struct symtab *symtab);
void symtab_at(const struct symtab *symtab, size_t index, struct symbol *out);

/*
 * Returns the index of the first function from `index` on that begins in [start_vaddr, end_vaddr),
 * or reaches into that range by its own size; symtab_count: there is none. Passing over a function
 * is far cheaper than symtab_at.
 */
size_t symtab_next_within(const struct symtab *symtab, size_t index, uint64_t start_vaddr,
                          uint64_t end_vaddr);

/* For symbol/ only: returns the mapping symbols of all tables, owned by `symtab`. */
struct code_map;
const struct code_map *symtab_code_map(const struct symtab *symtab);

#endif
