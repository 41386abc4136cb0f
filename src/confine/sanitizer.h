/* SPDX-License-Identifier: MIT */
/*
 * Whether this is a build with AddressSanitizer. At the end it traces its own process to find
 * leaks, and it runs another program to name the functions of its reports: system calls are not
 * filtered there.
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
