/* SPDX-License-Identifier: MIT */
#include "unwind/functions/kept_functions.h"

#include <stdlib.h>
#include <string.h>

#include "arch/analysis/insn.h"
#include "base/hash.h"

struct kept_function { /* struct code_function, packed */
    uint64_t start_vaddr;
    uint32_t size;
    uint8_t origin, mode;
    uint16_t unused;
};

struct kept_counts {
    uint64_t functions, jumps, learned;
};

static uint64_t hash_code(uint64_t hash, const struct elf_image *image,
                          const struct vaddr_range *range)
{
    uint64_t avail = 0, size = range->end_vaddr - range->start_vaddr;
    const uint8_t *bytes = elf_image_bytes_at(image, range->start_vaddr, &avail);

    return bytes ? cache_hash(hash, bytes, (size_t)(size < avail ? size : avail)) : hash;
}

struct kept_id kept_functions_id(const struct module_code *code, const struct functions *known,
                                 uint64_t symbols, uint64_t number,
                                 const struct vaddr_range *within)
{
    uint64_t hash = hash_words(symbols, code->code_only);
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(code->image, &count);

    for (size_t i = 0; i < known->count; i++) {
        const struct code_function *function = &known->items[i];
        const uint64_t words[] = {function->start_vaddr, function->end_vaddr,
                                  (uint64_t)function->origin << 8 | function->mode};

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

/* Takes `count` items of `size` bytes from the record; false: it has fewer. */
static bool take(struct cursor *c, uint64_t count, size_t size, const uint8_t **out)
{
    return count <= cursor_left(c) / size && cursor_bytes(c, count * size, out);
}

/* False: the record is damaged, or there is no memory. */
static bool unpack_functions(const uint8_t *bytes, size_t count, struct functions *list,
                             enum status *status)
{
    uint64_t end_vaddr = 0;

    list->items = calloc(count + 1, sizeof(*list->items));
    if (!list->items) {
        *status = STATUS_NO_MEMORY;
        return false;
    }
    list->cap = count + 1;
    for (; list->count < count; list->count++) {
        struct kept_function function;

        memcpy(&function, bytes + list->count * sizeof(function), sizeof(function));
        if (!is_sound(&function, end_vaddr))
            return false;
        end_vaddr = function.start_vaddr + function.size;
        list->items[list->count] = (struct code_function){.start_vaddr = function.start_vaddr,
                                                          .end_vaddr = end_vaddr,
                                                          .origin = function.origin,
                                                          .mode = function.mode};
    }
    return true;
}

static bool unpack_jumps(const uint8_t *bytes, size_t count, struct functions *list,
                         enum status *status)
{
    list->jumps = calloc(count + 1, sizeof(*list->jumps));
    if (!list->jumps) {
        *status = STATUS_NO_MEMORY;
        return false;
    }
    memcpy(list->jumps, bytes, count * sizeof(*list->jumps));
    list->jump_count = count;
    list->jump_cap = count + 1;
    for (size_t i = 1; i < count; i++)
        if (list->jumps[i].target_vaddr < list->jumps[i - 1].target_vaddr)
            return false;
    return true;
}

static bool unpack_learned(const uint8_t *bytes, size_t count, struct found_functions *found,
                           enum status *status)
{
    found->learned = calloc(count + 1, sizeof(*found->learned));
    if (!found->learned) {
        *status = STATUS_NO_MEMORY;
        return false;
    }
    memcpy(found->learned, bytes, count * sizeof(*found->learned));
    found->learned_count = count;
    return true;
}

static bool unpack(struct cursor *c, struct found_functions *found, enum status *status)
{
    const uint8_t *head, *functions, *jumps, *learned;
    struct kept_counts counts;

    if (!take(c, 1, sizeof(counts), &head))
        return false;
    memcpy(&counts, head, sizeof(counts));
    return take(c, counts.functions, sizeof(struct kept_function), &functions) &&
           take(c, counts.jumps, sizeof(struct entry_jump), &jumps) &&
           take(c, counts.learned, sizeof(struct map_pair), &learned) && cursor_left(c) == 0 &&
           unpack_functions(functions, (size_t)counts.functions, &found->list, status) &&
           unpack_jumps(jumps, (size_t)counts.jumps, &found->list, status) &&
           unpack_learned(learned, (size_t)counts.learned, found, status);
}

bool kept_functions_find(struct kept_search *kept, const struct kept_id *id,
                         struct found_functions *found, enum status *status)
{
    struct cursor c;

    if (!kept_search_find(kept, id, &c))
        return false;
    if (unpack(&c, found, status))
        return true;
    found_functions_deinit(found);
    return false;
}

void kept_functions_put(struct kept_search *kept, const struct kept_id *id,
                        const struct found_functions *found)
{
    const struct functions *list = &found->list;
    const struct kept_counts counts = {list->count, list->jump_count, found->learned_count};
    const size_t size = sizeof(counts) + list->count * sizeof(struct kept_function) +
                        list->jump_count * sizeof(struct entry_jump) +
                        found->learned_count * sizeof(struct map_pair);
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
    at += list->jump_count * sizeof(*list->jumps);
    if (found->learned_count)
        memcpy(at, found->learned, found->learned_count * sizeof(*found->learned));
    kept_search_put(kept, id, bytes, size);
}

void found_functions_deinit(struct found_functions *found)
{
    functions_deinit(&found->list);
    free(found->learned);
    *found = (struct found_functions){.learned = NULL};
}
