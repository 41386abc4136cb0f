/* SPDX-License-Identifier: MIT */
/* Hides differences between C libraries. */
#ifndef BASE_LIBC_H
#define BASE_LIBC_H

#include <features.h>

/*
 * A `write` function of fopencookie(3) returns this number after an error, so that ferror(3) is
 * set: glibc forbids negative numbers; musl takes a short count for success.
 */
#ifdef __GLIBC__
#define COOKIE_FAILED 0
#else
#define COOKIE_FAILED (-1)
#endif

#endif
