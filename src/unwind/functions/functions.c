/* SPDX-License-Identifier: MIT */
#include "unwind/functions/functions.h"

#include <stdlib.h>

#include "base/search.h"
#include "base/sort.h"
#include "base/vec.h"

const char *function_origin_name(enum function_origin origin)
{
    switch (origin) {
    case FUNCTION_PLT:
        return "plt";
    case FUNCTION_FDE:
        return "fde";
    case FUNCTION_EXIDX:
        return "exidx";
    case FUNCTION_SYMTAB:
        return "symtab";
    case FUNCTION_DYNSYM:
        return "dynsym";
    case FUNCTION_DEBUG_FILE:
        return "debug-file";
    case FUNCTION_MINI_DEBUGINFO:
        return "mini-debuginfo";
    case FUNCTION_MADE:
        return "made";
    case FUNCTION_GOPCLNTAB:
        return "gopclntab";
    case FUNCTION_ENTRY:
        return "entry";
    case FUNCTION_VECTOR:
        return "vector";
    case FUNCTION_INIT:
        return "init";
    case FUNCTION_CALL:
        return "call";
    case FUNCTION_JUMP:
        return "jump";
    case FUNCTION_POINTER:
        return "pointer";
    case FUNCTION_CONSTANT:
        return "constant";
    case FUNCTION_PATTERN:
        return "pattern";
    case FUNCTION_GAP:
        return "gap";
    case FUNCTION_FRAGMENT:
        return "fragment";
    }
    return "?";
}

void functions_deinit(struct functions *functions)
{
    free(functions->items);
    free(functions->jumps);
    *functions = (struct functions){0};
}

const struct code_function *functions_find(const struct functions *functions, uint64_t vaddr)
{
    size_t at = SEARCH_FIRST(i, 0, functions->count, functions->items[i].end_vaddr <= vaddr);

    return at < functions->count && vaddr >= functions->items[at].start_vaddr
               ? &functions->items[at]
               : NULL;
}

enum status functions_add(struct functions *functions, const struct code_function *function)
{
    if (vec_reserve(&functions->items, &functions->cap, functions->count + 1,
                    sizeof(*functions->items)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    functions->items[functions->count++] = *function;
    return STATUS_OK;
}

static int by_start(const void *a, const void *b)
{
    const struct code_function *x = a, *y = b;

    if (x->start_vaddr != y->start_vaddr)
        return x->start_vaddr < y->start_vaddr ? -1 : 1;
    if (x->origin != y->origin)
        return x->origin < y->origin ? -1 : 1;
    return (x->end_vaddr < y->end_vaddr) - (x->end_vaddr > y->end_vaddr);
}

static int by_target(const void *a, const void *b)
{
    const struct entry_jump *x = a, *y = b;

    if (x->target_vaddr != y->target_vaddr)
        return x->target_vaddr < y->target_vaddr ? -1 : 1;
    return (x->source_vaddr > y->source_vaddr) - (x->source_vaddr < y->source_vaddr);
}

/* Sorts by address in linear time, then the functions of each address. */
static void sort_by_start(struct functions *functions)
{
    size_t count = functions->count, ordered = 1, next;
    struct sort_item *order;
    struct code_function *sorted;

    while (ordered < count &&
           by_start(&functions->items[ordered - 1], &functions->items[ordered]) <= 0)
        ordered++;
    if (ordered >= count)
        return;
    order = malloc(count * sizeof(*order));
    sorted = malloc(count * sizeof(*sorted));
    for (size_t i = 0; order && i < count; i++)
        order[i] = (struct sort_item){.key = functions->items[i].start_vaddr, .id = (uint32_t)i};
    if (!order || !sorted || sort_items(order, count) != STATUS_OK) {
        qsort(functions->items, count, sizeof(*functions->items), by_start);
        free(sorted);
    } else {
        for (size_t i = 0; i < count; i++)
            sorted[i] = functions->items[order[i].id];
        for (size_t i = 0; i < count; i = next) {
            for (next = i + 1; next < count && order[next].key == order[i].key;)
                next++;
            if (next - i > 1)
                qsort(sorted + i, next - i, sizeof(*sorted), by_start);
        }
        free(functions->items);
        functions->items = sorted;
        functions->cap = count;
    }
    free(order);
}

void functions_sort(struct functions *functions)
{
    struct code_function *items;
    size_t kept = 0;

    if (functions->jump_count > 1)
        qsort(functions->jumps, functions->jump_count, sizeof(*functions->jumps), by_target);
    if (functions->count == 0)
        return;
    sort_by_start(functions);
    items = functions->items;
    for (size_t i = 0; i < functions->count; i++) {
        if (items[i].end_vaddr <= items[i].start_vaddr ||
            (kept > 0 && items[kept - 1].start_vaddr == items[i].start_vaddr))
            continue;
        /* A start inside a range of an earlier origin is a label. */
        if (kept > 0 && items[kept - 1].end_vaddr > items[i].start_vaddr) {
            if (items[kept - 1].origin < items[i].origin)
                continue;
            items[kept - 1].end_vaddr = items[i].start_vaddr;
        }
        items[kept++] = items[i];
    }
    functions->count = kept;
}
