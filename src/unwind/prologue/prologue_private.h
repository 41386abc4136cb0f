/* SPDX-License-Identifier: MIT */
/*
 * What the files of prologue analysis have in common: prologue_flow.c finds the function's
 * instructions and where control goes, prologue_table.c reads jump tables, prologue.c carries the
 * states along (prologue_walk.c: from instruction to instruction), prologue_guess.c makes states
 * for code that no path reaches, prologue_visit.c reports the result, prologue_rows.c makes rows of
 * states.
 */
#ifndef UNWIND_PROLOGUE_PROLOGUE_PRIVATE_H
#define UNWIND_PROLOGUE_PROLOGUE_PRIVATE_H

#include "unwind/prologue/prologue.h"
#include "unwind/prologue/prologue_states.h"

#define INSNS_MAX 262144
/*
 * the most states kept for a function, one where paths meet; libLLVM's largest function has 8,000
 */
#define STATES_MAX 32768
/* the most instructions executed for a function; libLLVM's functions need up to 60,000 */
#define STEPS_MAX  4000000
#define TABLES_MAX 1024
#define CASES_MAX  2048 /* the most cases of one jump table */

#define NODE_NONE UINT32_MAX

struct node {      /* an instruction of the function */
    uint32_t insn; /* the instruction: index into the code's `insns` */
    /* node right after it; read by prologue_node_behind only; NODE_NONE: not set */
    uint32_t behind;
    uint32_t block;  /* first node of the block (straight code) that led here last */
    int32_t state;   /* index into states of the state kept here; -1: none yet */
    int32_t pending; /* its element of `returned`: index; -1: none */
    int32_t thrown;  /* its element of `thrown`: index; -1: none */
    int32_t table;   /* index into `tables` of its jump table; -1: none */
    bool leader;     /* it begins a block: paths meet here or may meet */
    bool gap;        /* it begins code that no known path reaches */
    bool reached;    /* a known path leads here, not only a guess */
    bool queued;
    bool falls_through; /* control can go on to the next instruction */
    uint8_t padding;    /* bytes of padding right before it, for which its row holds, too */
};

struct table {
    struct value value; /* value of the jump's register when the table was read */
    uint32_t first_case, case_count;
};

struct extent {
    uint64_t start_vaddr, end_vaddr;
};

/*
 * A jump ahead in a function whose end is not known, so that the target may be its own code or
 * another function.
 */
struct leap {
    uint32_t node;
    bool reached;   /* a state has come to the jump */
    bool in_frame;  /* the function has a frame at the jump, which so stays in the function */
    bool torn_down; /* there was a frame before, and nothing is left of it at the jump */
};

struct depth_class { /* states with the same SP, merged into one; `count` of them */
    struct state state;
    unsigned count;
};

#define CLASSES_MAX 6

struct classes {
    struct depth_class items[CLASSES_MAX];
    unsigned count, total;
};

