/* SPDX-License-Identifier: MIT */
/*
 * Who waited for whom: the objects that threads of a history waited for (nodes), who waited for
 * each and how long (wait edges), and who held it meanwhile (hold edges).
 *
 *     worker --waited 1.2 s--> mutex g_lock --held by--> main
 *
 * Waiting times are sums of timeline_waited over spans: from the sample that found a thread waiting
 * to the next that found it otherwise, less its CPU time. They equal those of the timeline. For a
 * core all times are 0. Samples of waiters read an object's owner off it, or infer it; from one
 * reading to the next the owner that was read last holds the object. So owners of one object never
 * overlap in time.
 *
 * Threads that one thread joined, one after another, and that have ended share a node if they are
 * of one identity, whatever their tids.
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
    /* Ended threads of one identity that one thread joined: `object` is the first one's. 0: the
     * node is the object. */
    uint32_t joined;
    uint32_t identity;                     /* if joined: theirs */
    uint32_t first_wait, wait_count;       /* its edges in waits */
    uint32_t first_hold, hold_count;       /* its edges in holds */
    uint32_t first_episode, episode_count; /* in episodes */
    uint64_t wait_ns;                      /* of all threads that waited for it */
    uint64_t waits;                        /* number of waits that samples saw */
    bool all_seen;                         /* is_all for all its wait edges: no wait was missed */
    uint32_t waiters_max; /* most threads seen waiting at one time; at least the mean */
    uint32_t waiters_end; /* threads that still wait when the history ends */
    /* The last span of one of these: the one that was last read for the owner; NULL: none. */
    const struct span *end_span;
    uint32_t end_owner; /* read there; HISTORY_NONE: not known */
};

struct wait_edge { /* a thread that waited for an object */
    uint32_t node, thread;
    uint32_t wait;  /* its last one there, in the history's waits */
    uint32_t count; /* waits: spans between which the thread has not run are one */
    uint64_t wait_ns, longest_ns;
    uint32_t chain; /* in the profile: in which it waited longest */
    uint64_t chain_ns;
    bool at_end; /* it waits for the object when the history ends */
    bool is_all; /* all its samples found it in this one wait */
};

struct hold_edge { /* a thread that held an object while others waited for it */
    uint32_t node, thread;
    uint64_t held_ns; /* how long it did while others waited */
    bool inferred;    /* no wait has read the owner off the object */
    uint32_t chain;   /* in the profile: in which it was longest meanwhile; HISTORY_NONE */
    /* the most frequent chain in which it was last seen waiting for the object; HISTORY_NONE */
    uint32_t take_chain;
};

/*
 * A time during which one thread, or some readers, held an object while others waited. Episodes of
 * an object do not overlap; those of a thread add up to held_ns of its edge.
 */
struct hold_episode {
    uint64_t start_ns, end_ns; /* start < end */
    uint32_t owner;            /* HISTORY_NONE: readers, or a tid that is no known thread (wait) */
    uint32_t wait, waiter;     /* in the history's waits, its threads: they told the owner */
    bool inferred;             /* no wait has read the owner off the object meanwhile */
};

/* A span that waits for an object, and the object's owner. In the order of node, thread, time. */
struct wait_record {
    uint32_t node, thread, span;
    uint32_t owner; /* in the history's threads; HISTORY_NONE: not known */
};

struct wait_graph { /* read only */
    const struct history *history;
    const struct identities *identities; /* NULL: none */
    struct wait_node *nodes;             /* by wait_ns, the greatest first */
    size_t node_count, node_cap;
    struct wait_edge *waits; /* by node, then by wait_ns, the greatest first */
    size_t wait_count, wait_cap;
    struct hold_edge *holds; /* by node, then by held_ns, the greatest first */
    size_t hold_count, hold_cap;
    struct hold_episode *episodes; /* by node, then in the order of time */
    size_t episode_count, episode_cap;
    struct wait_record *records;
    size_t record_count, record_cap;
    /* Private: */
    const struct timeline *timeline; /* NULL: none */
    /* The history's threads by process and tid, and by snapshot and tid, in the order of time. */
    struct sort_item *by_tid, *by_snapshot;
    bool has_times;
    struct map by_object; /* process << 32 | object -> index of a node that is not `joined` */
    struct map by_join;   /* while it is made: thread << 32 | identity -> index into nodes */
    struct map joined;    /* while it is made: node << 32 | thread that was joined */
};

/*
 * Borrows all arguments. Without `identities` each thread that was joined has a node of its own;
 * without `timeline` threads wait from the beginnings of spans to their ends. Fails only with
 * NO_MEMORY.
 */
MUST_CHECK enum status wait_graph_create(const struct history *history,
                                         const struct identities *identities,
                                         const struct timeline *timeline, struct wait_graph **out);
void wait_graph_destroy(struct wait_graph *graph);

/* Returns the object's node; WAIT_GRAPH_NONE: nobody waited, or the node is `joined`. */
uint32_t wait_graph_node(const struct wait_graph *graph, uint32_t process, uint32_t object);

/* Returns the span's wait; NULL: none. */
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

/*
 * Returns when a thread waited in a span that has a wait, and for how long (`ns`, at most end_ns -
 * start_ns: without its CPU time).
 */
struct waited {
    uint64_t start_ns, end_ns, ns;
};
struct waited wait_graph_waited(const struct wait_graph *graph, uint32_t thread, size_t span);

/* Returns how many spans of a thread begin at a time or before. */
size_t wait_graph_spans_before(const struct history_thread *thread, uint64_t time_ns);

/* Returns the span in which a thread was at a time; NULL: none. */
const struct span *wait_graph_span(const struct wait_graph *graph, uint32_t thread,
                                   uint64_t time_ns);

/* Returns a thread's last span; NULL: that waits for nothing, or the thread has ended. */
const struct span *wait_graph_last(const struct wait_graph *graph, uint32_t thread);

/*
 * Returns the thread that holds what a thread's span waits for, by the owner_tid of its wait.
 * HISTORY_NONE: there is none, it is doubtful, or no thread had this tid.
 */
uint32_t wait_graph_owner(const struct wait_graph *graph, uint32_t thread, const struct span *span);

/*
 * Returns since when the thread has waited for the object of its last span, without having run. A
 * lock may have gone from one owner to another meanwhile. The thread has spans.
 */
uint64_t wait_graph_since(const struct wait_graph *graph, uint32_t thread);

#endif
