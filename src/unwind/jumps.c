#include "unwind/jumps.h"

#include <stdlib.h>

#include "base/vec.h"

static bool executable(const struct elf_segment *segments, size_t count, uint64_t vaddr)
{
    for (size_t i = 0; i < count; i++)
        if ((segments[i].prot & 4) && vaddr >= segments[i].vaddr &&
            vaddr - segments[i].vaddr < segments[i].file_size)
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

static enum status scan_segment(struct jumps *jumps, const struct elf_image *image,
                                const struct insn_set *insns, const struct elf_segment *segment)
{
    size_t segment_count;
    const struct elf_segment *segments = elf_image_segments(image, &segment_count);
    uint64_t size;
    const uint8_t *bytes = elf_image_bytes_at(image, segment->vaddr, &size);

    for (uint64_t off = 0; bytes && off < size && jumps->count < JUMPS_MAX;
         off += insns->alignment) {
        uint64_t vaddr = segment->vaddr + off;
        uint64_t target = insns->jump_target(bytes + off, size - off, vaddr);

        if (target == 0 || !executable(segments, segment_count, target))
            continue;
        if (vec_reserve(&jumps->items, &jumps->cap, jumps->count + 1, sizeof(*jumps->items)) !=
            STATUS_OK)
            return STATUS_NO_MEMORY;
        jumps->items[jumps->count++] = (struct jump){.target_vaddr = target, .source_vaddr = vaddr};
    }
    return STATUS_OK;
}

enum status jumps_init(struct jumps *jumps, const struct elf_image *image,
                       const struct insn_set *insns)
{
    size_t count;
    const struct elf_segment *segments = elf_image_segments(image, &count);
    enum status status = STATUS_OK;

    *jumps = (struct jumps){0};
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        if (segments[i].prot & 4)
            status = scan_segment(jumps, image, insns, &segments[i]);
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
    size_t low = 0, high = jumps->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (jumps->items[mid].target_vaddr < vaddr)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}
