/* SPDX-License-Identifier: MIT */
#include "capture/ptrace/proc_maps.h"

#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/vec.h"
#include "snapshot/format.h"

/* A path has at most PATH_MAX bytes, each written as up to four (\012). */
#define LINE_MAX_SIZE (4 * 4096 + 128)
/* Parts of a file are so far from each other at most: pages of 2 MiB (ld -z max-page-size). */
#define GAP_MAX (UINT64_C(2) << 20)
/* Text lies in so many mappings at most; of more the others are code made at run time. */
#define COPIES_MAX 8

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
    map.is_shared = pos[3] == 's';
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

static enum status add_exec(struct maps *maps, const struct map_line *line, uint64_t head_addr)
{
    const struct exec_map map = {.start_addr = line->start_addr,
                                 .end_addr = line->end_addr,
                                 .file_off = line->file_off,
                                 .dev = line->dev,
                                 .inode = line->inode,
                                 .prot = line->prot,
                                 .head_addr = head_addr};

    return maps_add_exec(maps, &map, line->path, line->path_size);
}

/* What earlier lines tell of the next. */
struct context {
    /* The file whose offset 0 was mapped last: ELF files are mapped in pieces, the header first. */
    uint64_t head_addr, head_dev, head_inode;
    bool after_data; /* the last range is a writable file's: .bss may follow */
    /* Since the last file, or a gap larger than GAP_MAX, which makes before.inode 0: */
    uint64_t end_addr;        /* of the last mapping */
    size_t first_exec;        /* the first executable one that may be a copy of a file's text */
    struct map_beside before; /* that file; without path_off */
    char *path;               /* its path: LINE_MAX_SIZE bytes */
    size_t path_size;
};

static uint64_t head_of(const struct context *context, const struct map_line *line)
{
    return context->head_dev == line->dev && context->head_inode == line->inode ? context->head_addr
                                                                                : 0;
}

/* Adds a writable file's range; its place is SNAP_PLACE_UNKNOWN if there are too many names. */
static enum status add_file(struct maps *maps, const struct map_line *line, uint64_t head_addr,
                            struct map_range *range)
{
    const struct map_file *last = maps->file_len ? &maps->files[maps->file_len - 1] : NULL;
    size_t want = maps->name_len + line->path_size + 1;

    range->place = SNAP_PLACE_FILE;
    range->file = (uint32_t)maps->file_len;
    if (last && last->dev == line->dev && last->inode == line->inode &&
        last->head_addr == head_addr) {
        range->file--;
        return STATUS_OK;
    }
    if (want > MAPS_NAMES_MAX) {
        range->place = SNAP_PLACE_UNKNOWN;
        return STATUS_OK;
    }
    if (vec_reserve(&maps->names, &maps->name_cap, want, 1) != STATUS_OK ||
        vec_reserve(&maps->files, &maps->file_cap, maps->file_len + 1, sizeof(*maps->files)) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    maps->files[maps->file_len++] = (struct map_file){.head_addr = head_addr,
                                                      .dev = line->dev,
                                                      .inode = line->inode,
                                                      .name_off = (uint32_t)maps->name_len};
    memcpy(maps->names + maps->name_len, line->path, line->path_size);
    maps->names[want - 1] = '\0';
    maps->name_len = want;
    return STATUS_OK;
}

static bool begins_with(const struct map_line *line, const char *name)
{
    size_t size = strlen(name);

    return line->path_size >= size && memcmp(line->path, name, size) == 0;
}

/* Returns the kind of memory without a file. */
static enum snap_place place_of(const struct map_line *line)
{
    if (begins_with(line, "[heap]"))
        return SNAP_PLACE_HEAP;
    if (begins_with(line, "[stack]"))
        return SNAP_PLACE_STACK;
    return !line->path_size || begins_with(line, "[anon") || begins_with(line, "[stack:")
               ? SNAP_PLACE_ANON
               : SNAP_PLACE_UNKNOWN;
}

/* Finds the range's kind of memory; `last` is the one before, or NULL. */
static enum status add_place(struct maps *maps, const struct map_line *line,
                             struct context *context, const struct map_range *last,
                             struct map_range *range)
{
    bool writable = line->prot & MAP_PROT_WRITE;
    bool follows = context->after_data && last && last->end_addr == line->start_addr;

