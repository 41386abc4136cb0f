/* SPDX-License-Identifier: MIT */
/*
 * A resolved profile as one output shows it: through a filter, with one kind of weight, and with
 * functions, lines or modules for nodes. The formats folded, tree and dot are made from a view.
 *
 * Shares are of the weight of all samples, also those that the filter drops, as in pprof: a share
 * means the same with and without --focus. With `relative` they are of what the filter leaves. The
 * outputs say so.
 *
 * With a baseline, each weight is there twice. Captures differ in length, so that shares are
 * compared, each of its own total; their difference is in percentage points.
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

/* What the outputs call a node. All text is valid UTF-8 without control characters. */
struct view_node {
    const char *name;   /* "f"; by line "f (x.c:12)"; by module its file's name */
    const char *label;  /* the same, and where two nodes of a module share a name, "@0xstart" */
    const char *module; /* the module's path; "[unknown]" outside all mappings */
    /* The same two of the whole function, of a node of a divided one (names_divide); else NULL. */
    const char *whole_name, *whole_label;
    uint32_t name_id;   /* equal for equal names */
    const char *thread; /* by thread: the label of the one it belongs to; else NULL */
    bool is_thread;     /* no function, but a thread; its module is "[thread]" */
};

/* A frame expands to steps, one for each inlined function and one for the real one, without hidden
 * ones. */
struct view_step {
    uint32_t node;
    uint32_t line;    /* where in the source the step is; 0: not known */
    uint32_t place;   /* in the frame's places */
    const char *file; /* cleaned; NULL: not known */
    bool is_site;     /* that is where it calls; else where it begins, in a trace of entries */
    bool is_inline;   /* it is inlined into what is outside of it */
};

struct view_range {
    uint32_t first, count; /* in steps, the outermost first */
};

struct view_options {
    enum graph_by by;
    enum weight_kind weight;
    const struct graph_filter *filter; /* NULL: everything */
    bool compare;  /* with the profile's baseline; the nodes are then clone_match.h's */
    bool relative; /* shares are of what passes the filter */
    bool inverted; /* chains are shown from their innermost frames outwards, by fold.h */
    /* How many samples stand for all CPU time, and for the baseline's; 0: not known. */
    uint64_t carriers, base_carriers;
};

struct view { /* read-only to others */
    const struct profile *profile;
    enum graph_by by;
    enum weight_kind weight;
    bool compare, relative, inverted;
    bool has_calls; /* it is of a trace of calls */
    /* Of a trace, the nodes of the first and the last call; UINT32_MAX: not shown. */
    uint32_t first_call_node, last_call_node;
    uint64_t carriers, base_carriers; /* samples that the weight is made of; 0: not known */
    bool by_thread;                   /* the profile is by_thread.h's: nodes belong to threads */
    struct view_node *nodes;
    size_t node_count, node_cap;
    struct view_step *steps;
    size_t step_count, step_cap;
    struct view_range *frames; /* by the profile's frame */
    bool *cell_shown;          /* by the profile's cell */
    uint64_t *self; /* by the profile's trie node: weight of the shown chains that end there */
    uint64_t all;   /* weight of all samples */
    uint64_t shown; /* weight of those that passed the filter */
    uint64_t total; /* what shares are of: one of both */
    /* The same of the baseline; all 0 without. */
    uint64_t *base_self, base_all, base_shown, base_total;
    struct pool pool; /* owns all text */
};

/* `profile` is resolved, borrowed, and does not change meanwhile; options are used during the call.
 */
MUST_CHECK enum status view_create(const struct profile *profile,
                                   const struct view_options *options, struct view **out);
void view_destroy(struct view *view);

/* "samples: 12 of 34 shown (35.29%); shares are of 34"; for the head of an output. */
#define VIEW_SUMMARY_MAX 280
const char *view_summary(const struct view *view, char buffer[VIEW_SUMMARY_MAX]);

/*
 * How much a thing with these weights matters, for the choice and the order of what is shown: the
 * greater of its weight and of what its weight in the baseline would be in a capture like this one.
 */
uint64_t view_importance(const struct view *view, uint64_t weight, uint64_t base);

/* Share minus share in the baseline, in ten thousandths: -10000 to 10000. */
int32_t view_delta(const struct view *view, uint64_t weight, uint64_t base);

/*
 * The share changed by no more than it may between two captures of one program: by two standard
 * errors of the difference of two shares, as if each sample were drawn by itself. Known of samples
 * and of CPU time, which samples stand for; false for other weights, and where nothing changed.
 */
bool view_is_noise(const struct view *view, uint64_t weight, uint64_t base);

/* True when a step does not count after `parent`: within a module, by module. */
static inline bool view_joins(const struct view *view, uint32_t parent_node, uint32_t node)
{
    return view->by == GRAPH_BY_MODULE && parent_node == node;
}

/*
 * Orders nodes of equal weight in the outputs: by label, then module, then thread, so that it does
 * not depend on the order in which they were met. 0 only for the same node or full namesakes.
 */
int view_compare_nodes(const struct view *view, uint32_t a, uint32_t b);

#endif
