/* SPDX-License-Identifier: MIT */
#include "snapshot/import/core/regions.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"

#define CUT_ALIGN 4096 /* no word crosses the cut */

void core_regions_free(struct core_regions *regions)
{
    free(regions->list);
    free(regions->stack);
    *regions = (struct core_regions){0};
}

/*
 * Makes a region of the segment's bytes in the file, with `bytes` set if the file is mapped as a
 * whole; false: none.
 */
static bool map_segment(const struct core_image *image, const struct core_segment *segment,
                        struct snap_region *out)
{
    const struct windows *mapped = &image->file.mapped;

    *out = (struct snap_region){.start_addr = segment->start_addr,
                                .end_addr = core_segment_captured(image, segment),
                                .map_end_addr = segment->end_addr};
    if (out->end_addr == out->start_addr)
        return false;
    out->bytes = mapped->whole ? mapped->whole + segment->off : NULL;
    return true;
}

enum status core_regions_make(struct core_regions *regions, const struct core_image *image,
                              size_t threads, bool takes_all)
{
    core_regions_free(regions);
    regions->list = calloc(image->count + 1 + CORE_CUTS_MAX, sizeof(*regions->list));
    if (!regions->list)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < image->count; i++)
        if ((takes_all || image->segments[i].flags & PF_W) &&
            map_segment(image, &image->segments[i], &regions->list[1 + regions->count]))
            regions->count++;
    regions->own_only = threads && regions->count > CORE_REGION_WORK_MAX / threads;
    if (regions->own_only)
        regions->count = 0;
    regions->can_cut = !threads || regions->count <= CORE_CUT_WORK_MAX / threads;
    return STATUS_OK;
}

/* Saves a region of the list, to be restored. */
static void edit(struct core_regions *regions, size_t at, bool is_cut)
{
    regions->edits[regions->edit_count++] =
        (struct core_edit){.at = at, .is_cut = is_cut, .was = regions->list[1 + at]};
}

static void undo_edits(struct core_regions *regions)
{
    struct snap_region *list = regions->list + 1;

    while (regions->edit_count) {
        const struct core_edit *last = &regions->edits[--regions->edit_count];

        list[last->at] = last->was;
        if (last->is_cut) {
            regions->count--;
            memmove(&list[last->at + 1], &list[last->at + 2],
                    (regions->count - last->at - 1) * sizeof(*list));
        }
    }
}

/* Cuts the region that contains the address in two. */
static void cut(struct core_regions *regions, uint64_t addr)
{
    struct snap_region *list = regions->list + 1, *low, *high;
    size_t at = SEARCH_FIRST(i, 0, regions->count, list[i].map_end_addr <= addr);

    if (at == regions->count || list[at].start_addr >= addr)
        return;
    edit(regions, at, true);
    low = &list[at];
    high = low + 1;
    memmove(high, low, (regions->count++ - at) * sizeof(*list));
    high->start_addr = addr;
    if (high->end_addr <= addr)
        high->end_addr = addr;
    else if (high->bytes)
        high->bytes += addr - low->start_addr;
    low->map_end_addr = addr;
    if (low->end_addr > addr)
        low->end_addr = addr;
}

/* Finds the part of the segment between the cuts around SP. */
static void find_piece(const struct core_segment *segment, const struct core_cuts *cuts,
                       uint64_t sp, uint64_t *start_addr, uint64_t *end_addr)
{
    *start_addr = segment->start_addr;
    *end_addr = segment->end_addr;
    for (unsigned i = 0; i < cuts->count; i++) {
        if (cuts->addrs[i] <= sp && cuts->addrs[i] > *start_addr && cuts->addrs[i] < *end_addr)
            *start_addr = cuts->addrs[i];
        if (cuts->addrs[i] > sp && cuts->addrs[i] < *end_addr)
            *end_addr = cuts->addrs[i];
    }
}

/* Returns the index of the region that begins at `start_addr`; count: none. */
static size_t find(const struct core_regions *regions, uint64_t start_addr)
{
    const struct snap_region *list = regions->list + 1;
    size_t at = SEARCH_FIRST(i, 0, regions->count, list[i].start_addr < start_addr);

    return at < regions->count && list[at].start_addr == start_addr ? at : regions->count;
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

/* Fills the first region: from SP, or a little below it, to the end of SP's part of its segment. */
static enum status take_stack(struct core_regions *regions, const struct core_image *image,
                              const struct core_cuts *cuts, struct snap_sample *sample)
{
    const uint64_t sp = sample->regs.value[image->arch->sp];
    struct snap_region *out = &regions->list[0];
    const struct core_segment *segment = core_image_segment(image, sp);
    struct snap_region mapped = {0}, *rest;
    uint64_t low, start, end;
    size_t at;
    bool is_mapped;

    *out = (struct snap_region){0};
    /* An empty stack: SP is at its end. */
    if (!segment && sp)
        segment = core_image_segment(image, sp - 1);
    if (!segment)
        return STATUS_OK;
    find_piece(segment, cuts, sp, &start, &end);
    low = sp - start > image->arch->red_zone ? sp - image->arch->red_zone - 1 : start;
    low -= low % CUT_ALIGN;
    if (low < start)
        low = start;
    *out = (struct snap_region){.start_addr = low,
                                .end_addr = core_segment_captured(image, segment),
                                .map_end_addr = end};
    if (out->end_addr > end)
        out->end_addr = end;
    if (out->end_addr <= low) {
        *out = (struct snap_region){0};
        return STATUS_OK;
    }
    if (start == segment->start_addr && end == segment->end_addr)
        sample->stack_map_addr = start;
    at = find(regions, start);
    is_mapped = at < regions->count;
    if (is_mapped) {
        edit(regions, at, false);
        rest = &regions->list[1 + at];
        mapped = *rest;
        if (rest->end_addr > low)
            rest->end_addr = rest->map_end_addr = low;
    }
    if (is_mapped && out->end_addr - low > CORE_STACK_COPY_MAX) {
        out->end_addr = mapped.end_addr > low ? mapped.end_addr : low;
        out->bytes = mapped.bytes ? mapped.bytes + (low - start) : NULL;
        return STATUS_OK;
    }
    return copy_stack(regions, image, segment, out);
}

enum status core_regions_fill(struct core_regions *regions, const struct core_image *image,
                              const struct core_cuts *cuts, struct snap_sample *sample)
{
    static const struct core_cuts none = {.count = 0};
    struct snap_region *own = &regions->list[0];
    enum status status;

    if (!regions->can_cut)
        cuts = &none;
    undo_edits(regions);
    for (unsigned i = 0; i < cuts->count; i++)
        cut(regions, cuts->addrs[i]);
    status = take_stack(regions, image, cuts, sample);
    if (status != STATUS_OK)
        return status;
    sample->regions = own->end_addr > own->start_addr ? own : own + 1;
    sample->region_count = (uint32_t)(regions->count + (sample->regions == own));
    return STATUS_OK;
}
