/* SPDX-License-Identifier: MIT */
/*
 * Folding: interns chains in a trie and sums weights per thread, chain and state. A profile's size
 * grows with the number of distinct chains and threads, not with the number of samples.
 *
 * Addresses are symbolized once each, after folding (profile_resolve).
 */
#ifndef GRAPH_PROFILE_H
#define GRAPH_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/index.h"
#include "base/status.h"
#include "graph/names.h"
#include "graph/trie.h"
#include "unwind/chain.h"

/* Weights: SAMPLES and CALLS are counts, the others ns. A trace of calls has CALLS only. */
enum weight_kind { WEIGHT_SAMPLES, WEIGHT_WALL, WEIGHT_CPU, WEIGHT_OFFCPU, WEIGHT_CALLS };
#define WEIGHT_COUNT 5

struct weights {
    uint64_t value[WEIGHT_COUNT]; /* one for each kind, by enum weight_kind */
};

/* A distinct frame: frames of chains that are equal in all members are interned as one. */
struct profile_frame {
    struct module *module;     /* borrowed; NULL: in no known mapping */
    uint64_t addr;             /* lookup_vaddr; pc_addr if module is NULL */
    bool vaddr_known, is_call; /* vaddr_known and is_call of struct frame */
    enum trust trust;
    /*
     * Only in by_thread.h's profiles: 1 + index in `labels` of the thread that the frame belongs
     * to, or stands for; 0: none.
     */
    uint32_t thread;
    uint32_t mark;  /* mark of struct frame */
    bool is_thread; /* no code: stands for a thread, outside the thread's first frame */
};

struct profile_thread {
    uint32_t pid, tid;
    char *name;  /* owned */
    char *label; /* owned; given by profile_label_thread; NULL: none */
};

struct profile_chain {
    uint32_t leaf; /* trie node of the innermost frame; TRIE_ROOT: no frames */
    enum stop_reason stop;
};

/* The weights of a thread in a chain and a state, in the capture or in the baseline. */
struct profile_cell {
    uint32_t thread, chain;
    char state;             /* state of the samples, as in snap_sample; 0: not known */
    bool is_base;           /* weights are the baseline's; false: the capture's */
    struct weights weights; /* sums, which stop at UINT64_MAX */
};

/* Others read the members; only functions of graph/ change them. */
struct profile {
    struct profile_frame *frames;
    size_t frame_count, frame_cap;
    /* keys are frames, outermost first: chains share their outer parts */
    struct trie trie;
    struct profile_thread *threads;
    size_t thread_count, thread_cap;
    struct profile_chain *chains;
    size_t chain_count, chain_cap;
    struct profile_cell *cells;
    size_t cell_count, cell_cap;
    uint64_t chains_unwound; /* chains unwound for the profile; counted by the unwinding code */
    bool weighs_base;        /* set by profile_weigh_base */
    char *program, *base_program; /* owned; paths by profile_program; NULL: not known */
    char comm[16], base_comm[16]; /* base names of the two paths, cut to 15 bytes; "": not known */
    const struct places **places; /* by frame; the list is owned; NULL before profile_resolve */
    const struct names *names;    /* borrowed; set by profile_resolve */
    /*
     * Of a trace of calls, whose chains are paths of calls; else NULL. Owned. By trie node: number
     * of the first call on this path, from 1 on over all calls of the trace; 0: none.
     */
    uint64_t *first_call;
    uint32_t last_call; /* trie node of the last call that was kept; TRIE_ROOT: none */
    struct pool labels; /* labels of threads, for profile_frame.thread; may be empty */
    bool by_process;    /* `labels` are of processes, not of threads */
    /* Private: */
    struct index frame_index, thread_index, chain_index, cell_index;
    uint32_t *last_child; /* by trie node: the child that the last chain took; TRIE_NONE: none */
    size_t last_child_len, last_child_cap;
};

MUST_CHECK enum status profile_create(struct profile **out);
void profile_destroy(struct profile *profile);

/*
 * Sets *thread to the index of the thread with this pid, tid and name, which is added if absent: a
 * renamed thread is another. NO_MEMORY.
 */
