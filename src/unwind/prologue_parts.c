/* SPDX-License-Identifier: MIT */
/* Joins functions whose basic blocks have symbols of their own. */
#include <string.h>

#include "base/vec.h"
#include "symbol/elf/symtab.h"
#include "unwind/prologue_source_private.h"

#define PADDING_MAX 15 /* bytes between blocks, which are aligned to 16 at most */

/* Returns the length of the function's name in that of a part; 0: it is not that of a part. */
static size_t part_length(const char *name)
{
    const char *part = strstr(name, ".__part.");
    const size_t length = strlen(name);

    if (part)
        return (size_t)(part - name);
    return length > 3 && strcmp(name + length - 3, ".eh") == 0 ? length - 3 : 0; /* landing pads */
}

bool prologue_is_part(const char *name)
{
    return part_length(name) > 0;
}

static size_t base_length(const char *name)
{
    const size_t length = part_length(name);

    return length ? length : strlen(name);
}

static bool is_of(const struct symbol *symbol, const struct symbol *other)
{
    const size_t length = base_length(other->name);

    return base_length(symbol->name) == length && strncmp(symbol->name, other->name, length) == 0;
}

/* Finds the part of the same function right behind `symbol`. */
static bool find_next(const struct symtab *symtab, const struct symbol *symbol, struct symbol *out)
{
    for (uint64_t gap = 0; gap <= PADDING_MAX; gap++)
        if (symtab_find(symtab, symbol->end_vaddr + gap, out) == STATUS_OK)
            return out->start_vaddr == symbol->end_vaddr + gap && prologue_is_part(out->name) &&
                   is_of(out, symbol);
    return false;
}

/* Finds the part, or the beginning, of the same function right before the part `symbol`. */
static bool find_last(const struct symtab *symtab, const struct symbol *symbol, struct symbol *out)
{
    for (uint64_t gap = 0; gap <= PADDING_MAX && gap < symbol->start_vaddr; gap++)
        if (symtab_find(symtab, symbol->start_vaddr - 1 - gap, out) == STATUS_OK)
            return out->end_vaddr == symbol->start_vaddr - gap && is_of(out, symbol);
    return false;
}

/* Enters each part from `first` on as one of the joined function. */
static enum status join_from(struct prologue_source *source, const struct symtab *symtab,
                             const struct symbol *first)
{
    struct symbol symbol = *first, next;
    struct vaddr_range *joined;

    if (vec_reserve(&source->joined, &source->joined_cap, source->joined_count + 1,
                    sizeof(*source->joined)) != STATUS_OK ||
        !map_put(&source->parts, first->start_vaddr, source->joined_count))
        return STATUS_NO_MEMORY;
    while (find_next(symtab, &symbol, &next) &&
           next.end_vaddr - first->start_vaddr <= PROLOGUE_FUNCTION_MAX) {
        if (!map_put(&source->parts, next.start_vaddr, source->joined_count))
            return STATUS_NO_MEMORY;
        symbol = next;
    }
    joined = &source->joined[source->joined_count++];
    *joined = (struct vaddr_range){first->start_vaddr, symbol.end_vaddr};
    return STATUS_OK;
}

enum status prologue_join_parts(struct prologue_source *source, struct code_function *function)
{
    const struct symtab *symtab = module_symtab(source->code->set, source->code->module);
    const uint64_t *known = map_get(&source->parts, function->start_vaddr);
    struct symbol first, other;
    enum status status;

    if (!known) {
        if (source->code->code_only || !symtab ||
            symtab_find(symtab, function->start_vaddr, &first) != STATUS_OK ||
            first.start_vaddr != function->start_vaddr || !first.sized)
            return STATUS_OK;
        if (!prologue_is_part(first.name) && !find_next(symtab, &first, &other))
            return STATUS_OK;
        while (prologue_is_part(first.name) &&
               function->end_vaddr - first.start_vaddr <= PROLOGUE_FUNCTION_MAX &&
               find_last(symtab, &first, &other))
            first = other;
        status = join_from(source, symtab, &first);
        if (status != STATUS_OK)
            return status;
        known = map_get(&source->parts, function->start_vaddr);
    }
    if (known) {
        function->start_vaddr = source->joined[*known].start_vaddr;
        function->end_vaddr = source->joined[*known].end_vaddr;
    }
    return STATUS_OK;
}
