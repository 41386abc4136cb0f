/* SPDX-License-Identifier: MIT */
/*
 * Finds the functions and the funcdata of a Go program by struct moduledata of runtime/symtab.go,
 * which the linker fills. It is found without a symbol: it begins with the table's address, and
 * slices of the table's parts follow. In words:
 *
 *     0 pcHeader     1 funcnametab  4 cutab      7 filetab   10 pctab     13 pclntable  16 ftab
 *     19 findfunctab 20 minpc       21 maxpc     22 text ...
 *     gofunc, [epclntab,] textsectmap    at a place that depends on the version
 */
#include <string.h>

#include "runtime/go/gopclntab_private.h"
#include "symbol/elf/relocs.h"

enum module_word {
    WORD_FINDFUNCTAB = 19,
    WORD_TEXT = 22,
    WORD_GOFUNC_1_18 = 38,
    WORD_GOFUNC_1_20 = 40, /* two words for coverage counters are before it */
    WORD_GOFUNC_FIRST = 38,
    WORD_GOFUNC_LAST = 56, /* far enough for some more */
};

bool go_pointer(const struct gopclntab *table, uint64_t vaddr, uint64_t *out)
{
    const uint64_t *relocated = map_get(&table->pointers, vaddr);

    if (relocated) {
        *out = *relocated;
        return true;
    }
    return relocs_word(table->image, vaddr, table->word, out);
}

static bool module_word(const struct gopclntab *table, uint64_t module_vaddr, unsigned index,
                        uint64_t *out)
{
    return go_pointer(table, module_vaddr + (uint64_t)index * table->word, out);
}

