/* SPDX-License-Identifier: MIT */
/*
 * One walk over all shown chains of a view at once, for callgraph.c: through the trie from the
 * outermost frames inwards, with what is on the path counted, so that a function or edge that is on
 * a chain several times is weighed once. The work follows the trie's nodes, not the lengths of all
 * chains.
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
    uint32_t from, to; /* the view's nodes */
    uint32_t on_path;
    uint64_t weight;
    uint64_t calls, first; /* of a trace: how many calls there were, and the first one's number */
    bool low_trust;
    bool direct; /* on some chain nothing was left out between */
};

struct walk_site {
    uint32_t edge; /* in walk.edges */
    const char *file;
    uint32_t line;
    uint64_t weight;
};

struct graph_walk {
    const struct view *view;
    const bool *kept; /* by the view's node; NULL: all are */
    bool has_edges;
    uint64_t *self, *total; /* by the view's node */
    uint64_t *begins;       /* by the view's node: of the chains whose outermost one it is */
    struct walk_edge *edges;
    size_t edge_count, edge_cap;
    struct walk_site *sites;
    size_t site_count, site_cap;
    /* Private: */
    uint64_t *below;               /* by trie node: shown weight that ends there or further in */
    uint32_t *on_path, *last_edge; /* by the view's node */
    struct index edge_index, site_index;
    struct walk_entered *entered;
    size_t entered_count, entered_cap;
    struct walk_level *levels;
    size_t level_count, level_cap;
    struct walk_state *state;
};

/*
 * Both arrays and `view` are borrowed. With `kept`, nodes that are not kept are passed over. Of
 * long chains there may be as many edges as there are steps, which take most of the time and
 * memory: without `edges` there are none, nor sites.
 */
MUST_CHECK enum status walk_run(struct graph_walk *walk, const struct view *view, const bool *kept,
                                bool edges);
void walk_deinit(struct graph_walk *walk);

#endif
