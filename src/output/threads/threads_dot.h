/* SPDX-License-Identifier: MIT */
/*
 * The hierarchy of threads as Graphviz DOT text: processes, below them the threads without a known
 * maker, below each thread those that it made; edges have the creation site. Threads of one
 * identity are one node, "×N". An edge is dashed if the creation was not seen. The same report
 * gives the same bytes.
 */
#ifndef OUTPUT_THREADS_THREADS_DOT_H
#define OUTPUT_THREADS_THREADS_DOT_H

#include <stdio.h>

#include "base/status.h"
#include "threads/report.h"

/*
 * Writes the hierarchy with at most `nodes` nodes of threads, those nearest to the processes (0:
 * all). NO_MEMORY; IO: `out` has failed.
 */
MUST_CHECK enum status threads_dot_write(const struct report *report, uint32_t nodes, FILE *out);

#endif
