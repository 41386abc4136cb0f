/* SPDX-License-Identifier: MIT */
/* Matches names of functions that the user gives with names in outputs, which are longer. */
#ifndef GRAPH_FUNCTION_GIVEN_H
#define GRAPH_FUNCTION_GIVEN_H

#include <stdbool.h>

/*
 * Whether the user's text `given` names the function `function` (a demangled name). `given` may
 * lack, from the outside in:
 *
 *     the return type, namespaces and classes                   int ns::Server::handle(int)
 *     template arguments, its own and those of classes          ns::Server<int>::handle<char>
 *     the arguments, and all behind them                        handle(int) const
 *     suffixes of clones (symbol/clone_suffix.h)                handle.constprop.0
 *
 * False for a function within the named one: "f" does not name "f(int)::{lambda()#1}".
 */
bool function_is_given(const char *function, const char *given);

#endif
