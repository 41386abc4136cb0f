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

/* Limits: further pieces of memory and further libraries are left out. */
#define GDB_MEMORIES_MAX  64u
#define GDB_LIBRARIES_MAX 512u

struct gdb_memory {
    uint64_t start_addr, size; /* size > 0, in bytes; start_addr + size does not wrap around */
    bool is_ram;               /* false: flash or ROM, where code is */
};

struct gdb_memory_map {
    struct gdb_memory items[GDB_MEMORIES_MAX];
    size_t count;
};

/* Fills `out`. BAD_DATA: the document is not well-formed; `out` has what came before the fault. */
MUST_CHECK enum status gdb_memory_map_parse(const struct gdb_xml_flat *document,
                                            struct gdb_memory_map *out);

struct gdb_library {
    char *path;         /* path of its file, as the target sees it; owned */
    uint64_t bias_addr; /* run-time address minus address in the file */
};

struct gdb_libraries {
    struct gdb_library *items; /* owned */
    size_t count, cap;
};

/*
 * Fills `out`; the caller calls gdb_libraries_deinit in any case. BAD_DATA: the document is not
 * well-formed; `out` has what came before the fault. NO_MEMORY.
 */
MUST_CHECK enum status gdb_libraries_parse(const struct gdb_xml_flat *document,
                                           struct gdb_libraries *out);
void gdb_libraries_deinit(struct gdb_libraries *libraries);

#endif
