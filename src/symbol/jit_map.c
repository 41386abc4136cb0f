/* SPDX-License-Identifier: MIT */
#include "symbol/jit_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/sort.h"
#include "base/vec.h"

#define NOBODY UINT32_MAX

/* Between two bounds that follow each other; which line holds there. */
struct jit_piece {
    uint64_t start_addr;
    uint32_t line; /* NOBODY: none */
};

struct jit_map {
    struct pool *names;
    struct jit_function *lines; /* in the file's order */
    size_t line_len, line_cap;
    struct jit_piece *pieces; /* ascending; the last one ends the last line, and is nobody's */
    size_t piece_len;
    bool is_sorted;          /* `pieces` are those of all lines */
    uint64_t size;           /* of the file, as far as it is known */
    bool is_lost;            /* a part is missing: until it begins anew nothing is taken */
    char rest[JIT_LINE_MAX]; /* of a line that is not whole yet */
    size_t rest_len;
    bool is_skipped; /* that line is too long */
};

enum status jit_map_create(struct pool *names, struct jit_map **out)
{
    struct jit_map *map = calloc(1, sizeof(*map));

    if (!map)
        return STATUS_NO_MEMORY;
    map->names = names;
    *out = map;
    return STATUS_OK;
}

void jit_map_destroy(struct jit_map *map)
{
    if (!map)
        return;
    free(map->lines);
    free(map->pieces);
    free(map);
}

/* A hexadecimal number and the blanks behind it. */
static bool parse_hex(const char **text, uint64_t *out)
{
    const char *at = *text;
    uint64_t value = 0;
    unsigned digits = 0;

    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X'))
        at += 2;
    for (;; at++, digits++) {
        const unsigned digit = *at >= '0' && *at <= '9'   ? (unsigned)(*at - '0')
                               : *at >= 'a' && *at <= 'f' ? (unsigned)(*at - 'a' + 10)
                               : *at >= 'A' && *at <= 'F' ? (unsigned)(*at - 'A' + 10)
                                                          : 16;
        if (digit == 16)
            break;
        if (value >> 60)
            return false;
        value = value << 4 | digit;
    }
    if (!digits || (*at != ' ' && *at != '\t'))
        return false;
    *text = at + strspn(at, " \t");
    *out = value;
    return true;
}

/* `text` ends with a NUL. */
static enum status add_line(struct jit_map *map, const char *text)
{
    struct jit_function line;
    uint64_t size;
    uint32_t name;

    if (!parse_hex(&text, &line.start_addr) || !parse_hex(&text, &size) || !text[0] || !size ||
        size > UINT32_MAX || __builtin_add_overflow(line.start_addr, size, &line.end_addr) ||
        map->line_len >= JIT_FUNCTIONS_MAX || map->names->len >= JIT_NAMES_MAX)
        return STATUS_OK;
    if (pool_intern(map->names, text, &name) != STATUS_OK ||
        vec_reserve(&map->lines, &map->line_cap, map->line_len + 1, sizeof(*map->lines)) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    line.name = name + 1;
    map->lines[map->line_len++] = line;
    map->is_sorted = false;
    return STATUS_OK;
}

/* So many bytes of a line, without its end. */
static void put_rest(struct jit_map *map, const uint8_t *bytes, size_t size)
{
    if (size >= JIT_LINE_MAX - map->rest_len) {
        map->is_skipped = true;
        return;
    }
    memcpy(map->rest + map->rest_len, bytes, size);
    map->rest_len += size;
}

static enum status end_line(struct jit_map *map)
{
    enum status status = STATUS_OK;

    while (map->rest_len && strchr(" \t\r", map->rest[map->rest_len - 1]))
        map->rest_len--;
    map->rest[map->rest_len] = '\0';
    if (!map->is_skipped)
        status = add_line(map, map->rest);
    map->rest_len = 0;
    map->is_skipped = false;
    return status;
}

enum status jit_map_add(struct jit_map *map, uint64_t off, const uint8_t *bytes, size_t size)
{
    enum status status = STATUS_OK;

