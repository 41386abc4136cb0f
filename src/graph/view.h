/* SPDX-License-Identifier: MIT */
/*
 * A resolved profile as one output shows it: through a filter, with one kind of weight, and with
 * functions, lines or modules as nodes. Folded, tree and dot output are made from a view.
 *
 * Shares are of the weight of all samples, filtered ones included, as in pprof: a share means the
 * same with and without --focus. With `relative` they are of what passes the filter. Outputs say
 * so.
 *
 * With a baseline each weight exists twice. As captures differ in length shares are compared, each
 * of its own total; their difference is in percentage points.
 */
#ifndef GRAPH_VIEW_H
#define GRAPH_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "graph/filter.h"
#include "graph/profile.h"

enum graph_by { GRAPH_BY_FUNCTION, GRAPH_BY_LINE, GRAPH_BY_MODULE };

/* A node's names in outputs: valid UTF-8 without control characters, owned by the view. */
struct view_node {
    const char *name;   /* "f"; by line "f (x.c:12)"; by module the module's file name */
    const char *label;  /* name, with "@0xstart" if another function of the module has it */
    const char *module; /* the module's path; "[unknown]": outside all mappings */
    /* name and label of the undivided function, if names_divide divided it; else NULL. */
    const char *whole_name, *whole_label;
    const char *thread; /* in by_thread.h's profiles: label of the node's thread; else NULL */
    bool is_thread;     /* stands for a thread or process: module is "[thread]", "[process]" */
};

/*
 * A function of a frame: the frame's own, or one inlined there. A frame has a step for each of them
 * that the filter does not hide.
 */
struct view_step {
    uint32_t node;    /* index in the view's nodes */
    uint32_t line;    /* source line; 0: not known */
    uint32_t place;   /* index in the list of the frame's places */
    const char *file; /* source file, valid UTF-8, owned by the view; NULL: not known */
    bool is_site;     /* `line` is where the step calls or is; false: where its function begins */
    bool is_inline;   /* the function is inlined into the next outer step */
};

/* The steps of a frame: a range of the view's steps, the outermost first. */
struct view_range {
    uint32_t first, count;
};

struct view_options {
    enum graph_by by;
    enum weight_kind weight;
    const struct graph_filter *filter; /* chooses samples; NULL: all pass */
    bool compare;  /* with the profile's baseline; nodes are then matched by clone_match.h */
    bool relative; /* shares are of what passes the filter, not of all */
    bool inverted; /* fold.h shows chains from their innermost frames outwards */
    /* Samples and ticks that have the CPU time of the capture, of the baseline; 0: not known. */
    uint64_t carriers, base_carriers;
};

struct view { /* only view.c changes the members */
    const struct profile *profile;
    enum graph_by by;
    enum weight_kind weight;
    bool compare, relative, inverted;
    bool has_calls; /* made from a trace of calls */
    /* Nodes of the callees of a trace's first and last call; UINT32_MAX: not shown, or no trace. */
    uint32_t first_call_node, last_call_node;
    uint64_t carriers, base_carriers; /* samples that have the weight; 0: not known */
    bool by_thread;                   /* by_thread.h made the profile: nodes belong to threads */
    struct view_node *nodes;
    size_t node_count, node_cap;
    struct view_step *steps;
    size_t step_count, step_cap;
    struct view_range *frames; /* by frame of the profile: its steps */
    bool *cell_shown;          /* by cell of the profile: the cell passed the filter */
    uint64_t *self;            /* by trie node: weight of shown chains that end there */
    uint64_t all;              /* weight of all samples, filtered ones included */
    uint64_t shown;            /* weight of those that passed the filter */
    uint64_t total;            /* 100 %: `shown` if relative, else `all` */
    /* self, all, shown and total of the baseline; 0 and NULL without `compare`. */
    uint64_t *base_self, base_all, base_shown, base_total;
    struct pool paths;  /* texts of modules, files and threads: equal ones have one address */
    struct arena names; /* names and labels of nodes */
};

/*
 * Makes a view of `profile`, which is resolved and borrowed, and must not change while the view
 * lives. `options` is used during the call only. NO_MEMORY.
 */
MUST_CHECK enum status view_create(const struct profile *profile,
                                   const struct view_options *options, struct view **out);
void view_destroy(struct view *view);

/* Writes to `buffer`, and returns, "samples: 12 of 34 shown (35.29%); shares are of 34". */
#define VIEW_SUMMARY_MAX 280
const char *view_summary(const struct view *view, char buffer[VIEW_SUMMARY_MAX]);

/*
 * Returns how much a node or edge with these weights matters for choice and order: its weight or,
 * if greater, its baseline weight scaled to this capture's total.
 */
uint64_t view_importance(const struct view *view, uint64_t weight, uint64_t base);

/* Returns weight / total - base / base_total in ten thousandths: -10000 to 10000. */
int32_t view_delta(const struct view *view, uint64_t weight, uint64_t base);

/*
 * Returns whether weight / total and base / base_total differ, but by no more than two standard
 * errors, computed as if samples were independent: as two captures of one program may. False also
 * if carriers or base_carriers are 0 (other weights than samples and CPU time).
 */
bool view_is_noise(const struct view *view, uint64_t weight, uint64_t base);

/* Returns whether a step is merged into its parent's: both are of one node of a view by module. */
static inline bool view_joins(const struct view *view, uint32_t parent_node, uint32_t node)
{
    return view->by == GRAPH_BY_MODULE && parent_node == node;
}

/*
 * Compares two nodes by label, then module, then thread, for the order of nodes of equal weight.
 * Returns < 0, 0 or > 0; 0 only for the same node, or if all three are equal.
 */
int view_compare_nodes(const struct view *view, uint32_t a, uint32_t b);

#endif
