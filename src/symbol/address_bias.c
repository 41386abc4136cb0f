/* SPDX-License-Identifier: MIT */
#include "symbol/address_bias.h"

#include <elf.h>

#define PAGE_SIZE_LEAST 4096u

/* Bytes of a PT_LOAD's file part that the mapping covers. */
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
 * Returns the segment that a mapping shows; NULL: none. Mappings are whole pages and may show the
 * edge of a neighbouring segment too: prefers an executable segment, since executable mappings are
 * looked up, then the one of which more bytes are there.
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

/* Is `bias` possible, and does it put code of the image into the mapping? */
static bool has_code_at(const struct elf_image *image, const struct mapping *mapping, uint64_t bias)
{
    const struct elf_segment *segments;
    size_t count;

    if (elf_image_type(image) == ET_EXEC ? bias != 0 : bias % PAGE_SIZE_LEAST != 0)
        return false;
    segments = elf_image_segments(image, &count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t start = bias + segments[i].vaddr, end = start + segments[i].mem_size;

        if (segments[i].prot & 4 && start < mapping->end_addr && end > mapping->start_addr)
            return true;
    }
    return false;
}

bool mapping_bias(const struct elf_image *image, const struct mapping *mapping, uint64_t *bias)
{
    const struct elf_segment *segment;

    switch (mapping->anchor) {
    case MAPPING_OFFSET:
        segment = mapped_segment(image, mapping);
        if (segment)
            *bias = mapping->start_addr - mapping->file_off + segment->file_off - segment->vaddr;
        return segment;
    case MAPPING_BIAS:
        *bias = mapping->anchor_addr;
        return has_code_at(image, mapping, *bias);
    case MAPPING_ENTRY:
        *bias = mapping->anchor_addr - elf_image_entry_vaddr(image);
        return has_code_at(image, mapping, *bias);
    }
    return false;
}
