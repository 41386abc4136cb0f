/* SPDX-License-Identifier: MIT */
#include "boards/gdb/link_map.h"

#include <elf.h>
#include <string.h>

#include "boards/gdb/memory.h"

#define DYNAMIC_MAX 256u

/* Reads consecutive words of the target. */
static bool read_words(struct gdb_state *st, uint64_t addr, uint64_t *words, unsigned count)
{
    const size_t size = st->arch->word_size;
    uint8_t bytes[8 * 5];

    if (!gdb_memory_read_cached(st, addr, bytes, count * size))
        return false;
    for (unsigned i = 0; i < count; i++) {
        words[i] = 0;
        memcpy(&words[i], bytes + i * size, size);
    }
    return true;
}

bool gdb_link_map_string(struct gdb_state *st, uint64_t addr, char *out, size_t size)
{
    size_t len = 0;

    if (!addr)
        return false;
    while (len + 1 < size && gdb_memory_read_cached(st, addr + len, out + len, 1) && out[len])
        len++;
    out[len] = '\0';
    return len > 0;
}

/* struct r_debug: int version; struct link_map *map; ... */
static uint64_t first_map(struct gdb_state *st, uint64_t dynamic_addr)
{
    const uint64_t word = st->arch->word_size;
    uint64_t pair[2], debug[2];

    for (unsigned i = 0; i < DYNAMIC_MAX; i++) {
        if (!read_words(st, dynamic_addr + 2 * word * i, pair, 2) || pair[0] == DT_NULL)
            return 0;
        if (pair[0] == DT_DEBUG)
            return pair[1] && read_words(st, pair[1], debug, 2) ? debug[1] : 0;
    }
    return 0;
}

void gdb_link_map_each(struct gdb_state *st, uint64_t dynamic_addr, gdb_link_map_fn *visit,
                       void *context)
{
    uint64_t at = first_map(st, dynamic_addr);
    char path[GDB_LINK_NAME_MAX];
    uint64_t map[4]; /* l_addr, l_name, l_ld, l_next */

    for (unsigned i = 0; at && i < GDB_LINK_MAPS_MAX && read_words(st, at, map, 4); i++) {
        if (i > 0 && map[0] && gdb_link_map_string(st, map[1], path, sizeof(path)))
            visit(context, map[0], path);
        at = map[3];
    }
}
