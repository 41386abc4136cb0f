/* SPDX-License-Identifier: MIT */
/*
 * A target's memory as its stub tells of it (GDB manual, "Memory Map Format"), and the libraries of
 * a program ("Library List Format for SVR4 Targets").
 */
#ifndef CAPTURE_GDB_MEMORY_MAP_H
#define CAPTURE_GDB_MEMORY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "capture/gdb/xml.h"

/* Further ones are left out. */
#define GDB_MEMORIES_MAX  64u
#define GDB_LIBRARIES_MAX 512u

struct gdb_memory {
    uint64_t start_addr, size; /* neither 0 bytes nor around the end of the addresses */
    bool is_ram;               /* it can be written; else flash or ROM, where code is */
};

struct gdb_memory_map {
    struct gdb_memory items[GDB_MEMORIES_MAX];
    size_t count;
};

/* BAD_DATA: it is not well-formed; what came before is in *out. NO_MEMORY. */
MUST_CHECK enum status gdb_memory_map_parse(const struct gdb_xml_flat *document,
                                            struct gdb_memory_map *out);

struct gdb_library {
    char *path;         /* owned; as the target sees it */
    uint64_t bias_addr; /* from the addresses in its file to where it is */
};

struct gdb_libraries {
    struct gdb_library *items; /* owned */
    size_t count, cap;
};

MUST_CHECK enum status gdb_libraries_parse(const struct gdb_xml_flat *document,
                                           struct gdb_libraries *out);
void gdb_libraries_deinit(struct gdb_libraries *libraries);

#endif
