#include "capture/maps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/map.h"
#include "base/vec.h"

/* A path has at most PATH_MAX bytes, each of which the kernel may write as four (\012). */
#define LINE_MAX_SIZE (4 * 4096 + 128)

static bool hex(const char **pos, const char *end, char stop, uint64_t *out)
{
    uint64_t value = 0;
    const char *p = *pos;

    for (; p < end && *p != stop; p++) {
        unsigned digit;
        if (*p >= '0' && *p <= '9')
            digit = (unsigned)(*p - '0');
        else if (*p >= 'a' && *p <= 'f')
            digit = (unsigned)(*p - 'a') + 10;
        else
            return false;
        value = value << 4 | digit;
    }
    if (p == end || p == *pos)
        return false;
    *pos = p + 1;
    *out = value;
    return true;
}

static bool decimal(const char **pos, const char *end, uint64_t *out)
{
    uint64_t value = 0;
    const char *p = *pos;

    for (; p < end && *p >= '0' && *p <= '9'; p++)
        value = value * 10 + (uint64_t)(*p - '0');
    if (p == *pos)
        return false;
    *pos = p;
    *out = value;
    return true;
}

/* "55d0-55e0 r-xp 00002000 fe:01 1234      /path": addresses, protection, offset, device, inode. */
bool map_line_parse(const char *line, size_t size, struct map_line *out)
{
    const char *pos = line, *end = line + size;
    struct map_line map = {0};
    uint64_t major, minor;

    if (!hex(&pos, end, '-', &map.start_addr) || !hex(&pos, end, ' ', &map.end_addr))
        return false;
    if (end - pos < 5 || map.end_addr <= map.start_addr)
        return false;
    map.prot =
        (uint8_t)((pos[0] == 'r' ? MAP_PROT_READ : 0) | (pos[1] == 'w' ? MAP_PROT_WRITE : 0) |
                  (pos[2] == 'x' ? MAP_PROT_EXEC : 0));
    pos += 5;
    if (!hex(&pos, end, ' ', &map.file_off) || !hex(&pos, end, ':', &major) ||
        !hex(&pos, end, ' ', &minor) || !decimal(&pos, end, &map.inode))
        return false;
    map.dev = makedev((unsigned)major, (unsigned)minor);
    while (pos < end && *pos == ' ')
        pos++;
    map.path = pos;
    map.path_size = (size_t)(end - pos);
    *out = map;
    return true;
}

void maps_drop_paths(struct maps *maps)
{
    free(maps->paths);
    maps->paths = NULL;
    maps->path_len = 0;
    maps->path_cap = 0;
}

void maps_deinit(struct maps *maps)
{
    free(maps->ranges);
    free(maps->execs);
    free(maps->paths);
    *maps = (struct maps){0};
}

static uint64_t hash_text(const char *text, size_t size)
{
    uint64_t hash = size;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return map_hash2(hash, size);
}

static enum status add_exec(struct maps *maps, const struct map_line *line, uint64_t head_addr)
{
    struct exec_map map = {.start_addr = line->start_addr,
                           .end_addr = line->end_addr,
                           .file_off = line->file_off,
                           .dev = line->dev,
                           .inode = line->inode,
                           .prot = line->prot,
                           .head_addr = head_addr,
                           .path_hash = hash_text(line->path, line->path_size),
                           .path_off = (uint32_t)maps->path_len};
    size_t want = maps->path_len + line->path_size + 1;

    if (want > UINT32_MAX || vec_reserve(&maps->paths, &maps->path_cap, want, 1) != STATUS_OK ||
        vec_reserve(&maps->execs, &maps->exec_cap, maps->exec_len + 1, sizeof(*maps->execs)) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    memcpy(maps->paths + maps->path_len, line->path, line->path_size);
    maps->paths[want - 1] = '\0';
    maps->path_len = want;
    maps->execs[maps->exec_len++] = map;
    return STATUS_OK;
}

/*
 * The file whose offset 0 was mapped last: ELF files are mapped in pieces, the header's piece
 * first.
 */
struct head {
    uint64_t addr, dev, inode;
};

static enum status add_line(struct maps *maps, const char *text, size_t size, struct head *head)
{
    static const char stack_name[] = "[stack]";
    struct map_line line;
    bool is_stack;

