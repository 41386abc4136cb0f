/* SPDX-License-Identifier: MIT */
/*
 * Divides functions by the value of a variable (--split), and selects samples by one (--where).
 *
 *     handle:kind              the variable or parameter `kind` of handle
 *     ns::parse:req.head[2]    a part of one, through pointers as well
 *     handle:kind == READ      for --where: ==, !=, <, <=, >, >=, or =~ and a regular expression
 *
 * FUNCTION is a name as shown; it may lack arguments, template arguments and enclosing namespaces.
 * Each frame of a chain gets a mark, a number for the values that the splits and conditions ask of
 * the frame. Frames of one place with different marks are different nodes; a divided function's
 * label comes from the mark: "handle [kind=READ]". Unknown values are equal to each other only.
 */
#ifndef GRAPH_SPLITS_H
#define GRAPH_SPLITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "graph/names.h"
#include "variables/variables.h"

#define SPLITS_MAX       8     /* most splits, and most conditions */
#define SPLIT_VALUES     20    /* limit if splits_set_limit is not called */
#define SPLIT_VALUES_MAX 65536 /* distinct values kept of a split; more become ranges, or "other" */

struct splits;

MUST_CHECK enum status splits_create(struct splits **out);
void splits_destroy(struct splits *splits);

/* Adds a split, "FUNCTION:PATH". BAD_DATA with `diag` filled, also beyond SPLITS_MAX; NO_MEMORY. */
MUST_CHECK enum status splits_add(struct splits *splits, const char *text, struct diag *diag);

/* Adds a condition, "FUNCTION:PATH OP VALUE". BAD_DATA with `diag` filled; NO_MEMORY. */
MUST_CHECK enum status splits_add_condition(struct splits *splits, const char *text,
                                            struct diag *diag);

/*
 * Sets how many distinct values labels show: if there are more, numbers become ranges of powers of
 * two, and all but the most frequent other values become "other" (splits_settle).
 */
void splits_set_limit(struct splits *splits, uint32_t values);

/* Returns a mask with one bit for each condition, all set; compare splits_passed. */
unsigned splits_all(const struct splits *splits);

/* A source of values. `value` has the contract of variables_value; known values have a text. */
struct splits_source {
    enum status (*value)(void *context, const struct variables_frame *frame, size_t depth,
                         const char *path, struct variable_value *out);
    void *context;
};

/*
 * Set the names, whose functions get the labels, and the source of values: `source` (copied), or
 * `variables`. All are borrowed but the copy. One of both is to be called before splits_mark.
 */
void splits_begin_from(struct splits *splits, struct names *names,
                       const struct splits_source *source);
void splits_begin(struct splits *splits, struct names *names, struct variables *variables);

/*
 * Sets `mark` of each frame of the chain, which must have registers (wants_regs); 0: nothing was
 * asked of the frame. Only NO_MEMORY fails.
 */
MUST_CHECK enum status splits_mark(struct splits *splits, struct address_space *space,
                                   const struct snap_sample *sample, struct chain *chain);

/*
 * To be called when all chains are marked: where a split has more values than the limit, labels are
 * ranges and "other" from now on (splits_set_limit).
 */
void splits_settle(struct splits *splits);

/* Returns a mask with one bit for each condition, set if a frame with this mark fulfils it. */
unsigned splits_passed(const struct splits *splits, uint32_t mark);

/* Counts of frames in which a split or condition found its function and value, without repeats. */
struct split_count {
    const char *text, *function, *path; /* the argument, and its parts; owned by the splits */
    uint64_t frames, known;             /* frames of the function; those whose value was known */
    struct known_how last_unknown;      /* why the last unknown value was not known */
    uint64_t not_captured;              /* frames whose value was not captured */
};
/* Sets *out for the i-th split or, behind all splits, condition. False: there is no i-th. */
bool splits_count(const struct splits *splits, size_t i, struct split_count *out);

#endif
