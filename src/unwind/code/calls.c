/* SPDX-License-Identifier: MIT */
#include "unwind/code/calls.h"

#include <stdlib.h>

#include "arch/analysis/insn.h"
#include "base/search.h"

#define FAR (UINT64_C(32) << 10) /* few functions are longer */

static struct called_range *range_of(const struct calls *calls, uint64_t vaddr)
{
    size_t at = SEARCH_FIRST(i, 0, calls->count, calls->ranges[i].start_vaddr <= vaddr);

    if (at == 0 || vaddr - calls->ranges[at - 1].start_vaddr >= calls->ranges[at - 1].size)
        return NULL;
    return &calls->ranges[at - 1];
}

static void scan_range(struct calls *calls, const struct elf_image *image,
                       const struct insn_set *insns, bool jumps, const struct called_range *range)
{
    const uint64_t alignment = insns->alignment;
    uint64_t avail;
    const uint8_t *bytes = elf_image_bytes_at(image, range->start_vaddr, &avail);
    bool first[256];

    insn_first_bytes(jumps ? insns->jump_bytes : insns->call_bytes, first);
    for (uint64_t off = 0; bytes && off < range->size; off += alignment) {
        uint64_t target;
        struct called_range *to;

        if (!first[bytes[off]])
            continue;
        target = (jumps ? insns->jump_target : insns->call_target)(bytes + off, range->size - off,
                                                                   range->start_vaddr + off);
        if (jumps && target - (range->start_vaddr + off) + FAR < 2 * FAR)
            continue;
        to = target ? range_of(calls, target) : NULL;
        if (to)
            to->bits[(target - to->start_vaddr) / 8] |=
                (uint8_t)(1u << (target - to->start_vaddr) % 8);
    }
}

static enum status make_ranges(struct calls *calls, const struct elf_image *image)
{
    size_t count;
    uint64_t left = CALLS_BYTES_MAX;
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &count);

    calls->ranges = calloc(count + 1, sizeof(*calls->ranges));
    if (!calls->ranges)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++) {
        uint64_t size;
        struct called_range *range = &calls->ranges[calls->count];

        if (!elf_image_bytes_at(image, ranges[i].start_vaddr, &size))
            continue;
        if (size > ranges[i].end_vaddr - ranges[i].start_vaddr)
            size = ranges[i].end_vaddr - ranges[i].start_vaddr;
        if (size > left)
            size = left;
        range->bits = calloc(size / 8 + 1, 1);
        if (!range->bits)
            return STATUS_NO_MEMORY;
        range->start_vaddr = ranges[i].start_vaddr;
        range->size = size;
        left -= size;
        calls->count++;
    }
    return STATUS_OK;
}

static enum status init(struct calls *calls, const struct elf_image *image, const struct arch *arch,
                        bool jumps)
{
    enum status status;

    *calls = (struct calls){0};
    status = make_ranges(calls, image);
    if (status != STATUS_OK) {
        calls_deinit(calls);
        return status;
    }
    for (unsigned mode = CODE_DEFAULT; mode <= CODE_T32; mode++) {
        const struct insn_set *insns = insn_set_for(arch, (enum code_mode)mode);

        for (size_t i = 0; insns && i < calls->count; i++)
            scan_range(calls, image, insns, jumps, &calls->ranges[i]);
    }
    return STATUS_OK;
}

enum status calls_init(struct calls *calls, const struct elf_image *image, const struct arch *arch)
{
    return init(calls, image, arch, false);
}

enum status calls_init_jumps(struct calls *jumps, const struct elf_image *image,
                             const struct arch *arch)
{
    return init(jumps, image, arch, true);
}

void calls_deinit(struct calls *calls)
{
    for (size_t i = 0; i < calls->count; i++)
        free(calls->ranges[i].bits);
    free(calls->ranges);
    *calls = (struct calls){0};
}

bool calls_lead_to(const struct calls *calls, uint64_t vaddr)
{
    const struct called_range *range = range_of(calls, vaddr);

    return range &&
           (range->bits[(vaddr - range->start_vaddr) / 8] >> (vaddr - range->start_vaddr) % 8 & 1);
}
