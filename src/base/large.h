/* SPDX-License-Identifier: MIT */
/*
 * Memory of megabytes in huge pages: one fault each two megabytes, not 512, which are a third of a
 * short run. Where the kernel gives none (transparent_hugepage/enabled: never) nothing changes.
 */
#ifndef BASE_LARGE_H
#define BASE_LARGE_H

#include <stddef.h>

/* As malloc; to be given to free or realloc. */
void *large_alloc(size_t size);

#endif
