/* SPDX-License-Identifier: MIT */
#include "unwind/functions/kept_functions.h"

#include <stdlib.h>
#include <string.h>

#include "arch/analysis/insn.h"

struct kept_function { /* as struct code_function, but small */
    uint64_t start_vaddr;
    uint32_t size;
    uint8_t origin, mode;
    uint16_t unused;
};

struct kept_counts {
    uint64_t functions, jumps;
};

static uint64_t hash_code(uint64_t hash, const struct elf_image *image,
                          const struct vaddr_range *range)
{
    uint64_t avail = 0, size = range->end_vaddr - range->start_vaddr;
    const uint8_t *bytes = elf_image_bytes_at(image, range->start_vaddr, &avail);

    return bytes ? cache_hash(hash, bytes, (size_t)(size < avail ? size : avail)) : hash;
}

struct kept_id kept_functions_id(const struct module_code *code, const struct functions *known,
                                 uint64_t number, const struct vaddr_range *within)
{
    uint64_t hash = code->code_only;
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(code->image, &count);

    for (size_t i = 0; i < known->count; i++) {
        const struct code_function *function = &known->items[i];
        const uint64_t words[] = {function->start_vaddr, function->end_vaddr,
                                  function->origin << 8 | function->mode};

        hash = cache_hash(hash, words, sizeof(words));
    }
    if (within)
        hash = hash_code(hash, code->image, within);
    for (size_t i = 0; !within && i < count; i++)
        hash = hash_code(hash, code->image, &ranges[i]);
    return (struct kept_id){.kind = KEPT_FUNCTIONS, .number = number, .basis = hash};
}

static bool is_sound(const struct kept_function *function, uint64_t end_before)
{
    return function->start_vaddr >= end_before && function->size > 0 &&
           function->size <= UINT64_MAX - function->start_vaddr &&
           function->origin <= FUNCTION_FRAGMENT && function->mode <= CODE_T32;
}

/* false: something is wrong with it, or there is no memory. */
static bool unpack(struct cursor *c, struct functions *list, enum status *status)
{
    struct kept_counts counts;
    uint64_t end_vaddr = 0, target_vaddr = 0;

    if (cursor_left(c) < sizeof(counts))
        return false;
    memcpy(&counts, c->data + c->pos, sizeof(counts));
    c->pos += sizeof(counts);
    if (counts.functions > cursor_left(c) / sizeof(struct kept_function) ||
        counts.jumps != (cursor_left(c) - counts.functions * sizeof(struct kept_function)) /
                            sizeof(struct entry_jump))
        return false;
    list->items = calloc((size_t)counts.functions + 1, sizeof(*list->items));
    list->jumps = calloc((size_t)counts.jumps + 1, sizeof(*list->jumps));
    if (!list->items || !list->jumps) {
        *status = STATUS_NO_MEMORY;
        return false;
    }
    list->cap = (size_t)counts.functions + 1;
    list->jump_cap = (size_t)counts.jumps + 1;
    for (; list->count < counts.functions; list->count++) {
        struct kept_function function;

        memcpy(&function, c->data + c->pos, sizeof(function));
        c->pos += sizeof(function);
        if (!is_sound(&function, end_vaddr))
            return false;
        end_vaddr = function.start_vaddr + function.size;
        list->items[list->count] = (struct code_function){.start_vaddr = function.start_vaddr,
                                                          .end_vaddr = end_vaddr,
                                                          .origin = function.origin,
                                                          .mode = function.mode};
    }
    for (; list->jump_count < counts.jumps; list->jump_count++) {
        struct entry_jump *jump = &list->jumps[list->jump_count];

        memcpy(jump, c->data + c->pos, sizeof(*jump));
        c->pos += sizeof(*jump);
        if (jump->target_vaddr < target_vaddr)
            return false;
        target_vaddr = jump->target_vaddr;
    }
    return true;
}

bool kept_functions_find(struct kept_search *kept, const struct kept_id *id, struct functions *list,
                         enum status *status)
{
    struct cursor c;

    if (!kept_search_find(kept, id, &c))
        return false;
    if (unpack(&c, list, status))
        return true;
    functions_deinit(list);
    return false;
}

void kept_functions_put(struct kept_search *kept, const struct kept_id *id,
                        const struct functions *list)
{
    const struct kept_counts counts = {list->count, list->jump_count};
    const size_t size = sizeof(counts) + list->count * sizeof(struct kept_function) +
                        list->jump_count * sizeof(struct entry_jump);
    uint8_t *bytes = malloc(size), *at = bytes;

    if (!bytes)
        return;
    memcpy(at, &counts, sizeof(counts));
    at += sizeof(counts);
    for (size_t i = 0; i < list->count; i++) {
        const struct code_function *from = &list->items[i];
        const struct kept_function function = {
            .start_vaddr = from->start_vaddr,
            .size = (uint32_t)(from->end_vaddr - from->start_vaddr),
            .origin = from->origin,
            .mode = from->mode,
        };

        if (from->end_vaddr - from->start_vaddr > UINT32_MAX) {
            free(bytes);
            return;
        }
        memcpy(at, &function, sizeof(function));
        at += sizeof(function);
    }
    if (list->jump_count)
        memcpy(at, list->jumps, list->jump_count * sizeof(*list->jumps));
    kept_search_put(kept, id, bytes, size);
}
