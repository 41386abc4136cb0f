/* SPDX-License-Identifier: MIT */
#include "symbol/elf/settled_data.h"

#include <stdlib.h>

#include "base/elf_numbers.h"
#include "symbol/elf/dynamic.h"
#include "symbol/elf/relocs.h"

#define SECTION_MAX (UINT64_C(1) << 30) /* bytes: above it the section is damaged */

struct settled_data {
    uint64_t start_vaddr, end_vaddr;
    unsigned word;
    uint8_t changed[]; /* a bit for each word */
};

/* Marks the words that hold these bytes. */
static void mark(struct settled_data *settled, uint64_t vaddr, uint64_t size)
{
    uint64_t end = vaddr + size;

    if (end < vaddr || end > settled->end_vaddr)
        end = settled->end_vaddr;
    if (vaddr < settled->start_vaddr)
        vaddr = settled->start_vaddr;
    if (vaddr >= end)
        return;
    for (uint64_t i = (vaddr - settled->start_vaddr) / settled->word;
         i <= (end - 1 - settled->start_vaddr) / settled->word; i++)
        settled->changed[i / 8] |= (uint8_t)(1u << i % 8);
}

/*
 * Marks the words that a relocation changes. The size of other kinds is not known: a copy is as
 * large as its symbol.
 */
static void mark_reloc(struct settled_data *settled, const struct reloc *reloc)
{
    if (reloc->vaddr >= settled->end_vaddr)
        return;
    if (reloc->kind != RELOC_OTHER)
        mark(settled, reloc->vaddr, settled->word);
    else if (reloc->vaddr >= settled->start_vaddr)
        mark(settled, reloc->vaddr, settled->end_vaddr - reloc->vaddr);
}

static enum status mark_table(struct settled_data *settled, struct elf_image *image,
                              enum reloc_part part)
{
    struct reloc_table table;
    struct reloc reloc;
    enum status status = reloc_table_open(image, part, &table);

    if (status != STATUS_OK)
        return status == STATUS_NOT_FOUND ? STATUS_OK : status;
    for (size_t i = 0; i < table.count; i++) {
        reloc_table_read(&table, i, &reloc);
        mark_reloc(settled, &reloc);
    }
    reloc_table_let_go(&table);
    return table.count < RELOC_TABLE_MAX ? STATUS_OK : STATUS_BAD_DATA;
}

/*
 * RELR (gABI, "Relative Relocation Table"): an even word is the address of a word to relocate; an
 * odd one has a bit, from bit 1 on, for each of the words behind those of the last entry.
 */
static enum status mark_relr(struct settled_data *settled, struct elf_image *image)
{
    const unsigned word = settled->word, bits = word * 8 - 1;
    uint64_t vaddr, size, entry, where = 0;

    if (dynamic_value(image, DT_RELR, &vaddr) != STATUS_OK)
        return STATUS_OK;
    if (dynamic_value(image, DT_RELRSZ, &size) != STATUS_OK || size / word > RELOC_TABLE_MAX)
        return STATUS_BAD_DATA;
    for (uint64_t i = 0; i < size / word; i++) {
        if (!relocs_word(image, vaddr + i * word, word, &entry))
            return STATUS_BAD_DATA;
        if (!(entry & 1)) {
            mark(settled, entry, word);
            where = entry + word;
            continue;
        }
        for (unsigned bit = 0; bit < bits; bit++)
            if (entry >> (bit + 1) & 1)
                mark(settled, where + (uint64_t)bit * word, word);
        where += (uint64_t)bits * word;
    }
    return STATUS_OK;
}

enum status settled_data_create(struct elf_image *image, struct settled_data **out)
{
    const unsigned word = elf_image_arch(image)->word_size;
    struct elf_section section;
    uint64_t needed;
    struct settled_data *settled;
    enum status status = elf_image_section(image, ".data.rel.ro", &section);

    /* The dynamic linker, and a program that has none, keep their own variables there. */
    if (status == STATUS_OK)
        status = dynamic_value(image, DT_NEEDED, &needed);
    if (status != STATUS_OK)
        return status;
    if (!section.bytes || section.size == 0 || section.vaddr > UINT64_MAX - section.size ||
        elf_image_may_change(image, section.vaddr) ||
        elf_image_may_change(image, section.vaddr + section.size - 1))
        return STATUS_NOT_FOUND;
    if (section.size > SECTION_MAX)
        return STATUS_BAD_DATA;
    settled = calloc(1, sizeof(*settled) + (size_t)(section.size / word / 8 + 1));
    if (!settled)
        return STATUS_NO_MEMORY;
    settled->start_vaddr = section.vaddr;
    settled->end_vaddr = section.vaddr + section.size;
    settled->word = word;
    status = mark_table(settled, image, RELOCS_DYN);
    if (status == STATUS_OK)
        status = mark_table(settled, image, RELOCS_PLT);
    if (status == STATUS_OK)
        status = mark_relr(settled, image);
    if (status != STATUS_OK) {
        free(settled);
        return status;
    }
    *out = settled;
    return STATUS_OK;
}

void settled_data_destroy(struct settled_data *settled)
{
    free(settled);
}

uint64_t settled_data_count(const struct settled_data *settled, uint64_t vaddr, uint64_t size)
{
    uint64_t at = vaddr;

    if (vaddr < settled->start_vaddr || vaddr >= settled->end_vaddr)
        return 0;
    if (size > settled->end_vaddr - vaddr)
        size = settled->end_vaddr - vaddr;
    while (at - vaddr < size) {
        const uint64_t i = (at - settled->start_vaddr) / settled->word;

        if (settled->changed[i / 8] >> i % 8 & 1)
            break;
        at = settled->start_vaddr + (i + 1) * settled->word;
    }
    return at - vaddr < size ? at - vaddr : size;
}
