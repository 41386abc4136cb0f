/* SPDX-License-Identifier: MIT */
/*
 * The ends that compilers give to symbols when they make several functions out of one: for constant
 * arguments, in parts, or local ones that get a name in the whole program. Demangled names have
 * them as symbols do.
 *
 *     f.constprop.0, f(int).isra.1.cold, f.part.0          parts or versions of f
 *     f.lto_priv.3, f.llvm.8215                            f itself, static, under another name
 */
#ifndef SYMBOL_CLONE_SUFFIX_H
#define SYMBOL_CLONE_SUFFIX_H

#include <stddef.h>

/* The length of a name without these ends. */
size_t clone_suffix_strip(const char *name);

/* The same, but ends that tell static functions of one name apart stay. */
size_t clone_suffix_strip_parts(const char *name);

#endif
