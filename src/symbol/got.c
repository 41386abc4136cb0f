#include "symbol/got.h"

#include <elf.h>

#include "symbol/dynamic.h"
#include "symbol/relocs.h"
#include "symbol/symbol_read.h"

static enum status add_symbols(const struct reloc_table *relocs, struct map *out)
{
    struct reloc reloc;

    for (size_t i = 0; i < relocs->count; i++) {
        reloc_table_read(relocs, i, &reloc);
        /* A REL record's word in the file is no addend: it leads to the resolver's entry. */
        if ((reloc.kind == RELOC_JUMP_SLOT || reloc.kind == RELOC_GLOB_DAT) && reloc.symbol != 0 &&
            (!relocs->rela || reloc.addend == 0) && !map_put(out, reloc.vaddr, reloc.symbol))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

enum status got_symbols(struct elf_image *image, struct map *out)
{
    static const enum reloc_part parts[] = {RELOCS_PLT, RELOCS_DYN};
    struct reloc_table relocs;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (reloc_table_open(image, parts[i], &relocs) == STATUS_OK &&
            add_symbols(&relocs, out) != STATUS_OK)
            return STATUS_NO_MEMORY;
    return STATUS_OK;
}

const char *got_symbol_name(struct elf_image *image, const struct map *symbols, uint64_t vaddr)
{
    struct symbol_table table;
    struct symbol_entry symbol;
    const uint64_t *index = map_get(symbols, vaddr);

    if (!index || symbol_table_open(image, ".dynsym", &table) != STATUS_OK || *index >= table.count)
        return NULL;
    symbol_table_read(&table, (size_t)*index, &symbol);
    return symbol.name;
}

enum status got_pointers(struct elf_image *image, struct map *out)
{
    struct reloc_table relocs;
    struct reloc reloc;

    if (reloc_table_open(image, RELOCS_DYN, &relocs) != STATUS_OK || !relocs.rela)
        return STATUS_OK;
    for (size_t i = 0; i < relocs.count; i++) {
        reloc_table_read(&relocs, i, &reloc);
        if (reloc.kind == RELOC_RELATIVE && !map_put(out, reloc.vaddr, reloc.addend))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

uint64_t got_base_vaddr(struct elf_image *image)
{
    struct elf_section got;
    uint64_t vaddr;

    if (dynamic_value(image, DT_PLTGOT, &vaddr) == STATUS_OK)
        return vaddr;
    return elf_image_section(image, ".got.plt", &got) == STATUS_OK ? got.vaddr : 0;
}
