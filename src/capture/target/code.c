/* SPDX-License-Identifier: MIT */
#include "capture/target/code.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/crc32.h"
#include "base/search.h"
#include "base/vec.h"

void code_deinit(struct captured_code *code)
{
    free(code->maps);
    free(code->blocks);
    *code = (struct captured_code){0};
}

static const struct exec_map *find_map(const struct exec_map *maps, size_t len, uint64_t addr)
{
    size_t at = SEARCH_FIRST(i, 0, len, maps[i].end_addr <= addr);

    return at < len && maps[at].start_addr <= addr ? &maps[at] : NULL;
}

/* Index of the first block that ends behind the address. */
static size_t find_block(const struct captured_code *code, uint64_t addr)
{
    return SEARCH_FIRST(i, 0, code->block_len,
                        code->blocks[i].start_addr + (CODE_BLOCK - 1) < addr);
}

/* Returns the address's block, added if new; NULL: too many, or no memory. */
static struct code_block *need_block(struct captured_code *code, uint64_t addr)
{
    const uint64_t start = addr - addr % CODE_BLOCK;
    size_t at = find_block(code, addr);

    if (at < code->block_len && code->blocks[at].start_addr == start)
        return &code->blocks[at];
    if (code->block_len == CODE_BLOCKS_MAX ||
        vec_reserve(&code->blocks, &code->block_cap, code->block_len + 1, sizeof(*code->blocks)) !=
            STATUS_OK)
        return NULL;
    memmove(&code->blocks[at + 1], &code->blocks[at],
            (code->block_len - at) * sizeof(*code->blocks));
    code->blocks[at] = (struct code_block){.start_addr = start};
    code->block_len++;
    return &code->blocks[at];
}

/* Mask of the units of the block at `start` that the mapping covers. */
static uint64_t units_of(uint64_t start, const struct exec_map *map)
{
    uint64_t from = map->start_addr > start ? (map->start_addr - start) / CODE_UNIT : 0;
    uint64_t last = (map->end_addr - 1 - start) / CODE_UNIT;

    return (last < 63 ? (UINT64_C(2) << last) - 1 : UINT64_MAX) & UINT64_MAX << from;
}

/* Keeps what is known of mappings that are the same as before. */
static void keep_blocks(struct captured_code *code, const struct exec_map *maps, size_t len)
{
    size_t kept = 0, at = 0;

    for (size_t i = 0; i < code->block_len; i++) {
        struct code_block block = code->blocks[i];
        uint64_t same = 0;

        while (at < len && maps[at].end_addr <= block.start_addr)
            at++;
        for (size_t k = at; k < len && maps[k].start_addr <= block.start_addr + (CODE_BLOCK - 1);
             k++) {
            const struct exec_map *old = find_map(code->maps, code->len, maps[k].start_addr);
            if (old && exec_map_same(old, &maps[k]))
                same |= units_of(block.start_addr, &maps[k]);
        }
        block.written &= same;
        for (unsigned unit = 0; unit < CODE_BLOCK_UNITS; unit++)
            if (!(same >> unit & 1))
                block.sums[unit] = 0;
        if (same)
            code->blocks[kept++] = block;
    }
    code->block_len = kept;
}

/*
 * Is the mapping's code to be written: `all`, or no file has it? The vDSO's is written with its
 * mapping. Heap and stacks may be executable, but hold data.
 */
static bool is_wanted(const char *path, bool all)
{
    const char *end = strrchr(path, ' ');

    if (strcmp(path, "[vdso]") == 0)
        return false;
    return all || !path[0] || strncmp(path, "[anon", 5) == 0 ||
           (end && strcmp(end, " (deleted)") == 0);
}

enum status code_update(struct captured_code *code, const struct maps *maps, bool all)
{
    struct exec_map *now = malloc((maps->exec_len + 1) * sizeof(*now));
    size_t len = 0;

    if (!now)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < maps->exec_len; i++)
        if (is_wanted(maps->paths + maps->execs[i].path_off, all))
            now[len++] = maps->execs[i];
    keep_blocks(code, now, len);
    free(code->maps);
    code->maps = now;
    code->len = len;
    return STATUS_OK;
}

/* Writes a unit unless its checksum is *sum (UNSUPPORTED). NOT_FOUND: the thread has ended. */
static enum status write_unit(const struct target *target, const struct exec_map *map,
                              uint64_t start, pid_t pid, pid_t tid, uint32_t *sum,
                              struct snap_writer *writer)
{
    uint64_t size = map->end_addr - start < CODE_UNIT ? map->end_addr - start : CODE_UNIT;
    uint8_t bytes[CODE_UNIT];
    const struct target_memory piece = {.addr = start, .size = (size_t)size};
    size_t done = 0;
    enum status status = target->backend->memory(target->state, tid, &piece, 1, bytes, &done);
    uint32_t now;

    if (status != STATUS_OK)
        return status;
    now = crc32_update(0, bytes, (size_t)size);
    if (now == *sum)
        return STATUS_UNSUPPORTED;
    *sum = now;
    snap_writer_begin(writer, SNAP_CODE, false);
    snap_writer_u32(writer, (uint32_t)pid);
    snap_writer_u64(writer, start);
    snap_writer_bytes(writer, bytes, (size_t)size);
    return snap_writer_end(writer);
}

static bool stays(const struct target *target)
{
#if CAPTURE_BOARDS
    return target->machine.code_stays;
#else
    return (void)target, false;
#endif
}

/* Has all units read again when it is time. */
static void renew(struct captured_code *code)
{
    const uint64_t now = clock_now_ns();

    if (now - code->renewed_ns < CODE_RENEW_NS)
        return;
    for (size_t i = 0; i < code->block_len && code->renewed_ns; i++)
        code->blocks[i].written = 0;
    code->renewed_ns = now;
}

unsigned code_write_around(struct captured_code *code, const struct target *target, pid_t pid,
                           pid_t tid, uint64_t addr, bool runs, struct snap_writer *writer)
{
    const struct exec_map *map = find_map(code->maps, code->len, addr);
    struct code_block *block = NULL;
    uint64_t off, from, to;
    enum status status;
    unsigned count = 0;

    if (!map)
        return 0;
    if (!stays(target))
        renew(code);
    off = addr - map->start_addr;
    from = (off < CODE_BEFORE ? 0 : off - CODE_BEFORE) / CODE_UNIT;
    to = (off + CODE_AFTER) / CODE_UNIT;
    for (uint64_t unit = from; unit <= to; unit++) {
        uint64_t start = map->start_addr + unit * CODE_UNIT;
        uint64_t bit = UINT64_C(1) << start / CODE_UNIT % CODE_BLOCK_UNITS;

        if (unit * CODE_UNIT >= map->end_addr - map->start_addr)
            break;
        if (!block || start - block->start_addr >= CODE_BLOCK)
            block = need_block(code, start);
        if (!block)
            break;
        if (block->written & bit &&
            (stays(target) || !runs || !(unit <= off / CODE_UNIT && unit + 1 >= off / CODE_UNIT)))
            continue;
        status = write_unit(target, map, start, pid, tid,
                            &block->sums[start / CODE_UNIT % CODE_BLOCK_UNITS], writer);
        if (status == STATUS_OK)
            count++;
        else if (CAPTURE_BOARDS && status == STATUS_BUSY)
            continue; /* it is tried again with the next sample that refers to it */
        else if (status == STATUS_NOT_FOUND)
            break; /* the thread has ended; another may want this unit */
        block->written |= bit;
    }
    return count;
}
