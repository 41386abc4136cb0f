/* SPDX-License-Identifier: MIT */
/* Functions that somebody names in fewer words than they are shown in. */
#ifndef GRAPH_FUNCTION_GIVEN_H
#define GRAPH_FUNCTION_GIVEN_H

#include <stdbool.h>

/*
 * Is `given` a name of `function`? It may lack, from the outside in:
 *
 *     the type of what is returned, namespaces and classes      int ns::Server::handle(int)
 *     arguments of templates, of its own and of those around    ns::Server<int>::handle<char>
 *     its arguments, and what follows them                      handle(int) const
 *     the ends of clones (symbol/clone_suffix.h)                handle.constprop.0
 *
 * A function that is inside of another is not the other: "f" is no "f(int)::{lambda()#1}".
 */
bool function_is_given(const char *function, const char *given);

#endif