struct prologue {
    struct prologue_input in;
    const struct arch *arch;
    uint32_t walk;     /* number of this walk, which its instructions have in taken_by */
    uint32_t replaced; /* code->replaced when the analysis began (prologue_node_behind) */
    struct node *nodes;
    size_t node_count, node_cap;
    uint64_t taken_bytes; /* size of the instructions of all nodes */
    struct states states;
    uint32_t *todo; /* first nodes (indices) of the blocks to run, the last one next */
    size_t todo_count, todo_cap;
    struct pending {
        uint64_t vaddr;
        uint8_t mode;
    } * places; /* places to decode */
    size_t place_count, place_cap;
    struct returned {
        uint32_t index; /* index of the node that follows the call */
        struct state state;
        /* states after calls, for nodes where other paths may arrive, too (arrive_returned) */
    } * returned;
    size_t returned_count, returned_cap;
    /* states at landing pads (prologue_throw); `index`: the landing pad's node */
    struct returned *thrown;
    size_t thrown_count, thrown_cap;
    struct table *tables;
    size_t table_count, table_cap;
    struct pending *cases;
    size_t case_count, case_cap;
    struct outer_case {
        uint64_t insn_vaddr, vaddr;
    } * outer; /* cases of the jump at insn_vaddr that leave the function for `vaddr` */
    size_t outer_count, outer_cap;
    struct leap *leaps;
    size_t leap_count, leap_cap;
    struct extent *data; /* literals and jump tables among the code */
    size_t data_count, data_cap;
    /* the same data: a bit for each unit of code from the function's start on */
    uint8_t *data_bits;
    size_t data_bits_size, data_bits_cap; /* size and capacity of data_bits, in bytes */
    uint32_t *order; /* node indices sorted by address, made when the analysis is done */
    size_t order_count, order_cap;
    /* numbers of nodes and cases that prologue_mark_leaders has seen */
    size_t marked_nodes, marked_cases;
    size_t ended_nodes; /* how many nodes end_vaddr takes into account */
    uint64_t end_vaddr; /* furthest end of the first ended_nodes nodes */
    unsigned steps;
    bool is_handler;    /* an exception handler: trap_pc has its return address at entry */
    bool is_vector;     /* a table of jumps to exception handlers, or one of these jumps */
    bool in_gaps;       /* prologue_discover_gaps is running now */
    bool guessing;      /* states at present are guesses, and do not change those of known paths */
    uint16_t far_jump;  /* result of code_far_jump for the function's start */
    enum status failed; /* OK; NO_MEMORY; UNSUPPORTED: more work than a real function makes */
    /* States to guess from: before indirect jumps; after calls; before tail calls. */
    struct classes indirect, called, left;
};

static inline struct code_insn *node_insn(const struct prologue *a, const struct node *node)
{
    return code_insn(a->in.code, node->insn);
}

static inline bool prologue_inside(const struct prologue *a, uint64_t vaddr)
{
    return vaddr >= a->in.start_vaddr && vaddr < a->in.end_vaddr;
}

/*
 * Returns the node whose instruction begins at `vaddr`; NULL: no instruction of the function does.
 */
static inline struct node *prologue_node_at(const struct prologue *a, uint64_t vaddr)
{
    uint32_t index = prologue_inside(a, vaddr) ? code_find(a->in.code, vaddr) : 0;
    const struct code_insn *insn = code_insn(a->in.code, index);

    return index && insn->taken_by == a->walk && insn->vaddr == vaddr ? &a->nodes[insn->taken_as]
                                                                      : NULL;
}

/*
 * Returns the node whose instruction begins where that of `node` ends. NULL: the function has none
 * there, or `code` has decoded that address anew, in another mode or context. Trusts node->behind
 * only while code->replaced is what it was when the analysis began.
 */
static inline struct node *prologue_node_behind(const struct prologue *a, const struct node *node)
{
    const struct code_insn *insn = node_insn(a, node);

    return node->behind != NODE_NONE && a->replaced == a->in.code->replaced
               ? &a->nodes[node->behind]
               : prologue_node_at(a, insn->vaddr + insn->size);
}

/*
 * Fills *out with what is known of the function that `node`, a call, calls; an unknown callee
 * returns and pops nothing. May move instructions.
 */
void prologue_callee(const struct prologue *a, const struct node *node, struct callee *out);

/*
 * Whether the target of `insn` is inside of the function and the analysis may follow it: the target
 * of a jump or branch, or of a call of a part of the function. If so, sets *vaddr to the target.
 */
bool prologue_inner_target(const struct prologue *a, const struct code_insn *insn, uint64_t *vaddr);

/*
 * Whether `insn` is a call instruction that serves as a jump inside of the function, and so changes
 * LR only.
 */
bool prologue_is_far_jump(const struct prologue *a, const struct code_insn *insn);

/*
 * Adds nodes for all code that direct control flow reaches from `vaddr`. Sets a->failed on failure,
 * as all functions below.
 */
void prologue_discover(struct prologue *a, uint64_t vaddr, enum code_mode mode);

/*
 * Adds nodes for the code that is reached from the function's start, its arrivals and landing pads.
 */
void prologue_discover_entered(struct prologue *a);

/*
 * Adds nodes for the rest of the function's range, except data and padding; marks where each gap
 * begins.
 */
void prologue_discover_gaps(struct prologue *a);

/*
 * Marks the leaders that code decoded since the last call jumps to. A block that has already run
 * through a new leader is queued, to run again and end there.
 */
