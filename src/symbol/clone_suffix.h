/* SPDX-License-Identifier: MIT */
/*
 * Suffixes that compilers append to a symbol: when they make several functions of one, for constant
 * arguments or in parts, or to make a local name unique in the whole program. Demangled names keep
 * the suffixes.
 *
 *     f.constprop.0, f(int).isra.1.cold, f.part.0          parts or versions of f
 *     f.lto_priv.3, f.llvm.8215                            f itself: a static function, renamed
 */
#ifndef SYMBOL_CLONE_SUFFIX_H
#define SYMBOL_CLONE_SUFFIX_H

#include <stddef.h>

/* Returns the length of `name` without any of these suffixes at its end. */
size_t clone_suffix_strip(const char *name);

/*
 * Returns the length of `name` without suffixes for parts or versions: .lto_priv.N and .llvm.N,
 * which tell static functions of one name apart, count as a part of the name.
 */
size_t clone_suffix_strip_parts(const char *name);

#endif
