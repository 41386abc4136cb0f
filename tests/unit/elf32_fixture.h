/* SPDX-License-Identifier: MIT */
/*
 * The ELF files of elf_fixture.h, 32-bit: made as there, and finished with fixture_finish32.
 * Symbol tables are converted; other content (relocations, .dynamic) is given as 32-bit records.
 */
#ifndef TESTS_ELF32_FIXTURE_H
#define TESTS_ELF32_FIXTURE_H

#include "elf_fixture.h"

static inline void narrow_symbols(struct elf_fixture *elf, Elf64_Shdr *header)
{
    size_t count = (size_t)header->sh_size / sizeof(Elf64_Sym);
    uint8_t *bytes = elf->bytes + header->sh_offset;

    for (size_t i = 0; i < count; i++) {
        Elf64_Sym wide;
        Elf32_Sym narrow;

        memcpy(&wide, bytes + i * sizeof(wide), sizeof(wide));
        narrow = (Elf32_Sym){.st_name = wide.st_name,
                             .st_value = (Elf32_Addr)wide.st_value,
                             .st_size = (Elf32_Word)wide.st_size,
                             .st_info = wide.st_info,
                             .st_shndx = wide.st_shndx};
        memcpy(bytes + i * sizeof(narrow), &narrow, sizeof(narrow));
    }
    header->sh_size = count * sizeof(Elf32_Sym);
}

static inline void narrow_section(struct elf_fixture *elf, unsigned index, uint64_t headers_off)
{
    Elf64_Shdr *wide = &elf->sections[index];
    Elf32_Shdr narrow;

    if (wide->sh_type == SHT_SYMTAB || wide->sh_type == SHT_DYNSYM)
        narrow_symbols(elf, wide);
    narrow = (Elf32_Shdr){.sh_name = wide->sh_name,
                          .sh_type = wide->sh_type,
                          .sh_flags = (Elf32_Word)wide->sh_flags,
                          .sh_addr = (Elf32_Addr)wide->sh_addr,
                          .sh_offset = (Elf32_Off)wide->sh_offset,
                          .sh_size = (Elf32_Word)wide->sh_size,
                          .sh_addralign = (Elf32_Word)wide->sh_addralign};
    memcpy(elf->bytes + headers_off + index * sizeof(narrow), &narrow, sizeof(narrow));
}

static inline void fixture_finish32(struct elf_fixture *elf)
{
    Elf64_Ehdr wide;
    Elf32_Ehdr narrow;

    fixture_finish(elf);
    memcpy(&wide, elf->bytes, sizeof(wide));
    narrow = (Elf32_Ehdr){.e_type = wide.e_type,
                          .e_machine = wide.e_machine,
                          .e_version = wide.e_version,
                          .e_entry = (Elf32_Addr)wide.e_entry,
                          .e_phoff = sizeof(Elf32_Ehdr),
                          .e_shoff = (Elf32_Off)wide.e_shoff,
                          .e_ehsize = sizeof(Elf32_Ehdr),
                          .e_phentsize = sizeof(Elf32_Phdr),
                          .e_phnum = wide.e_phnum,
                          .e_shentsize = sizeof(Elf32_Shdr),
                          .e_shnum = wide.e_shnum,
                          .e_shstrndx = wide.e_shstrndx};
    memcpy(narrow.e_ident, wide.e_ident, EI_NIDENT);
    narrow.e_ident[EI_CLASS] = ELFCLASS32;
    memcpy(elf->bytes, &narrow, sizeof(narrow));
    for (unsigned i = 0; i < elf->segment_count; i++) {
        const Elf64_Phdr *from = &elf->segments[i];
        Elf32_Phdr to = {.p_type = from->p_type,
                         .p_offset = (Elf32_Off)from->p_offset,
                         .p_vaddr = (Elf32_Addr)from->p_vaddr,
                         .p_filesz = (Elf32_Word)from->p_filesz,
                         .p_memsz = (Elf32_Word)from->p_memsz,
                         .p_flags = from->p_flags,
                         .p_align = (Elf32_Word)from->p_align};

        memcpy(elf->bytes + sizeof(narrow) + i * sizeof(to), &to, sizeof(to));
    }
    for (unsigned i = 0; i < elf->section_count; i++)
        narrow_section(elf, i, wide.e_shoff);
}

#endif
