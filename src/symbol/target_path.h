/* SPDX-License-Identifier: MIT */
/* Private to symbol/: where files of the target are on this machine. */
#ifndef SYMBOL_TARGET_PATH_H
#define SYMBOL_TARGET_PATH_H

#include <stddef.h>
#include <stdint.h>

/* Returns the texts as one, malloc'ed, for the caller to free. NULL: no memory. */
char *path_joined(const char *a, const char *b, const char *c);

/*
 * Returns the path at which perf keeps its copy of a file with this build-id, whether there is one
 * or not: ~/.debug/.build-id/ab/cdef.../NAME; malloc'ed, for the caller to free. NULL: `size` is
 * below 2, no $HOME, or no memory.
 */
char *perf_cache_path(const uint8_t *id, size_t size, const char *name);

/*
 * Returns the path on this machine of the target's file `path`: below `sysroot`, with symbolic
 * links resolved as if `sysroot` were the root, or `path` itself (`sysroot` NULL); malloc'ed, for
 * the caller to free. NULL: there is no such file, or no memory.
 */
char *target_path(const char *sysroot, const char *path);

#endif
