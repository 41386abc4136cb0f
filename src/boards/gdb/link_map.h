/* SPDX-License-Identifier: MIT */
/*
 * Finds a program's libraries in its own memory, as its dynamic linker lists them for debuggers
 * (<link.h>: struct r_debug and struct link_map); for stubs that do not list them.
 */
#ifndef BOARDS_GDB_LINK_MAP_H
#define BOARDS_GDB_LINK_MAP_H

#include "boards/gdb/state.h"

/* Limits: further libraries, and further bytes of a name, are left out. */
#define GDB_LINK_MAPS_MAX 512u
#define GDB_LINK_NAME_MAX 512u

/*
 * Reads the NUL-terminated string at `addr` in the target's memory into `out`, cut to size - 1
 * bytes. False: `addr` is 0 or unreadable, or the string is empty.
 */
bool gdb_link_map_string(struct gdb_state *st, uint64_t addr, char *out, size_t size);

/*
 * gdb_link_map_each calls visit(context, load bias, path) for each library that the halted program
 * has loaded, not for the program itself. `dynamic_addr` is the run-time address of the program's
 * dynamic section.
 */
typedef void gdb_link_map_fn(void *context, uint64_t bias_addr, const char *path);
void gdb_link_map_each(struct gdb_state *st, uint64_t dynamic_addr, gdb_link_map_fn *visit,
                       void *context);

#endif