void prologue_mark_leaders(struct prologue *a);

/* Adds the block that begins with `node` to a->todo, unless it is there. */
void prologue_queue(struct prologue *a, struct node *node);

/*
 * Reads the jump table of the indirect jump at node `node_index` through `jump_reg`, by the state
 * `after`, and decodes the cases. True also if the table was read before. False: there is no table,
 * or no case inside of the function.
 */
bool prologue_resolve_table(struct prologue *a, uint32_t node_index, uint8_t jump_reg,
                            const struct state *after);

/*
 * Fills *out with the state in which the code at `vaddr` is entered. True: it is a part that
 * several functions' prologues or epilogues have in common. False: it is none, and *out is a
 * function's entry state.
 */
bool prologue_entry_state(const struct prologue *a, uint64_t vaddr, struct state *out);

/*
 * Whether the function begins with an entry of a table of vectors (code_is_vector) that leads out
 * of the function.
 */
bool prologue_is_vector(const struct prologue *a);

/* Whether the instruction, which no path reaches, is a further entry of such a table of vectors. */
bool prologue_is_later_vector(const struct prologue *a, const struct code_insn *insn);

/*
 * Makes SP known in `after` in an exception handler, if the instruction at `node` makes it unknown
 * and the code after that restores registers from a frame up to the return: SP is taken to be at
 * another frame of the same shape (another thread's). `before` and `after` are the states before
 * and after the instruction.
 */
void prologue_change_frame(const struct prologue *a, const struct node *node,
                           const struct state *before, struct state *after);

/*
 * Executes on `state` the part of a prologue that `call` calls by another link register. False:
 * that code is not straight up to a return by this register; `state` is unchanged.
 */
bool prologue_run_outlined(const struct prologue *a, const struct code_insn *call,
                           struct state *state);

/*
 * Fills *out with the state in which the unreached code that begins at `gap` is taken to be
 * entered. False: there is nothing to guess it from.
 */
bool prologue_guess_for_gap(const struct prologue *a, const struct node *gap, struct state *out);

/*
 * Notes that [start_vaddr, end_vaddr), as far as it is inside of the function, is data. Does
 * nothing if it begins outside.
 */
void prologue_note_data(struct prologue *a, uint64_t start_vaddr, uint64_t end_vaddr);

/*
 * Decodes the targets of leaps that have turned out to stay in the function, and queues the leaps'
 * blocks. False: no block is queued to run.
 */
bool prologue_resolve_leaps(struct prologue *a);

/*
 * Notes the state at the landing pad of the call at node `index`, if there is one; `state` is the
 * state after the call. When the call throws, the callee has popped none of its arguments, and the
 * unwinder pops those that were pushed (landing_pad->popped).
 *
 * All calls that throw to a landing pad have the same stack depth there. Calls in the same range of
 * the table that cannot throw may be deeper, since no table says how much was pushed for them: of
 * two depths the shallower counts.
 */
void prologue_throw(struct prologue *a, uint32_t index, const struct state *state);

/* Whether SP in `state` is known to be lower than SP in `other`. */
bool prologue_is_deeper(const struct prologue *a, const struct state *state,
                        const struct state *other);

/*
 * As prologue_visit, but only from the begin of the last block that starts at or before `vaddr` on.
 */
void prologue_visit_from(const struct prologue *a, uint64_t vaddr, prologue_visit_fn *visit,
                         void *context);

/* Pushes the address of `target` in `state`, as `call 1f; 1: pop reg` does to read the PC. */
void prologue_push_pc(const struct prologue *a, const struct node *target, struct state *state);

/*
 * Returns the landing pad of the call that ends at `end_vaddr`, borrowed from the input; NULL:
 * none.
 */
const struct landing_pad *prologue_find_landing_pad(const struct prologue *a, uint64_t end_vaddr);

/*
 * Raises SP in `state` by `popped` bytes, which turns the state after a call into that at its
 * landing pad.
 */
void prologue_throw_from(const struct prologue *a, struct state *state, int64_t popped);

/* Makes a->order, and sets `padding` of the nodes. */
void prologue_make_order(struct prologue *a);

#endif
