/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/regions.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

#define CUT_ALIGN 4096 /* so that no word lies across the cut */

void core_regions_free(struct core_regions *regions)
{
    free(regions->list);
    free(regions->stack);
    *regions = (struct core_regions){0};
}

/* What of the segment is mapped; false: nothing. */
static bool map_segment(const struct core_image *image, const struct core_segment *segment,
                        struct snap_region *out)
{
    const struct core_file *file = &image->file;
    uint64_t size = core_segment_captured(image, segment) - segment->start_addr;

    if (!file->map || segment->off >= file->map_size)
        return false;
    if (size > file->map_size - segment->off)
        size = file->map_size - segment->off;
    *out = (struct snap_region){.start_addr = segment->start_addr,
                                .end_addr = segment->start_addr + size,
                                .map_end_addr = segment->end_addr,
                                .bytes = file->map + segment->off};
    return size > 0;
}

enum status core_regions_make(struct core_regions *regions, const struct core_image *image,
                              size_t threads)
{
    core_regions_free(regions);
    regions->list = calloc(image->count + 1, sizeof(*regions->list));
    if (!regions->list)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < image->count; i++)
        if (image->segments[i].flags & PF_W &&
            map_segment(image, &image->segments[i], &regions->list[1 + regions->count]))
            regions->count++;
    regions->own_only = threads && regions->count > CORE_REGION_WORK_MAX / threads;
    if (regions->own_only)
        regions->count = 0;
    return STATUS_OK;
}

/* The region of the list that begins where the segment does, or NULL. */
static struct snap_region *find(const struct core_regions *regions, uint64_t start_addr)
{
    struct snap_region *list = regions->list + 1;
    size_t at = SEARCH_FIRST(i, 0, regions->count, list[i].start_addr < start_addr);

    return at < regions->count && list[at].start_addr == start_addr ? &list[at] : NULL;
}

/* Copies the stack from `start_addr` on, as much as there is. */
static enum status copy_stack(struct core_regions *regions, const struct core_image *image,
                              const struct core_segment *segment, struct snap_region *out)
{
    uint64_t size = out->end_addr - out->start_addr;

    if (size > SNAP_STACK_MAX)
        size = SNAP_STACK_MAX;
    if (vec_reserve(&regions->stack, &regions->stack_cap, (size_t)size, 1) != STATUS_OK)
        return STATUS_NO_MEMORY;
    size = core_file_read(&image->file, segment->off + (out->start_addr - segment->start_addr),
                          regions->stack, (size_t)size);
    out->end_addr = out->start_addr + size;
    out->bytes = regions->stack;
    return STATUS_OK;
}

/* The region from the stack pointer, or a little below it, to the end of its segment. */
static enum status take_stack(struct core_regions *regions, const struct core_image *image,
                              uint64_t sp, struct snap_region *out)
{
    const struct core_segment *segment = core_image_segment(image, sp);
    struct snap_region *mapped;
    uint64_t low;

    *out = (struct snap_region){0};
    /* A stack of nothing: SP is at its end. */
    if (!segment && sp)
        segment = core_image_segment(image, sp - 1);
    if (!segment)
        return STATUS_OK;
    low = sp - segment->start_addr > image->arch->red_zone ? sp - image->arch->red_zone - 1
                                                           : segment->start_addr;
    low -= low % CUT_ALIGN;
    if (low < segment->start_addr)
        low = segment->start_addr;
    *out = (struct snap_region){.start_addr = low,
                                .end_addr = core_segment_captured(image, segment),
                                .map_end_addr = segment->end_addr};
    if (out->end_addr <= low) {
        *out = (struct snap_region){0};
        return STATUS_OK;
    }
    mapped = find(regions, segment->start_addr);
    if (mapped) {
        regions->cut = mapped;
        regions->uncut = *mapped;
        if (mapped->end_addr > low)
            mapped->end_addr = mapped->map_end_addr = low;
    }
    if (mapped && out->end_addr - low > CORE_STACK_COPY_MAX) {
        out->end_addr = regions->uncut.end_addr > low ? regions->uncut.end_addr : low;
        out->bytes = regions->uncut.bytes + (low - segment->start_addr);
        return STATUS_OK;
    }
    return copy_stack(regions, image, segment, out);
}

enum status core_regions_fill(struct core_regions *regions, const struct core_image *image,
                              struct snap_sample *sample)
{
    struct snap_region *own = &regions->list[0];
    enum status status;

    if (regions->cut)
        *regions->cut = regions->uncut;
    regions->cut = NULL;
    status = take_stack(regions, image, sample->regs.value[image->arch->sp], own);
    if (status != STATUS_OK)
        return status;
    sample->regions = own->end_addr > own->start_addr ? own : own + 1;
    if (sample->regions == own)
        sample->stack_map_addr = core_image_segment(image, own->start_addr)->start_addr;
    sample->region_count = (uint32_t)(regions->count + (sample->regions == own));
    return STATUS_OK;
}
