/* SPDX-License-Identifier: MIT */
/*
 * The libraries of a program, as its dynamic linker lists them for debuggers in the program's own
 * memory (<link.h>: struct r_debug and struct link_map): for stubs that do not list them.
 */
#ifndef CAPTURE_GDB_LINK_MAP_H
#define CAPTURE_GDB_LINK_MAP_H

#include "capture/gdb/state.h"

/* Further ones are left out, and what a name has behind so many bytes. */
#define GDB_LINK_MAPS_MAX 512u
#define GDB_LINK_NAME_MAX 512u

/* A string in the target's memory, cut to the buffer. False: there is none. */
bool gdb_link_map_string(struct gdb_state *st, uint64_t addr, char *out, size_t size);

/*
 * In a halt: calls `visit` with each library but for the program itself; `dynamic_addr` is where
 * the program's dynamic section is.
 */
typedef void gdb_link_map_fn(void *context, uint64_t bias_addr, const char *path);
void gdb_link_map_each(struct gdb_state *st, uint64_t dynamic_addr, gdb_link_map_fn *visit,
                       void *context);

#endif
