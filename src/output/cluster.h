/* SPDX-License-Identifier: MIT */
/*
 * What draws a frame around which nodes of a call graph: --cluster.
 *
 * A function's file is the one most of its frames lie in. What has no file, a thread's root by
 * module, and a module by module or file are in no cluster.
 */
#ifndef OUTPUT_CLUSTER_H
#define OUTPUT_CLUSTER_H

#include "base/status.h"
#include "graph/callgraph.h"

enum graph_cluster { CLUSTER_MODULE, CLUSTER_THREAD, CLUSTER_FILE, CLUSTER_NONE };

/*
 * Fills names[node of the graph] with its cluster's: the view's text, where equal texts are equal
 * pointers; NULL: none.
 */
MUST_CHECK enum status cluster_names(const struct callgraph *graph, enum graph_cluster cluster,
                                     const char **names);

/*
 * Fills frames[node of the graph] with the first node in its frame, by those names. All of a file,
 * and of a thread, are in one frame. A module has one around each part of it that calls join: a
 * library that is called from everywhere is near its callers, not across the whole picture.
 */
MUST_CHECK enum status cluster_frames(const struct callgraph *graph, enum graph_cluster cluster,
                                      const char *const *names, uint32_t *frames);

#endif
