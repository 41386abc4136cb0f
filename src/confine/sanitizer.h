/* SPDX-License-Identifier: MIT */
/*
 * SANITIZED: is this a build with AddressSanitizer? At its end such a program traces itself to find
 * leaks, and runs another program to name functions: system calls are not filtered then.
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
