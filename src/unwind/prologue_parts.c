/* SPDX-License-Identifier: MIT */
/* Joins functions whose basic blocks have symbols of their own. */
#include <string.h>

#include "base/vec.h"
#include "symbol/elf/symtab.h"
#include "unwind/prologue_source_private.h"

#define PADDING_MAX 15         /* bytes between blocks, which are aligned to 16 at most */
#define PARTS_MAX   (1u << 20) /* that are looked at for one module */
#define ALONE       UINT64_MAX /* the function is in one part */

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

/* Enters each part from `first` on as one of the joined function, and `asked` in any case. */
static enum status join_from(struct prologue_source *source, const struct symtab *symtab,
                             const struct symbol *first, const struct code_function *asked)
{
    struct symbol symbol = *first, next;
    const size_t index = source->joined_count;

    if (vec_reserve(&source->joined, &source->joined_cap, index + 1, sizeof(*source->joined)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    source->joined[index] = (struct vaddr_range){first->start_vaddr, first->end_vaddr};
    source->joined_count++;
    if (!map_put(&source->parts, first->start_vaddr, index))
        return STATUS_NO_MEMORY;
    while (source->parts_seen++ < PARTS_MAX && find_next(symtab, &symbol, &next) &&
           next.end_vaddr - first->start_vaddr <= PROLOGUE_FUNCTION_MAX) {
        source->joined[index].end_vaddr = next.end_vaddr;
        if (!map_put(&source->parts, next.start_vaddr, index))
            return STATUS_NO_MEMORY;
        symbol = next;
    }
    return map_get(&source->parts, asked->start_vaddr) ||
                   map_put(&source->parts, asked->start_vaddr, ALONE)
               ? STATUS_OK
               : STATUS_NO_MEMORY;
}

/* Finds the first of the parts that lie one behind the other up to `function`; false: no parts. */
static bool find_first(struct prologue_source *source, const struct symtab *symtab,
                       const struct code_function *function, struct symbol *out)
{
    struct symbol other;

    if (symtab_find(symtab, function->start_vaddr, out) != STATUS_OK ||
        out->start_vaddr != function->start_vaddr || !out->sized)
        return false;
    if (!prologue_is_part(out->name))
        return find_next(symtab, out, &other);
    while (source->parts_seen++ < PARTS_MAX && prologue_is_part(out->name) &&
           find_last(symtab, out, &other) &&
           function->end_vaddr - other.start_vaddr <= PROLOGUE_FUNCTION_MAX)
        *out = other;
    return true;
}

enum status prologue_join_parts(struct prologue_source *source, struct code_function *function)
{
    const struct symtab *symtab = module_symtab(source->code->set, source->code->module);
    const uint64_t *known = map_get(&source->parts, function->start_vaddr);
    struct symbol first;
    enum status status = STATUS_OK;

    if (source->code->code_only || !symtab)
        return STATUS_OK;
    if (!known) {
        if (find_first(source, symtab, function, &first))
            status = join_from(source, symtab, &first, function);
        else if (!map_put(&source->parts, function->start_vaddr, ALONE))
            status = STATUS_NO_MEMORY;
        if (status != STATUS_OK)
            return status;
        known = map_get(&source->parts, function->start_vaddr);
    }
    if (known && *known != ALONE) {
        function->start_vaddr = source->joined[*known].start_vaddr;
        function->end_vaddr = source->joined[*known].end_vaddr;
    }
    return STATUS_OK;
}
