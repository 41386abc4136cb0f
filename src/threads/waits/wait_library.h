/* SPDX-License-Identifier: MIT */
/* Private to the recogniser of waits: finds the version of glibc in its file. */
#ifndef THREADS_WAITS_WAIT_LIBRARY_H
#define THREADS_WAITS_WAIT_LIBRARY_H

#include <stdint.h>

/*
 * Returns the x of version 2.x from the banner among the library's constants, `size` bytes
 * (csu/version.c); 0: no banner.
 *
 *     GNU C Library (Debian GLIBC 2.36-9) stable release version 2.36.
 */
unsigned glibc_version_in(const uint8_t *bytes, uint64_t size);

#endif
