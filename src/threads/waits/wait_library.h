/* SPDX-License-Identifier: MIT */
/*
 * Private to the recogniser of waits: which version of glibc a file has in it.
 */
#ifndef THREADS_WAITS_WAIT_LIBRARY_H
#define THREADS_WAITS_WAIT_LIBRARY_H

#include <stdint.h>

/*
 * The x of 2.x, as the library says among its constants (csu/version.c); 0: nothing does.
 *
 *     GNU C Library (Debian GLIBC 2.36-9) stable release version 2.36.
 */
unsigned glibc_version_in(const uint8_t *bytes, uint64_t size);

#endif
