/* SPDX-License-Identifier: MIT */
#include "boards/gdb/memory.h"

#include <inttypes.h>
#include <string.h>

/* Larger pieces would hardly save round trips. */
#define PIECE_MAX ((size_t)16 << 10)
/* Bytes of a packet that are not contents. */
#define FRAME 8u

size_t gdb_memory_piece(const struct gdb_state *st)
{
    const size_t most = (st->client.packet_size - FRAME) / 2; /* digits, or all may be escaped */

    return most < PIECE_MAX ? most : PIECE_MAX;
}

static bool is_in_map(const struct gdb_memory_map *map, uint64_t addr)
{
    for (size_t i = 0; i < map->count; i++)
        if (addr >= map->items[i].start_addr &&
            addr - map->items[i].start_addr < map->items[i].size)
            return true;
    return false;
}

static bool may_read(const struct gdb_state *st, uint64_t addr)
{
    if (gdb_is_m_profile(st) &&
        !(addr < 0x40000000u || (addr >= 0x60000000u && addr < 0xa0000000u)))
        return false;
    return !st->memory_map.count || is_in_map(&st->memory_map, addr);
}

/* Makes one request; returns how many bytes it brought. */
static size_t read_piece(struct gdb_state *st, uint64_t addr, uint8_t *buffer, size_t size)
{
    struct gdb_client *client = &st->client;

    if (gdb_client_ask(client, "%c%" PRIx64 ",%zx", st->offers.binary_memory ? 'x' : 'm', addr,
                       size) != STATUS_OK)
        return 0;
    if (gdb_client_is_error(client) || !client->reply_len) {
        st->unreadable++;
        return 0;
    }
    if (!st->offers.binary_memory)
        return gdb_unhex(client->reply, client->reply_len, buffer, size);
    if (client->reply[0] != 'b')
        return 0;
    if (size > client->reply_len - 1)
        size = client->reply_len - 1;
    memcpy(buffer, client->reply + 1, size);
    return size;
}

static size_t read_pieces(struct gdb_state *st, uint64_t addr, uint8_t *buffer, size_t size)
{
    const uint64_t outer_ns = gdb_bound_begin(&st->bound, GDB_ANSWERS_NS);
    const size_t piece = gdb_memory_piece(st);
    size_t got = 0, n = 1;

    while (got < size && n) {
        n = read_piece(st, addr + got, buffer + got, size - got < piece ? size - got : piece);
        got += n;
    }
    gdb_bound_end(&st->bound, outer_ns);
    return got;
}

size_t gdb_memory_read(struct gdb_state *st, uint64_t addr, void *buffer, size_t size)
{
    if (!size || addr > UINT64_MAX - size || !may_read(st, addr) || !may_read(st, addr + size - 1))
        return 0;
    return read_pieces(st, addr, buffer, size);
}

bool gdb_memory_read_system(struct gdb_state *st, uint64_t addr, uint32_t *words, size_t count)
{
    return read_pieces(st, addr, (uint8_t *)words, count * sizeof(*words)) ==
           count * sizeof(*words);
}

/* Returns the cached line with the address; NULL: not all of it is readable. */
static const uint8_t *line_of(struct gdb_state *st, uint64_t addr)
{
    const uint64_t start = addr - addr % GDB_LINE;
    const size_t slot = (size_t)(start / GDB_LINE * UINT64_C(0x9e3779b97f4a7c15) >> 40) % GDB_LINES;
    struct gdb_cache *cache = &st->cache;

    if (cache->addrs[slot] == start && cache->halts[slot] == st->halt)
        return cache->bytes[slot];
    cache->halts[slot] = 0;
    if (gdb_memory_read(st, start, cache->bytes[slot], GDB_LINE) != GDB_LINE)
        return NULL;
    cache->addrs[slot] = start;
    cache->halts[slot] = st->halt;
    return cache->bytes[slot];
}

bool gdb_memory_read_cached(struct gdb_state *st, uint64_t addr, void *buffer, size_t size)
{
    uint8_t *to = buffer;

    while (size) {
        const size_t off = (size_t)(addr % GDB_LINE);
        const size_t n = size < GDB_LINE - off ? size : GDB_LINE - off;
        const uint8_t *line = addr > UINT64_MAX - GDB_LINE ? NULL : line_of(st, addr);

        if (line)
            memcpy(to, line + off, n);
        else if (gdb_memory_read(st, addr, to, n) != n)
            return false;
        addr += n;
        to += n;
        size -= n;
    }
    return true;
}
