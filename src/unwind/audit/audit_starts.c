/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "base/search.h"
#include "symbol/elf/plt.h"
#include "symbol/elf/symtab.h"
#include "unwind/audit/audit_private.h"
#include "unwind/functions/functions.h"
#include "unwind/sources/cfi.h"

struct known { /* known range at an address */
    uint64_t start_vaddr, end_vaddr;
    bool start; /* of a function; false: of a fragment */
};

struct knowledge {
    const struct arch *arch;
    struct elf_image *image;
    struct known *items;
    size_t count, cap;
};

static enum status add(struct knowledge *k, uint64_t start_vaddr, uint64_t end_vaddr, bool start)
{
    if (plt_holds(k->image, start_vaddr))
        return STATUS_OK;
    if (vec_reserve(&k->items, &k->cap, k->count + 1, sizeof(*k->items)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    k->items[k->count++] = (struct known){start_vaddr, end_vaddr, start};
    return STATUS_OK;
}

struct first_row {
    const struct arch *arch;
    bool is_entry;
};

static bool take_first(void *context, const struct row *row)
{
    struct first_row *first = context;

    first->is_entry = !row->signal_frame && audit_is_entry_row(row, first->arch);
    return false;
}

static enum status add_fdes(struct knowledge *k, struct cfi *cfi)
{
    uint64_t start_vaddr, end_vaddr;

    for (size_t i = 0; cfi_function_at(cfi, i, &start_vaddr, &end_vaddr) == STATUS_OK; i++) {
        struct first_row first = {.arch = k->arch};

        if (cfi_rows(cfi, i, take_first, &first) == STATUS_NO_MEMORY ||
            add(k, start_vaddr, end_vaddr, first.is_entry) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

/* Adds symbols of a known size; labels of assembly have none, and count for nothing. */
static enum status add_symbols(struct knowledge *k, const struct symtab *symtab)
{
    size_t count = symtab ? symtab_count(symtab) : 0;
    struct symbol symbol;

    for (size_t i = 0; i < count; i++) {
        symtab_at(symtab, i, &symbol);
        if (symbol.sized && symbol.type != STT_NOTYPE &&
            add(k, symbol.start_vaddr, symbol.end_vaddr, !strstr(symbol.name, ".cold")) !=
                STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

static int by_start(const void *a, const void *b)
{
    const struct known *x = a, *y = b;

    return (x->start_vaddr > y->start_vaddr) - (x->start_vaddr < y->start_vaddr);
}

/* Leaves one range for each address: a function if any is; the furthest end. */
static void sort(struct knowledge *k)
{
    size_t kept = 0;

    if (k->count > 1)
        qsort(k->items, k->count, sizeof(*k->items), by_start);
    for (size_t i = 0; i < k->count; i++) {
        struct known *last = kept ? &k->items[kept - 1] : NULL;

        if (!last || last->start_vaddr != k->items[i].start_vaddr) {
            k->items[kept++] = k->items[i];
            continue;
        }
        last->start = last->start || k->items[i].start;
        if (k->items[i].end_vaddr > last->end_vaddr)
            last->end_vaddr = k->items[i].end_vaddr;
    }
    k->count = kept;
}

/* Returns the range with the nearest start before or at `vaddr`, if it holds `vaddr`. */
static const struct known *find(const struct knowledge *k, uint64_t vaddr)
{
    size_t at = SEARCH_FIRST(i, 0, k->count, k->items[i].start_vaddr <= vaddr);

    return at > 0 && vaddr < k->items[at - 1].end_vaddr ? &k->items[at - 1] : NULL;
}

static void count_all(const struct knowledge *k, const struct functions *functions,
                      struct audit_starts *out)
{
    *out = (struct audit_starts){0};
    for (size_t i = 0; i < k->count; i++)
        out->expected += k->items[i].start;
    for (size_t i = 0; i < functions->count; i++) {
        const struct code_function *function = &functions->items[i];
        const struct known *known = find(k, function->start_vaddr);

        if (!known || function->origin == FUNCTION_FRAGMENT || function->origin == FUNCTION_PLT)
            continue;
        out->found++;
        out->right += known->start && known->start_vaddr == function->start_vaddr;
    }
}

enum status audit_starts(struct module_rows *rows, struct module_set *set, struct module *module,
                         struct audit_starts *out)
{
    const struct functions *functions;
    enum trust source;
    struct cfi *cfi = audit_truth(rows, &source);
    struct knowledge k = {0};
    enum status status = cfi ? module_rows_functions(rows, &functions) : STATUS_NOT_FOUND;

    if (status != STATUS_OK)
        return status;
    k.image = module->image;
    k.arch = elf_image_arch(module->image);
    status = add_fdes(&k, cfi);
    if (status == STATUS_OK)
        status = add_symbols(&k, module_symtab(set, module));
    if (status == STATUS_OK) {
        sort(&k);
        count_all(&k, functions, out);
    }
    free(k.items);
    return status;
}
