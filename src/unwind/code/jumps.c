/* SPDX-License-Identifier: MIT */
#include "unwind/code/jumps.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

static bool executable(const struct vaddr_range *ranges, size_t count, uint64_t vaddr)
{
    for (size_t i = 0; i < count; i++)
        if (vaddr >= ranges[i].start_vaddr && vaddr < ranges[i].end_vaddr)
            return true;
    return false;
}

static int by_target(const void *a, const void *b)
{
    const struct jump *x = a, *y = b;

    if (x->target_vaddr != y->target_vaddr)
        return x->target_vaddr < y->target_vaddr ? -1 : 1;
    return x->source_vaddr < y->source_vaddr ? -1 : x->source_vaddr > y->source_vaddr;
}

static enum status scan_range(struct jumps *jumps, const struct elf_image *image,
                              const struct insn_set *insns, const struct vaddr_range *range)
{
    size_t range_count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &range_count);
    const uint64_t alignment = insns->alignment;
    uint64_t size;
    const uint8_t *bytes = elf_image_bytes_at(image, range->start_vaddr, &size);
    bool first[256];

    insn_first_bytes(insns->jump_bytes, first);
    if (bytes && size > range->end_vaddr - range->start_vaddr)
        size = range->end_vaddr - range->start_vaddr;
    if (!bytes)
        return STATUS_OK;
    for (uint64_t off = 0; jumps->count < JUMPS_MAX; off += alignment) {
        uint64_t vaddr, target;

        while (off < size && !first[bytes[off]])
            off += alignment;
        if (off >= size)
            break;
        vaddr = range->start_vaddr + off;
        target = insns->jump_target(bytes + off, size - off, vaddr);
        if (target == 0 || !executable(ranges, range_count, target))
            continue;
        if (vec_reserve(&jumps->items, &jumps->cap, jumps->count + 1, sizeof(*jumps->items)) !=
            STATUS_OK)
            return STATUS_NO_MEMORY;
        jumps->items[jumps->count++] = (struct jump){.target_vaddr = target,
                                                     .source_vaddr = vaddr,
                                                     .mode = (uint8_t)insns->mode};
    }
    return STATUS_OK;
}

enum status jumps_init(struct jumps *jumps, const struct elf_image *image, const struct arch *arch)
{
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &count);
    enum status status = STATUS_OK;

    *jumps = (struct jumps){0};
    for (unsigned mode = CODE_DEFAULT; mode <= CODE_T32; mode++) {
        const struct insn_set *insns = insn_set_for(arch, (enum code_mode)mode);

        for (size_t i = 0; insns && i < count && status == STATUS_OK; i++)
            status = scan_range(jumps, image, insns, &ranges[i]);
    }
    if (status != STATUS_OK)
        jumps_deinit(jumps);
    else if (jumps->count)
        qsort(jumps->items, jumps->count, sizeof(*jumps->items), by_target);
    return status;
}

void jumps_deinit(struct jumps *jumps)
{
    free(jumps->items);
    *jumps = (struct jumps){0};
}

size_t jumps_from(const struct jumps *jumps, uint64_t vaddr)
{
    return SEARCH_FIRST(i, 0, jumps->count, jumps->items[i].target_vaddr < vaddr);
}
