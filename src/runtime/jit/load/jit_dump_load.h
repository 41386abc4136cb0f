/* SPDX-License-Identifier: MIT */
/* Loads the functions of a jitdump file (runtime/jit/jit_dump.h) into a map. */
#ifndef RUNTIME_JIT_LOAD_JIT_DUMP_LOAD_H
#define RUNTIME_JIT_LOAD_JIT_DUMP_LOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "runtime/jit/jit_map.h"

/* Most bytes of a file that are read; the rest is ignored. */
#define JIT_DUMP_BYTES_MAX (UINT64_C(1) << 30)

/* The process that must have written the dump. */
struct jit_dump_owner {
    uint16_t machine;   /* ELF's e_machine */
    uint32_t pid;       /* as in the capture */
    uint32_t inner_pid; /* in the process's own pid namespace; 0: not known */
    uint64_t start_ns;  /* time of its last exec since the epoch; 0: not known */
};

/* Whether the open file begins as a jitdump. Its position is not changed. */
bool jit_dump_is_file(int fd);

/*
 * Adds the functions of the jitdump `fd` to `map`, in the order of time. `owner` NULL: the dump may
 * be any process's. `path` is for messages. BAD_DATA with `diag` filled: the dump is damaged
 * (functions before the damage are in the map), or not the owner's; IO with errno set: it cannot be
 * mapped; NO_MEMORY.
 */
MUST_CHECK enum status jit_dump_load(int fd, const char *path, const struct jit_dump_owner *owner,
                                     struct jit_map *map, struct diag *diag);

#endif