    if (!map_line_parse(text, size, &line) || maps->range_len >= MAPS_MAX)
        return STATUS_OK;
    /* The file is read in pieces; what changed meanwhile may appear twice. */
    if (maps->range_len && line.start_addr < maps->ranges[maps->range_len - 1].end_addr)
        return STATUS_OK;
    if (vec_reserve(&maps->ranges, &maps->range_cap, maps->range_len + 1, sizeof(*maps->ranges)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    is_stack = line.path_size == sizeof(stack_name) - 1 &&
               memcmp(line.path, stack_name, line.path_size) == 0;
    maps->ranges[maps->range_len++] = (struct map_range){.start_addr = line.start_addr,
                                                         .end_addr = line.end_addr,
                                                         .prot = line.prot,
                                                         .is_stack = is_stack};
    if (line.inode && line.file_off == 0)
        *head = (struct head){.addr = line.start_addr, .dev = line.dev, .inode = line.inode};
    if (!(line.prot & MAP_PROT_EXEC) || is_stack)
        return STATUS_OK;
    return add_exec(maps, &line,
                    head->dev == line.dev && head->inode == line.inode ? head->addr : 0);
}

/* Adds the whole lines of `text`; returns how many bytes they were. */
static size_t add_lines(struct maps *maps, const char *text, size_t size, struct head *head,
                        enum status *status)
{
    size_t done = 0;
    const char *newline;

    while (*status == STATUS_OK && (newline = memchr(text + done, '\n', size - done))) {
        *status = add_line(maps, text + done, (size_t)(newline - text) - done, head);
        done = (size_t)(newline - text) + 1;
    }
    return done;
}

enum status maps_read(struct maps *maps, int fd)
{
    char *buffer = malloc(LINE_MAX_SIZE);
    enum status status = buffer ? STATUS_OK : STATUS_NO_MEMORY;
    struct head head = {.addr = 0};
    size_t have = 0;
    ssize_t n = 0;

    maps->range_len = 0;
    maps->exec_len = 0;
    maps->path_len = 0;
    while (status == STATUS_OK) {
        size_t done;
        n = read(fd, buffer + have, LINE_MAX_SIZE - have);
        if (n <= 0)
            break;
        have += (size_t)n;
        done = add_lines(maps, buffer, have, &head, &status);
        if (!done && have == LINE_MAX_SIZE)
            done = have; /* no line is that long */
        memmove(buffer, buffer + done, have - done);
        have -= done;
    }
    if (status == STATUS_OK && (n < 0 || !maps->range_len))
        status = STATUS_IO;
    if (status != STATUS_OK) {
        maps->range_len = 0;
        maps->exec_len = 0;
    }
    free(buffer);
    return status;
}

const struct map_range *maps_find(const struct maps *maps, uint64_t addr)
{
    size_t low = 0, high = maps->range_len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (maps->ranges[middle].end_addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < maps->range_len && maps->ranges[low].start_addr <= addr)
        return &maps->ranges[low];
    return NULL;
}

const struct exec_map *maps_find_exec(const struct maps *maps, uint64_t addr)
{
    size_t low = 0, high = maps->exec_len;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (maps->execs[middle].end_addr <= addr)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < maps->exec_len && maps->execs[low].start_addr <= addr)
        return &maps->execs[low];
    return NULL;
}

bool exec_map_same(const struct exec_map *a, const struct exec_map *b)
{
    return a->start_addr == b->start_addr && a->end_addr == b->end_addr &&
           a->file_off == b->file_off && a->dev == b->dev && a->inode == b->inode &&
           a->prot == b->prot && a->path_hash == b->path_hash;
}

const struct map_range *maps_main_stack(const struct maps *maps)
{
    /* It lies near the end, with only the vDSO's and vsyscall's mappings above. */
    for (size_t i = maps->range_len; i-- > 0;)
        if (maps->ranges[i].is_stack)
            return &maps->ranges[i];
    return NULL;
}
