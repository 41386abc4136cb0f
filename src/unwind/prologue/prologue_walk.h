/* SPDX-License-Identifier: MIT */
/* Walks over the instructions of a function and executes them on a state. Private to prologue*. */
#ifndef UNWIND_PROLOGUE_PROLOGUE_WALK_H
#define UNWIND_PROLOGUE_PROLOGUE_WALK_H

#include "unwind/prologue/prologue_private.h"

/*
 * A walk from instruction to instruction. Instructions under a condition and its opposite split it
 * into two paths, which are merged where the run of such instructions ends:
 *
 *      cmp   r0, #0
 *      popeq {r4, pc}      paths[0], under eq, ends here
 *      subne sp, sp, #8    paths[1], under ne
 *      bl    f             one state again: that of paths[1]
 *
 * A branch under one of both conditions ends that path.
 */
struct path_walk {
    struct state paths[2];
    bool ended[2]; /* control does not go on after the last instruction on this path */
    /* condition of paths[0]; paths[1] has the opposite; 0: there is only paths[0] */
    uint8_t predicate;
    /* OP_COMPARE_REG if the instruction before does only that, always; else another kind */
    struct op compare;
};

/*
 * Returns the comparison that the branch `insn` depends on: its own, else that of the instruction
 * before; for other instructions also that of the instruction before. Call it before walk_execute.
 */
struct op walk_compared(const struct prologue *a, const struct path_walk *walk,
                        const struct code_insn *insn);

/* Begins a walk with one path, whose state is a copy of *state. */
void walk_begin(struct path_walk *walk, const struct state *state);

/*
 * Merges the two paths into paths[0]; a path that has ended is left out. Does nothing if there is
 * one path.
 */
void walk_join(struct path_walk *walk, const struct arch *arch);

/*
 * Do the work of walk_enter and walk_state if the walk has two paths or the instruction a
 * condition.
 */
unsigned walk_choose(struct path_walk *walk, const struct code_insn *insn, const struct arch *arch);
const struct state *walk_both(const struct path_walk *walk, const struct arch *arch,
                              struct state *merged);

/* Splits or merges paths as `insn` needs; returns the index of the path that executes it. */
static inline unsigned walk_enter(struct path_walk *walk, const struct code_insn *insn,
                                  const struct arch *arch)
{
    return insn->predicate || walk->predicate ? walk_choose(walk, insn, arch) : 0;
}

/*
 * Returns the state before the entered instruction, both paths merged; `merged` is room for it.
 * Valid until `walk` or `merged` changes.
 */
static inline const struct state *walk_state(const struct path_walk *walk, const struct arch *arch,
                                             struct state *merged)
{
    return walk->predicate ? walk_both(walk, arch, merged) : &walk->paths[0];
}

/*
 * Executes the instruction of `node` on paths[path]. A call has the effects of its callee, or runs
 * the outlined part of a prologue that it calls; in an exception handler SP may move to another
 * thread's frame. Ends the path if control does not go on; sets walk->compare.
 */
void walk_execute(const struct prologue *a, struct path_walk *walk, const struct node *node,
                  unsigned path);

/* Ends paths[path] if `insn` is a branch that is taken under the condition of that path. */
static inline void walk_jumped(struct path_walk *walk, const struct code_insn *insn, unsigned path)
{
    if (walk->predicate && !insn->predicate && insn->taken_when)
        walk->ended[path] = true;
}

/*
 * Leaves the instruction that was executed: merges the paths if it writes the flags. Returns
 * whether control goes on after the instruction on any path.
 */
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
    /* a path leads to the instruction that was entered, or if it was left, on from it */
    bool valid;
};

/*
 * Enters `insn`, that of `node`, the next in the order of addresses, and returns the state before
 * it (valid until `nodes` or `merged` changes); NULL: no path leads there. Sets *path to the index
 * of the path that executes it; `merged` is room for a state.
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

/*
 * Executes the instruction on `state` without the effects of a callee: a call only drops the slots
 * below SP.
 */
void walk_effect(const struct prologue *a, const struct code_insn *insn, struct state *state);

/*
 * Makes the two registers that `compare` compares equal in `state`: if one is unknown, it gets the
 * value of the other (stack probe loops). False: they are known to differ, so that no path with
 * equal registers exists yet.
 */
bool walk_make_equal(const struct op *compare, struct state *state);

/*
 * Leaves `insn`, which was executed on paths[path]: updates the paths and nodes->valid. `compare`:
 * what walk_compared returned for it.
 */
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
