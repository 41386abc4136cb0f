/* SPDX-License-Identifier: MIT */
/*
 * Functions that run-time compilers make, as a perf map lists them: lines of `START SIZE NAME`
 * (tools/perf/Documentation/jit-interface.txt of Linux), numbers hexadecimal. Where lines overlap
 * the last one holds.
 *
 * A compiler makes a function anew, moves it, and puts it elsewhere in the next run. So a function
 * is known by its name: each name has a number, the same in all processes and snapshots, and an
 * address that encodes the name and the distance from the function's start:
 *
 *     process 7:  7f10a000-7f10a0ff  f  ─┐
 *     process 7:  7f20b000-7f20b07f  f  ─┴─>  name 1 = f    0x1'00000000 + distance
 *     process 8:  7e003000-7e0031ff  g  ───>  name 2 = g    0x2'00000000 + distance
 */
#ifndef RUNTIME_JIT_JIT_MAP_H
#define RUNTIME_JIT_JIT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/overlay.h"
#include "base/status.h"

#define JIT_FUNCTIONS_MAX OVERLAY_RANGES_MAX  /* lines of one map; the rest is left out */
#define JIT_NAMES_MAX     (UINT32_C(4) << 20) /* names of all maps; the rest is left out */
/* bytes of names of all maps; the rest is left out */
#define JIT_NAMES_BYTES_MAX (UINT64_C(256) << 20)
#define JIT_LINE_MAX        4096u /* bytes; longer lines are left out */
#define JIT_NAME_SHIFT      32

struct jit_map;

/* Creates a map. `names` (borrowed): the pool of all names; a name's number is its id + 1. */
MUST_CHECK enum status jit_map_create(struct pool *names, struct jit_map **out);
void jit_map_destroy(struct jit_map *map);

/*
 * Sets the map (borrowed) that is asked where this one has nothing, and that may have such a map
 * itself; NULL, as at first: none.
 */
void jit_map_set_otherwise(struct jit_map *map, struct jit_map *otherwise);

/*
 * Adds the part of the file that begins at `off`. Offset 0 starts the file anew; a part that does
 * not continue the one before is ignored, as are lines that cannot be parsed. Sets *changed to true
 * when functions were added or dropped; never to false. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status jit_map_add(struct jit_map *map, uint64_t off, const uint8_t *bytes,
                                   size_t size, bool *changed);

/*
 * Adds a function as the file's next line; for sources in another format. A name is cut at a line's
 * end; an empty one becomes "?".
 */
MUST_CHECK enum status jit_map_add_function(struct jit_map *map, uint64_t start_addr, uint64_t size,
                                            const char *name, size_t name_len);

/* Bytes of the file that were added. */
uint64_t jit_map_size(const struct jit_map *map);

struct jit_function {
    uint64_t start_addr, end_addr; /* as in the last line that holds the address */
    uint32_t name;                 /* its number, from 1 on */
};

/* Finds the function at `addr`, or asks the map set as otherwise. NOT_FOUND; NO_MEMORY. */
MUST_CHECK enum status jit_map_find(struct jit_map *map, uint64_t addr, struct jit_function *out);

/*
 * Calls `take`, in no order, for all functions of this map and the maps behind it that begin in
 * [start_addr, end_addr) and are not overwritten there. NO_MEMORY; a status of `take` other than OK
 * ends it and is returned.
 */
typedef enum status jit_take_fn(void *context, const struct jit_function *function);
MUST_CHECK enum status jit_map_each(struct jit_map *first, uint64_t start_addr, uint64_t end_addr,
                                    jit_take_fn *take, void *context);

/* Returns the text of a name's number. Borrowed from the pool. */
const char *jit_map_name(const struct jit_map *map, uint32_t name);

/* Returns the address that encodes the function's name and the offset of `addr` in it. */
static inline uint64_t jit_vaddr(const struct jit_function *function, uint64_t addr)
{
    return ((uint64_t)function->name << JIT_NAME_SHIFT) + (addr - function->start_addr);
}

/*
 * Returns the name that jit_vaddr has encoded in `vaddr`, and sets *start_vaddr to the address of
 * its start; NULL: none.
 */
const char *jit_name(const struct pool *names, uint64_t vaddr, uint64_t *start_vaddr);

#endif