MUST_CHECK enum status profile_thread(struct profile *profile, uint32_t pid, uint32_t tid,
                                      const char *name, uint32_t *thread);

/*
 * Returns the thread's label where outputs distinguish threads: the label given, else the thread's
 * name (so a pool's workers share one), else "thread". If both programs are known, a thread named
 * like the baseline's gets the other program's name. Raw bytes; lives as long as the profile.
 */
const char *profile_thread_label(const struct profile *profile, uint32_t thread);
/* Sets the thread's label to a copy of `label`, instead of its name. NO_MEMORY. */
MUST_CHECK enum status profile_label_thread(struct profile *profile, uint32_t thread,
                                            const char *label);

/* The trie nodes of a thread's last chain. Its owner zeroes it first, and frees `nodes`. */
struct profile_path {
    uint32_t *nodes; /* `count` trie nodes, the outermost frame's first */
    size_t count, cap;
};

/*
 * Sets *id to the chain's index in `chains`, where it is added if absent. `path` (NULL: none) has
 * the nodes of the thread's previous chain, so that the outer frames that both share (chain.cached)
 * are not looked up again, and gets this chain's. NO_MEMORY.
 */
MUST_CHECK enum status profile_chain(struct profile *profile, const struct chain *chain,
                                     struct profile_path *path, uint32_t *id);

/* Adds weights to the cell of thread, chain, state and side (profile_weigh_base). NO_MEMORY. */
MUST_CHECK enum status profile_weigh(struct profile *profile, uint32_t thread, uint32_t chain,
                                     char state, const struct weights *weights);

/*
 * Returns the index of the cell of thread, chain, state and side (profile_weigh_base); UINT32_MAX:
 * nothing was weighed there.
 */
uint32_t profile_cell(const struct profile *profile, uint32_t thread, uint32_t chain, char state);

/*
 * For files that name frames and chains themselves; each adds what is absent. profile_frame sets
 * *id to the frame's index in `frames`, profile_step sets *node to the trie node of `frame` below
 * `parent`, profile_chain_at sets *id to the chain that ends at the trie node `leaf`. NO_MEMORY.
 */
MUST_CHECK enum status profile_frame(struct profile *profile, const struct frame *frame,
                                     uint32_t *id);
MUST_CHECK enum status profile_step(struct profile *profile, uint32_t parent, uint32_t frame,
                                    uint32_t *node);
MUST_CHECK enum status profile_chain_at(struct profile *profile, uint32_t leaf,
                                        enum stop_reason stop, uint32_t *id);

/*
 * Adds the weights of a trace of calls instead of chains, at its end: the thread made counts[node]
 * calls on the path to the trie node, for `count` nodes. NO_MEMORY.
 */
MUST_CHECK enum status profile_calls(struct profile *profile, uint32_t thread,
                                     const uint64_t *counts, size_t count);

/* Chooses the side that weights and programs go to from now on: the baseline, or the capture. */
void profile_weigh_base(struct profile *profile, bool is_base);

/*
 * Sets the path of the side's program (profile_weigh_base), copied. Nothing changes if it is set
 * already, or `path` is "". NO_MEMORY.
 */
MUST_CHECK enum status profile_program(struct profile *profile, const char *path);

/*
 * Returns the base name of `path`; if that is the baseline's program, the base name of the
 * capture's program, if known.
 */
const char *profile_program_file(const struct profile *profile, const char *path);

/*
 * Reads what profile_resolve will need from modules' files, on at most `jobs` threads, which have
 * all ended on return. `jobs` does not affect the names found. Only NO_MEMORY fails.
 */
MUST_CHECK enum status profile_prepare(struct profile *profile, struct symbolizer *symbolizer,
                                       unsigned jobs);

/*
 * Fills `places` for each distinct frame. To be called when all chains are added; `names` is
 * borrowed until the profile is destroyed. Only NO_MEMORY fails.
 */
MUST_CHECK enum status profile_resolve(struct profile *profile, struct names *names);

/* Returns a + b, at most UINT64_MAX. */
static inline uint64_t weight_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
