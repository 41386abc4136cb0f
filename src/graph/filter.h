/* SPDX-License-Identifier: MIT */
/*
 * Which samples and frames an output shows: --focus, --ignore, --hide as in pprof, --thread,
 * --state, --module.
 *
 * focus keeps the samples that have a frame that matches, ignore drops those that have one, hide
 * removes the frames that match (a sample without any frame left is dropped). They are POSIX
 * extended regular expressions, found anywhere in the function's name, the source file or the
 * module's path. module keeps the samples with a frame in a module whose path matches. thread is a
 * thread id when it is all digits, else an expression for the thread's name. state keeps the
 * samples that found their thread in one of the states of a list, "sleeping,disk-sleep":
 * thread_state_name's, and "blocked" for all of them but running.
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

struct splits; /* splits.h */

struct graph_filter { /* zeroed: everything passes */
    bool set[FILTER_COUNT];
    regex_t regex[FILTER_COUNT];
    char *pattern[FILTER_COUNT]; /* owned; what they were made of */
    bool has_tid;
    uint32_t tid;
    bool has_states;
    char states[16];  /* as in proc(5), NUL-terminated */
    char *state_list; /* owned; what they were made of */
    /* Samples have to fulfil its conditions; borrowed, NULL: there are none. */
    const struct splits *splits;
};

void graph_filter_deinit(struct graph_filter *filter);

/* Sets or replaces one part. BAD_DATA: not a regular expression, `diag` (may be NULL) says why. */
MUST_CHECK enum status graph_filter_set(struct graph_filter *filter, enum filter_kind kind,
                                        const char *pattern, struct diag *diag);

/* The same for --state. BAD_DATA: one of the list is no state. */
MUST_CHECK enum status graph_filter_set_states(struct graph_filter *filter, const char *list,
                                               struct diag *diag);

/* A part that is not set matches nothing here, except the thread part, which then passes all. */
bool graph_filter_text(const struct graph_filter *filter, enum filter_kind kind, const char *text);
bool graph_filter_thread(const struct graph_filter *filter, uint32_t tid, const char *name);

/* A state that is not known (0) passes only when all do. */
bool graph_filter_state(const struct graph_filter *filter, char state);

/*
 * Whether a chain by itself passes focus, ignore and module, for the formats that show sample by
 * sample. hide does not count there: frame numbers would lie.
 */
MUST_CHECK enum status graph_filter_chain(const struct graph_filter *filter, struct names *names,
                                          const struct chain *chain, bool *passes);

#endif
