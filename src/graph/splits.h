/* SPDX-License-Identifier: MIT */
/*
 * Functions divided by a value of theirs (--split), and samples chosen by one (--where).
 *
 *     handle:kind              the variable or parameter `kind` of handle
 *     ns::parse:req.head[2]    a part of one, through pointers as well
 *     handle:kind == READ      of --where: ==, !=, <, <=, >, >=, or =~ and a regular expression
 *
 * FUNCTION is a name as it is shown, which may lack its arguments, its template's and the
 * namespaces around it. Each frame of a chain gets a mark, which stands for all that was asked of
 * it; frames of one place with different marks are different nodes, and of a divided function the
 * mark gives the label: "handle [kind=READ]". What is not known is a value of its own.
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

#define SPLITS_MAX       8     /* of each kind */
#define SPLIT_VALUES     20    /* distinct numbers that are told one by one */
#define SPLIT_VALUES_MAX 65536 /* of one split; others are told in ranges, or as "other" */

struct splits;

MUST_CHECK enum status splits_create(struct splits **out);
void splits_destroy(struct splits *splits);

/* "FUNCTION:PATH". BAD_DATA with `diag` filled; NO_MEMORY. */
MUST_CHECK enum status splits_add(struct splits *splits, const char *text, struct diag *diag);

/* "FUNCTION:PATH OP VALUE": the same. */
MUST_CHECK enum status splits_add_condition(struct splits *splits, const char *text,
                                            struct diag *diag);

/*
 * More than so many distinct numbers are told in ranges of powers of two; of other values the most
 * frequent ones are told, and the rest as "other".
 */
void splits_set_limit(struct splits *splits, uint32_t values);

/* All conditions, a bit each. */
unsigned splits_all(const struct splits *splits);

/* Where values come from: as variables_value, and of what is known there is a text. */
struct splits_source {
    enum status (*value)(void *context, const struct variables_frame *frame, size_t depth,
                         const char *path, struct variable_value *out);
    void *context;
};

/* What they are found and read by; borrowed. To be called before anything is marked. */
void splits_begin_from(struct splits *splits, struct names *names,
                       const struct splits_source *source);
void splits_begin(struct splits *splits, struct names *names, struct variables *variables);

/* Marks the frames of a chain that has registers. Only NO_MEMORY fails. */
MUST_CHECK enum status splits_mark(struct splits *splits, struct address_space *space,
                                   const struct snap_sample *sample, struct chain *chain);

/* All has been marked: from now on labels may be ranges, and "other". */
void splits_settle(struct splits *splits);

/* The conditions, a bit each, that a frame of this mark fulfils. */
unsigned splits_passed(const struct splits *splits, uint32_t mark);

/*
 * Of the i-th split, and after the splits of the conditions: what was given, and in how many frames
 * its function was found, repeated samples apart. False: there are no more.
 */
struct split_count {
    const char *text, *function, *path;
    uint64_t frames, known;
    struct known_how last_unknown; /* how a value was not known, where one was not */
    uint64_t not_captured;         /* frames in which that was so */
};
bool splits_count(const struct splits *splits, size_t i, struct split_count *out);

#endif
