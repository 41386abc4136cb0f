/* SPDX-License-Identifier: MIT */
/* Names of symbols as a person reads them, kept: pointers to one table are many in a sample. */
#ifndef VARIABLES_SYMBOL_NAMES_H
#define VARIABLES_SYMBOL_NAMES_H

#include "base/map.h"

#define SYMBOL_NAMES_MAX 4096 /* then all are forgotten */

struct symbol_names { /* zeroed at first */
    struct map texts; /* by the address of the name in its symbol table: a char *, or 0: as it is */
};

void symbol_names_deinit(struct symbol_names *names);

/*
 * `raw` demangled, or itself. It stays where it is, with what it says, as long as `names` live.
 * Valid until the next call.
 */
const char *symbol_names_get(struct symbol_names *names, const char *raw);

#endif
