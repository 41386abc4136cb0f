/* SPDX-License-Identifier: MIT */
#include "base/overlay.h"

#include <stdlib.h>

#include "base/search.h"
#include "base/sort.h"
#include "base/vec.h"

#define NOBODY UINT32_MAX

/* From this bound to the next one's start_addr: the range that wins there. */
struct overlay_piece {
    uint64_t start_addr;
    uint32_t range; /* NOBODY: none */
};

void overlay_clear(struct overlay *overlay)
{
    for (unsigned i = 0; i < overlay->level_count; i++)
        free(overlay->levels[i].pieces);
    overlay->level_count = 0;
    overlay->len = 0;
}

void overlay_deinit(struct overlay *overlay)
{
    overlay_clear(overlay);
    free(overlay->ranges);
    *overlay = (struct overlay){.len = 0};
}

enum status overlay_add(struct overlay *overlay, const struct overlay_range *range)
{
    if (overlay->len >= OVERLAY_RANGES_MAX)
        return STATUS_NOT_FOUND;
    if (vec_reserve(&overlay->ranges, &overlay->cap, overlay->len + 1, sizeof(*overlay->ranges)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    overlay->ranges[overlay->len++] = *range;
    return STATUS_OK;
}

/* Makes a piece for each distinct bound of the level's ranges, in ascending order. */
static enum status collect_bounds(const struct overlay *overlay, struct overlay_level *level)
{
    const size_t count = level->to - level->from;
    struct sort_item *items = calloc(2 * count + 1, sizeof(*items));
    enum status status;

    level->pieces = malloc((2 * count + 1) * sizeof(*level->pieces));
    status = items && level->pieces ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        items[2 * i].key = overlay->ranges[level->from + i].start_addr;
        items[2 * i + 1].key = overlay->ranges[level->from + i].end_addr;
    }
    if (status == STATUS_OK)
        status = sort_items(items, 2 * count);
    for (size_t i = 0; i < 2 * count && status == STATUS_OK; i++)
        if (level->len == 0 || level->pieces[level->len - 1].start_addr != items[i].key)
            level->pieces[level->len++] =
                (struct overlay_piece){.start_addr = items[i].key, .range = NOBODY};
    free(items);
    return status;
}

/* Returns the index of the piece that begins at `addr`, or of the first one behind. */
static size_t piece_at(const struct overlay_level *level, uint64_t addr)
{
    return SEARCH_FIRST(i, 0, level->len, level->pieces[i].start_addr < addr);
}

/* Returns the first piece from `i` on without range, by next[], whose way there is shortened. */
static size_t next_free(uint32_t *next, size_t i)
{
    size_t last = i;

    while (next[last] != last)
        last = next[last];
    while (next[i] != last) {
        const size_t step = next[i];

        next[i] = (uint32_t)last;
        i = step;
    }
    return last;
}

/* Gives the pieces to ranges, the last range first: each takes those that have none yet. */
static void share_out(const struct overlay *overlay, struct overlay_level *level, uint32_t *next)
{
    for (size_t i = 0; i <= level->len; i++)
        next[i] = (uint32_t)i;
    for (size_t range = level->to; range-- > level->from;) {
        const size_t end = piece_at(level, overlay->ranges[range].end_addr);
        size_t i = next_free(next, piece_at(level, overlay->ranges[range].start_addr));

        for (; i < end; i = next_free(next, i)) {
            level->pieces[i].range = (uint32_t)range;
            next[i] = (uint32_t)i + 1;
        }
    }
}

static enum status make_level(const struct overlay *overlay, size_t from, size_t to,
                              struct overlay_level *level)
{
    uint32_t *next = NULL;
    enum status status;

    *level = (struct overlay_level){.from = from, .to = to};
    status = collect_bounds(overlay, level);
    if (status == STATUS_OK && !(next = malloc((level->len + 1) * sizeof(*next))))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        share_out(overlay, level, next);
    else
        free(level->pieces);
    free(next);
    return status;
}

static size_t level_size(const struct overlay_level *level)
{
    return level->to - level->from;
}

/* New ranges become a level, together with the levels before that are at most twice as large. */
enum status overlay_sort(struct overlay *overlay)
{
    unsigned kept = overlay->level_count;
    size_t from = kept ? overlay->levels[kept - 1].to : 0;
    struct overlay_level level;
    enum status status;

    if (from == overlay->len)
        return STATUS_OK;
    while (kept > 0 && (kept == OVERLAY_LEVELS_MAX ||
                        level_size(&overlay->levels[kept - 1]) <= 2 * (overlay->len - from)))
        from = overlay->levels[--kept].from;
    status = make_level(overlay, from, overlay->len, &level);
    if (status != STATUS_OK)
        return status;
    while (overlay->level_count > kept)
        free(overlay->levels[--overlay->level_count].pieces);
    overlay->levels[overlay->level_count++] = level;
    return STATUS_OK;
}

/* Returns the index of the range that wins at `addr`; NOBODY: none. */
static uint32_t index_at(const struct overlay *overlay, uint64_t addr)
{
    for (unsigned at = overlay->level_count; at-- > 0;) {
        const struct overlay_level *level = &overlay->levels[at];
        const size_t behind = SEARCH_FIRST(i, 0, level->len, level->pieces[i].start_addr <= addr);

        if (behind > 0 && level->pieces[behind - 1].range != NOBODY)
            return level->pieces[behind - 1].range;
    }
    return NOBODY;
}

const struct overlay_range *overlay_at(const struct overlay *overlay, uint64_t addr)
{
    const uint32_t index = index_at(overlay, addr);

    return index != NOBODY ? &overlay->ranges[index] : NULL;
}

static enum status each_of_level(const struct overlay *overlay, const struct overlay_level *level,
                                 uint64_t start_addr, uint64_t end_addr, overlay_take_fn *take,
                                 void *context)
{
    enum status status = STATUS_OK;

    for (size_t i = piece_at(level, start_addr);
         i < level->len && level->pieces[i].start_addr < end_addr && status == STATUS_OK; i++) {
        const uint32_t index = level->pieces[i].range;

        if (index != NOBODY && overlay->ranges[index].start_addr == level->pieces[i].start_addr &&
            index_at(overlay, level->pieces[i].start_addr) == index)
            status = take(context, &overlay->ranges[index]);
    }
    return status;
}

enum status overlay_each(const struct overlay *overlay, uint64_t start_addr, uint64_t end_addr,
                         overlay_take_fn *take, void *context)
{
    enum status status = STATUS_OK;

    for (unsigned at = 0; at < overlay->level_count && status == STATUS_OK; at++)
        status = each_of_level(overlay, &overlay->levels[at], start_addr, end_addr, take, context);
    return status;
}
