/* SPDX-License-Identifier: MIT */
/*
 * Functions that run-time compilers have made, as a perf map names them: lines of `START SIZE NAME`
 * (tools/perf/Documentation/jit-interface.txt of Linux), numbers hexadecimal; of lines that overlap
 * the last one holds.
 *
 * A function is made anew and moves while a program runs, and is elsewhere in the next run. So it
 * is told by its name: each name has a number, the same in all processes and snapshots, and an
 * address that stands for the name and the distance from where the function began:
 *
 *     process 7:  7f10a000-7f10a0ff  f  ─┐
 *     process 7:  7f20b000-7f20b07f  f  ─┴─>  name 1 = f    0x1'00000000 + distance
 *     process 8:  7e003000-7e0031ff  g  ───>  name 2 = g    0x2'00000000 + distance
 */
#ifndef SYMBOL_JIT_MAP_H
#define SYMBOL_JIT_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/overlay.h"
#include "base/status.h"

#define JIT_FUNCTIONS_MAX   OVERLAY_RANGES_MAX    /* of one map; what is beyond is left out */
#define JIT_NAMES_MAX       (UINT32_C(4) << 20)   /* of all maps; also what is beyond so many … */
#define JIT_NAMES_BYTES_MAX (UINT64_C(256) << 20) /* … bytes of names is left out */
#define JIT_LINE_MAX        4096u                 /* longer ones are left out */
#define JIT_NAME_SHIFT      32

struct jit_map;

/* `names` (borrowed) is the pool of all names, whose ids are their numbers minus 1. */
MUST_CHECK enum status jit_map_create(struct pool *names, struct jit_map **out);
void jit_map_destroy(struct jit_map *map);

/*
 * What holds where this map tells nothing, which may have such a map itself, and so on; borrowed.
 * NULL, as at first: nothing.
 */
void jit_map_set_otherwise(struct jit_map *map, struct jit_map *otherwise);

/*
 * The part of the file that begins at `off`: 0 begins it anew; what does not continue the part
 * before is ignored. Lines that are none are left out. *changed: what is told is not what it was;
 * it is set to true only. Only NO_MEMORY fails.
 */
MUST_CHECK enum status jit_map_add(struct jit_map *map, uint64_t off, const uint8_t *bytes,
                                   size_t size, bool *changed);

/*
 * The function as the file's next line, which begins it where there was none: for who tells them in
 * another form. Of a name with a line's end it is what is before that, of none "?".
 */
MUST_CHECK enum status jit_map_add_function(struct jit_map *map, uint64_t start_addr, uint64_t size,
                                            const char *name, size_t name_len);

/* Of the file, as far as it was added. */
uint64_t jit_map_size(const struct jit_map *map);

struct jit_function {
    uint64_t start_addr, end_addr; /* as the last line that holds the address has them */
    uint32_t name;                 /* its number, from 1 on */
};

/* The function at `addr`. NOT_FOUND; NO_MEMORY. */
MUST_CHECK enum status jit_map_find(struct jit_map *map, uint64_t addr, struct jit_function *out);

/*
 * All functions that begin in [start_addr, end_addr) and have not been overwritten there: calls
 * `take` for each, in no order. NO_MEMORY; what `take` returned, if that is not OK.
 */
typedef enum status jit_take_fn(void *context, const struct jit_function *function);
MUST_CHECK enum status jit_map_each(struct jit_map *first, uint64_t start_addr, uint64_t end_addr,
                                    jit_take_fn *take, void *context);

/* What its number stands for. */
const char *jit_map_name(const struct jit_map *map, uint32_t name);

/* The address that stands for `addr` in the function. */
static inline uint64_t jit_vaddr(const struct jit_function *function, uint64_t addr)
{
    return ((uint64_t)function->name << JIT_NAME_SHIFT) + (addr - function->start_addr);
}

/* The name that such an address stands for, and where it begins; NULL: none. */
const char *jit_name(const struct pool *names, uint64_t vaddr, uint64_t *start_vaddr);

#endif
