/* SPDX-License-Identifier: MIT */
/*
 * An ELF file made by hand for the tests of symbol/: little-endian, 64-bit.
 *
 *     struct elf_fixture *elf = fixture_create(EM_X86_64);
 *     fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code, sizeof(code));
 *     fixture_finish(elf);                     // elf->bytes, elf->size
 *
 * One PT_LOAD covers the whole file at FIXTURE_BASE, so that an allocated section's address is its
 * offset plus FIXTURE_BASE. The first section is at FIXTURE_FIRST.
 */
#ifndef TESTS_ELF_FIXTURE_H
#define TESTS_ELF_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <elf.h>

#include "symbol/elf/elf_image.h"

#define FIXTURE_BASE     UINT64_C(0x400000)
#define FIXTURE_HEADERS  0x400
#define FIXTURE_FIRST    (FIXTURE_BASE + FIXTURE_HEADERS)
#define FIXTURE_SIZE_MAX 0x40000

struct elf_fixture {
    uint8_t bytes[FIXTURE_SIZE_MAX];
    size_t size;
    Elf64_Shdr sections[32];
    unsigned section_count;
    char names[1024];
    size_t names_size;
    Elf64_Phdr segments[8];
    unsigned segment_count;
    uint16_t machine;
};

static inline struct elf_fixture *fixture_create(uint16_t machine)
{
    struct elf_fixture *elf = calloc(1, sizeof(*elf));

    assert_non_null(elf);
    elf->machine = machine;
    elf->size = FIXTURE_HEADERS;
    elf->section_count = 1;
    elf->names_size = 1;
    return elf;
}

/* Returns the section's index. */
static inline unsigned fixture_section(struct elf_fixture *elf, const char *name, uint32_t type,
                                       uint64_t flags, const void *data, size_t size)
{
    Elf64_Shdr *header = &elf->sections[elf->section_count];

    assert_true(elf->section_count < 32 && size < FIXTURE_SIZE_MAX - elf->size);
    assert_true(elf->names_size + strlen(name) + 1 <= sizeof(elf->names));
    *header = (Elf64_Shdr){.sh_name = (Elf64_Word)elf->names_size,
                           .sh_type = type,
                           .sh_flags = flags,
                           .sh_offset = elf->size,
                           .sh_addr = flags & SHF_ALLOC ? FIXTURE_BASE + elf->size : 0,
                           .sh_size = size,
                           .sh_addralign = type == SHT_NOTE ? 4 : 1};
    strcpy(elf->names + elf->names_size, name);
    elf->names_size += strlen(name) + 1;
    if (type != SHT_NOBITS && size > 0)
        memcpy(elf->bytes + elf->size, data, size);
    elf->size = (elf->size + size + 15) & ~(size_t)15;
    return elf->section_count++;
}

static inline Elf64_Phdr *fixture_segment(struct elf_fixture *elf, uint32_t type, uint32_t flags,
                                          uint64_t off, uint64_t vaddr, uint64_t size)
{
    Elf64_Phdr *segment = &elf->segments[elf->segment_count++];

    assert_true(elf->segment_count <= 8);
    *segment = (Elf64_Phdr){.p_type = type,
                            .p_flags = flags,
                            .p_offset = off,
                            .p_vaddr = vaddr,
                            .p_filesz = size,
                            .p_memsz = size,
                            .p_align = 4};
    return segment;
}

/* A section's run-time view as a segment of that type. */
static inline void fixture_segment_of(struct elf_fixture *elf, uint32_t type, unsigned section)
{
    const Elf64_Shdr *header = &elf->sections[section];

    fixture_segment(elf, type, PF_R, header->sh_offset, FIXTURE_BASE + header->sh_offset,
                    header->sh_size);
}

