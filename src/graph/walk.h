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
    uint32_t from, to; /* nodes of the view */
    uint32_t on_path;
    uint64_t weight;
    uint64_t calls, first; /* trace only: number of calls, and number of the first */
    bool low_trust;
    bool direct; /* on some chain no node between was left out */
};

struct walk_site {
    uint32_t edge; /* index in walk.edges */
    const char *file;
    uint32_t line;
    uint64_t weight;
};

struct graph_walk {
    const struct view *view;
    const bool *kept; /* by the view's node; NULL: all */
    bool has_edges;
    uint64_t *self, *total; /* by the view's node */
    uint64_t *begins;       /* by the view's node: weight of chains that it begins */
    struct walk_edge *edges;
    size_t edge_count, edge_cap;
    struct walk_site *sites;
    size_t site_count, site_cap;
    /* Private: */
    uint64_t *below;               /* by trie node: shown weight that ends there or below */
    uint32_t *on_path, *last_edge; /* by the view's node */
    struct index edge_index, site_index;
    struct walk_entered *entered;
    size_t entered_count, entered_cap;
    struct walk_level *levels;
    size_t level_count, level_cap;
    struct walk_state *state;
};

/*
 * Walks `view`; it and `kept` are borrowed. Nodes that are not in `kept` are passed over. Without
 * `edges` no edges and sites are made: with long chains there may be one per step, which takes most
 * of the time and memory. NO_MEMORY; `walk` is to be deinitialized in any case.
 */
MUST_CHECK enum status walk_run(struct graph_walk *walk, const struct view *view, const bool *kept,
                                bool edges);
void walk_deinit(struct graph_walk *walk);

#endif
