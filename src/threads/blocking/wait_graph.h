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

struct wait_node { /* an object that threads of one history process waited for */
    uint32_t object, process;
    /*
     * Number of ended threads of one identity that one thread joined, which share this node;
     * `object` stands for the first of them. 0: the node is `object` alone.
     */
    uint32_t joined;
    uint32_t identity;                     /* if joined > 0: index of these threads' identity */
    uint32_t first_wait, wait_count;       /* its edges in the graph's `waits` */
    uint32_t first_hold, hold_count;       /* its edges in the graph's `holds` */
    uint32_t first_episode, episode_count; /* its episodes in the graph's `episodes` */
    uint64_t wait_ns;     /* time that threads waited for it: sum of wait_ns of its wait edges */
    uint64_t waits;       /* number of waits for it that samples saw */
    bool all_seen;        /* all its wait edges are is_all: no wait for it was missed */
    uint32_t waiters_max; /* most threads seen waiting at one time; at least the mean */
    uint32_t waiters_end; /* threads that still wait for it when the history ends */
    /*
     * the span that read the owner last, of those in which the `waiters_end` threads still wait;
     * NULL: none
     */
    const struct span *end_span;
    uint32_t end_owner; /* thread that owns the object by end_span; HISTORY_NONE: not known */
};

struct wait_edge { /* a thread that waited for an object */
    uint32_t node, thread;
    uint32_t wait; /* index in the history's waits of its last wait for the object */
    /* number of its waits; spans between which the thread has not run count as one wait */
    uint32_t count;
    uint64_t wait_ns, longest_ns;
    uint32_t chain; /* in the profile: the chain in which it waited longest, chain_ns */
    uint64_t chain_ns;
    bool at_end; /* it waits for the object when the history ends */
    bool is_all; /* all samples of the thread found it in one and the same wait for the object */
};

struct hold_edge { /* a thread that held an object while others waited for it */
    uint32_t node, thread;
    uint64_t held_ns; /* how long it held the object while others waited */
    /* it is the owner by inference only: no wait has read the owner off the object */
    bool inferred;
    /* in the profile: the chain it was in longest while it held; HISTORY_NONE: not known */
    uint32_t chain;
    /*
     * in the profile: the chain in which it most often waited for the object right before it held
     * it; HISTORY_NONE: never seen waiting for it
     */
    uint32_t take_chain;
};

/*
 * A time during which one thread, or some readers, held an object while others waited. Episodes of
 * an object do not overlap; those of a thread add up to held_ns of its edge.
 */
struct hold_episode {
    uint64_t start_ns, end_ns; /* the episode's times; start_ns < end_ns */
    uint32_t owner;            /* HISTORY_NONE: readers, or an unknown tid; `wait` tells */
    /* indexes in the history's waits and threads: the reading that told the owner */
    uint32_t wait, waiter;
    bool inferred; /* the owner is inferred: no wait has read it off the object in this time */
};

/*
 * One span of a thread that waits for an object, with the object's owner by this span. Records are
 * sorted by node, thread and time.
 */
struct wait_record {
    uint32_t node, thread, span;
    /* thread that owns the object: index in the history's threads; HISTORY_NONE: not known */
    uint32_t owner;
};

struct wait_graph { /* owns its arrays; only wait_graph_create changes it */
    const struct history *history;
    /* identities of the history's threads, as given to wait_graph_create; may be NULL */
    const struct identities *identities;
    struct wait_node *nodes; /* the objects, sorted by wait_ns, the greatest first */
    size_t node_count, node_cap;
    /* the waiting threads, sorted by node, then by wait_ns, the greatest first */
    struct wait_edge *waits;
    size_t wait_count, wait_cap;
    /* the holding threads, sorted by node, then by held_ns, the greatest first */
    struct hold_edge *holds;
    size_t hold_count, hold_cap;
    struct hold_episode *episodes; /* times of holding, sorted by node, then by time */
    size_t episode_count, episode_cap;
    struct wait_record *records;
    size_t record_count, record_cap;
    /* Private: */
    /* tells the waiting time within spans; NULL: threads wait for all of a span */
    const struct timeline *timeline;
    /* The history's threads by process and tid, and by snapshot and tid, in the order of time. */
    struct sort_item *by_tid, *by_snapshot;
    bool has_times;
    struct map by_object; /* process << 32 | object -> index of a node that is not `joined` */
    struct map by_join;   /* during creation: thread << 32 | identity -> index into nodes */
    struct map joined;    /* during creation, a set: node << 32 | thread that was joined */
};

/*
 * Makes the graph of a history; *out is the caller's, and borrows the other arguments. `identities`
 * NULL: each thread that was joined has a node of its own. `timeline` NULL: a thread waits for all
 * of a span's time. Fails only with NO_MEMORY.
 */
MUST_CHECK enum status wait_graph_create(const struct history *history,
                                         const struct identities *identities,
                                         const struct timeline *timeline, struct wait_graph **out);
void wait_graph_destroy(struct wait_graph *graph);

/*
 * Returns the index of the object's node; WAIT_GRAPH_NONE: no thread of the process waited for the
 * object, or only nodes with joined > 0 have it.
 */
uint32_t wait_graph_node(const struct wait_graph *graph, uint32_t process, uint32_t object);

/* Returns the span's wait; borrowed from the history; NULL: the span has none. */
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
 * Returns when a thread waited in span number `span`, which has a wait, and for how long: `ns` is
 * end_ns - start_ns less the thread's CPU time in between.
 */
struct waited {
    uint64_t start_ns, end_ns, ns;
};
struct waited wait_graph_waited(const struct wait_graph *graph, uint32_t thread, size_t span);

/* Returns how many spans of a thread begin at `time_ns` or before. */
size_t wait_graph_spans_before(const struct history_thread *thread, uint64_t time_ns);

/* Returns the thread's span that holds `time_ns`, borrowed from the history; NULL: none. */
const struct span *wait_graph_span(const struct wait_graph *graph, uint32_t thread,
                                   uint64_t time_ns);

/*
 * Returns a thread's last span; NULL: the span waits for nothing, there is none, or the thread has
 * ended.
 */
const struct span *wait_graph_last(const struct wait_graph *graph, uint32_t thread);

/*
 * Returns the index of the thread with the owner_tid of the wait of `span`, a span of `thread`.
 * HISTORY_NONE: no wait, no owner_tid, the wait has a doubt, or no thread had this tid.
 */
uint32_t wait_graph_owner(const struct wait_graph *graph, uint32_t thread, const struct span *span);

/*
 * Returns the time since which the thread, which must have spans, has waited for the object of its
 * last span without having run. A lock may have gone from one owner to another meanwhile.
 */
uint64_t wait_graph_since(const struct wait_graph *graph, uint32_t thread);

#endif