static inline void fixture_build_id(struct elf_fixture *elf, uint8_t first)
{
    uint8_t note[36] = {4, 0, 0, 0, 20, 0, 0, 0, NT_GNU_BUILD_ID, 0, 0, 0, 'G', 'N', 'U', 0};

    for (uint8_t i = 0; i < 20; i++)
        note[16 + i] = (uint8_t)(first + i);
    fixture_section(elf, ".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, note, sizeof(note));
}

static inline void fixture_headers(struct elf_fixture *elf, bool sections)
{
    Elf64_Ehdr ehdr = {.e_type = ET_DYN,
                       .e_machine = elf->machine,
                       .e_version = EV_CURRENT,
                       .e_entry = FIXTURE_FIRST,
                       .e_phoff = sizeof(Elf64_Ehdr),
                       .e_ehsize = sizeof(Elf64_Ehdr),
                       .e_phentsize = sizeof(Elf64_Phdr),
                       .e_phnum = (Elf64_Half)elf->segment_count,
                       .e_shentsize = sizeof(Elf64_Shdr)};

    memcpy(ehdr.e_ident, ELFMAG, SELFMAG);
    ehdr.e_ident[EI_CLASS] = ELFCLASS64;
    ehdr.e_ident[EI_DATA] = ELFDATA2LSB;
    ehdr.e_ident[EI_VERSION] = EV_CURRENT;
    if (sections) {
        ehdr.e_shoff = elf->size;
        ehdr.e_shnum = (Elf64_Half)elf->section_count;
        ehdr.e_shstrndx = (Elf64_Half)(elf->section_count - 1);
        memcpy(elf->bytes + elf->size, elf->sections, elf->section_count * sizeof(Elf64_Shdr));
        elf->size += elf->section_count * sizeof(Elf64_Shdr);
    }
    memcpy(elf->bytes, &ehdr, sizeof(ehdr));
    memcpy(elf->bytes + sizeof(ehdr), elf->segments, elf->segment_count * sizeof(Elf64_Phdr));
}

static inline void fixture_finish(struct elf_fixture *elf)
{
    fixture_section(elf, ".shstrtab", SHT_STRTAB, 0, NULL, 0);
    elf->sections[elf->section_count - 1].sh_size = elf->names_size;
    memcpy(elf->bytes + elf->size, elf->names, elf->names_size);
    elf->size = (elf->size + elf->names_size + 15) & ~(size_t)15;
    fixture_segment(elf, PT_LOAD, PF_R | PF_X, 0, FIXTURE_BASE, elf->size);
    fixture_headers(elf, true);
}

/* Without section headers. */
static inline void fixture_finish_stripped(struct elf_fixture *elf)
{
    fixture_segment(elf, PT_LOAD, PF_R | PF_X, 0, FIXTURE_BASE, elf->size);
    fixture_headers(elf, false);
}

/* Opens what was made, and frees the fixture. */
static inline struct elf_image *fixture_open(struct elf_fixture *elf)
{
    struct elf_image *image = NULL;
    struct diag diag;

    assert_int_equal(elf_image_open_bytes(elf->bytes, elf->size, "fixture", &image, &diag),
                     STATUS_OK);
    free(elf);
    return image;
}

/* Writes what was made to a file. */
static inline void fixture_write(const struct elf_fixture *elf, const char *path)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(elf->bytes, 1, elf->size, file), elf->size);
    assert_int_equal(fclose(file), 0);
}

/* A symbol table and its names, growing. */
struct symbol_fixture {
    Elf64_Sym symbols[64];
    unsigned count;
    char names[8192];
    size_t names_size;
};

static inline void symbols_init(struct symbol_fixture *table)
{
    *table = (struct symbol_fixture){.count = 1, .names_size = 1};
}

static inline void symbols_add(struct symbol_fixture *table, const char *name, unsigned binding,
                               unsigned type, uint64_t value, uint64_t size)
{
    assert_true(table->count < 64 && table->names_size + strlen(name) + 1 < sizeof(table->names));
    table->symbols[table->count++] =
        (Elf64_Sym){.st_name = (Elf64_Word)table->names_size,
                    .st_info = (unsigned char)ELF64_ST_INFO(binding, type),
                    .st_shndx = 1,
                    .st_value = value,
                    .st_size = size};
    strcpy(table->names + table->names_size, name);
    table->names_size += strlen(name) + 1;
}

/* Adds the table as .symtab and .strtab, or .dynsym and .dynstr. */
static inline void fixture_symbols(struct elf_fixture *elf, const struct symbol_fixture *table,
                                   bool dynamic)
{
    uint64_t flags = dynamic ? SHF_ALLOC : 0;

    fixture_section(elf, dynamic ? ".dynsym" : ".symtab", dynamic ? SHT_DYNSYM : SHT_SYMTAB, flags,
                    table->symbols, table->count * sizeof(Elf64_Sym));
    fixture_section(elf, dynamic ? ".dynstr" : ".strtab", SHT_STRTAB, flags, table->names,
                    table->names_size);
}

/* `size` bytes of code at FIXTURE_FIRST, section 1. */
static inline void fixture_text(struct elf_fixture *elf, size_t size)
{
    uint8_t *code = calloc(1, size);

    assert_non_null(code);
    memset(code, 0x90, size);
    assert_int_equal(fixture_section(elf, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code,
                                     size),
                     1);
    free(code);
}

#endif
