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

#define JIT_FUNCTIONS_MAX OVERLAY_RANGES_MAX /* lines kept of one map; later ones are left out */
/* names in the pool of all maps; lines with further ones are left out */
#define JIT_NAMES_MAX (UINT32_C(4) << 20)
/* bytes of all names in the pool; lines with further names are left out */
#define JIT_NAMES_BYTES_MAX (UINT64_C(256) << 20)
#define JIT_LINE_MAX        4096u /* bytes; longer lines are left out */
#define JIT_NAME_SHIFT      32

struct jit_map;

/*
 * Creates an empty map. `names` (borrowed): the pool that all maps add their names to; a name's
 * number is its id in the pool + 1. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status jit_map_create(struct pool *names, struct jit_map **out);
void jit_map_destroy(struct jit_map *map);

/*
 * Sets the map that `map` asks for addresses where it has no function itself; `otherwise`
 * (borrowed) may ask a further map in turn. NULL, as at first: no map is asked.
 */
void jit_map_set_otherwise(struct jit_map *map, struct jit_map *otherwise);

/*
 * Adds the part of the perf map file that begins at `off` (bytes). Offset 0 drops all functions and
 * starts the file anew. A part that does not continue the one before is ignored, and so are all
 * later ones until offset 0; lines that cannot be parsed are left out. Sets *changed to true when
 * functions were added or dropped; never to false. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status jit_map_add(struct jit_map *map, uint64_t off, const uint8_t *bytes,
                                   size_t size, bool *changed);

/*
 * Adds one function as if the file went on with its line; for sources in another format. The name
 * (`name_len` bytes) is cut at its first newline; an empty name becomes "?". Fails with NO_MEMORY
 * only.
 */
MUST_CHECK enum status jit_map_add_function(struct jit_map *map, uint64_t start_addr, uint64_t size,
                                            const char *name, size_t name_len);

/* Returns how many bytes of the file were added since its offset 0. */
uint64_t jit_map_size(const struct jit_map *map);

struct jit_function {
    uint64_t start_addr, end_addr; /* as its line in the perf map says */
    uint32_t name;                 /* the name's number, from 1 on (jit_map_name) */
};

/*
 * Finds the function that holds `addr`, in `map`, else in the map set by jit_map_set_otherwise and
 * so on. NOT_FOUND: in none of them; NO_MEMORY.
 */
MUST_CHECK enum status jit_map_find(struct jit_map *map, uint64_t addr, struct jit_function *out);

/*
 * Calls `take`, in no order, for each function that begins in [start_addr, end_addr) in `first` or
 * in a map that it asks (jit_map_set_otherwise), unless a map asked earlier has a function at the
 * same place. A status of `take` other than OK ends the calls and is returned; else OK, or
 * NO_MEMORY.
 */
typedef enum status jit_take_fn(void *context, const struct jit_function *function);
MUST_CHECK enum status jit_map_each(struct jit_map *first, uint64_t start_addr, uint64_t end_addr,
                                    jit_take_fn *take, void *context);

/* Returns the name with the number `name`, which must be valid; owned by the pool. */
const char *jit_map_name(const struct jit_map *map, uint32_t name);

/* Returns the address that encodes the function's name and the offset of `addr` in it. */
static inline uint64_t jit_vaddr(const struct jit_function *function, uint64_t addr)
{
    return ((uint64_t)function->name << JIT_NAME_SHIFT) + (addr - function->start_addr);
}

/*
 * Returns the function name (owned by `names`) that jit_vaddr has encoded in `vaddr`, and sets
 * *start_vaddr to what jit_vaddr returns for the function's start; NULL: `vaddr` encodes no name.
 */
const char *jit_name(const struct pool *names, uint64_t vaddr, uint64_t *start_vaddr);

#endif
