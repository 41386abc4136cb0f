/* SPDX-License-Identifier: MIT */
#include "symbol/address_space.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"
#include "symbol/address_bias.h"

void address_space_deinit(struct address_space *space)
{
    free(space->mappings);
    address_space_init(space);
}

void address_space_clear(struct address_space *space)
{
    space->count = 0;
    space->stamp = 0;
    space->has_firmware = false;
}

void address_space_release(struct address_space *space)
{
    address_space_clear(space);
    free(space->mappings);
    space->mappings = NULL;
    space->cap = 0;
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
 * Frees [start, end): removes whole mappings, cuts those that stick out, splits one that holds the
 * range. Leaves `room` entries open at the returned index *at.
 */
static enum status carve(struct address_space *space, uint64_t start, uint64_t end, size_t room,
                         size_t *at)
{
    size_t first = first_after(space, start), last, added = room;
    struct mapping tail, *list;
    bool split = false;

    /* At most one entry for the new mapping, and one for the second half of a split one. */
    if (vec_reserve(&space->mappings, &space->cap, space->count + 2, sizeof(*list)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    list = space->mappings;
    space->stamp = 0;
    space->has_firmware = false;
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

enum status address_space_put(struct address_space *space, const struct mapping *mapping)
{
    enum status status;
    size_t at;

    if (mapping->start_addr >= mapping->end_addr)
        return STATUS_BAD_DATA;
    status = carve(space, mapping->start_addr, mapping->end_addr, 1, &at);
    if (status != STATUS_OK)
        return status;
    space->mappings[at] = *mapping;
    /* What mappings have in their addresses is no signature (kernels, user space of 52 bits). */
    space->pac_mask &= ~(mapping->start_addr | (mapping->end_addr - 1));
    return STATUS_OK;
}

enum status address_space_add(struct address_space *space, uint64_t start_addr, uint64_t end_addr,
                              uint64_t file_off, struct module *module)
{
    return address_space_put(space, &(struct mapping){.start_addr = start_addr,
                                                      .end_addr = end_addr,
                                                      .file_off = file_off,
                                                      .module = module});
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

static void find_bias(struct module_set *set, struct mapping *mapping)
{
    const bool is_known = module_open(set, mapping->module) == STATUS_OK &&
                          mapping_bias(mapping->module->image, mapping, &mapping->bias);

    mapping->bias_state = is_known ? BIAS_KNOWN : BIAS_UNKNOWN;
}

bool mapping_vaddr(struct module_set *set, struct mapping *mapping, uint64_t addr, uint64_t *vaddr)
{
    if (mapping->bias_state == BIAS_UNTRIED)
        find_bias(set, mapping);
    if (mapping->bias_state == BIAS_KNOWN) {
        *vaddr = addr - mapping->bias;
        return true;
    }
    *vaddr = addr;
    if (mapping->module->kind != MODULE_ANON)
        *vaddr = addr - mapping->start_addr + mapping->file_off;
    return false;
}
