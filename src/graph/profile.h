/* SPDX-License-Identifier: MIT */
/*
 * Folding: chains interned in a trie, weights summed per thread and chain. What a profile holds
 * grows with the number of distinct chains (and threads), not with the number of samples.
 *
 * Symbolization happens once per distinct address, after folding (profile_resolve).
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

/* Samples and ns; calls are of a trace, which has nothing else. */
enum weight_kind { WEIGHT_SAMPLES, WEIGHT_WALL, WEIGHT_CPU, WEIGHT_OFFCPU, WEIGHT_CALLS };
#define WEIGHT_COUNT 5

struct weights {
    uint64_t value[WEIGHT_COUNT];
};

/* A distinct frame: two frames of chains that differ in nothing of this are one. */
struct profile_frame {
    struct module *module; /* NULL: in no known mapping */
    uint64_t addr;         /* lookup_vaddr; pc_addr when there is no module */
    bool vaddr_known, is_call;
    enum trust trust;
    /*
     * by_thread.h: 1 + the label of the thread whose frame it is, or which it stands for; 0: none
     */
    uint32_t thread;
    uint32_t mark;  /* as in struct frame */
    bool is_thread; /* no frame, but what is outside of a thread's first */
};

struct profile_thread {
    uint32_t pid, tid;
    char *name;
    char *label; /* NULL: its name */
};

struct profile_chain {
    uint32_t leaf; /* node of the trie: the innermost frame; TRIE_ROOT: a chain without frames */
    enum stop_reason stop;
};

/*
 * What a thread spent in a chain, by the state in which it was found there, now or in the baseline
 * that is compared with.
 */
struct profile_cell {
    uint32_t thread, chain;
    char state; /* as in /proc/PID/stat, proc(5); 0: not known */
    bool is_base;
    struct weights weights; /* saturate */
};

/* To be read by graph/, changed by the functions below only. */
struct profile {
    struct profile_frame *frames;
    size_t frame_count, frame_cap;
    /* keys are frames, the outermost first, so that chains share their outer parts */
    struct trie trie;
    struct profile_thread *threads;
    size_t thread_count, thread_cap;
    struct profile_chain *chains;
    size_t chain_count, chain_cap;
    struct profile_cell *cells;
    size_t cell_count, cell_cap;
    uint64_t chains_unwound;      /* for samples, as who unwinds them counts them */
    bool weighs_base;             /* profile_weigh_base */
    char *program, *base_program; /* see profile_program; NULL: not known */
    char comm[16], base_comm[16]; /* what their threads are called at first; empty: not known */
    const struct places **places; /* by frame, after profile_resolve; NULL before */
    const struct names *names;    /* after profile_resolve; borrowed */
    /*
     * Of a trace of calls, where a chain is the path of a call, else NULL. By trie node: the number
     * of the first call on this path, of all from 1 on; 0: there was none. And the path of the
     * last.
     */
    uint64_t *first_call;
    uint32_t last_call;
    struct pool labels; /* of threads, that profile_frame.thread names; may be empty */
    bool by_process;    /* each is of a process */
    /* Private: */
    struct index frame_index, thread_index, chain_index, cell_index;
    uint32_t *last_child; /* by trie node: where the last chain went from there, or TRIE_NONE */
    size_t last_child_len, last_child_cap;
};

MUST_CHECK enum status profile_create(struct profile **out);
void profile_destroy(struct profile *profile);

/* Interns a thread (by pid, tid and name: a renamed thread is another one): *thread counts from 0.
 */
MUST_CHECK enum status profile_thread(struct profile *profile, uint32_t pid, uint32_t tid,
                                      const char *name, uint32_t *thread);

/*
 * What a thread is called where threads are distinguished: by its name, so that the workers of a
 * pool are one. In a comparison those that are called as the baseline's program are called as the
 * other one is. Lives as long as the profile; raw.
 */
const char *profile_thread_label(const struct profile *profile, uint32_t thread);
/* Gives it another than its name. Copied. */
MUST_CHECK enum status profile_label_thread(struct profile *profile, uint32_t thread,
                                            const char *label);

/*
 * Where a thread's last chain went through the trie; zeroed to begin with, its owner frees nodes.
 */
struct profile_path {
    uint32_t *nodes; /* of the outermost frame first */
    size_t count, cap;
};

/*
 * Interns a chain: *id stays valid for profile_weigh as long as the profile. `path`, when it is not
 * NULL, is that of what the chain was before, and of frames that were kept (chain.cached) nothing
 * is looked up.
 */
MUST_CHECK enum status profile_chain(struct profile *profile, const struct chain *chain,
                                     struct profile_path *path, uint32_t *id);

/* Adds weights to a chain of a thread; a repeated sample costs this call alone. */
MUST_CHECK enum status profile_weigh(struct profile *profile, uint32_t thread, uint32_t chain,
                                     char state, const struct weights *weights);

/*
 * The cell that such a sample was last added to; one that was not weighed has none: UINT32_MAX.
 */
uint32_t profile_cell(const struct profile *profile, uint32_t thread, uint32_t chain, char state);

/*
 * For who follows calls instead of chains: a frame's id, the trie's node of a frame below another,
 * and the weights at the end: counts[node] calls of the thread were made on the path to it.
 */
MUST_CHECK enum status profile_frame(struct profile *profile, const struct frame *frame,
                                     uint32_t *id);
MUST_CHECK enum status profile_step(struct profile *profile, uint32_t parent, uint32_t frame,
                                    uint32_t *node);
MUST_CHECK enum status profile_calls(struct profile *profile, uint32_t thread,
                                     const uint64_t *counts, size_t count);

/* What is weighed from now on is of the baseline, or not. */
void profile_weigh_base(struct profile *profile, bool is_base);

/* The path of the program that was captured, now or for the baseline. Copied; first one wins. */
MUST_CHECK enum status profile_program(struct profile *profile, const char *path);

/* The name of a program's file; of the baseline's program that of the other one, if it is known. */
const char *profile_program_file(const struct profile *profile, const char *path);

/*
 * Reads what profile_resolve will need of the modules' files, on at most `jobs` threads; all have
 * ended when it returns. What names are found does not depend on it. Fails only for memory.
 */
MUST_CHECK enum status profile_prepare(struct profile *profile, struct symbolizer *symbolizer,
                                       unsigned jobs);

/*
 * Gives each distinct frame its places, in the order of modules and addresses. To be called when
 * all is added; `names` must outlive the profile's use.
 */
MUST_CHECK enum status profile_resolve(struct profile *profile, struct names *names);

static inline uint64_t weight_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

#endif
