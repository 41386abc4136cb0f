/* SPDX-License-Identifier: MIT */
/* Matches functions that the user names in fewer words than outputs do. */
#ifndef GRAPH_FUNCTION_GIVEN_H
#define GRAPH_FUNCTION_GIVEN_H

#include <stdbool.h>

/*
 * Returns whether `given` names `function`. It may lack, from the outside in:
 *
 *     the return type, namespaces and classes                   int ns::Server::handle(int)
 *     template arguments, its own and enclosing ones            ns::Server<int>::handle<char>
 *     its arguments, and what follows them                      handle(int) const
 *     suffixes of clones (symbol/clone_suffix.h)                handle.constprop.0
 *
 * It never names a function within it: "f" is not "f(int)::{lambda()#1}".
 */
bool function_is_given(const char *function, const char *given);

#endif
