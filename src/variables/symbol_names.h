/* SPDX-License-Identifier: MIT */
/*
 * Demangles names of symbols and keeps the result, since a sample may hold many pointers to one
 * virtual table.
 */
#ifndef VARIABLES_SYMBOL_NAMES_H
#define VARIABLES_SYMBOL_NAMES_H

#include "base/map.h"

/* names kept; when they are full, all are freed before one is added */
#define SYMBOL_NAMES_MAX 4096

struct symbol_names { /* the caller zeroes it at first */
    /*
     * address of the raw name -> demangled name, a char * that is owned; 0: the raw name is not
     * mangled
     */
    struct map texts;
};

void symbol_names_deinit(struct symbol_names *names);

/*
 * Returns `raw` demangled, or `raw` itself if it is not mangled or there is no memory; valid until
 * the next call. `raw` must stay where it is, unchanged, as long as `names` is used.
 */
const char *symbol_names_get(struct symbol_names *names, const char *raw);

#endif
