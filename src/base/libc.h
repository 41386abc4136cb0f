/* SPDX-License-Identifier: MIT */
/* What C libraries do in different ways, where a program has to know. */
#ifndef BASE_LIBC_H
#define BASE_LIBC_H

#include <features.h>

/*
 * What a function for fopencookie(3) that writes returns on an error, so that ferror(3) tells. Of
 * glibc it must not be negative; musl takes fewer bytes for no error.
 */
#ifdef __GLIBC__
#define COOKIE_FAILED 0
#else
#define COOKIE_FAILED (-1)
#endif

#endif
