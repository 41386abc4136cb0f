/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the full name of a function without linkage name, made from the scopes that
 * declare it. gcc gives no linkage name to what other units cannot call: static functions, those in
 * anonymous namespaces, lambdas.
 *
 *     space::(anonymous namespace)::Class<int>::f      as demangled, without parameters
 *     main::{lambda at 18:12}::operator()              a record without name: its line and column
 *
 * DWARF does not have the lambda's number in a linkage name (main::{lambda()#2}): that counts
 * lambdas which the compiler has dropped, and from gcc 13 on each signature apart.
 */
#ifndef SYMBOL_DWARF_QUALIFIED_H
#define SYMBOL_DWARF_QUALIFIED_H

#include "base/status.h"
#include "symbol/dwarf/die.h"

/* Scopes around a function, and bytes of its full name. Beyond: the name as declared. */
#define QUALIFIERS_MAX     32
#define QUALIFIED_NAME_MAX 4096

/* Bytes of full names, and scopes, of a file. Beyond: names as declared. */
#define QUALIFIED_NAMES_BUDGET ((size_t)64 << 20)
#define QUALIFIED_SCOPES_MAX   ((size_t)4000000)

struct qualifier; /* for the functions of one file and of the file it shares DWARF with */

MUST_CHECK enum status qualifier_create(struct qualifier **out);
void qualifier_destroy(struct qualifier *qualifier);

/*
 * Makes the full name of a declaration, which must have a name. *out lives as long as the qualifier
 * and the file. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status qualifier_name(struct qualifier *qualifier,
                                      const struct declaration *declaration, const char **out);

#endif
