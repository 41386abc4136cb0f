/* SPDX-License-Identifier: MIT */
/*
 * What the files of prologue analysis share: prologue_flow.c finds the function's instructions and
 * where control goes, prologue_table.c what jump tables lead to, prologue.c carries the states
 * along (prologue_walk.c: from instruction to instruction), prologue_guess.c has one for code that
 * no path reaches, prologue_visit.c is asked for the result, prologue_rows.c makes rows of states.
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

struct node { /* an instruction of the function */
    uint32_t insn;
    uint32_t behind; /* a node, NODE_NONE: see prologue_node_behind */
    uint32_t block;  /* the node with which the block begins that led here last */
    int32_t state;   /* index into states, -1: none yet */
    int32_t pending; /* index into returned, -1: none */
    int32_t thrown;  /* index into thrown, -1: none */
    int32_t table;   /* index into tables, -1: none */
    bool leader;     /* paths meet here or may */
    bool gap;        /* begins code that no path is known to reach */
    bool reached;    /* a path that is known leads here */
    bool queued;
    bool falls_through; /* control can go on to the next instruction */
    uint8_t padding;    /* bytes right before it that only align it; its row is theirs, too */
};

struct table {
    struct value value; /* what the jump went through when the table was read */
    uint32_t first_case, case_count;
};

struct extent {
    uint64_t start_vaddr, end_vaddr;
};

/*
 * Of a function whose end is not known: an unconditional jump ahead, into the function or to
 * another one.
 */
struct leap {
    uint32_t node;
    bool reached;   /* the states have come to it */
    bool in_frame;  /* some of the frame is left: it cannot leave the function */
    bool torn_down; /* there was a frame, and nothing is left of it */
};

struct depth_class { /* states of one stack depth, merged */
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
    uint32_t walk; /* marks the instructions that are taken */
    /*
     * the code's when the analysis began: another one since, and nodes may not be the places' any
     * more
     */
    uint32_t replaced;
    struct node *nodes;
    size_t node_count, node_cap;
    uint64_t taken_bytes; /* of all nodes */
    struct states states;
    uint32_t *todo; /* node indices: blocks to be run, the last first */
    size_t todo_count, todo_cap;
    struct pending {
        uint64_t vaddr;
        uint8_t mode;
    } * places; /* yet to be decoded */
    size_t place_count, place_cap;
    struct returned {
        uint32_t index; /* of the instruction behind the call */
        struct state state;
    } * returned; /* from calls to places that other paths may reach too: see arrive_returned */
    size_t returned_count, returned_cap;
    struct returned *thrown; /* states that calls leave to landing pads: see prologue_throw */
    size_t thrown_count, thrown_cap;
    struct table *tables;
    size_t table_count, table_cap;
    struct pending *cases;
    size_t case_count, case_cap;
    struct outer_case {
        uint64_t insn_vaddr, vaddr;
    } * outer; /* cases that leave the function, of the jumps at insn_vaddr */
    size_t outer_count, outer_cap;
    struct leap *leaps;
    size_t leap_count, leap_cap;
    struct extent *data; /* literals and jump tables among the code */
    size_t data_count, data_cap;
    /* the same, a bit for each unit of code from the function's start on, to the last of them */
    uint8_t *data_bits;
    size_t data_bits_size, data_bits_cap; /* bytes */
    uint32_t *order; /* node indices by address, made when the analysis is done */
    size_t order_count, order_cap;
    size_t marked_nodes, marked_cases; /* so many are seen to by prologue_mark_leaders */
    size_t ended_nodes;                /* so many end at end_vaddr, or before it */
    uint64_t end_vaddr;
    unsigned steps;
    bool is_handler;    /* it returns to what an exception interrupted */
    bool is_vector;     /* it is a table of jumps to such, or one of them */
    bool in_gaps;       /* prologue_discover_gaps is at work */
    bool guessing;      /* fill_gaps is at work */
    uint16_t far_jump;  /* code_far_jump */
    enum status failed; /* NO_MEMORY; UNSUPPORTED: more work than a real function makes */
    /* What unreached code is assumed to be entered with. */
    struct classes indirect, called, left; /* before jump tables; after calls; before tail calls */
};

static inline struct code_insn *node_insn(const struct prologue *a, const struct node *node)
{
    return code_insn(a->in.code, node->insn);
}

static inline bool prologue_inside(const struct prologue *a, uint64_t vaddr)
{
    return vaddr >= a->in.start_vaddr && vaddr < a->in.end_vaddr;
}

/* NULL: no instruction of the function begins at `vaddr`. */
static inline struct node *prologue_node_at(const struct prologue *a, uint64_t vaddr)
{
    uint32_t index = prologue_inside(a, vaddr) ? code_find(a->in.code, vaddr) : 0;
    const struct code_insn *insn = code_insn(a->in.code, index);

    return index && insn->taken_by == a->walk && insn->vaddr == vaddr ? &a->nodes[insn->taken_as]
                                                                      : NULL;
}

