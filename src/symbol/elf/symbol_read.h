/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the entries of an ELF symbol table (gABI chapter 4, "Symbol Table") of 32 or
 * 64 bits.
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

/* Most entries of a table, far more than the largest programs have; others are left out. */
#define SYMBOL_TABLE_MAX 16000000

struct symbol_table {     /* borrowed from the image */
    const uint8_t *bytes; /* the entries */
    size_t count;         /* number of entries */
    const char *names;    /* names_size bytes, the last one a NUL */
    size_t names_size;
    unsigned word_size; /* bytes: 4 or 8 */
};

/* Most bytes of a name; a longer name counts as none. */
#define SYMBOL_NAME_MAX 65536

struct symbol_entry {
    uint64_t value, size;
    const char *name;      /* owned by the image; "": none, or outside `names` */
    bool named;            /* st_name is not 0, so known without reading names; `name` may be "" */
    uint16_t section;      /* st_shndx */
    uint8_t type, binding; /* STT_..., STB_... */
};

/*
 * Sets *out to the table ".symtab" or ".dynsym" (the latter also without section headers).
 * NOT_FOUND: there is none; BAD_DATA: the table or its names are not all in the file.
 */
MUST_CHECK enum status symbol_table_open(struct elf_image *image, const char *section,
                                         struct symbol_table *out);

/* Sets *out to entry `index`, which is below table->count. */
void symbol_table_read(const struct symbol_table *table, size_t index, struct symbol_entry *out);

/* Returns a mask of the bits of a symbol's value that are an address; others select the ISA. */
static inline uint64_t symbol_code_bits(const struct arch *arch)
{
    return ~(uint64_t)arch->isa_bit;
}

/*
 * Whether the entry at `index` begins in [start_vaddr, end_vaddr), or reaches into that range by
 * its size. Far cheaper than symbol_table_read. `bits`: from symbol_code_bits.
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

/*
 * Whether the symbol is named, defined in a section, and a function (STT_FUNC, STT_GNU_IFUNC) or a
 * label that may be one (STT_NOTYPE, but no mapping symbol).
 */
bool symbol_is_function(const struct symbol_entry *entry);

/* Returns entry->name; "" if it is longer than SYMBOL_NAME_MAX. Reads the whole name. */
const char *symbol_name(const struct symbol_entry *entry);

/*
 * Returns the letter of a mapping symbol ($a, $t, $d, $x, $d.realdata ...), which marks an
 * instruction set and names no function; 0: the symbol is another.
 */
char symbol_mapping_letter(const struct symbol_entry *entry);

#endif
