/* SPDX-License-Identifier: MIT */
/*
 * Private to symbol/: the full name of a function without linkage name, made from the names of the
 * scopes around its declaration. gcc gives no linkage name to functions that other units cannot
 * call: static ones, those in anonymous namespaces, lambdas.
 *
 *     space::(anonymous namespace)::Class<int>::f      as demangled, without parameters
 *     main::{lambda at 18:12}::operator()              a record without name: its line and column
 *
 * DWARF does not have the number that a lambda has in linkage names (main::{lambda()#2}), which
 * also counts lambdas that the compiler has dropped, and from gcc 13 on each signature apart.
 */
#ifndef SYMBOL_DWARF_QUALIFIED_H
#define SYMBOL_DWARF_QUALIFIED_H

#include "base/status.h"
#include "symbol/dwarf/die.h"

/* Most scopes around a function, and bytes of a full name; beyond, the name is as declared. */
#define QUALIFIERS_MAX     32
#define QUALIFIED_NAME_MAX 4096

/* Most bytes of all full names, and scopes, of a file; beyond, names are as declared. */
#define QUALIFIED_NAMES_BUDGET ((size_t)64 << 20)
#define QUALIFIED_SCOPES_MAX   ((size_t)4000000)

struct qualifier; /* for the functions of one file and of dwarf_file.shared */

MUST_CHECK enum status qualifier_create(struct qualifier **out);
void qualifier_destroy(struct qualifier *qualifier);

/*
 * Sets *out to the full name of a declaration, which must have a name; the text lives as long as
 * the qualifier and the file. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status qualifier_name(struct qualifier *qualifier,
                                      const struct declaration *declaration, const char **out);

#endif