    context->after_data = line->inode && writable;
    if (line->inode)
        return writable ? add_file(maps, line, head_of(context, line), range) : STATUS_OK;
    range->place = (uint8_t)place_of(line);
    if (range->place == SNAP_PLACE_ANON && writable && follows) {
        range->place = last->place;
        range->file = last->file;
    }
    return STATUS_OK;
}

static bool ends_with(const struct map_line *line, const char *suffix)
{
    size_t size = strlen(suffix);

    return line->path_size >= size &&
           memcmp(line->path + line->path_size - size, suffix, size) == 0;
}

/* May the memory hold a copy of a file's text: without a file, or with one that has no name? */
static bool may_be_copy(const struct map_line *line)
{
    if (!line->inode)
        return !line->path_size || begins_with(line, "[anon");
    return begins_with(line, "/memfd:") || ends_with(line, " (deleted)");
}

/* Adds a file beside each mapping before it that may be a copy of its header and text. */
static enum status add_behind(struct maps *maps, const struct map_line *line,
                              const struct context *context)
{
    enum status status = STATUS_OK;

    if (maps->exec_len - context->first_exec > COPIES_MAX)
        return STATUS_OK;
    for (size_t i = context->first_exec; status == STATUS_OK && i < maps->exec_len; i++) {
        const struct map_beside beside = {.exec = (uint32_t)i,
                                          .head_addr = maps->execs[context->first_exec].start_addr,
                                          .dev = line->dev,
                                          .inode = line->inode};

        status = maps_add_beside(maps, &beside, line->path, line->path_size);
    }
    return status;
}

static void enter_file(const struct map_line *line, struct context *context)
{
    if (line->file_off) {
        context->before.inode = 0; /* its header is nowhere */
        return;
    }
    context->before =
        (struct map_beside){.head_addr = line->start_addr, .dev = line->dev, .inode = line->inode};
    memcpy(context->path, line->path, line->path_size);
    context->path_size = line->path_size;
}

/* Adds an executable mapping, if it is one, and what files are beside such ones. */
static enum status add_code(struct maps *maps, const struct map_line *line, struct context *context,
                            bool is_code)
{
    const bool is_copy = may_be_copy(line), is_file = line->inode && !is_copy;
    enum status status = STATUS_OK;
    bool is_same;

    if (line->start_addr - context->end_addr > GAP_MAX || (!is_copy && !is_file)) {
        context->before.inode = 0;
        context->first_exec = maps->exec_len;
    }
    is_same = context->before.inode == line->inode && context->before.dev == line->dev;
    context->end_addr = line->end_addr;
    if (is_file && !is_same)
        status = add_behind(maps, line, context);
    if (status == STATUS_OK && is_code)
        status = add_exec(maps, line, head_of(context, line));
    if (is_copy && status == STATUS_OK && is_code && context->before.inode &&
        maps->exec_len - context->first_exec <= COPIES_MAX) {
        context->before.exec = (uint32_t)maps->exec_len - 1;
        status = maps_add_beside(maps, &context->before, context->path, context->path_size);
    }
    if (!is_copy)
        context->first_exec = maps->exec_len;
    if (is_file && (!is_same || !line->file_off))
        enter_file(line, context);
    return status;
}

static enum status add_line(struct maps *maps, const char *text, size_t size,
                            struct context *context)
{
    struct map_range *last = maps->range_len ? &maps->ranges[maps->range_len - 1] : NULL;
    struct map_range range = {0};
    struct map_line line;
    enum status status;

    if (!map_line_parse(text, size, &line) || maps->range_len >= MAPS_MAX)
        return STATUS_OK;
    /* The file is read in pieces; what changed meanwhile may appear twice. */
    if (last && line.start_addr < last->end_addr)
        return STATUS_OK;
    if (line.inode && line.file_off == 0) {
        context->head_addr = line.start_addr;
        context->head_dev = line.dev;
        context->head_inode = line.inode;
    }
    range.start_addr = line.start_addr;
    range.end_addr = line.end_addr;
    range.prot = line.prot;
    range.is_file = line.inode != 0 && !begins_with(&line, "/memfd:") &&
                    !begins_with(&line, "/dev/zero (deleted)");
    range.is_shared = line.is_shared;
    status = add_place(maps, &line, context, last, &range);
    range.is_stack = range.place == SNAP_PLACE_STACK;
    if (status != STATUS_OK || maps_add_range(maps, &range) != STATUS_OK)
        return STATUS_NO_MEMORY;
    return add_code(maps, &line, context, line.prot & MAP_PROT_EXEC && !range.is_stack);
}

/* Adds the whole lines of `text`; returns how many bytes they were. */
static size_t add_lines(struct maps *maps, const char *text, size_t size, struct context *context,
                        enum status *status)
{
    size_t done = 0;
    const char *newline;

    while (*status == STATUS_OK && (newline = memchr(text + done, '\n', size - done))) {
        *status = add_line(maps, text + done, (size_t)(newline - text) - done, context);
        done = (size_t)(newline - text) + 1;
    }
    return done;
}

enum status maps_read(struct maps *maps, int fd)
{
    char *buffer = malloc((size_t)2 * LINE_MAX_SIZE);
    enum status status = buffer ? STATUS_OK : STATUS_NO_MEMORY;
    struct context context = {.path = buffer ? buffer + LINE_MAX_SIZE : NULL};
    size_t have = 0;
    ssize_t n = 0;

    maps->range_len = 0;
    maps->exec_len = 0;
    maps->path_len = 0;
    maps->beside_len = 0;
    maps->file_len = 0;
    maps->name_len = 0;
    while (status == STATUS_OK) {
        size_t done;
        n = read(fd, buffer + have, LINE_MAX_SIZE - have);
        if (n <= 0)
            break;
        have += (size_t)n;
        done = add_lines(maps, buffer, have, &context, &status);
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
