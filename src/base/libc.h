/* SPDX-License-Identifier: MIT */
/* Differences between C libraries that programs have to know. */
#ifndef BASE_LIBC_H
#define BASE_LIBC_H

#include <features.h>

/*
 * The result by which a `write` function of fopencookie(3) reports an error, so that ferror(3) is
 * set. glibc wants no negative number; musl takes a short count for success.
 */
#ifdef __GLIBC__
#define COOKIE_FAILED 0
#else
#define COOKIE_FAILED (-1)
#endif

#endif
