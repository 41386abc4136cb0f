/* SPDX-License-Identifier: MIT */
#include "symbol/jit_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/sort.h"
#include "base/vec.h"

#define NOBODY UINT32_MAX
/* Of a name that is made a line, so that there is room for the numbers. */
#define NAME_MAX_LEN (JIT_LINE_MAX - 64)

/* Between two bounds that follow each other; which line holds there. */
struct jit_piece {
    uint64_t start_addr;
    uint32_t line; /* NOBODY: none */
};

/*
 * Lines that follow each other in the file, made disjoint. A new line holds over all before it, but
 * to sort all anew for each part of a file that grows would take too long: the first level has the
 * oldest lines and the most, each further one less than half as many.
 */
struct level {
    struct jit_piece *pieces; /* owned; ascending; the last one ends the last line: nobody's */
    size_t len;
    size_t from, to; /* lines */
};

#define LEVELS_MAX 24u /* of JIT_FUNCTIONS_MAX lines */

struct jit_map {
    struct pool *names;
    struct jit_map *otherwise;
    struct jit_function *lines; /* in the file's order */
    size_t line_len, line_cap;
    struct level levels[LEVELS_MAX];
    unsigned level_count;
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

static void drop_levels(struct jit_map *map)
{
    for (unsigned i = 0; i < map->level_count; i++)
        free(map->levels[i].pieces);
    map->level_count = 0;
}

void jit_map_destroy(struct jit_map *map)
{
    if (!map)
        return;
    drop_levels(map);
    free(map->lines);
    free(map);
}

void jit_map_set_otherwise(struct jit_map *map, struct jit_map *otherwise)
{
    map->otherwise = otherwise;
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
        map->line_len >= JIT_FUNCTIONS_MAX || map->names->len >= JIT_NAMES_MAX ||
        map->names->bytes >= JIT_NAMES_BYTES_MAX)
        return STATUS_OK;
    if (pool_intern(map->names, text, &name) != STATUS_OK ||
        vec_reserve(&map->lines, &map->line_cap, map->line_len + 1, sizeof(*map->lines)) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    line.name = name + 1;
    map->lines[map->line_len++] = line;
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

enum status jit_map_add(struct jit_map *map, uint64_t off, const uint8_t *bytes, size_t size,
                        bool *changed)
{
    const size_t before = off == 0 ? 0 : map->line_len;
    enum status status = STATUS_OK;

    if (off == 0) {
        *changed |= map->line_len > 0;
        drop_levels(map);
        map->line_len = map->rest_len = 0;
        map->size = 0;
        map->is_skipped = map->is_lost = false;
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
    *changed |= map->line_len > before;
    return status;
}

enum status jit_map_add_function(struct jit_map *map, uint64_t start_addr, uint64_t size,
                                 const char *name, size_t name_len)
{
    const char *end = memchr(name, '\n', name_len);
    const size_t whole_len = end ? (size_t)(end - name) : name_len;
    const size_t len = whole_len < NAME_MAX_LEN ? whole_len : NAME_MAX_LEN;
    char line[JIT_LINE_MAX];
    const int line_len = snprintf(line, sizeof(line), "%jx %jx %.*s\n", (uintmax_t)start_addr,
                                  (uintmax_t)size, len ? (int)len : 1, len ? name : "?");
    bool changed = false;

    return jit_map_add(map, map->size, (const uint8_t *)line, (size_t)line_len, &changed);
}

uint64_t jit_map_size(const struct jit_map *map)
{
    return map->size;
}

/* The ascending bounds of the level's lines, each once. */
static enum status collect_bounds(const struct jit_map *map, struct level *level)
{
    const size_t count = level->to - level->from;
    struct sort_item *items = calloc(2 * count + 1, sizeof(*items));
    enum status status;

    level->pieces = malloc((2 * count + 1) * sizeof(*level->pieces));
    status = items && level->pieces ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        items[2 * i].key = map->lines[level->from + i].start_addr;
        items[2 * i + 1].key = map->lines[level->from + i].end_addr;
    }
    if (status == STATUS_OK)
        status = sort_items(items, 2 * count);
    for (size_t i = 0; i < 2 * count && status == STATUS_OK; i++)
        if (level->len == 0 || level->pieces[level->len - 1].start_addr != items[i].key)
            level->pieces[level->len++] =
                (struct jit_piece){.start_addr = items[i].key, .line = NOBODY};
    free(items);
    return status;
}

/* The piece that begins at `addr`, or the first one behind. */
static size_t piece_at(const struct level *level, uint64_t addr)
{
    return SEARCH_FIRST(i, 0, level->len, level->pieces[i].start_addr < addr);
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
static void share_out(const struct jit_map *map, struct level *level, uint32_t *next)
{
    for (size_t i = 0; i <= level->len; i++)
        next[i] = (uint32_t)i;
    for (size_t line = level->to; line-- > level->from;) {
        const size_t end = piece_at(level, map->lines[line].end_addr);
        size_t i = next_free(next, piece_at(level, map->lines[line].start_addr));

        for (; i < end; i = next_free(next, i)) {
            level->pieces[i].line = (uint32_t)line;
            next[i] = (uint32_t)i + 1;
        }
    }
}

static enum status make_level(const struct jit_map *map, size_t from, size_t to,
                              struct level *level)
{
    uint32_t *next = NULL;
    enum status status;

    *level = (struct level){.from = from, .to = to};
    status = collect_bounds(map, level);
    if (status == STATUS_OK && !(next = malloc((level->len + 1) * sizeof(*next))))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        share_out(map, level, next);
    else
        free(level->pieces);
    free(next);
    return status;
}

static size_t level_size(const struct level *level)
{
    return level->to - level->from;
}

/* Lines that are new become a level, together with those that are not many more. */
static enum status sort_lines(struct jit_map *map)
{
    unsigned kept = map->level_count;
    size_t from = kept ? map->levels[kept - 1].to : 0;
    struct level level;
    enum status status;

    if (from == map->line_len)
        return STATUS_OK;
    while (kept > 0 &&
           (kept == LEVELS_MAX || level_size(&map->levels[kept - 1]) <= 2 * (map->line_len - from)))
        from = map->levels[--kept].from;
    status = make_level(map, from, map->line_len, &level);
    if (status != STATUS_OK)
        return status;
    while (map->level_count > kept)
        free(map->levels[--map->level_count].pieces);
    map->levels[map->level_count++] = level;
    return STATUS_OK;
}

/* The last line that holds the address; NOBODY: none. */
static uint32_t line_at(const struct jit_map *map, uint64_t addr)
{
    for (unsigned at = map->level_count; at-- > 0;) {
        const struct level *level = &map->levels[at];
        const size_t behind = SEARCH_FIRST(i, 0, level->len, level->pieces[i].start_addr <= addr);

        if (behind > 0 && level->pieces[behind - 1].line != NOBODY)
            return level->pieces[behind - 1].line;
    }
    return NOBODY;
}

enum status jit_map_find(struct jit_map *map, uint64_t addr, struct jit_function *out)
{
    enum status status = sort_lines(map);
    uint32_t line;

    if (status != STATUS_OK)
        return status;
    line = line_at(map, addr);
    if (line == NOBODY)
        return map->otherwise ? jit_map_find(map->otherwise, addr, out) : STATUS_NOT_FOUND;
    *out = map->lines[line];
    return STATUS_OK;
}

/* Does any map before `map`, from `first` on, have something in place of the function? */
static bool is_told_before(const struct jit_map *first, const struct jit_map *map,
                           const struct jit_function *f)
{
    for (; first != map; first = first->otherwise)
        if (line_at(first, f->start_addr) != NOBODY || line_at(first, f->end_addr - 1) != NOBODY)
            return true;
    return false;
}

/* Those of this map alone that none before it, from `first` on, has anything in place of. */
static enum status each_own(const struct jit_map *map, const struct jit_map *first,
                            uint64_t start_addr, uint64_t end_addr, jit_take_fn *take,
                            void *context)
{
    enum status status = STATUS_OK;

    for (unsigned at = 0; at < map->level_count && status == STATUS_OK; at++) {
        const struct level *level = &map->levels[at];

        for (size_t i = piece_at(level, start_addr); i < level->len && status == STATUS_OK; i++) {
            const uint32_t line = level->pieces[i].line;
            const struct jit_function *f = line != NOBODY ? &map->lines[line] : NULL;

            if (level->pieces[i].start_addr >= end_addr)
                break;
            if (f && f->start_addr == level->pieces[i].start_addr &&
                line_at(map, f->start_addr) == line && !is_told_before(first, map, f))
                status = take(context, f);
        }
    }
    return status;
}

enum status jit_map_each(struct jit_map *first, uint64_t start_addr, uint64_t end_addr,
                         jit_take_fn *take, void *context)
{
    enum status status = STATUS_OK;

    for (struct jit_map *map = first; map && status == STATUS_OK; map = map->otherwise) {
        status = sort_lines(map);
        if (status == STATUS_OK)
            status = each_own(map, first, start_addr, end_addr, take, context);
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
