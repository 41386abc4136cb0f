/* SPDX-License-Identifier: MIT */
#include "capture/target/maps.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/search.h"
#include "base/vec.h"

void maps_drop_paths(struct maps *maps)
{
    free(maps->paths);
    maps->paths = NULL;
    maps->path_len = 0;
    maps->path_cap = 0;
    free(maps->besides);
    maps->besides = NULL;
    maps->beside_len = 0;
    maps->beside_cap = 0;
}

void maps_deinit(struct maps *maps)
{
    free(maps->ranges);
    free(maps->execs);
    maps_drop_paths(maps);
    free(maps->files);
    free(maps->names);
    *maps = (struct maps){0};
}

enum status maps_add_range(struct maps *maps, const struct map_range *range)
{
    if (vec_reserve(&maps->ranges, &maps->range_cap, maps->range_len + 1, sizeof(*maps->ranges)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    maps->ranges[maps->range_len++] = *range;
    return STATUS_OK;
}

/* Makes room for a path of `size` bytes. */
static enum status reserve_path(struct maps *maps, size_t size)
{
    const size_t want = maps->path_len + size + 1;

    return want > UINT32_MAX ? STATUS_NO_MEMORY
                             : vec_reserve(&maps->paths, &maps->path_cap, want, 1);
}

/* Adds a path for which there is room; returns its offset. */
static uint32_t add_path(struct maps *maps, const char *path, size_t size)
{
    const uint32_t off = (uint32_t)maps->path_len;

    memcpy(maps->paths + off, path, size);
    maps->paths[off + size] = '\0';
    maps->path_len += size + 1;
    return off;
}

enum status maps_add_exec(struct maps *maps, const struct exec_map *map, const char *path,
                          size_t path_size)
{
    struct exec_map *exec;

    if (reserve_path(maps, path_size) != STATUS_OK ||
        vec_reserve(&maps->execs, &maps->exec_cap, maps->exec_len + 1, sizeof(*maps->execs)) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    exec = &maps->execs[maps->exec_len++];
    *exec = *map;
    exec->path_hash = hash_words(hash_bytes(path_size, path, path_size), path_size);
    exec->path_off = add_path(maps, path, path_size);
    return STATUS_OK;
}

enum status maps_add_beside(struct maps *maps, const struct map_beside *beside, const char *path,
                            size_t path_size)
{
    size_t at = maps->beside_len;

    if (reserve_path(maps, path_size) != STATUS_OK ||
        vec_reserve(&maps->besides, &maps->beside_cap, maps->beside_len + 1,
                    sizeof(*maps->besides)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    for (; at > 0 && maps->besides[at - 1].exec > beside->exec; at--)
        maps->besides[at] = maps->besides[at - 1];
    maps->besides[at] = *beside;
    maps->besides[at].path_off = add_path(maps, path, path_size);
    maps->beside_len++;
    return STATUS_OK;
}

const struct map_range *maps_find(const struct maps *maps, uint64_t addr)
{
    size_t at = SEARCH_FIRST(i, 0, maps->range_len, maps->ranges[i].end_addr <= addr);

    if (at < maps->range_len && maps->ranges[at].start_addr <= addr)
        return &maps->ranges[at];
    return NULL;
}

const struct exec_map *maps_find_exec(const struct maps *maps, uint64_t addr)
{
    size_t at = SEARCH_FIRST(i, 0, maps->exec_len, maps->execs[i].end_addr <= addr);

    if (at < maps->exec_len && maps->execs[at].start_addr <= addr)
        return &maps->execs[at];
    return NULL;
}

/* True: there are newlines. */
static bool decode_path(char *to, size_t size, const char *from, bool newlines)
{
    bool found = false;
    size_t len = 0;

    while (*from && len + 1 < size) {
        bool newline = newlines && strncmp(from, "\\012", 4) == 0;
        to[len++] = newline ? '\n' : *from;
        from += newline ? 4 : 1;
        found |= newline;
    }
    to[len] = '\0';
    return found;
}

static bool strip_suffix(char *text, const char *suffix)
{
    size_t len = strlen(text), suffix_len = strlen(suffix);

    if (len < suffix_len || strcmp(text + len - suffix_len, suffix) != 0)
        return false;
    text[len - suffix_len] = '\0';
    return true;
}

unsigned maps_copy_path(char *to, size_t size, const char *from, unsigned reading)
{
    unsigned found = decode_path(to, size, from, reading & MAPS_NEWLINES) ? MAPS_NEWLINES : 0;

    if (reading & MAPS_DELETED && strip_suffix(to, " (deleted)"))
        found |= MAPS_DELETED;
    return found;
}

bool exec_map_same(const struct exec_map *a, const struct exec_map *b)
{
    return a->start_addr == b->start_addr && a->end_addr == b->end_addr &&
           a->file_off == b->file_off && a->dev == b->dev && a->inode == b->inode &&
           a->prot == b->prot && a->path_hash == b->path_hash;
}

bool exec_map_continues(const struct exec_map *old, const struct exec_map *map)
{
    return old->dev == map->dev && old->inode == map->inode && old->path_hash == map->path_hash &&
           old->file_off - old->start_addr == map->file_off - map->start_addr;
}

/* Does the memory go on from the lower piece to the higher one? */
static bool goes_on(const struct map_range *low, const struct map_range *high)
{
    return low->end_addr == high->start_addr && low->prot & high->prot & MAP_PROT_READ &&
           !low->is_file && !high->is_file;
}

struct map_range maps_joined(const struct maps *maps, const struct map_range *piece, uint64_t top)
{
    const struct map_range *low = piece, *high = piece;
    const struct map_range *last = &maps->ranges[maps->range_len - 1];
    struct map_range joined = *piece;

    while (high->end_addr <= top && high < last && high - piece < MAPS_PIECES_MAX &&
           goes_on(high, high + 1))
        high++;
    if (top < high->start_addr || top >= high->end_addr)
        return joined;
    while (low > maps->ranges && piece - low < MAPS_PIECES_MAX && goes_on(low - 1, low))
        low--;
    joined.start_addr = low->start_addr;
    joined.end_addr = high->end_addr;
    joined.is_stack |= high->is_stack;
    return joined;
}

const struct map_range *maps_main_stack(const struct maps *maps)
{
    /* It lies near the end, with only the vDSO's and vsyscall's mappings above. */
    for (size_t i = maps->range_len; i-- > 0;)
        if (maps->ranges[i].is_stack)
            return &maps->ranges[i];
    return NULL;
}
