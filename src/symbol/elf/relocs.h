/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the dynamic relocations of an ELF file, of either word size, with the addend
 * in the record (RELA) or in the relocated word (REL). RELR tables are read elsewhere.
 */
#ifndef SYMBOL_ELF_RELOCS_H
#define SYMBOL_ELF_RELOCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/* Entries of a table, far above the largest programs; the rest is left out. */
#define RELOC_TABLE_MAX 16000000

enum reloc_kind {
    RELOC_OTHER,     /* thread-local storage, copies, … */
    RELOC_RELATIVE,  /* load bias + addend */
    RELOC_IRELATIVE, /* what the function at load bias + addend returns */
    RELOC_ABSOLUTE,  /* symbol + addend */
    RELOC_GLOB_DAT,  /* symbol: a word of the GOT */
    RELOC_JUMP_SLOT, /* symbol: a word of the GOT that a PLT stub jumps through */
};

enum reloc_part {
    RELOCS_PLT, /* .rela.plt, .rel.plt; DT_JMPREL */
    RELOCS_DYN, /* .rela.dyn, .rel.dyn; DT_RELA, DT_REL */
};

struct reloc_table { /* views of an image */
    const uint8_t *bytes;
    size_t count;
    bool rela;
    const struct elf_image *image;
};

struct reloc {
    uint64_t vaddr; /* of the word */
    uint32_t symbol;
    enum reloc_kind kind;
    uint64_t addend;   /* of a REL record: the word in the file */
    bool addend_known; /* false: the word is not in the file */
};

/* Finds a table by section, else by the dynamic section. NOT_FOUND; BAD_DATA: not all there. */
MUST_CHECK enum status reloc_table_open(struct elf_image *image, enum reloc_part part,
                                        struct reloc_table *out);

/*
 * Returns how many entries at the table's beginning the file says are RELATIVE (DT_RELACOUNT,
 * DT_RELCOUNT), at most all. The dynamic loader trusts it, too.
 */
size_t reloc_table_relative(struct elf_image *image, const struct reloc_table *table);

/* Reads entry `index`, which is below the count. */
void reloc_table_read(const struct reloc_table *table, size_t index, struct reloc *out);

/* Allows the table, once all of it has been read, to leave memory. */
void reloc_table_let_go(const struct reloc_table *table);

/* Reads the word of `word` bytes at `vaddr` from the file; false: it is not all there. */
MUST_CHECK bool relocs_word(const struct elf_image *image, uint64_t vaddr, unsigned word,
                            uint64_t *value);

#endif
