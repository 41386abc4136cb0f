#include "capture/code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

void code_deinit(struct code *code)
{
    for (size_t i = 0; i < code->len; i++)
        free(code->maps[i].written);
    free(code->maps);
    *code = (struct code){0};
}

static size_t unit_count(const struct exec_map *map)
{
    return (size_t)((map->end_addr - map->start_addr + CODE_UNIT - 1) / CODE_UNIT);
}

/* modules_update writes the vDSO, whole. */
static bool is_written(const struct maps *maps, const struct exec_map *map)
{
    return strcmp(maps->paths + map->path_off, "[vdso]") == 0;
}

/* Takes over what `old` knows of a mapping, or begins with nothing. */
static bool init_map(struct code_map *to, const struct maps *maps, const struct exec_map *map,
                     struct code *old, size_t *at)
{
    size_t size = (unit_count(map) + 7) / 8;

    while (*at < old->len && old->maps[*at].map.start_addr < map->start_addr)
        ++*at;
    to->map = *map;
    if (*at < old->len && exec_map_same(&old->maps[*at].map, map)) {
        to->written = old->maps[*at].written;
        old->maps[*at].written = NULL;
    } else {
        to->written = malloc(size);
        if (to->written)
            memset(to->written, is_written(maps, map) ? 0xff : 0, size);
    }
    return to->written != NULL;
}

enum status code_update(struct code *code, const struct maps *maps)
{
    struct code now = {.maps = calloc(maps->exec_len + 1, sizeof(*now.maps))};
    enum status status = now.maps ? STATUS_OK : STATUS_NO_MEMORY;
    size_t at = 0;

    now.cap = maps->exec_len + 1;
    while (status == STATUS_OK && now.len < maps->exec_len)
        if (!init_map(&now.maps[now.len], maps, &maps->execs[now.len], code, &at))
            status = STATUS_NO_MEMORY;
        else
            now.len++;
    code_deinit(code);
    if (status != STATUS_OK)
        code_deinit(&now);
    *code = now;
    return status;
}

static struct code_map *find(const struct code *code, uint64_t addr)
{
    size_t low = 0, high = code->len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (code->maps[middle].map.end_addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    return low < code->len && code->maps[low].map.start_addr <= addr ? &code->maps[low] : NULL;
}

static bool write_unit(const struct code_map *map, size_t unit, pid_t pid, pid_t tid,
                       struct snap_writer *writer)
{
    uint64_t start = map->map.start_addr + unit * CODE_UNIT;
    uint64_t size = map->map.end_addr - start < CODE_UNIT ? map->map.end_addr - start : CODE_UNIT;
    uint8_t bytes[CODE_UNIT];
    struct iovec local = {.iov_base = bytes, .iov_len = (size_t)size};
    struct iovec remote = {.iov_base = (void *)(uintptr_t)start, .iov_len = (size_t)size};

    errno = 0;
    if (process_vm_readv(tid, &local, 1, &remote, 1, 0) != (ssize_t)size)
        return false;
    snap_writer_begin(writer, SNAP_CODE, false);
    snap_writer_u32(writer, (uint32_t)pid);
    snap_writer_u64(writer, start);
    snap_writer_bytes(writer, bytes, (size_t)size);
    return snap_writer_end(writer) == STATUS_OK;
}

unsigned code_write_around(struct code *code, pid_t pid, pid_t tid, uint64_t addr,
                           struct snap_writer *writer)
{
    struct code_map *map = find(code, addr);
    uint64_t off, from, to;
    unsigned count = 0;

    if (!map)
        return 0;
    off = addr - map->map.start_addr;
    from = (off < CODE_BEFORE ? 0 : off - CODE_BEFORE) / CODE_UNIT;
    to = (off + CODE_AFTER) / CODE_UNIT;
    for (uint64_t unit = from; unit <= to && unit < unit_count(&map->map); unit++) {
        uint8_t bit = (uint8_t)(1u << unit % 8);
        if (map->written[unit / 8] & bit)
            continue;
        if (write_unit(map, (size_t)unit, pid, tid, writer))
            count++;
        else if (errno == ESRCH)
            return count; /* the thread has ended; another may want this unit */
        map->written[unit / 8] |= bit;
    }
    return count;
}
