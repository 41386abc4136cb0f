/* SPDX-License-Identifier: MIT */
/*
 * Defines SANITIZED: 1 in a build with AddressSanitizer, else 0. At its end such a program traces
 * itself to find leaks, and runs another program to name functions: its system calls are not
 * filtered.
 */
#ifndef CONFINE_SANITIZER_H
#define CONFINE_SANITIZER_H

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED __has_feature(address_sanitizer)
#else
#define SANITIZED 0
#endif

#endif