static bool is_module(const struct gopclntab *table, uint64_t vaddr)
{
    const uint64_t parts[] = {table->funcname_off, table->cu_off, table->filetab_off,
                              table->pctab_off, table->pcln_off};
    uint64_t value;

    if (!module_word(table, vaddr, 0, &value) || value != table->vaddr)
        return false;
    for (unsigned i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
        if (!module_word(table, vaddr, 1 + i * 3, &value) || value != table->vaddr + parts[i])
            return false;
    return true;
}

static bool find_in_segment(const struct gopclntab *table, const struct elf_segment *segment,
                            unsigned *tried, uint64_t *out)
{
    uint64_t avail, value = 0,
                    vaddr = (segment->vaddr + table->word - 1) & ~(uint64_t)(table->word - 1);
    const uint8_t *bytes = elf_image_bytes_at(table->image, vaddr, &avail);

    if (!bytes || !(segment->prot & 2))
        return false;
    for (uint64_t off = 0; avail - off >= table->word; off += table->word) {
        memcpy(&value, bytes + off, table->word);
        if (value != table->vaddr)
            continue;
        if (++*tried > GO_PLACES_MAX)
            return false;
        if (is_module(table, vaddr + off)) {
            *out = vaddr + off;
            return true;
        }
    }
    return false;
}

/* The lowest one, if there are several. */
static bool find_in_pointers(const struct gopclntab *table, uint64_t *out)
{
    uint64_t vaddr, value;
    size_t at = 0;

    *out = UINT64_MAX;
    while (map_next(&table->pointers, &at, &vaddr, &value))
        if (value == table->vaddr && vaddr < *out && is_module(table, vaddr))
            *out = vaddr;
    return *out != UINT64_MAX;
}

static bool find_module(const struct gopclntab *table, uint64_t *out)
{
    const struct elf_segment *segments;
    unsigned tried = 0;
    size_t count;

    if (find_in_pointers(table, out))
        return true;
    segments = elf_image_segments(table->image, &count);
    for (size_t i = 0; i < count && i < GO_SEGMENTS_MAX; i++)
        if (find_in_segment(table, &segments[i], &tried, out))
            return true;
    return false;
}

/* From Go 1.26 on, funcdata and findfunctab are parts of the table. */
static bool is_in_table(const struct gopclntab *table, uint64_t vaddr)
{
    return vaddr >= table->vaddr && vaddr - table->vaddr <= table->size;
}

/* gofunc and, behind it, the table's end are the only words there that are in the table. */
static bool find_gofunc_in_table(const struct gopclntab *table, uint64_t module_vaddr,
                                 unsigned *index)
{
    uint64_t value, next;

    for (unsigned i = WORD_GOFUNC_FIRST; i < WORD_GOFUNC_LAST; i++)
        if (module_word(table, module_vaddr, i, &value) && is_in_table(table, value) &&
            module_word(table, module_vaddr, i + 1, &next) && is_in_table(table, next) &&
            value < next) {
            *index = i;
            return true;
        }
    return false;
}

/* Finds gofunc, and the slice textsectmap behind it, in moduledata; false: not known. */
static bool find_gofunc(const struct gopclntab *table, uint64_t module_vaddr, unsigned *gofunc,
                        unsigned *textsectmap)
{
    uint64_t findfunctab;

    if (table->layout == GO_1_16)
        return false;
    if (module_word(table, module_vaddr, WORD_FINDFUNCTAB, &findfunctab) &&
        is_in_table(table, findfunctab)) {
        if (!find_gofunc_in_table(table, module_vaddr, gofunc))
            return false;
        *textsectmap = *gofunc + 2;
        return true;
    }
    *gofunc = table->layout == GO_1_18 ? WORD_GOFUNC_1_18 : WORD_GOFUNC_1_20;
    *textsectmap = *gofunc + 1;
    return true;
}

/*
 * struct textsect: offset in the text, its end, address. Sections that do not ascend are none: then
 * all functions are taken to be where the text begins, which is checked.
 */
static void read_texts(struct gopclntab *table, uint64_t module_vaddr, unsigned textsectmap)
{
    uint64_t vaddr, count, off, at;

    if (!module_word(table, module_vaddr, textsectmap, &vaddr) ||
        !module_word(table, module_vaddr, textsectmap + 1, &count) || count < 2 ||
        count > GO_TEXTS_MAX)
        return;
    for (uint64_t i = 0; i < count; i++) {
        struct go_text *text = &table->texts[i];

        at = vaddr + i * 3 * table->word;
        if (!go_pointer(table, at, &off) ||
            !go_pointer(table, at + 2 * table->word, &text->vaddr) ||
            (i > 0 && (off <= text[-1].off || text->vaddr <= text[-1].vaddr)))
            return;
        text->off = off;
    }
    table->text_count = (size_t)count;
}

static bool is_code(const struct gopclntab *table, uint64_t vaddr)
{
    uint64_t start_vaddr, end_vaddr;

    return elf_image_exec_range(table->image, vaddr, &start_vaddr, &end_vaddr) == STATUS_OK;
}

/* Are the first and the last function in code? */
static bool fits(const struct gopclntab *table)
{
    return is_code(table, go_entry_vaddr(table, 0)) &&
           is_code(table, go_entry_vaddr(table, table->count - 1));
}

/* Tries a beginning of the text. */
static bool fits_at(struct gopclntab *table, uint64_t text_vaddr)
{
    table->text_vaddr = text_vaddr;
    return text_vaddr != 0 && fits(table);
}

static enum status find_text(struct gopclntab *table, bool has_module, uint64_t module_vaddr)
{
    uint64_t value = 0;
    struct elf_section text;

    if (table->layout == GO_1_16)
        return fits(table) ? STATUS_OK : STATUS_BAD_DATA;
    if (go_pointer(table, table->vaddr + 8 + 2 * table->word, &value) && fits_at(table, value))
        return STATUS_OK;
    if (has_module && module_word(table, module_vaddr, WORD_TEXT, &value) && fits_at(table, value))
        return STATUS_OK;
    if (elf_image_section(table->image, ".text", &text) == STATUS_OK && fits_at(table, text.vaddr))
        return STATUS_OK;
    return STATUS_BAD_DATA;
}

enum status go_module_read(struct gopclntab *table)
{
    unsigned gofunc = 0, textsectmap = 0;
    uint64_t module_vaddr = 0;
    bool has_module = find_module(table, &module_vaddr);

    if (has_module && find_gofunc(table, module_vaddr, &gofunc, &textsectmap)) {
        if (!module_word(table, module_vaddr, gofunc, &table->funcdata_vaddr))
            table->funcdata_vaddr = 0;
        read_texts(table, module_vaddr, textsectmap);
    }
    return find_text(table, has_module, module_vaddr);
}
