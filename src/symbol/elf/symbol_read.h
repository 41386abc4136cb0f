/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the entries of an ELF symbol table (gABI chapter 4, "Symbol Table") of either
 * word size.
 */
#ifndef SYMBOL_ELF_SYMBOL_READ_H
#define SYMBOL_ELF_SYMBOL_READ_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/* Entries of a table, far above the largest programs; the rest is left out. */
#define SYMBOL_TABLE_MAX 16000000

struct symbol_table { /* views of an image */
    const uint8_t *bytes;
    size_t count;
    const char *names; /* ends with a NUL at names_size - 1 */
    size_t names_size;
    unsigned word_size;
};

/* Bytes; a longer name counts as none. */
#define SYMBOL_NAME_MAX 65536

struct symbol_entry {
    uint64_t value, size;
    const char *name; /* "": none, or outside the table */
    bool named;       /* has a name, which may be "": known without reading the names */
    uint16_t section;
    uint8_t type, binding; /* STT_…, STB_… */
};

/* Finds ".symtab" or ".dynsym" (the latter also without section headers). NOT_FOUND, BAD_DATA. */
MUST_CHECK enum status symbol_table_open(struct elf_image *image, const char *section,
                                         struct symbol_table *out);

/* Reads entry `index`, which is below the count. */
void symbol_table_read(const struct symbol_table *table, size_t index, struct symbol_entry *out);

/* Bits of a symbol's value that are a code address; the rest selects the instruction set. */
static inline uint64_t symbol_code_bits(const struct arch *arch)
{
    return ~(uint64_t)arch->isa_bit;
}

/*
 * Does the entry at `index` begin in [start, end), or reach into it by its size? Far cheaper than
 * reading the entry. `bits`: those of its value that are an address.
 */
static inline bool symbol_table_is_within(const struct symbol_table *table, size_t index,
                                          uint64_t bits, uint64_t start_vaddr, uint64_t end_vaddr)
{
    uint64_t value, size;

    if (table->word_size == 8) {
        const uint8_t *entry = table->bytes + index * sizeof(Elf64_Sym);

        memcpy(&value, entry + offsetof(Elf64_Sym, st_value), sizeof(value));
        memcpy(&size, entry + offsetof(Elf64_Sym, st_size), sizeof(size));
    } else {
        Elf32_Sym sym;

        memcpy(&sym, table->bytes + index * sizeof(sym), sizeof(sym));
        value = sym.st_value;
        size = sym.st_size;
    }
    value &= bits;
    return value < end_vaddr && (value >= start_vaddr || size > start_vaddr - value);
}

/* Is it a named symbol of a section that is a function, or a label that may be one? */
bool symbol_is_function(const struct symbol_entry *entry);

/* Returns its name; "" when longer than SYMBOL_NAME_MAX. Reads the whole name. */
const char *symbol_name(const struct symbol_entry *entry);

/*
 * Returns the letter of a mapping symbol ($a, $t, $d, $x, $d.realdata ...), which marks an
 * instruction set and names no function; 0: another symbol.
 */
char symbol_mapping_letter(const struct symbol_entry *entry);

#endif
