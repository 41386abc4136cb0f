/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the full name of a function that has no linkage name, by what it is declared
 * in. gcc leaves the linkage name out of all that other units cannot call: static functions, those
 * in anonymous namespaces, lambdas.
 *
 *     space::(anonymous namespace)::Class<int>::f      as demangled, without parameters
 *     main::{lambda at 18:12}::operator()              a record without name: its line and column
 *
 * The number that a linkage name has of a lambda (main::{lambda()#2}) cannot be had from DWARF: it
 * counts lambdas that the compiler has dropped, and by gcc 13 and later each signature by itself.
 */
#ifndef SYMBOL_DWARF_QUALIFIED_H
#define SYMBOL_DWARF_QUALIFIED_H

#include "base/status.h"
#include "symbol/dwarf/die.h"

/* What is in more, or gets a name that is longer than this, is named as it is declared. */
#define QUALIFIERS_MAX     32
#define QUALIFIED_NAME_MAX 4096

/* So is what comes when a file has cost that: bytes of such names, scopes. */
#define QUALIFIED_NAMES_BUDGET ((size_t)64 << 20)
#define QUALIFIED_SCOPES_MAX   ((size_t)4000000)

struct qualifier; /* of the functions of one file, and the one that it shares with others */

MUST_CHECK enum status qualifier_create(struct qualifier **out);
void qualifier_destroy(struct qualifier *qualifier);

/* *out lives as long as the qualifier and the file. `declaration` has a name. */
MUST_CHECK enum status qualifier_name(struct qualifier *qualifier,
                                      const struct declaration *declaration, const char **out);

#endif