/*
 * The node of the instruction right behind it, which is noted where prologue_discover went on from
 * one to the other; NULL: there is none, or it is one in another mode or context now.
 */
static inline struct node *prologue_node_behind(const struct prologue *a, const struct node *node)
{
    const struct code_insn *insn = node_insn(a, node);

    return node->behind != NODE_NONE && a->replaced == a->in.code->replaced
               ? &a->nodes[node->behind]
               : prologue_node_at(a, insn->vaddr + insn->size);
}

/* What the called function does; a call of an unknown one returns and pops nothing. */
void prologue_callee(const struct prologue *a, const struct node *node, struct callee *out);

/*
 * Where control goes besides the next instruction, inside the function: jumps, and calls of a part
 * of itself.
 */
bool prologue_inner_target(const struct prologue *a, const struct code_insn *insn, uint64_t *vaddr);

/* Is it a call by which the function jumps to a place inside of it? LR is lost, no more. */
bool prologue_is_far_jump(const struct prologue *a, const struct code_insn *insn);

/* Decodes everything that direct control flow reaches from `vaddr`. */
void prologue_discover(struct prologue *a, uint64_t vaddr, enum code_mode mode);

/* Decodes what is known to be entered. */
void prologue_discover_entered(struct prologue *a);

/* Decodes what is left. */
void prologue_discover_gaps(struct prologue *a);

/*
 * Marks where paths meet, in what was decoded since the last time. Where a block already ran
 * through such a place, it is queued to run again and end there.
 */
void prologue_mark_leaders(struct prologue *a);

/* Puts the block that the node begins on the list of those to be run. */
void prologue_queue(struct prologue *a, struct node *node);

/*
 * An indirect jump through `jump_reg`, whose value `after` has: reads the jump table and decodes
 * the cases. True: there is one.
 */
bool prologue_resolve_table(struct prologue *a, uint32_t node_index, uint8_t jump_reg,
                            const struct state *after);

/*
 * What the code at `vaddr` is entered with, when it is a part of other functions' prologues or
 * epilogues; else false, and *out is what functions are entered with.
 */
bool prologue_entry_state(const struct prologue *a, uint64_t vaddr, struct state *out);

/*
 * Does the function begin with a jump to a handler of exceptions, or with one before or behind
 * which others are that lead to one? So it is a table of vectors, or one of them. Some may lead to
 * a loop without an end.
 */
bool prologue_is_vector(const struct prologue *a);

/* Is the instruction, which nothing leads to, a further vector of the table? */
bool prologue_is_later_vector(const struct prologue *a, const struct code_insn *insn);

/*
 * In a handler of exceptions, where the instruction at `node` makes SP something unknown: if from
 * there on a frame of the handler is taken apart, it is another one, of the same shape. `before`
 * and `after` are the states before and behind the instruction.
 */
void prologue_change_frame(const struct prologue *a, const struct node *node,
                           const struct state *before, struct state *after);

/*
 * A call of a part of the prologue: the effect of that part on the state. False: it is not one that
 * returns as it should.
 */
bool prologue_run_outlined(const struct prologue *a, const struct code_insn *call,
                           struct state *state);

/* What code that no path reaches is taken to be entered with; false: nothing tells. */
bool prologue_guess_for_gap(const struct prologue *a, const struct node *gap, struct state *out);

/* There is data among the code. */
void prologue_note_data(struct prologue *a, uint64_t start_vaddr, uint64_t end_vaddr);

/*
 * Of the jumps ahead, decodes those that turned out to stay in the function, and queues them. True:
 * there were some.
 */
bool prologue_resolve_leaps(struct prologue *a);

/*
 * The call at node `index`, with the state behind it, may throw: notes what comes to its landing
 * pad. What a callee that returns takes off the stack is there yet, and what was pushed for it is
 * not any more.
 *
 * All calls that throw to one landing pad leave it the same stack depth. Others in the same range
 * of the table may be deeper: of a call that cannot throw no table tells how much was pushed for
 * it.
 */
void prologue_throw(struct prologue *a, uint32_t index, const struct state *state);

/* Is the stack known to be deeper than in the other state? */
bool prologue_is_deeper(const struct prologue *a, const struct state *state,
                        const struct state *other);

/* As prologue_visit, from the block on that leads to `vaddr`. */
void prologue_visit_from(const struct prologue *a, uint64_t vaddr, prologue_visit_fn *visit,
                         void *context);

/* call 1f; 1: pop reg, which reads the PC: SP is below the new return address, that of `target`. */
void prologue_push_pc(const struct prologue *a, const struct node *target, struct state *state);

/* The landing pad of a call that ends at `end_vaddr`, NULL: none. */
const struct landing_pad *prologue_find_landing_pad(const struct prologue *a, uint64_t end_vaddr);

/* Makes the state behind a call that of its landing pad, when so much of the stack is popped. */
void prologue_throw_from(const struct prologue *a, struct state *state, int64_t popped);

/* The nodes in the order of their addresses. */
void prologue_make_order(struct prologue *a);

#endif
