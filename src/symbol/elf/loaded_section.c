/* SPDX-License-Identifier: MIT */
#include "symbol/elf/loaded_section.h"

#include <stdlib.h>
#include <string.h>

#include <gelf.h>

#include "arch/analysis/analysis.h"
#include "symbol/elf/symbol_read.h"

/* A record of either kind and word size. */
struct relocation {
    uint64_t off, addend;
    uint32_t symbol, type;
};

struct relocations {
    const uint8_t *bytes;
    uint64_t count;
    bool is_64, rela;
};

static size_t record_size(const struct relocations *from)
{
    return (from->is_64 ? 8u : 4u) * (from->rela ? 3u : 2u);
}

static void read_record(const struct relocations *from, uint64_t index, struct relocation *out)
{
    const uint8_t *record = from->bytes + index * record_size(from);
    Elf64_Rela wide = {.r_addend = 0};
    Elf32_Rela narrow = {.r_addend = 0};

    if (from->is_64) {
        memcpy(&wide, record, record_size(from));
        *out = (struct relocation){wide.r_offset, (uint64_t)wide.r_addend,
                                   (uint32_t)ELF64_R_SYM(wide.r_info),
                                   (uint32_t)ELF64_R_TYPE(wide.r_info)};
    } else {
        memcpy(&narrow, record, record_size(from));
        *out = (struct relocation){narrow.r_offset, (uint64_t)(int64_t)narrow.r_addend,
                                   ELF32_R_SYM(narrow.r_info), ELF32_R_TYPE(narrow.r_info)};
    }
}

/* Finds the symbol's run-time address; false: not known. */
static bool find_symbol(struct elf_image *image, const struct symbol_table *symbols, uint32_t index,
                        uint64_t *addr)
{
    struct symbol_entry entry;
    Elf_Scn *section;
    GElf_Shdr header;

    if (index >= symbols->count)
        return false;
    symbol_table_read(symbols, index, &entry);
    section =
        entry.section != SHN_UNDEF ? elf_getscn(elf_image_libelf(image), entry.section) : NULL;
    if (!section || !gelf_getshdr(section, &header) || !header.sh_addr)
        return false;
    *addr = header.sh_addr + entry.value;
    return true;
}

/* Bytes that a relocation of this type changes; 0: another kind. */
static unsigned kind_of(const struct elf_image *image, uint32_t type, bool *is_relative)
{
    const struct arch *arch = elf_image_arch(image);
    const struct table_relocs *types = &arch_analysis(arch)->table_relocs;

    *is_relative = type == types->word_pc || type == types->half_pc;
    if (!type)
        return 0;
    if (type == types->word || type == types->word_pc)
        return arch->word_size;
    return type == types->half || type == types->half_pc ? 4 : 0;
}

static void apply(struct elf_image *image, const struct symbol_table *symbols,
                  const struct relocations *from, const struct elf_section *section, uint8_t *bytes)
{
    for (uint64_t i = 0; i < from->count; i++) {
        struct relocation relocation;
        uint64_t addr, value = 0;
        bool is_relative;
        unsigned size;

        read_record(from, i, &relocation);
        size = kind_of(image, relocation.type, &is_relative);
        if (!size || relocation.off > section->size || size > section->size - relocation.off ||
            !find_symbol(image, symbols, relocation.symbol, &addr))
            continue;
        if (!from->rela)
            memcpy(&value, bytes + relocation.off, size);
        value += addr + relocation.addend - (is_relative ? section->vaddr + relocation.off : 0);
        memcpy(bytes + relocation.off, &value, size);
    }
}

/* The index of the first section of the name, as elf_image_section has it; 0: there is none. */
static size_t index_of(Elf *elf, const char *name)
{
    Elf_Scn *next = NULL;
    GElf_Shdr header;
    size_t names;

    if (elf_getshdrstrndx(elf, &names) != 0)
        return 0;
    while ((next = elf_nextscn(elf, next))) {
        const char *its =
            gelf_getshdr(next, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;

        if (its && strcmp(its, name) == 0)
            return elf_ndxscn(next);
    }
    return 0;
}

/*
 * Applies the first relocation section of section number `index`, as compilers write only one, and
 * at most one entry for each word: a file may name the same bytes again and again.
 */
static void relocate(struct elf_image *image, const struct elf_section *section, size_t index,
                     uint8_t *bytes)
{
    struct relocations from = {.is_64 = elf_image_arch(image)->word_size == 8};
    const uint64_t most = section->size / 4;
    struct symbol_table symbols;
    size_t file_size;
    const uint8_t *file = elf_image_file_bytes(image, &file_size);
    GElf_Shdr header;
    Elf_Scn *next = NULL;

    if (!index || symbol_table_open(image, ".symtab", &symbols) != STATUS_OK)
        return;
    while ((next = elf_nextscn(elf_image_libelf(image), next))) {
        if (!gelf_getshdr(next, &header) || header.sh_info != index ||
            (header.sh_type != SHT_RELA && header.sh_type != SHT_REL))
            continue;
        if (header.sh_offset > file_size || header.sh_size > file_size - header.sh_offset)
            return;
        from.rela = header.sh_type == SHT_RELA;
        from.bytes = file + header.sh_offset;
        from.count = header.sh_size / record_size(&from);
        if (from.count > most)
            from.count = most;
        apply(image, &symbols, &from, section, bytes);
        return;
    }
}

enum status loaded_section(struct elf_image *image, const char *name, struct elf_section *out,
                           uint8_t **copy)
{
    enum status status = elf_image_section(image, name, out);

    if (status != STATUS_OK)
        return status;
    if (!out->bytes || !out->size)
        return STATUS_NOT_FOUND;
    *copy = malloc((size_t)out->size);
    if (!*copy)
        return STATUS_NO_MEMORY;
    memcpy(*copy, out->bytes, (size_t)out->size);
    if (elf_image_type(image) == ET_REL)
        relocate(image, out, index_of(elf_image_libelf(image), name), *copy);
    out->bytes = *copy;
    return STATUS_OK;
}
