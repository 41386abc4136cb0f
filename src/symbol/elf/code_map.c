/* SPDX-License-Identifier: MIT */
#include "symbol/elf/code_map.h"

#include <stdlib.h>

#include "arch/analysis/analysis.h"
#include "base/search.h"
#include "base/vec.h"

static enum code_kind kind_of(const struct arch *arch, char letter)
{
    const struct arch_analysis *analysis = arch_analysis(arch);

    if (!letter)
        return KIND_UNKNOWN;
    if (letter == analysis->map_code)
        return KIND_CODE;
    if (letter == analysis->map_other)
        return KIND_OTHER_CODE;
    return letter == analysis->map_data ? KIND_DATA : KIND_UNKNOWN;
}

void code_map_deinit(struct code_map *map)
{
    free(map->marks);
    *map = (struct code_map){0};
}

enum status code_map_add(struct code_map *map, const struct arch *arch, char letter, uint64_t vaddr)
{
    enum code_kind kind = kind_of(arch, letter);

    if (kind == KIND_UNKNOWN || map->count == UINT32_MAX)
        return STATUS_OK;
    if (vec_reserve(&map->marks, &map->cap, map->count + 1, sizeof(*map->marks)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    map->marks[map->count] =
        (struct code_mark){.vaddr = vaddr, .order = (uint32_t)map->count, .kind = kind};
    map->count++;
    return STATUS_OK;
}

static int compare_marks(const void *a, const void *b)
{
    const struct code_mark *x = a, *y = b;

    if (x->vaddr != y->vaddr)
        return x->vaddr < y->vaddr ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

void code_map_finish(struct code_map *map)
{
    size_t kept = 0;

    if (map->count == 0)
        return;
    qsort(map->marks, map->count, sizeof(*map->marks), compare_marks);
    for (size_t i = 1; i < map->count; i++) {
        if (map->marks[i].vaddr != map->marks[kept].vaddr)
            map->marks[++kept] = map->marks[i];
        else if (map->marks[i].kind != map->marks[kept].kind)
            map->marks[kept].kind = KIND_UNKNOWN;
    }
    map->count = kept + 1;
}

enum code_kind code_map_at(const struct code_map *map, const struct elf_image *image,
                           uint64_t vaddr, uint64_t *until)
{
    size_t at;
    uint64_t start, end;

    *until = vaddr;
    if (elf_image_exec_range(image, vaddr, &start, &end) != STATUS_OK)
        return KIND_UNKNOWN;
    at = SEARCH_FIRST(i, 0, map->count, map->marks[i].vaddr <= vaddr);
    *until = at < map->count && map->marks[at].vaddr < end ? map->marks[at].vaddr : end;
    return at > 0 && map->marks[at - 1].vaddr >= start ? map->marks[at - 1].kind : KIND_UNKNOWN;
}
