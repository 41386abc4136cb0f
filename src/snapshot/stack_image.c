/* SPDX-License-Identifier: MIT */
#include "snapshot/stack_image.h"

#include <stdlib.h>
#include <string.h>

void stack_image_deinit(struct stack_image *image)
{
    free(image->bytes);
    *image = (struct stack_image){0};
}

static bool is_much_too_large(const struct stack_image *image, size_t size)
{
    return image->cap > 65536 && size < image->cap / 8;
}

/* Makes room for `size` more bytes behind the `used` ones; gives back a much too large buffer. */
static enum status reserve(struct stack_image *image, size_t used, size_t size)
{
    size_t want = used + size; /* at most SNAP_REGION_MAX * SNAP_STACK_MAX */
    size_t cap = image->cap;
    uint8_t *grown;

    if (used == 0 && is_much_too_large(image, size))
        cap = 0;
    if (want <= cap && image->bytes)
        return STATUS_OK;
    cap = want + want / 4 + 16; /* never 0: an empty region has an address as well */
    grown = realloc(image->bytes, cap);
    if (!grown)
        return STATUS_NO_MEMORY;
    image->bytes = grown;
    image->cap = cap;
    return STATUS_OK;
}

/* Copies [start, end) from the last image; false when a part of it was not captured. */
static bool copy_kept(const struct stack_image *last, uint64_t start, uint64_t end, uint8_t *to)
{
    while (start < end) {
        const struct snap_region *from = NULL;
        uint64_t n;

        for (uint32_t i = 0; i < last->region_count; i++)
            if (start >= last->regions[i].start_addr && start < last->regions[i].end_addr)
                from = &last->regions[i];
        if (!from)
            return false;
        n = (end < from->end_addr ? end : from->end_addr) - start;
        memcpy(to, from->bytes + (start - from->start_addr), (size_t)n);
        to += n;
        start += n;
    }
    return true;
}

static enum status restore_runs(const struct snap_region *region, uint8_t *to,
                                const struct stack_image *last, struct cursor *c, const char **what)
{
    uint64_t size = region->end_addr - region->start_addr;
    uint64_t done = 0;
    uint32_t count, off, len;
    const uint8_t *bytes;

    *what = "sample record is shorter than its run count says";
    if (!cursor_u32(c, &count))
        return STATUS_BAD_DATA;
    for (uint32_t i = 0; i < count; i++) {
        if (!cursor_u32(c, &off) || !cursor_u32(c, &len) || !cursor_bytes(c, len, &bytes))
            return STATUS_BAD_DATA;
        if (off < done || off > size || len > size - off) {
            *what = "stack run lies outside its region or overlaps the one before";
            return STATUS_BAD_DATA;
        }
        if (!copy_kept(last, region->start_addr + done, region->start_addr + off, to + done)) {
            *what = "sample refers to stack bytes that were never captured";
            return STATUS_BAD_DATA;
        }
        memcpy(to + off, bytes, len);
        done = (uint64_t)off + len;
    }
    if (!copy_kept(last, region->start_addr + done, region->end_addr, to + done)) {
        *what = "sample refers to stack bytes that were never captured";
        return STATUS_BAD_DATA;
    }
    return STATUS_OK;
}

static bool region_sound(const struct stack_image *image, const struct snap_region *region)
{
    if (region->end_addr < region->start_addr || region->map_end_addr < region->end_addr ||
        region->end_addr - region->start_addr > SNAP_STACK_MAX)
        return false;
    for (uint32_t i = 0; i < image->region_count; i++)
        if (region->start_addr < image->regions[i].end_addr &&
            image->regions[i].start_addr < region->end_addr)
            return false;
    return true;
}

enum status stack_image_restore(struct stack_image *next, const struct stack_image *last,
                                struct cursor *c, const char **what)
{
    size_t starts[SNAP_REGION_MAX] = {0};
    size_t used = 0;
    uint8_t count;

    *what = "sample record is too short";
    next->region_count = 0;
    if (!cursor_u8(c, &count))
        return STATUS_BAD_DATA;
    if (count < 1 || count > SNAP_REGION_MAX) {
        *what = "sample has no stack region or more than the format allows";
        return STATUS_BAD_DATA;
    }
    for (unsigned i = 0; i < count; i++) {
        struct snap_region region = {0};
        enum status status;

        if (!cursor_u64(c, &region.start_addr) || !cursor_u64(c, &region.end_addr) ||
            !cursor_u64(c, &region.map_end_addr))
            return STATUS_BAD_DATA;
        if (!region_sound(next, &region)) {
            *what = "stack region is reversed, too large or overlaps another";
            return STATUS_BAD_DATA;
        }
        status = reserve(next, used, (size_t)(region.end_addr - region.start_addr));
        if (status == STATUS_OK)
            status = restore_runs(&region, next->bytes + used, last, c, what);
        if (status != STATUS_OK)
            return status;
        starts[i] = used;
        used += (size_t)(region.end_addr - region.start_addr);
        next->regions[next->region_count++] = region;
    }
    for (unsigned i = 0; i < count; i++)
        next->regions[i].bytes = next->bytes + starts[i];
    return STATUS_OK;
}

