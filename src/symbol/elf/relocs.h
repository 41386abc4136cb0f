/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the dynamic relocations of an ELF file of 32 or 64 bits, with the addend in
 * the record (RELA) or in the relocated word (REL). RELR tables are read elsewhere.
 */
#ifndef SYMBOL_ELF_RELOCS_H
#define SYMBOL_ELF_RELOCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "symbol/elf/elf_image.h"

/* Most entries of a table, far more than the largest programs have; others are left out. */
#define RELOC_TABLE_MAX 16000000

/* The value that a relocation gives to a word. */
enum reloc_kind {
    RELOC_OTHER,     /* another: thread-local storage, copies, ... */
    RELOC_RELATIVE,  /* load bias + addend */
    RELOC_IRELATIVE, /* result of the function at load bias + addend */
    RELOC_ABSOLUTE,  /* symbol's address + addend */
    RELOC_GLOB_DAT,  /* symbol's address, for a word of the GOT */
    RELOC_JUMP_SLOT, /* symbol's address, for a word of the GOT that a PLT stub jumps through */
};

enum reloc_part {
    RELOCS_PLT, /* the table .rela.plt or .rel.plt; DT_JMPREL */
    RELOCS_DYN, /* the table .rela.dyn or .rel.dyn; DT_RELA, DT_REL */
};

struct reloc_table {      /* borrowed from the image */
    const uint8_t *bytes; /* the records */
    size_t count;         /* number of records */
    bool rela;            /* records are RELA; false: REL */
    const struct elf_image *image;
};

struct reloc {
    uint64_t vaddr;  /* address of the relocated word */
    uint32_t symbol; /* index in .dynsym; 0: none */
    enum reloc_kind kind;
    uint64_t addend;   /* in a REL record: the word in the file */
    bool addend_known; /* false: REL, and the word is not in the file */
};

/*
 * Sets *out to a table found by its section, else by the dynamic section. NOT_FOUND: there is none;
 * BAD_DATA: it is not all in the file.
 */
MUST_CHECK enum status reloc_table_open(struct elf_image *image, enum reloc_part part,
                                        struct reloc_table *out);

/*
 * Returns the number of RELATIVE entries at the table's beginning that the file claims
 * (DT_RELACOUNT, DT_RELCOUNT), at most table->count. The dynamic loader trusts this number, too.
 */
size_t reloc_table_relative(struct elf_image *image, const struct reloc_table *table);

/* Sets *out to entry `index`, which is below table->count. */
void reloc_table_read(const struct reloc_table *table, size_t index, struct reloc *out);

/* Tells the kernel, after the table was read, that its pages may leave memory. */
void reloc_table_let_go(const struct reloc_table *table);

/* Sets *value to the integer of `word` bytes at `vaddr` in the file; false: not all are there. */
MUST_CHECK bool relocs_word(const struct elf_image *image, uint64_t vaddr, unsigned word,
                            uint64_t *value);

#endif
