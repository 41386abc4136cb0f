/* SPDX-License-Identifier: MIT */
/*
 * Who waited for whom, as the history says: the objects that threads waited for, who waited there
 * and how long, and who held them then.
 *
 * A time is the sum of what timeline_waited says of spans: from the sample that found a thread
 * waiting to the next that found it otherwise, less what it ran meanwhile. It is what the timeline
 * and the page show of the same waits. Of a core all times are 0. Who held an object is what those
 * that waited for it read off it (or inferred) when they were sampled; in between nothing was read,
 * and the
 * owner is the one that was read last. What threads have held of one object never overlaps.
 *
 * Threads that have ended hold up no others any more. That one thread has waited for the ends of
 * some of one identity, one after another, is one object, whatever number each of them had.
 */
#ifndef THREADS_BLOCKING_WAIT_GRAPH_H
#define THREADS_BLOCKING_WAIT_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "base/sort.h"
#include "base/status.h"
#include "threads/history.h"
#include "threads/identity.h"
#include "threads/timeline.h"

#define WAIT_GRAPH_NONE UINT32_MAX

struct wait_node { /* an object of one program that a process ran */
    uint32_t object, process;
    /* Threads of one identity, which have ended, whose ends one thread waited for: the object is
     * that of the first of them. 0: it is what the object says. */
    uint32_t joined;
    uint32_t identity;                     /* then: theirs */
    uint32_t first_wait, wait_count;       /* in waits */
    uint32_t first_hold, hold_count;       /* in holds */
    uint32_t first_episode, episode_count; /* in episodes */
    uint64_t wait_ns;                      /* of all that waited for it */
    uint64_t waits;                        /* that samples saw, of all */
    bool all_seen; /* those threads did nothing else: between samples there was no other wait */
    /* Threads that samples saw waiting at one time, at the most; no less than the mean. */
    uint32_t waiters_max;
    uint32_t waiters_end; /* threads that still wait */
    /* Of those the one that was the last to read who holds it: its span; NULL: none has. */
    const struct span *end_span;
    uint32_t end_owner; /* HISTORY_NONE: that does not tell */
};

struct wait_edge { /* a thread that waited for an object */
    uint32_t node, thread;
    uint32_t wait;  /* in the history's waits: its last one there */
    uint32_t count; /* waits: spans between which it has not run are one */
    uint64_t wait_ns, longest_ns;
    uint32_t chain; /* in the profile: in which it waited longest */
    uint64_t chain_ns;
    bool at_end;
    bool is_all; /* from its first sample to its last it did nothing but wait so, once */
};

struct hold_edge { /* a thread that held an object while others waited for it */
    uint32_t node, thread;
    uint64_t held_ns; /* the time during which others waited for it */
    bool inferred;    /* no wait has read it off the object */
    uint32_t chain;   /* in the profile: in which it was longest meanwhile; HISTORY_NONE */
    /* in which it was last seen to wait for the object before it held it; HISTORY_NONE */
    uint32_t take_chain;
};

/*
 * A time during which others waited for an object that one thread held, or some readers. Those of
 * an object do not overlap; the sum of a thread's is held_ns of its edge.
 */
struct hold_episode {
    uint64_t start_ns, end_ns; /* start < end */
    uint32_t owner;            /* HISTORY_NONE: whom the wait names that is no thread, or readers */
    uint32_t wait, waiter;     /* in the history's waits, its threads: which told it */
    bool inferred;             /* no wait has read it off the object meanwhile */
};

/* A span that waits for an object, and who held that. In the order of node, thread, time. */
struct wait_record {
    uint32_t node, thread, span;
    uint32_t owner; /* in the history's threads; HISTORY_NONE: not known */
};

struct wait_graph { /* to be read only */
    const struct history *history;
    const struct identities *identities; /* or NULL */
    struct wait_node *nodes;             /* by the time lost, the greatest first */
    size_t node_count, node_cap;
    struct wait_edge *waits; /* by node, then by time, the longest first */
    size_t wait_count, wait_cap;
    struct hold_edge *holds; /* by node, then by time, the longest first */
    size_t hold_count, hold_cap;
    struct hold_episode *episodes; /* by node, then by time */
    size_t episode_count, episode_cap;
    struct wait_record *records;
    size_t record_count, record_cap;
    /* Private: */
    const struct timeline *timeline; /* or NULL */
    /* The history's threads by process and tid, and by snapshot and tid, in the order of time. */
    struct sort_item *by_tid, *by_snapshot;
    bool has_times;
    struct map by_object; /* process << 32 | object -> index into nodes, but for those joined */
    struct map by_join;   /* while it is made: thread << 32 | identity -> index into nodes */
    struct map joined;    /* while it is made: node << 32 | thread that was joined */
};

/*
 * All are borrowed. Without `identities` each thread that was waited for is an object of its own,
 * without `timeline` threads waited from the beginnings of spans to their ends. Fails only for
 * memory.
 */
MUST_CHECK enum status wait_graph_create(const struct history *history,
                                         const struct identities *identities,
                                         const struct timeline *timeline, struct wait_graph **out);
void wait_graph_destroy(struct wait_graph *graph);

/* The node of an object, or WAIT_GRAPH_NONE: of threads that were joined and have ended, too. */
uint32_t wait_graph_node(const struct wait_graph *graph, uint32_t process, uint32_t object);

/* What a thread waits for in a span; NULL: nothing. */
static inline const struct wait *wait_graph_wait(const struct wait_graph *graph,
                                                 const struct span *span)
{
    return span->wait == WAIT_NONE ? NULL : &graph->history->waits->list[span->wait];
}

static inline const struct span *wait_graph_record_span(const struct wait_graph *graph,
                                                        const struct wait_record *record)
{
    return &graph->history->threads[record->thread].spans[record->span];
}

/* When a thread waited in a span that has a wait, and how long of that it did. */
struct waited {
    uint64_t start_ns, end_ns, ns;
};
struct waited wait_graph_waited(const struct wait_graph *graph, uint32_t thread, size_t span);

/* How many spans of a thread have begun by a time. */
size_t wait_graph_spans_before(const struct history_thread *thread, uint64_t time_ns);

/* The span in which a thread was at a time, or NULL. */
const struct span *wait_graph_span(const struct wait_graph *graph, uint32_t thread,
                                   uint64_t time_ns);

/* What the thread still waits for when the history ends: its last span, or NULL. */
const struct span *wait_graph_last(const struct wait_graph *graph, uint32_t thread);

/* Who holds what a span of a thread waits for, as its wait tells; HISTORY_NONE. */
uint32_t wait_graph_owner(const struct wait_graph *graph, uint32_t thread, const struct span *span);

/*
 * Since when the thread has been found in what it still waits for: a lock that went from one owner
 * to the next meanwhile is one wait.
 */
uint64_t wait_graph_since(const struct wait_graph *graph, uint32_t thread);

#endif
