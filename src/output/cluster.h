/* SPDX-License-Identifier: MIT */
/*
 * Groups nodes of a call graph in frames: --cluster.
 *
 * A function's file is the one that most of its frames lie in. Functions without a file are in no
 * cluster; nor are, by module or file, threads' nodes, and nodes that are modules (--by module).
 */
#ifndef OUTPUT_CLUSTER_H
#define OUTPUT_CLUSTER_H

#include "base/status.h"
#include "graph/callgraph.h"

enum graph_cluster { CLUSTER_MODULE, CLUSTER_THREAD, CLUSTER_FILE, CLUSTER_NONE };

/*
 * Fills names[], by node of the graph, with the cluster's name, borrowed from the view (equal names
 * are equal pointers); NULL: none. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status cluster_names(const struct callgraph *graph, enum graph_cluster cluster,
                                     const char **names);

/*
 * Fills frames[], by node of the graph, with the first node of its frame, from cluster_names. A
 * file and a thread have one frame. A module has a frame around each part whose nodes call each
 * other: so a library that is called from everywhere is near its callers. Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status cluster_frames(const struct callgraph *graph, enum graph_cluster cluster,
                                      const char *const *names, uint32_t *frames);

#endif
