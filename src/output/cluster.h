/* SPDX-License-Identifier: MIT */
/*
 * Groups nodes of a call graph in frames: --cluster.
 *
 * Each node belongs to the cluster of its module, thread or source file: that of most of its
 * function's frames. In no cluster are: by file, functions without a file; by module or file, nodes
 * of threads, and nodes that are modules (--by module).
 */
#ifndef OUTPUT_CLUSTER_H
#define OUTPUT_CLUSTER_H

#include "base/status.h"
#include "graph/callgraph.h"

enum graph_cluster { CLUSTER_MODULE, CLUSTER_THREAD, CLUSTER_FILE, CLUSTER_NONE };

/*
 * Sets names[i], for node i of the graph, to the name of the node's cluster, borrowed from the view
 * (equal names are equal pointers); NULL: in none. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status cluster_names(const struct callgraph *graph, enum graph_cluster cluster,
                                     const char **names);

/*
 * Sets frames[i], for node i of the graph, to the first node that is drawn in the same frame; i: it
 * is the first, or in no cluster. `names`: from cluster_names. A file or thread has one frame. A
 * module has a frame for each group of nodes that edges within the module connect, so that a
 * library called from everywhere is near its callers. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status cluster_frames(const struct callgraph *graph, enum graph_cluster cluster,
                                      const char *const *names, uint32_t *frames);

#endif
