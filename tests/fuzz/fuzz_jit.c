/* SPDX-License-Identifier: MIT */
/*
 * Perf maps of code made at run time over any bytes.
 *
 * Input: one byte, how large the parts are in which it arrives, then the map. However it is cut,
 * the same is found; where a function is found its range holds the address, and of those that
 * begin in a range each is found where it begins.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/jit/jit_map.h"

#define ADDRS_MAX 64u

static struct jit_map *read_map(struct pool *names, const uint8_t *data, size_t size, size_t part)
{
    struct jit_map *map;
    size_t off = 0;
    bool changed = false;

    if (jit_map_create(names, &map) != STATUS_OK)
        abort();
    do {
        const size_t n = size - off < part ? size - off : part;

        if (jit_map_add(map, off, data + off, n, &changed) != STATUS_OK)
            abort();
        off += n;
    } while (off < size);
    return map;
}

static void check_same(struct jit_map *a, struct jit_map *b, uint64_t addr)
{
    struct jit_function in_a, in_b;
    const enum status status = jit_map_find(a, addr, &in_a);

    if (jit_map_find(b, addr, &in_b) != status)
        abort();
    if (status != STATUS_OK)
        return;
    if (addr < in_a.start_addr || addr >= in_a.end_addr || in_a.start_addr != in_b.start_addr ||
        in_a.end_addr != in_b.end_addr ||
        strcmp(jit_map_name(a, in_a.name), jit_map_name(b, in_b.name)) != 0)
        abort();
}

struct seen {
    struct jit_map *map;
    unsigned left;
};

static enum status see(void *context, const struct jit_function *function)
{
    struct seen *seen = context;
    struct jit_function found;

    if (jit_map_find(seen->map, function->start_addr, &found) != STATUS_OK ||
        found.start_addr != function->start_addr || found.name != function->name)
        abort();
    return seen->left-- ? STATUS_OK : STATUS_END;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pool names;
    struct jit_map *whole, *parts;
    struct seen seen = {.left = ADDRS_MAX};
    uint64_t addr = 0;

    if (size < 2)
        return 0;
    pool_init(&names);
    whole = read_map(&names, data + 1, size - 1, size);
    parts = read_map(&names, data + 1, size - 1, data[0] % 32u + 1);
    for (size_t i = 0; i < ADDRS_MAX; i++) {
        check_same(whole, parts, addr);
        addr = addr * 16 + data[1 + i % (size - 1)] % 16;
    }
    seen.map = whole;
    (void)!jit_map_each(whole, 0, UINT64_MAX, see, &seen);
    jit_map_destroy(whole);
    jit_map_destroy(parts);
    pool_deinit(&names);
    return 0;
}
