/* SPDX-License-Identifier: MIT */
/*
 * The system calls that are permitted whatever their arguments: what the C libraries (glibc, musl),
 * libelf, zlib, zstd, liblzma, Capstone, and Graphviz with Pango and fontconfig make on x86-64,
 * i386, ARM and AArch64. Those whose arguments matter are in call_filter.c.
 */
#ifndef CONFINE_CALL_LIST_H
#define CONFINE_CALL_LIST_H

#include <stddef.h>

/* Numbers of this architecture; negative: it has no such call. The usual ones first. */
extern const short call_list[];
extern const size_t call_list_count;

#endif
