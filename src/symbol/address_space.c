/* SPDX-License-Identifier: MIT */
#include "symbol/module.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

void address_space_deinit(struct address_space *space)
{
    free(space->mappings);
    address_space_init(space);
}

void address_space_clear(struct address_space *space)
{
    space->count = 0;
    space->stamp = 0;
}

/* The index of the first mapping that ends after `addr`. */
static size_t first_after(const struct address_space *space, uint64_t addr)
{
    return SEARCH_FIRST(i, 0, space->count, space->mappings[i].end_addr <= addr);
}

/* Moves the start of a mapping up; the file offset goes with it, the bias stays. */
static void cut_start(struct mapping *mapping, uint64_t addr)
{
    mapping->file_off += addr - mapping->start_addr;
    mapping->start_addr = addr;
}

/*
 * Frees [start, end): whole mappings go, those that stick out are cut, one that holds the range is
 * split. `room` is how many entries to leave open at the returned index *at.
 */
static enum status carve(struct address_space *space, uint64_t start, uint64_t end, size_t room,
                         size_t *at)
{
    size_t first = first_after(space, start), last, added = room;
    struct mapping tail, *list;
    bool split = false;

    /* One entry for the new mapping and one for the second half of a split one, at most. */
    if (vec_reserve(&space->mappings, &space->cap, space->count + 2, sizeof(*list)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    list = space->mappings;
    space->stamp = 0;
    if (first < space->count && list[first].start_addr < start) {
        split = list[first].end_addr > end;
        tail = list[first];
        list[first].end_addr = start;
        first++;
    }
    last = first;
    while (!split && last < space->count && list[last].end_addr <= end)
        last++;
    if (!split && last < space->count && list[last].start_addr < end)
        cut_start(&list[last], end);
    added += split;
    memmove(list + first + added, list + last, (space->count - last) * sizeof(*list));
    space->count = space->count - (last - first) + added;
    if (split) {
        cut_start(&tail, end);
        list[first + room] = tail;
    }
    *at = first;
    return STATUS_OK;
}

enum status address_space_add(struct address_space *space, uint64_t start_addr, uint64_t end_addr,
                              uint64_t file_off, struct module *module)
{
    enum status status;
    size_t at;

    if (start_addr >= end_addr)
        return STATUS_BAD_DATA;
    status = carve(space, start_addr, end_addr, 1, &at);
    if (status == STATUS_OK)
        space->mappings[at] = (struct mapping){.start_addr = start_addr,
                                               .end_addr = end_addr,
                                               .file_off = file_off,
                                               .module = module};
    return status;
}

enum status address_space_remove(struct address_space *space, uint64_t start_addr,
                                 uint64_t end_addr)
{
    size_t at;

    if (start_addr >= end_addr)
        return STATUS_BAD_DATA;
    return carve(space, start_addr, end_addr, 0, &at);
}

struct mapping *address_space_find(const struct address_space *space, uint64_t addr)
{
    size_t i = first_after(space, addr);

    if (i == space->count || space->mappings[i].start_addr > addr)
        return NULL;
    return &space->mappings[i];
}

/* How many of a PT_LOAD's file bytes are mapped. */
static uint64_t mapped_bytes(const struct elf_segment *segment, const struct mapping *mapping)
{
    uint64_t size = mapping->end_addr - mapping->start_addr;
    uint64_t skipped;

    if (segment->file_off >= mapping->file_off) {
        skipped = segment->file_off - mapping->file_off;
        return skipped >= size                       ? 0
               : size - skipped < segment->file_size ? size - skipped
                                                     : segment->file_size;
    }
    skipped = mapping->file_off - segment->file_off;
    return skipped >= segment->file_size         ? 0
           : segment->file_size - skipped < size ? segment->file_size - skipped
                                                 : size;
}

/*
 * The segment that a mapping shows. Mappings are whole pages, so that one may show the edge of a
 * neighbouring segment too: an executable segment is preferred, since executable mappings are what
 * is looked up, then the one most of which is there.
 */
static const struct elf_segment *mapped_segment(const struct elf_image *image,
                                                const struct mapping *mapping)
{
    const struct elf_segment *best = NULL, *segments;
    uint64_t best_bytes = 0;
    size_t count;

    segments = elf_image_segments(image, &count);
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes = mapped_bytes(&segments[i], mapping);
        bool better = best && (segments[i].prot & 4) == (best->prot & 4) ? bytes > best_bytes
                                                                         : segments[i].prot & 4;

        if (bytes == 0 || (best && !better))
            continue;
        best = &segments[i];
        best_bytes = bytes;
    }
    return best;
}

static void find_bias(struct module_set *set, struct mapping *mapping)
{
    const struct elf_segment *segment;

    mapping->bias_tried = true;
    if (module_open(set, mapping->module) != STATUS_OK)
        return;
    segment = mapped_segment(mapping->module->image, mapping);
    if (!segment)
        return;
    mapping->bias = mapping->start_addr - mapping->file_off + segment->file_off - segment->vaddr;
    mapping->bias_known = true;
}

bool mapping_vaddr(struct module_set *set, struct mapping *mapping, uint64_t addr, uint64_t *vaddr)
{
    if (!mapping->bias_tried)
        find_bias(set, mapping);
    if (mapping->bias_known) {
        *vaddr = addr - mapping->bias;
        return true;
    }
    *vaddr = addr;
    if (mapping->module->kind != MODULE_ANON)
        *vaddr = addr - mapping->start_addr + mapping->file_off;
    return false;
}
