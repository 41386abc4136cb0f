/* SPDX-License-Identifier: MIT */
#include "boards/gdb/memory_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static void on_memory(void *context, const char *name, const char **attributes)
{
    struct gdb_memory_map *out = context;
    const char *type = gdb_xml_attribute(attributes, "type");
    const uint64_t start = gdb_xml_number(attributes, "start", UINT64_MAX);
    const uint64_t size = gdb_xml_number(attributes, "length", 0);

    if (strcmp(name, "memory") != 0 || !type || !size || start > UINT64_MAX - size ||
        out->count == GDB_MEMORIES_MAX)
        return;
    out->items[out->count++] =
        (struct gdb_memory){.start_addr = start, .size = size, .is_ram = strcmp(type, "ram") == 0};
}

enum status gdb_memory_map_parse(const struct gdb_xml_flat *document, struct gdb_memory_map *out)
{
    const struct gdb_xml xml = {.start = on_memory, .context = out};

    out->count = 0;
    return gdb_xml_replay(document, &xml);
}

static void on_library(void *context, const char *name, const char **attributes)
{
    struct gdb_libraries *out = context;
    const char *path = gdb_xml_attribute(attributes, "name");
    char *copy;

    if (strcmp(name, "library") != 0 || !path || !path[0] || out->count == GDB_LIBRARIES_MAX ||
        vec_reserve(&out->items, &out->cap, out->count + 1, sizeof(*out->items)) != STATUS_OK)
        return;
    copy = strdup(path);
    if (copy)
        out->items[out->count++] =
            (struct gdb_library){.path = copy,
                                 .bias_addr = gdb_xml_number(attributes, "l_addr", 0)};
}

enum status gdb_libraries_parse(const struct gdb_xml_flat *document, struct gdb_libraries *out)
{
    const struct gdb_xml xml = {.start = on_library, .context = out};

    *out = (struct gdb_libraries){.count = 0};
    return gdb_xml_replay(document, &xml);
}

void gdb_libraries_deinit(struct gdb_libraries *libraries)
{
    for (size_t i = 0; i < libraries->count; i++)
        free(libraries->items[i].path);
    free(libraries->items);
    *libraries = (struct gdb_libraries){.count = 0};
}
