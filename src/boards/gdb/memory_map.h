/* SPDX-License-Identifier: MIT */
/*
 * Parses what a stub tells of its target's memory (GDB manual, "Memory Map Format"), and of a
 * program's libraries ("Library List Format for SVR4 Targets").
 */
#ifndef BOARDS_GDB_MEMORY_MAP_H
#define BOARDS_GDB_MEMORY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "boards/gdb/xml.h"

/* Further ones are left out. */
#define GDB_MEMORIES_MAX  64u
#define GDB_LIBRARIES_MAX 512u

struct gdb_memory {
    uint64_t start_addr, size; /* not 0 bytes; does not wrap around */
    bool is_ram;               /* RAM; else flash or ROM, where code is */
};

struct gdb_memory_map {
    struct gdb_memory items[GDB_MEMORIES_MAX];
    size_t count;
};

/* Fill `out`. BAD_DATA: not well-formed; `out` has what came before. */
MUST_CHECK enum status gdb_memory_map_parse(const struct gdb_xml_flat *document,
                                            struct gdb_memory_map *out);

struct gdb_library {
    char *path;         /* owned; as the target sees it */
    uint64_t bias_addr; /* load bias */
};

struct gdb_libraries {
    struct gdb_library *items; /* owned */
    size_t count, cap;
};

MUST_CHECK enum status gdb_libraries_parse(const struct gdb_xml_flat *document,
                                           struct gdb_libraries *out);
void gdb_libraries_deinit(struct gdb_libraries *libraries);

#endif
