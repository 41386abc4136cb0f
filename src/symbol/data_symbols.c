/* SPDX-License-Identifier: MIT */
#include "symbol/data_symbols.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/search.h"
#include "base/sort.h"
#include "base/vec.h"
#include "symbol/elf/symbol_read.h"

/*
 * Candidates looked at: a variable may lie inside another (parts of a common symbol), and several
 * may begin at one address.
 */
#define OVERLAP_MAX 16

struct data_symbols {
    struct data_symbol *list;
    size_t count, cap;
    struct sort_item *order; /* by start */
    struct arena names;      /* names whose version was cut off */
};

static bool is_variable(const struct symbol_entry *entry)
{
    return (entry->type == STT_OBJECT || entry->type == STT_COMMON) && entry->named &&
           entry->section != SHN_UNDEF &&
           (entry->section < SHN_LORESERVE || entry->section == SHN_XINDEX);
}

/* NULL: no memory; "": no name. */
static const char *take_name(struct data_symbols *symbols, const struct symbol_entry *entry)
{
    const char *name = symbol_name(entry), *at = strchr(name, '@');

    return at ? arena_join(&symbols->names, name, (size_t)(at - name), "") : name;
}

static enum status take_table(struct data_symbols *symbols, struct elf_image *image,
                              const char *section)
{
    struct symbol_table table;

    if (!image || symbol_table_open(image, section, &table) != STATUS_OK)
        return STATUS_OK;
    for (size_t i = 0; i < table.count && symbols->count < DATA_SYMBOLS_MAX; i++) {
        struct symbol_entry entry;
        const char *name;

        symbol_table_read(&table, i, &entry);
        if (!is_variable(&entry))
            continue;
        name = take_name(symbols, &entry);
        if (!name || vec_reserve(&symbols->list, &symbols->cap, symbols->count + 1,
                                 sizeof(*symbols->list)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        if (name[0])
            symbols->list[symbols->count++] =
                (struct data_symbol){.start_vaddr = entry.value, .size = entry.size, .name = name};
    }
    return STATUS_OK;
}

static enum status sort(struct data_symbols *symbols)
{
    symbols->order = calloc(symbols->count + 1, sizeof(*symbols->order));
    if (!symbols->order)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < symbols->count; i++)
        symbols->order[i] =
            (struct sort_item){.key = symbols->list[i].start_vaddr, .id = (uint32_t)i};
    return sort_items(symbols->order, symbols->count);
}

enum status data_symbols_create(struct elf_image *image, struct elf_image *debug,
                                struct data_symbols **out)
{
    struct data_symbols *symbols = calloc(1, sizeof(*symbols));
    enum status status;

    if (!symbols)
        return STATUS_NO_MEMORY;
    status = take_table(symbols, image, ".symtab");
    if (status == STATUS_OK)
        status = take_table(symbols, debug, ".symtab");
    if (status == STATUS_OK)
        status = take_table(symbols, image, ".dynsym");
    if (status == STATUS_OK)
        status = sort(symbols);
    if (status != STATUS_OK) {
        data_symbols_destroy(symbols);
        return status;
    }
    *out = symbols;
    return STATUS_OK;
}

void data_symbols_destroy(struct data_symbols *symbols)
{
    if (!symbols)
        return;
    free(symbols->list);
    free(symbols->order);
    arena_deinit(&symbols->names);
    free(symbols);
}

static bool is_better(const struct data_symbol *symbol, const struct data_symbol *best)
{
    return !best || (symbol->start_vaddr == best->start_vaddr && symbol->size &&
                     (!best->size || symbol->size <= best->size));
}

bool data_symbols_find(const struct data_symbols *symbols, uint64_t vaddr, struct data_symbol *out)
{
    const struct data_symbol *best = NULL;
    size_t low;

    /* Symbols before `low` begin at vaddr or below. */
    low = SEARCH_FIRST(i, 0, symbols->count, symbols->order[i].key <= vaddr);
    for (size_t passed = 0; low > 0 && passed < OVERLAP_MAX; passed++) {
        const struct data_symbol *symbol = &symbols->list[symbols->order[--low].id];
        uint64_t off = vaddr - symbol->start_vaddr;

        if (best && symbol->start_vaddr != best->start_vaddr)
            break;
        if ((off < symbol->size || off == 0) && is_better(symbol, best))
            best = symbol;
    }
    if (best)
        *out = *best;
    return best;
}
