/* SPDX-License-Identifier: MIT */
/*
 * Shared by the files of prologue analysis: prologue_flow.c finds the function's instructions and
 * where control goes, prologue_table.c reads jump tables, prologue.c carries the states along
 * (prologue_walk.c: from instruction to instruction), prologue_guess.c makes states for code that
 * no path reaches, prologue_visit.c reports the result, prologue_rows.c makes rows of states.
 */
#ifndef UNWIND_PROLOGUE_PROLOGUE_PRIVATE_H
#define UNWIND_PROLOGUE_PROLOGUE_PRIVATE_H

#include "unwind/prologue/prologue.h"
#include "unwind/prologue/prologue_states.h"

#define INSNS_MAX  262144
#define STATES_MAX 32768   /* places where paths meet; libLLVM's largest function has 8,000 */
#define STEPS_MAX  4000000 /* instructions executed; libLLVM's functions need up to 60,000 */
#define TABLES_MAX 1024
#define CASES_MAX  2048 /* of one jump table */

#define NODE_NONE UINT32_MAX

struct node {        /* an instruction of the function */
    uint32_t insn;   /* index into the code's instructions */
    uint32_t behind; /* node right behind it; NODE_NONE: see prologue_node_behind */
    uint32_t block;  /* first node of the block that led here last */
    int32_t state;   /* index into states, -1: none yet */
    int32_t pending; /* index into returned, -1: none */
    int32_t thrown;  /* index into thrown, -1: none */
    int32_t table;   /* index into tables, -1: none */
    bool leader;     /* begins a block: paths meet here or may */
    bool gap;        /* begins code that no known path reaches */
    bool reached;    /* a known path leads here */
    bool queued;
    bool falls_through; /* control can go on to the next instruction */
    uint8_t padding;    /* bytes of padding right before it, which have its row */
};

struct table {
    struct value value; /* of the jump's register when the table was read */
    uint32_t first_case, case_count;
};

struct extent {
    uint64_t start_vaddr, end_vaddr;
};

/* A jump ahead in a function whose end is not known: to its own code or to another function. */
struct leap {
    uint32_t node;
    bool reached;   /* a state has come to it */
    bool in_frame;  /* a frame is left: the jump stays in the function */
    bool torn_down; /* there was a frame, and nothing is left of it */
};

