/* SPDX-License-Identifier: MIT */
/*
 * Walks over all shown chains of a view at once, for callgraph.c: through the trie from the
 * outermost frames inwards. It counts what is on the path, so that a function or edge that is on a
 * chain several times is weighed once. The work grows with the trie's nodes, not with the lengths
 * of all chains.
 */
#ifndef GRAPH_WALK_H
#define GRAPH_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"
#include "graph/view.h"

struct walk_edge {
    uint32_t from, to;     /* caller and callee, as nodes of the view */
    uint32_t on_path;      /* private: occurrences on the path being walked */
    uint64_t weight;       /* weight of the chains with the edge */
    uint64_t calls, first; /* trace only: count of calls, and the first one's number, from 1 on */
    bool low_trust; /* on some chain the caller's frame, or one left out behind it, has low trust */
    bool direct;    /* on some chain no node between its ends was left out */
};

/* The source line of an edge's call. */
struct walk_site {
    uint32_t edge;    /* index in graph_walk.edges */
    const char *file; /* source file; borrowed from the view */
    uint32_t line;
    uint64_t weight; /* weight of the chains with the edge and this line */
};

struct graph_walk {
    const struct view *view;
    const bool *kept;       /* by the view's node: not left out; NULL: all are kept */
    bool has_edges;         /* walk_run was asked to make edges */
    uint64_t *self, *total; /* by the view's node: weight of chains that end in it, that have it */
    uint64_t *begins;       /* by the view's node: weight of chains that begin with it */
    struct walk_edge *edges;
    size_t edge_count, edge_cap;
    struct walk_site *sites;
    size_t site_count, site_cap;
    /* Private: */
    uint64_t *below; /* by trie node: shown weight that ends there or below */
    /* by the view's node: occurrences on the path; the last edge found from it */
    uint32_t *on_path, *last_edge;
    struct index edge_index, site_index;
    struct walk_entered *entered;
    size_t entered_count, entered_cap;
    struct walk_level *levels;
    size_t level_count, level_cap;
    struct walk_state *state;
};

/*
 * Fills *walk for `view`, which is borrowed, as is `kept`: nodes with kept[node] false are left out
 * (NULL: none, but no sites are made). Without `edges` neither edges nor sites are made: with long
 * chains there may be one per step, which takes most of the time and memory. NO_MEMORY; `walk` is
 * to be deinitialized in any case.
 */
MUST_CHECK enum status walk_run(struct graph_walk *walk, const struct view *view, const bool *kept,
                                bool edges);
void walk_deinit(struct graph_walk *walk);

#endif
