/* SPDX-License-Identifier: MIT */
/*
 * Functions by address: .symtab, .dynsym, the separate debug file's .symtab and the compressed
 * .gnu_debugdata ("mini-debuginfo"), merged, sorted, looked up by binary search.
 *
 * Names are as in the file (mangled), without symbol version; PLT stubs are "NAME@plt". Of several
 * symbols that hold an address the choice is that of elfutils (dwfl_module_addrinfo), so that the
 * names are those of eu-stack: sized before unsized, global and weak before local, the later start,
 * global before weak, the shorter, the first in the file. A symbol without size reaches to the next
 * symbol or its section's end, whichever is first; inside a sized symbol it is a mere label. Tables
 * are read in the order .symtab, debug file, .dynsym, .gnu_debugdata; a table is cut after 16
 * million entries.
 */
#ifndef SYMBOL_ELF_SYMTAB_H
#define SYMBOL_ELF_SYMTAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/* In the order in which they are read. */
enum symbol_source { SYMBOL_SYMTAB, SYMBOL_DEBUG_FILE, SYMBOL_DYNSYM, SYMBOL_MINI_DEBUGINFO };

struct symbol {
    uint64_t start_vaddr, end_vaddr;
    const char *name; /* owned by the table */
    enum symbol_source source;
    uint8_t type, binding; /* STT_FUNC, STT_GNU_IFUNC or STT_NOTYPE; STB_… */
    bool sized;            /* the end is the symbol's own */
    bool thumb;            /* ARM: the symbol says that its first instruction is T32 */
};

struct symtab;

/*
 * `debug` may be NULL; both are borrowed and must outlive the table, which points into them: made
 * is only what sorts addresses, 12 bytes for a range, and names are not looked at. A damaged table
 * is left out, the others are used. Only NO_MEMORY fails.
 */
MUST_CHECK enum status symtab_create(struct elf_image *image, struct elf_image *debug,
                                     struct symtab **out);
void symtab_destroy(struct symtab *symtab);

/* The function that holds `vaddr`; NOT_FOUND. O(log n). */
MUST_CHECK enum status symtab_find(const struct symtab *symtab, uint64_t vaddr, struct symbol *out);

/*
 * All functions that hold some address by that choice, ascending by start; for finding function
 * starts. Where symbols of different sizes start together, and each holds something, each is there.
 * `index` is below the count.
 */
size_t symtab_count(const struct symtab *symtab);
void symtab_at(const struct symtab *symtab, size_t index, struct symbol *out);

/*
 * The first one from `index` on that begins in [start, end), or holds some of it by its own size;
 * the count: none does. One that is passed over costs far less than symtab_at.
 */
size_t symtab_next_within(const struct symtab *symtab, size_t index, uint64_t start_vaddr,
                          uint64_t end_vaddr);

/* The mapping symbols of all tables, for the other files of symbol/. Owned by the table. */
struct code_map;
const struct code_map *symtab_code_map(const struct symtab *symtab);

#endif
