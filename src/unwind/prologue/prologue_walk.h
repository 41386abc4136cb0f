/* SPDX-License-Identifier: MIT */
/*
 * Walking over the instructions of a function with the state of the stack. Private to prologue*.
 */
#ifndef UNWIND_PROLOGUE_PROLOGUE_WALK_H
#define UNWIND_PROLOGUE_PROLOGUE_WALK_H

#include "unwind/prologue/prologue_private.h"

/*
 * A walk from instruction to instruction. Instructions under a condition and its opposite make two
 * paths, which are one again where the run of such instructions ends:
 *
 *      cmp   r0, #0
 *      popeq {r4, pc}      paths[0], under eq, ends here
 *      subne sp, sp, #8    paths[1], under ne
 *      bl    f             one state again: that of paths[1]
 *
 * A jump under one of both conditions takes that path along.
 */
struct path_walk {
    struct state paths[2];
    bool ended[2];
    uint8_t predicate; /* of paths[0]; paths[1] has the opposite; 0: there is only paths[0] */
    struct op compare; /* OP_COMPARE_REG of the instruction before */
};

/*
 * The comparison that the instruction, a branch, goes by: its own, or that of the one before it.
 * Asked before its effect.
 */
struct op walk_compared(const struct prologue *a, const struct path_walk *walk,
                        const struct code_insn *insn);

void walk_begin(struct path_walk *walk, const struct state *state);

/* Makes one path of two. */
void walk_join(struct path_walk *walk, const struct arch *arch);

/*
 * Which of the paths executes the instruction, and the state of both, where there are two or will
 * be.
 */
unsigned walk_choose(struct path_walk *walk, const struct code_insn *insn, const struct arch *arch);
const struct state *walk_both(const struct path_walk *walk, const struct arch *arch,
                              struct state *merged);

/* Which of the paths executes the instruction. */
static inline unsigned walk_enter(struct path_walk *walk, const struct code_insn *insn,
                                  const struct arch *arch)
{
    return insn->predicate || walk->predicate ? walk_choose(walk, insn, arch) : 0;
}

/*
 * The state before the instruction that was entered, whichever path is taken. `merged` is room for
 * that of two.
 */
static inline const struct state *walk_state(const struct path_walk *walk, const struct arch *arch,
                                             struct state *merged)
{
    return walk->predicate ? walk_both(walk, arch, merged) : &walk->paths[0];
}

/* The effect of the instruction on its path. */
void walk_execute(const struct prologue *a, struct path_walk *walk, const struct node *node,
                  unsigned path);

/* Behind a jump under the condition of one of two paths that path is gone. */
static inline void walk_jumped(struct path_walk *walk, const struct code_insn *insn, unsigned path)
{
    if (walk->predicate && !insn->predicate && insn->taken_when)
        walk->ended[path] = true;
}

/* After the instruction: does the walk go on? */
static inline bool walk_leave(struct path_walk *walk, const struct code_insn *insn,
                              const struct arch *arch)
{
    if (insn->writes_flags && walk->predicate)
        walk_join(walk, arch);
    return !walk->ended[0] || (walk->predicate && !walk->ended[1]);
}

/* A walk over the instructions of an analysed function in the order of their addresses. */
struct node_walk {
    struct path_walk walk;
    uint64_t next_vaddr;
    bool valid; /* a path leads to the instruction that was entered last */
};

/*
 * The state before the next instruction, NULL: no path leads there. *path: which of the two
 * executes it; `merged` is room for a state.
 */
static inline const struct state *node_walk_enter(struct node_walk *nodes, const struct prologue *a,
                                                  const struct node *node,
                                                  const struct code_insn *insn, unsigned *path,
                                                  struct state *merged)
{
    if (node->state >= 0) {
        walk_begin(&nodes->walk, a->states.items[node->state]);
        nodes->valid = true;
    } else if (insn->vaddr != nodes->next_vaddr) {
        nodes->valid = false;
    }
    nodes->next_vaddr = insn->vaddr + insn->size;
    if (!nodes->valid)
        return NULL;
    *path = walk_enter(&nodes->walk, insn, a->arch);
    return walk_state(&nodes->walk, a->arch, merged);
}

/* The effect of one instruction on a state, callees aside. */
void walk_effect(const struct prologue *a, const struct code_insn *insn, struct state *state);

/*
 * Where two registers are equal, what is known of one is known of the other (stack probe loops).
 * False: they are known to differ, no path leads here yet.
 */
bool walk_make_equal(const struct op *compare, struct state *state);

/* Behind an instruction's effect: does a path go on? `compare`: see walk_compared. */
static inline void node_walk_leave(struct node_walk *nodes, const struct prologue *a,
                                   const struct code_insn *insn, unsigned path,
                                   const struct op *compare)
{
    if (insn->equal == EQUAL_FALLS && !walk_make_equal(compare, &nodes->walk.paths[path]))
        nodes->walk.ended[path] = true;
    walk_jumped(&nodes->walk, insn, path);
    nodes->valid = walk_leave(&nodes->walk, insn, a->arch);
}

#endif
