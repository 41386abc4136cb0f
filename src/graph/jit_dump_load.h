/* SPDX-License-Identifier: MIT */
/* The functions of a jitdump (symbol/jit_dump.h), from its file to a map. */
#ifndef GRAPH_JIT_DUMP_LOAD_H
#define GRAPH_JIT_DUMP_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "symbol/jit_map.h"

/* Bytes of a file that are read. */
#define JIT_DUMP_BYTES_MAX (UINT64_C(1) << 30)

/* Whose dump it has to be. */
struct jit_dump_owner {
    uint16_t machine;   /* ELF's e_machine */
    uint32_t pid;       /* as the capture numbers it */
    uint32_t inner_pid; /* or as it numbers itself; 0: not known */
    uint64_t start_ns;  /* since the epoch: its program began then; 0: not known */
};

/* Does the open file begin as a jitdump? Its position stays. */
bool jit_dump_is_file(int fd);

/*
 * Adds the functions to the map, in the order of time. `owner` may be NULL: anyone's. `path` is for
 * messages. BAD_DATA with `diag` filled: damaged (the map has what came before), or another's; IO
 * with errno: it cannot be mapped; NO_MEMORY.
 */
MUST_CHECK enum status jit_dump_load(int fd, const char *path, const struct jit_dump_owner *owner,
                                     struct jit_map *map, struct diag *diag);

#endif