struct depth_class { /* states with the same SP, merged */
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
    uint32_t walk;     /* taken_by of the function's instructions */
    uint32_t replaced; /* code->replaced at the begin; another now: see prologue_node_behind */
    struct node *nodes;
    size_t node_count, node_cap;
    uint64_t taken_bytes; /* of all nodes */
    struct states states;
    uint32_t *todo; /* node indices of the blocks to run, the last first */
    size_t todo_count, todo_cap;
    struct pending {
        uint64_t vaddr;
        uint8_t mode;
    } * places; /* to decode */
    size_t place_count, place_cap;
    struct returned {
        uint32_t index; /* node behind the call */
        struct state state;
    } * returned; /* states behind calls, where other paths may arrive too: see arrive_returned */
    size_t returned_count, returned_cap;
    struct returned *thrown; /* states at landing pads: see prologue_throw */
    size_t thrown_count, thrown_cap;
    struct table *tables;
    size_t table_count, table_cap;
    struct pending *cases;
    size_t case_count, case_cap;
    struct outer_case {
        uint64_t insn_vaddr, vaddr;
    } * outer; /* cases, at vaddr, that leave the function; of the jump at insn_vaddr */
    size_t outer_count, outer_cap;
    struct leap *leaps;
    size_t leap_count, leap_cap;
    struct extent *data; /* literals and jump tables among the code */
    size_t data_count, data_cap;
    uint8_t *data_bits; /* the same; a bit for each unit of code from the function's start on */
    size_t data_bits_size, data_bits_cap; /* bytes */
    uint32_t *order; /* node indices by address, made when the analysis is done */
    size_t order_count, order_cap;
    size_t marked_nodes, marked_cases; /* done by prologue_mark_leaders so far */
    size_t ended_nodes;                /* nodes that end_vaddr takes into account */
    uint64_t end_vaddr;                /* furthest end of these */
    unsigned steps;
    bool is_handler;    /* of exceptions: trap_pc has its return address at entry */
    bool is_vector;     /* a table of jumps to such handlers, or one of these jumps */
    bool in_gaps;       /* prologue_discover_gaps runs */
    bool guessing;      /* states are guesses: they do not change those of known paths */
    uint16_t far_jump;  /* code_far_jump */
    enum status failed; /* NO_MEMORY; UNSUPPORTED: more work than a real function makes */
    /* States for guesses: before indirect jumps; behind calls; before tail calls. */
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

/* Returns the node at `vaddr`; NULL: no instruction of the function begins there. */
static inline struct node *prologue_node_at(const struct prologue *a, uint64_t vaddr)
{
    uint32_t index = prologue_inside(a, vaddr) ? code_find(a->in.code, vaddr) : 0;
    const struct code_insn *insn = code_insn(a->in.code, index);

    return index && insn->taken_by == a->walk && insn->vaddr == vaddr ? &a->nodes[insn->taken_as]
                                                                      : NULL;
}

/*
 * Returns the node right behind `node`; NULL: none, or its place has an instruction in another mode
 * or context now. node->behind is used as long as the code has replaced no instruction.
 */
static inline struct node *prologue_node_behind(const struct prologue *a, const struct node *node)
{
    const struct code_insn *insn = node_insn(a, node);

    return node->behind != NODE_NONE && a->replaced == a->in.code->replaced
               ? &a->nodes[node->behind]
               : prologue_node_at(a, insn->vaddr + insn->size);
}

/* Fills *out for the call `node`; an unknown callee returns and pops nothing. */
void prologue_callee(const struct prologue *a, const struct node *node, struct callee *out);

/*
 * Is the target of `insn` inside of the function, and may the analysis follow it: that of a jump or
 * branch, or of a call of a part of the function? *vaddr is the target.
 */
bool prologue_inner_target(const struct prologue *a, const struct code_insn *insn, uint64_t *vaddr);

/* Is it a call that serves as a jump inside of the function? It changes LR only. */
bool prologue_is_far_jump(const struct prologue *a, const struct code_insn *insn);

/* Decodes all code that direct control flow reaches from `vaddr`. */
void prologue_discover(struct prologue *a, uint64_t vaddr, enum code_mode mode);

/* Decodes from the function's start, the arrivals and the landing pads on. */
void prologue_discover_entered(struct prologue *a);

/* Decodes the rest of the function's range, except data and padding. */
void prologue_discover_gaps(struct prologue *a);

/*
 * Marks the leaders in the code that was decoded since the last call. A block that already ran
 * through a new leader is queued, to run again and end there.
 */
void prologue_mark_leaders(struct prologue *a);

/* Queues the block that begins with `node`. */
void prologue_queue(struct prologue *a, struct node *node);

/*
 * Reads the jump table of the indirect jump at `node_index` through `jump_reg`, by the state
 * `after`, and decodes the cases. False: no table, or no case inside of the function.
 */
bool prologue_resolve_table(struct prologue *a, uint32_t node_index, uint8_t jump_reg,
                            const struct state *after);

/*
 * Fills *out with the state in which the code at `vaddr` is entered, if it is a shared part of
 * other functions' prologues or epilogues. False: it is not; *out is a function's entry state.
 */
bool prologue_entry_state(const struct prologue *a, uint64_t vaddr, struct state *out);

/* Does the function begin with an entry of a table of vectors (code_is_vector) that leads out? */
bool prologue_is_vector(const struct prologue *a);

/* Is the instruction, which no path reaches, a further vector of the table? */
bool prologue_is_later_vector(const struct prologue *a, const struct code_insn *insn);

/*
 * In an exception handler, when the instruction at `node` makes SP unknown and the code behind
 * restores registers from a frame up to the return: takes SP to be at another frame of the same
 * shape (another thread's). `before` and `after` are the states around the instruction.
 */
void prologue_change_frame(const struct prologue *a, const struct node *node,
                           const struct state *before, struct state *after);

/*
 * Executes the part of a prologue that `call` calls by another link register, on `state`. False,
 * with `state` unchanged: its code is not straight up to a return by that register.
 */
bool prologue_run_outlined(const struct prologue *a, const struct code_insn *call,
                           struct state *state);

/* Fills *out with the state in which unreached code is taken to be entered. False: no evidence. */
bool prologue_guess_for_gap(const struct prologue *a, const struct node *gap, struct state *out);

/* Notes that [start, end), as far as it is inside of the function, is data. */
void prologue_note_data(struct prologue *a, uint64_t start_vaddr, uint64_t end_vaddr);

/*
 * Decodes the targets of leaps that turned out to stay in the function, and queues their blocks.
 * False: no block is queued.
 */
bool prologue_resolve_leaps(struct prologue *a);

/*
 * Notes the state at the landing pad of the call at node `index`; `state` is the one behind the
 * call. When the call throws, the callee has popped none of its arguments, and the unwinder pops
 * those that were pushed (landing_pad->popped).
 *
 * All calls that throw to a landing pad have the same stack depth there. Calls in the same range of
 * the table that cannot throw may be deeper, since no table says how much was pushed for them: of
 * two depths the shallower counts.
 */
void prologue_throw(struct prologue *a, uint32_t index, const struct state *state);

/* Is SP in `state` known to be lower than in `other`? */
bool prologue_is_deeper(const struct prologue *a, const struct state *state,
                        const struct state *other);

/* As prologue_visit, from the begin of the last block that starts at or before `vaddr`. */
void prologue_visit_from(const struct prologue *a, uint64_t vaddr, prologue_visit_fn *visit,
                         void *context);

/* Pushes the address of `target`, as `call 1f; 1: pop reg` does to read the PC. */
void prologue_push_pc(const struct prologue *a, const struct node *target, struct state *state);

/* Returns the landing pad of a call that ends at `end_vaddr`; NULL: none. */
const struct landing_pad *prologue_find_landing_pad(const struct prologue *a, uint64_t end_vaddr);

/* Raises SP by `popped` bytes, which makes the state behind a call that of its landing pad. */
void prologue_throw_from(const struct prologue *a, struct state *state, int64_t popped);

/* Makes a->order, and the padding of the nodes. */
void prologue_make_order(struct prologue *a);

#endif
