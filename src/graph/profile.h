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

/* SAMPLES and CALLS are counts, the others ns. A trace of calls has CALLS only. */
enum weight_kind { WEIGHT_SAMPLES, WEIGHT_WALL, WEIGHT_CPU, WEIGHT_OFFCPU, WEIGHT_CALLS };
#define WEIGHT_COUNT 5

struct weights {
    uint64_t value[WEIGHT_COUNT];
};

/* A distinct frame: frames of chains that are equal in all of this are one. */
struct profile_frame {
    struct module *module; /* NULL: in no known mapping */
    uint64_t addr;         /* lookup_vaddr; pc_addr if module is NULL */
    bool vaddr_known, is_call;
    enum trust trust;
    /*
     * Only in by_thread.h's profiles: 1 + index in `labels` of the thread that the frame belongs
     * to, or stands for; 0: none.
     */
    uint32_t thread;
    uint32_t mark;  /* as in struct frame */
    bool is_thread; /* stands for a thread, outside its first frame */
};

struct profile_thread {
    uint32_t pid, tid;
    char *name;
    char *label; /* owned; NULL: its name */
};

struct profile_chain {
    uint32_t leaf; /* trie node of the innermost frame; TRIE_ROOT: no frames */
    enum stop_reason stop;
};

/* The weights of a thread in a chain and a state, in the capture or in the baseline. */
struct profile_cell {
    uint32_t thread, chain;
    char state; /* as in snap_sample; 0: not known */
    bool is_base;
    struct weights weights; /* saturate */
};

/* graph/ reads the members; only the functions below change them. */
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
    uint64_t chains_unwound;      /* counted by whoever unwinds */
    bool weighs_base;             /* profile_weigh_base */
    char *program, *base_program; /* paths by profile_program; NULL: not known */
    char comm[16], base_comm[16]; /* initial names of their threads; "": not known */
    const struct places **places; /* by frame; NULL before profile_resolve */
    const struct names *names;    /* borrowed; valid after profile_resolve */
    /*
     * Only of a trace of calls, where chains are paths of calls; else NULL. By trie node: the
     * number, from 1 on, of the first call on this path; 0: none. last_call: the node of the last
     * call.
     */
    uint64_t *first_call;
    uint32_t last_call;
    struct pool labels; /* labels for profile_frame.thread; may be empty */
    bool by_process;    /* a label is a process's, not a thread's */
    /* Private: */
    struct index frame_index, thread_index, chain_index, cell_index;
    uint32_t *last_child; /* by trie node: the child that the last chain took; TRIE_NONE: none */
    size_t last_child_len, last_child_cap;
};

MUST_CHECK enum status profile_create(struct profile **out);
void profile_destroy(struct profile *profile);

/* Interns a thread by pid, tid and name: a renamed one is new. *thread is its index. NO_MEMORY. */
MUST_CHECK enum status profile_thread(struct profile *profile, uint32_t pid, uint32_t tid,
                                      const char *name, uint32_t *thread);

/*
 * Returns the thread's label where outputs distinguish threads: the one given, else its name, so
 * that a pool's workers are one. In a comparison threads named like the baseline's program get the
 * other program's name. Raw bytes; lives as long as the profile.
 */
const char *profile_thread_label(const struct profile *profile, uint32_t thread);
/* Sets a label other than the thread's name. Copied. NO_MEMORY. */
MUST_CHECK enum status profile_label_thread(struct profile *profile, uint32_t thread,
                                            const char *label);

/* The trie nodes of a thread's last chain. Zero it; its owner frees nodes. */
struct profile_path {
    uint32_t *nodes; /* the outermost frame's first */
    size_t count, cap;
};

/*
 * Interns a chain; *id is valid as long as the profile. `path` (may be NULL) is that of the
 * thread's previous chain and is updated: the outer frames that were kept (chain.cached) are not
 * looked up again. NO_MEMORY.
 */
MUST_CHECK enum status profile_chain(struct profile *profile, const struct chain *chain,
                                     struct profile_path *path, uint32_t *id);

/* Adds weights to the cell of thread, chain and state; a repeat costs only this call. NO_MEMORY. */
MUST_CHECK enum status profile_weigh(struct profile *profile, uint32_t thread, uint32_t chain,
                                     char state, const struct weights *weights);

/*
 * Returns the index of the cell for thread, chain and state (the baseline's after
 * profile_weigh_base); UINT32_MAX: nothing was weighed there.
 */
uint32_t profile_cell(const struct profile *profile, uint32_t thread, uint32_t chain, char state);

/*
 * For traces of calls instead of chains: profile_frame interns a frame, profile_step sets *node to
 * the trie node of `frame` below `parent`, and profile_calls adds the weights at the end: the
 * thread made counts[node] calls on the path to node. NO_MEMORY.
 */
MUST_CHECK enum status profile_frame(struct profile *profile, const struct frame *frame,
                                     uint32_t *id);
MUST_CHECK enum status profile_step(struct profile *profile, uint32_t parent, uint32_t frame,
                                    uint32_t *node);
MUST_CHECK enum status profile_calls(struct profile *profile, uint32_t thread,
                                     const uint64_t *counts, size_t count);

/* Chooses where weights and programs go from now on: to the baseline, or not. */
void profile_weigh_base(struct profile *profile, bool is_base);

/* Sets the program's or baseline's path, copied; the first stays, "" is ignored. NO_MEMORY. */
MUST_CHECK enum status profile_program(struct profile *profile, const char *path);

/* Returns the base name of `path`; for the baseline's program that of the other one, if known. */
const char *profile_program_file(const struct profile *profile, const char *path);

/*
 * Reads what profile_resolve will need from modules' files, on at most `jobs` threads, which have
 * all ended on return. `jobs` does not affect the names found. Only NO_MEMORY fails.
 */
MUST_CHECK enum status profile_prepare(struct profile *profile, struct symbolizer *symbolizer,
                                       unsigned jobs);

/*
 * Fills places of each distinct frame. To be called when all is added; `names` must outlive the
 * profile's use. Only NO_MEMORY fails.
 */
MUST_CHECK enum status profile_resolve(struct profile *profile, struct names *names);

static inline uint64_t weight_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
