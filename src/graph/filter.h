/* SPDX-License-Identifier: MIT */
/*
 * Selects the samples and frames that an output shows: --focus, --ignore, --hide as in pprof,
 * --thread, --state, --module.
 *
 *     focus    keeps samples that have a matching frame
 *     ignore   drops samples that have a matching frame
 *     hide     removes matching frames; a sample without any frame left is dropped
 *     module   keeps samples with a frame in a module whose path matches
 *     thread   a thread id if all digits, else an expression for the thread's name
 *     state    keeps samples in one of the states of a list, "sleeping,disk-sleep": names of
 *              thread_state_name, or "blocked" for all but running and ready
 *
 * Expressions are POSIX extended regular ones; focus, ignore and hide search the function's name,
 * the source file and the module's path.
 */
#ifndef GRAPH_FILTER_H
#define GRAPH_FILTER_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/status.h"
#include "graph/names.h"
#include "unwind/chain.h"

enum filter_kind { FILTER_FOCUS, FILTER_IGNORE, FILTER_HIDE, FILTER_MODULE, FILTER_THREAD };
#define FILTER_COUNT 5

struct splits; /* defined in graph/splits.h */

struct graph_filter { /* zeroed: all pass */
    bool set[FILTER_COUNT];
    regex_t regex[FILTER_COUNT];
    char *pattern[FILTER_COUNT]; /* owned; the text of `regex`, as the user gave it */
    bool has_tid;                /* FILTER_THREAD is a thread id, `tid`, and no expression */
    uint32_t tid;
    bool has_states;  /* only samples in `states` pass */
    char states[16];  /* letters of snap_sample.state, NUL-terminated */
    char *state_list; /* owned; the list of names, as the user gave it */
    /* samples have to fulfil these conditions; borrowed; NULL: no conditions */
    const struct splits *splits;
};

void graph_filter_deinit(struct graph_filter *filter);

/*
 * Sets or replaces the part `kind` of the filter. BAD_DATA, with `diag` filled: `pattern` is no
 * regular expression; NO_MEMORY. `diag` may be NULL.
 */
MUST_CHECK enum status graph_filter_set(struct graph_filter *filter, enum filter_kind kind,
                                        const char *pattern, struct diag *diag);

/*
 * Sets or replaces the states by a list, "sleeping,disk-sleep". BAD_DATA, with `diag` filled: a
 * name is no state's; NO_MEMORY.
 */
MUST_CHECK enum status graph_filter_set_states(struct graph_filter *filter, const char *list,
                                               struct diag *diag);

/*
 * graph_filter_text: whether the text matches the expression of this kind; false if that is not
 * set. graph_filter_thread: whether the thread passes FILTER_THREAD; true if that is not set.
 */
bool graph_filter_text(const struct graph_filter *filter, enum filter_kind kind, const char *text);
bool graph_filter_thread(const struct graph_filter *filter, uint32_t tid, const char *name);

/* Whether the state passes; an unknown state (0) does so only if no states are set. */
bool graph_filter_state(const struct graph_filter *filter, char state);

/*
 * Sets *passes to whether a chain passes focus, ignore, module and the conditions of splits, for
 * formats that show each sample. Takes no notice of hide, thread and state. NO_MEMORY.
 */
MUST_CHECK enum status graph_filter_chain(const struct graph_filter *filter, struct names *names,
                                          const struct chain *chain, bool *passes);

#endif
