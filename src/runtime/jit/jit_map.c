/* SPDX-License-Identifier: MIT */
#include "runtime/jit/jit_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/overlay.h"

/* Bytes of an added function's name, to leave room for the numbers of its line. */
#define NAME_MAX_LEN (JIT_LINE_MAX - 64)

struct jit_map {
    struct pool *names;
    struct jit_map *otherwise;
    struct overlay lines;    /* in the file's order; their data are numbers of names */
    uint64_t size;           /* of the file, as far as it is known */
    bool is_lost;            /* a part is missing: all is ignored until the file begins anew */
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
    overlay_deinit(&map->lines);
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
    struct overlay_range line;
    uint64_t size;
    uint32_t name;

    if (!parse_hex(&text, &line.start_addr) || !parse_hex(&text, &size) || !text[0] || !size ||
        size > UINT32_MAX || __builtin_add_overflow(line.start_addr, size, &line.end_addr) ||
        map->lines.len >= JIT_FUNCTIONS_MAX || map->names->len >= JIT_NAMES_MAX ||
        map->names->bytes >= JIT_NAMES_BYTES_MAX)
        return STATUS_OK;
    if (pool_intern(map->names, text, &name) != STATUS_OK)
        return STATUS_NO_MEMORY;
    line.data = name + 1;
    return overlay_add(&map->lines, &line);
}

/* Appends a part of a line, without its end. */
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
    const size_t before = off == 0 ? 0 : map->lines.len;
    enum status status = STATUS_OK;

    if (off == 0) {
        *changed |= map->lines.len > 0;
        overlay_clear(&map->lines);
        map->rest_len = 0;
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
    *changed |= map->lines.len > before;
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

static struct jit_function function_of(const struct overlay_range *line)
{
    return (struct jit_function){line->start_addr, line->end_addr, line->data};
}

enum status jit_map_find(struct jit_map *map, uint64_t addr, struct jit_function *out)
{
    const struct overlay_range *line;
    enum status status = overlay_sort(&map->lines);

    if (status != STATUS_OK)
        return status;
    line = overlay_at(&map->lines, addr);
    if (!line)
        return map->otherwise ? jit_map_find(map->otherwise, addr, out) : STATUS_NOT_FOUND;
    *out = function_of(line);
    return STATUS_OK;
}

struct taker { /* of a map's functions */
    const struct jit_map *first, *map;
    jit_take_fn *take;
    void *context;
};

/* Takes a function unless a map before this one has another at its first or last byte. */
static enum status take_line(void *context, const struct overlay_range *line)
{
    const struct taker *taker = context;
    const struct jit_function function = function_of(line);

    for (const struct jit_map *map = taker->first; map != taker->map; map = map->otherwise)
        if (overlay_at(&map->lines, line->start_addr) ||
            overlay_at(&map->lines, line->end_addr - 1))
            return STATUS_OK;
    return taker->take(taker->context, &function);
}

enum status jit_map_each(struct jit_map *first, uint64_t start_addr, uint64_t end_addr,
                         jit_take_fn *take, void *context)
{
    enum status status = STATUS_OK;

    for (struct jit_map *map = first; map && status == STATUS_OK; map = map->otherwise) {
        struct taker taker = {.first = first, .map = map, .take = take, .context = context};

        status = overlay_sort(&map->lines);
        if (status == STATUS_OK)
            status = overlay_each(&map->lines, start_addr, end_addr, take_line, &taker);
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
