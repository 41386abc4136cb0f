/* SPDX-License-Identifier: MIT */
#include "symbol/elf/relocs.h"

#include <elf.h>
#include <string.h>

#include "arch/analysis/analysis.h"
#include "base/cursor.h"
#include "symbol/elf/dynamic.h"

static const struct part {
    const char *rela, *rel;
} parts[] = {
    [RELOCS_PLT] = {".rela.plt", ".rel.plt"},
    [RELOCS_DYN] = {".rela.dyn", ".rel.dyn"},
};

static size_t entry_size(const struct reloc_table *table)
{
    if (elf_image_arch(table->image)->word_size == 8)
        return table->rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
    return table->rela ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel);
}

static enum status by_dynamic(struct elf_image *image, enum reloc_part part,
                              struct reloc_table *out, uint64_t *size)
{
    uint64_t vaddr, type, avail;

    if (part == RELOCS_PLT) {
        if (dynamic_value(image, DT_JMPREL, &vaddr) != STATUS_OK ||
            dynamic_value(image, DT_PLTRELSZ, size) != STATUS_OK ||
            dynamic_value(image, DT_PLTREL, &type) != STATUS_OK)
            return STATUS_NOT_FOUND;
        out->rela = type == DT_RELA;
    } else {
        out->rela = dynamic_value(image, DT_RELA, &vaddr) == STATUS_OK;
        if ((!out->rela && dynamic_value(image, DT_REL, &vaddr) != STATUS_OK) ||
            dynamic_value(image, out->rela ? DT_RELASZ : DT_RELSZ, size) != STATUS_OK)
            return STATUS_NOT_FOUND;
    }
    out->bytes = elf_image_bytes_at(image, vaddr, &avail);
    return out->bytes && *size <= avail ? STATUS_OK : STATUS_BAD_DATA;
}

static enum status by_section(struct elf_image *image, enum reloc_part part,
                              struct reloc_table *out, uint64_t *size)
{
    struct elf_section section;
    enum status status = elf_image_section(image, parts[part].rela, &section);

    out->rela = status == STATUS_OK;
    if (status == STATUS_NOT_FOUND)
        status = elf_image_section(image, parts[part].rel, &section);
    if (status != STATUS_OK)
        return status;
    out->bytes = section.bytes;
    *size = section.size;
    return section.bytes ? STATUS_OK : STATUS_NOT_FOUND;
}

enum status reloc_table_open(struct elf_image *image, enum reloc_part part, struct reloc_table *out)
{
    uint64_t size;
    enum status status;

    *out = (struct reloc_table){.image = image};
    status = by_section(image, part, out, &size);
    if (status == STATUS_NOT_FOUND)
        status = by_dynamic(image, part, out, &size);
    if (status != STATUS_OK)
        return status;
    out->count = (size_t)size / entry_size(out);
    if (out->count > RELOC_TABLE_MAX)
        out->count = RELOC_TABLE_MAX;
    return STATUS_OK;
}

size_t reloc_table_relative(struct elf_image *image, const struct reloc_table *table)
{
    uint64_t count;

    if (dynamic_value(image, table->rela ? DT_RELACOUNT : DT_RELCOUNT, &count) != STATUS_OK)
        return 0;
    return count < table->count ? (size_t)count : table->count;
}

static enum reloc_kind kind_of(const struct elf_image *image, uint32_t type)
{
    const struct reloc_types *known = &arch_analysis(elf_image_arch(image))->relocs;

    if (type == known->relative)
        return RELOC_RELATIVE;
    if (type == known->irelative)
        return RELOC_IRELATIVE;
    if (type == known->absolute)
        return RELOC_ABSOLUTE;
    if (type == known->glob_dat)
        return RELOC_GLOB_DAT;
    return type == known->jump_slot ? RELOC_JUMP_SLOT : RELOC_OTHER;
}

bool relocs_word(const struct elf_image *image, uint64_t vaddr, unsigned word, uint64_t *value)
{
    uint64_t avail = 0;
    const uint8_t *bytes = elf_image_bytes_at(image, vaddr, &avail);
    struct cursor c = bytes ? cursor_init(bytes, (size_t)avail) : cursor_init("", 0);

    return cursor_uint(&c, word, value);
}

void reloc_table_read(const struct reloc_table *table, size_t index, struct reloc *out)
{
    const struct elf_image *image = table->image;
    unsigned word = elf_image_arch(image)->word_size;
    size_t size = entry_size(table);
    const uint8_t *bytes = table->bytes + index * size;
    uint32_t type;

    *out = (struct reloc){0};
    if (word == 8) {
        Elf64_Rela rela = {0};

        memcpy(&rela, bytes, size);
        out->vaddr = rela.r_offset;
        out->symbol = (uint32_t)ELF64_R_SYM(rela.r_info);
        type = (uint32_t)ELF64_R_TYPE(rela.r_info);
        out->addend = (uint64_t)rela.r_addend;
    } else {
        Elf32_Rela rela = {0};

        memcpy(&rela, bytes, size);
        out->vaddr = rela.r_offset;
        out->symbol = ELF32_R_SYM(rela.r_info);
        type = ELF32_R_TYPE(rela.r_info);
        out->addend = (uint32_t)rela.r_addend;
    }
    out->kind = kind_of(image, type);
    out->addend_known = table->rela || relocs_word(image, out->vaddr, word, &out->addend);
}

void reloc_table_let_go(const struct reloc_table *table)
{
    elf_image_let_go(table->image, table->bytes, table->count * entry_size(table));
}
