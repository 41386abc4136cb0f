/* SPDX-License-Identifier: MIT */
#include "symbol/elf/got.h"

#include <elf.h>

#include "arch/analysis/analysis.h"
#include "symbol/elf/dynamic.h"
#include "symbol/elf/relocs.h"

/* Does such a relocation fill a word of the part? RISC-V's are like those of other pointers. */
static bool fills(enum reloc_kind kind, enum got_part part, const struct elf_image *image)
{
    const struct reloc_types *types = &arch_analysis(elf_image_arch(image))->relocs;

    return kind == RELOC_GLOB_DAT || (kind == RELOC_JUMP_SLOT && part == GOT_ALL) ||
           (kind == RELOC_ABSOLUTE && types->absolute == types->glob_dat);
}

static enum status add_symbols(const struct reloc_table *relocs, size_t first, enum got_part part,
                               struct map *out)
{
    struct reloc reloc;

    for (size_t i = first; i < relocs->count; i++) {
        reloc_table_read(relocs, i, &reloc);
        /* A REL record's word in the file is no addend: it leads to the resolver's entry. */
        if (fills(reloc.kind, part, relocs->image) && reloc.symbol != 0 &&
            (!relocs->rela || reloc.addend == 0) && !map_put(out, reloc.vaddr, reloc.symbol))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

enum status got_symbols(struct elf_image *image, enum got_part part, struct map *out)
{
    static const enum reloc_part tables[] = {RELOCS_PLT, RELOCS_DYN};
    struct reloc_table relocs;
    size_t first;

    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
        if (reloc_table_open(image, tables[i], &relocs) != STATUS_OK)
            continue;
        first = tables[i] == RELOCS_DYN ? reloc_table_relative(image, &relocs) : 0;
        if (add_symbols(&relocs, first, part, out) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
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