/* Reads the head of a record of one region. */
static bool read_only_region(struct cursor *c, struct snap_region *region)
{
    uint8_t count;

    *region = (struct snap_region){0};
    return cursor_u8(c, &count) && count == 1 && cursor_u64(c, &region->start_addr) &&
           cursor_u64(c, &region->end_addr) && cursor_u64(c, &region->map_end_addr);
}

/* Makes the image's only region begin at `start_addr`; what is new in it is not yet read. */
static enum status move_start(struct stack_image *image, uint64_t start_addr)
{
    struct snap_region *region = &image->regions[0];
    size_t size = (size_t)(region->end_addr - region->start_addr);
    size_t room = (size_t)(region->bytes - image->bytes);
    size_t want = (size_t)(region->end_addr - start_addr); /* at most SNAP_STACK_MAX */
    size_t cap = want + want / 2 + 16;
    uint8_t *bytes;

    if (want > room + size || is_much_too_large(image, want)) {
        /* Stacks grow downwards: spare room goes before the bytes. */
        bytes = malloc(cap);
        if (!bytes)
            return STATUS_NO_MEMORY;
        if (size > want) {
            region->bytes += size - want;
            region->start_addr = start_addr;
            size = want;
        }
        memcpy(bytes + cap - size, region->bytes, size);
        free(image->bytes);
        image->bytes = bytes;
        image->cap = cap;
        region->bytes = bytes + cap - size;
    }
    region->bytes += (int64_t)(start_addr - region->start_addr);
    region->start_addr = start_addr;
    return STATUS_OK;
}

/* Writes the runs; what lies between them must be captured, which is what begins at `kept_addr`. */
static enum status write_runs(struct stack_image *image, uint64_t kept_addr, struct cursor *c,
                              uint64_t *unchanged_addr, const char **what)
{
    const struct snap_region *region = &image->regions[0];
    uint64_t size = region->end_addr - region->start_addr, done = 0;
    uint8_t *to = image->bytes + (region->bytes - image->bytes);
    const uint8_t *bytes = NULL;
    uint32_t count, off, len;

    *what = "sample record is shorter than its run count says";
    if (!cursor_u32(c, &count))
        return STATUS_BAD_DATA;
    for (uint32_t i = 0; i <= count; i++) {
        bool is_end = i == count; /* bytes kept up to the end are checked like those before a run */

        off = (uint32_t)size;
        len = 0;
        if (!is_end &&
            (!cursor_u32(c, &off) || !cursor_u32(c, &len) || !cursor_bytes(c, len, &bytes)))
            return STATUS_BAD_DATA;
        if (off < done || off > size || len > size - off) {
            *what = "stack run lies outside its region or overlaps the one before";
            return STATUS_BAD_DATA;
        }
        if (off > done && region->start_addr + done < kept_addr) {
            *what = "sample refers to stack bytes that were never captured";
            return STATUS_BAD_DATA;
        }
        if (is_end)
            break;
        memcpy(to + off, bytes, len);
        done = (uint64_t)off + len;
    }
    *unchanged_addr = region->start_addr + done;
    return STATUS_OK;
}

enum status stack_image_update(struct stack_image *image, struct cursor *c,
                               uint64_t *unchanged_addr, const char **what)
{
    const struct snap_region *last = &image->regions[0];
    struct cursor ahead = *c;
    struct snap_region region;
    uint64_t kept_addr;
    enum status status;

    if (image->region_count != 1 || !read_only_region(&ahead, &region) ||
        region.end_addr != last->end_addr || region.map_end_addr != last->map_end_addr ||
        region.start_addr > region.end_addr || region.end_addr - region.start_addr > SNAP_STACK_MAX)
        return STATUS_NOT_FOUND;
    *c = ahead;
    kept_addr = last->start_addr;
    status = move_start(image, region.start_addr);
    return status == STATUS_OK ? write_runs(image, kept_addr, c, unchanged_addr, what) : status;
}
