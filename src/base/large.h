/* SPDX-License-Identifier: MIT */
/*
 * Large buffers in huge pages: one page fault for each 2 MiB instead of 512, which took a third of
 * a short run. Where the kernel gives no huge pages (transparent_hugepage/enabled: never) nothing
 * changes.
 */
#ifndef BASE_LARGE_H
#define BASE_LARGE_H

#include <stddef.h>

/* Allocates `size` bytes as malloc does; free and realloc take the result. NULL: out of memory. */
void *large_alloc(size_t size);

#endif