    if (off == 0) {
        map->line_len = map->rest_len = 0;
        map->size = 0;
        map->is_sorted = map->is_skipped = map->is_lost = false;
    }
    map->is_lost = map->is_lost || off != map->size;
    if (map->is_lost)
        return STATUS_OK;
    map->size += size;
    while (size && status == STATUS_OK) {
        const uint8_t *end = memchr(bytes, '\n', size);
        const size_t len = end ? (size_t)(end - bytes) : size;

        put_rest(map, bytes, len);
        if (end)
            status = end_line(map);
        bytes += len + (end != NULL);
        size -= len + (end != NULL);
    }
    return status;
}

/* The ascending bounds of all lines, each once. */
static enum status collect_bounds(struct jit_map *map)
{
    struct sort_item *items = calloc(2 * map->line_len + 1, sizeof(*items));
    struct jit_piece *pieces = malloc((2 * map->line_len + 1) * sizeof(*pieces));
    enum status status = items && pieces ? STATUS_OK : STATUS_NO_MEMORY;
    size_t len = 0;

    for (size_t i = 0; i < map->line_len && status == STATUS_OK; i++) {
        items[2 * i].key = map->lines[i].start_addr;
        items[2 * i + 1].key = map->lines[i].end_addr;
    }
    if (status == STATUS_OK)
        status = sort_items(items, 2 * map->line_len);
    for (size_t i = 0; i < 2 * map->line_len && status == STATUS_OK; i++)
        if (len == 0 || pieces[len - 1].start_addr != items[i].key)
            pieces[len++] = (struct jit_piece){.start_addr = items[i].key, .line = NOBODY};
    free(items);
    if (status != STATUS_OK) {
        free(pieces);
        return status;
    }
    free(map->pieces);
    map->pieces = pieces;
    map->piece_len = len;
    return STATUS_OK;
}

/* The piece that begins at `addr`, which is a bound. */
static size_t piece_at(const struct jit_map *map, uint64_t addr)
{
    return SEARCH_FIRST(i, 0, map->piece_len, map->pieces[i].start_addr < addr);
}

/* The first piece from `i` on that is nobody's yet, by `next`, which leads there or further on. */
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

/* The last line first: each takes what is nobody's yet. */
static enum status sort_pieces(struct jit_map *map)
{
    enum status status = collect_bounds(map);
    uint32_t *next;

    if (status != STATUS_OK)
        return status;
    next = malloc((map->piece_len + 1) * sizeof(*next));
    if (!next)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i <= map->piece_len; i++)
        next[i] = (uint32_t)i;
    for (size_t line = map->line_len; line-- > 0;) {
        const size_t end = piece_at(map, map->lines[line].end_addr);
        size_t i = next_free(next, piece_at(map, map->lines[line].start_addr));

        for (; i < end; i = next_free(next, i)) {
            map->pieces[i].line = (uint32_t)line;
            next[i] = (uint32_t)i + 1;
        }
    }
    free(next);
    map->is_sorted = true;
    return STATUS_OK;
}

enum status jit_map_find(struct jit_map *map, uint64_t addr, struct jit_function *out)
{
    enum status status = map->is_sorted ? STATUS_OK : sort_pieces(map);
    size_t behind;

    if (status != STATUS_OK)
        return status;
    behind = SEARCH_FIRST(i, 0, map->piece_len, map->pieces[i].start_addr <= addr);
    if (behind == 0 || map->pieces[behind - 1].line == NOBODY)
        return STATUS_NOT_FOUND;
    *out = map->lines[map->pieces[behind - 1].line];
    return STATUS_OK;
}

enum status jit_map_each(struct jit_map *map, uint64_t start_addr, uint64_t end_addr,
                         enum status (*take)(void *context, const struct jit_function *function),
                         void *context)
{
    enum status status = map->is_sorted ? STATUS_OK : sort_pieces(map);

    if (status != STATUS_OK)
        return status;
    for (size_t i = piece_at(map, start_addr); i < map->piece_len && status == STATUS_OK; i++) {
        const struct jit_piece *piece = &map->pieces[i];

        if (piece->start_addr >= end_addr)
            break;
        if (piece->line != NOBODY && map->lines[piece->line].start_addr == piece->start_addr)
            status = take(context, &map->lines[piece->line]);
    }
    return status;
}

const char *jit_map_name(const struct jit_map *map, uint32_t name)
{
    return map->names->texts[name - 1];
}

const char *jit_name(const struct pool *names, uint64_t vaddr, uint64_t *start_vaddr)
{
    const uint64_t name = vaddr >> JIT_NAME_SHIFT;

    if (name == 0 || name > names->len)
        return NULL;
    *start_vaddr = name << JIT_NAME_SHIFT;
    return names->texts[name - 1];
}
