/* SPDX-License-Identifier: MIT */
/* Demangled names of symbols, kept, since a sample may hold many pointers to one table. */
#ifndef VARIABLES_SYMBOL_NAMES_H
#define VARIABLES_SYMBOL_NAMES_H

#include "base/map.h"

#define SYMBOL_NAMES_MAX 4096 /* beyond, all are forgotten */

struct symbol_names { /* zero it to begin with */
    struct map texts; /* address of the raw name -> char *, owned; 0: not mangled */
};

void symbol_names_deinit(struct symbol_names *names);

/*
 * Returns `raw` demangled, or `raw`; valid until the next call. `raw` must stay where it is,
 * unchanged, as long as `names`.
 */
const char *symbol_names_get(struct symbol_names *names, const char *raw);

#endif
