/* SPDX-License-Identifier: MIT */
/*
 * Prologue analysis: makes the rows of a function from its code alone, for each of its addresses.
 *
 * The analysis is abstract interpretation over the function's control flow (after Samsung's Thread
 * Visualizer, which sums the prologue's SP decrements and looks where LR was stored; the values are
 * gdb's, see value.h). States are kept at branch targets and merged where paths meet, so that an
 * epilogue in mid-function or a shrink-wrapped prologue does not spoil the code that follows:
 *
 *      f:  push rbx         CFA = rsp + 8
 *          test edi, edi        rsp + 16, rbx at CFA-16
 *          je   1f
 *          pop  rbx
 *          ret                  rsp + 8
 *      1:  call g               rsp + 16   ← the state of the branch, not of the line above
 *
 * Code that no path reaches is taken to be entered by the function's indirect jumps (jump tables),
 * else by exceptions from its calls, at the stack depth that most of these have; without a clear
 * majority its rows are unknown. A call is taken not to return if another path arrives behind it at
 * another stack depth.
 *
 * Architectures are hidden behind insn.h. The analysis never reads a stack.
 */
#ifndef UNWIND_PROLOGUE_PROLOGUE_H
#define UNWIND_PROLOGUE_PROLOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/arch.h"
#include "base/status.h"
#include "unwind/code/code.h"
#include "unwind/prologue/value.h"
#include "unwind/row/row_table.h"
#include "unwind/sources/lsda.h"

/*
 * The most bytes of a function: for larger ones, and for functions with more instructions or
 * branches than real ones have, prologue_create returns UNSUPPORTED.
 */
#define PROLOGUE_FUNCTION_MAX (UINT64_C(1) << 20)

/*
 * A place in the function that code outside of it enters, and the state of registers and stack
 * then. A fragment (`.cold`) has no other entries.
 */
struct prologue_arrival {
    uint64_t vaddr;        /* address in the function at which it is entered */
    uint64_t source_vaddr; /* the jump or call; of a throw: start of its calls; 0: not known */
    struct state state;
};

/* Facts of a called function that the ABI leaves open. */
struct callee {
    bool never_returns;
    /* it is no function: a call instruction is used as a jump to it (jumps_by_calls) */
    bool is_amid;
    /* it may return twice, as setjmp: code after the call may look like a function's start */
    bool returns_twice;
    uint16_t pops; /* bytes of arguments that it pops from the stack: i386's ret 4 */
    /* it is a pc thunk: register that it sets to the return address; REG_NONE: no thunk */
    uint8_t pc_reg;
};

/* Fills *out for the function at `vaddr`, which is code in `mode`. */
typedef void prologue_callee_fn(void *context, uint64_t vaddr, enum code_mode mode,
                                struct callee *out);

/*
 * Returns the end of the data among code (a literal pool) that `vaddr` is in; 0: it is in no known
 * data.
 */
typedef uint64_t prologue_data_fn(void *context, uint64_t vaddr);

/* Keeps the memory of destroyed analyses for later ones. The caller zeroes it at first. */
struct prologue;
#define PROLOGUE_POOL_MAX 4
struct prologue_pool {
    struct prologue *items[PROLOGUE_POOL_MAX]; /* memory of `count` destroyed analyses; owned */
    unsigned count;
};
void prologue_pool_deinit(struct prologue_pool *pool);

struct prologue_input {
    struct code *code;
    /* takes the memory afterwards; must outlive the analysis; NULL: none */
    struct prologue_pool *pool;
    uint64_t start_vaddr, end_vaddr;
    enum code_mode mode; /* mode of the function's first instruction */
    bool not_entered;    /* it is a fragment: its start is not entered like a function's */
    bool is_trap_entry;  /* exceptions enter it, even if it has no return from exceptions */
    bool reached_only;   /* leave out code that no path reaches; else its state is guessed */
    bool open_end;       /* the function may end before end_vaddr, so that any jump may leave it */
    /* entries from outside, with their states; borrowed during prologue_create */
    const struct prologue_arrival *arrivals;
    size_t arrival_count;
    const struct landing_pad
        *landing_pads; /* borrowed during prologue_create; ascending and disjoint */
    size_t landing_pad_count;
    /* tells about called functions; NULL: all return, and pop nothing */
    prologue_callee_fn *callee;
    prologue_data_fn *data_until; /* NULL: no data among the code are known */
    void *context;                /* passed to both functions; must outlive the analysis */
};

/*
 * Analyses the function [start_vaddr, end_vaddr) of *input; *out is the caller's. Code that cannot
 * be decoded has no rows. UNSUPPORTED: the range is empty or too large, or the analysis too much
 * work; NO_MEMORY. The analysis is valid until code_trim drops instructions of input->code.
 */
MUST_CHECK enum status prologue_create(const struct prologue_input *input, struct prologue **out);
void prologue_destroy(struct prologue *prologue);

/*
 * Sets *out to the state in which the jump or branch at `vaddr` reaches `target_vaddr`. NOT_FOUND:
 * there is no such jump, or its state is not known.
 */
MUST_CHECK enum status prologue_state_at_jump(const struct prologue *prologue, uint64_t vaddr,
                                              uint64_t target_vaddr, struct state *out);

/*
 * Sets *out to the state in which the function's calls in the range of `landing_pad` enter that
 * landing pad, which lies outside of the function. NOT_FOUND: there is no such call with a known
 * state.
 */
MUST_CHECK enum status prologue_state_at_landing_pad(const struct prologue *prologue,
                                                     const struct landing_pad *landing_pad,
                                                     struct state *out);

/*
 * Fills out[0 .. n-1], n <= max, with the cases of the function's jump tables that lead into
 * [start_vaddr, end_vaddr), which is outside of the function, and with the states then; returns n.
 */
size_t prologue_outer_cases(const struct prologue *prologue, uint64_t start_vaddr,
                            uint64_t end_vaddr, struct prologue_arrival *out, size_t max);

/*
 * Receives an instruction and the state before it (NULL: no known path reaches it), both valid
 * during the call. `guessed`: the state follows from a guess. Returns false to end the visit.
 */
typedef bool prologue_visit_fn(void *context, const struct code_insn *insn,
                               const struct state *state, bool guessed);

/*
 * Calls `visit` for each instruction of the analysis, in the order of addresses, until it returns
 * false.
 */
void prologue_visit(const struct prologue *prologue, prologue_visit_fn *visit, void *context);

/*
 * Calls `visit` for each range of data (literals, jump tables) in the function's range that its
 * instructions read.
 */
typedef void prologue_data_visit_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr);
void prologue_visit_data(const struct prologue *prologue, prologue_data_visit_fn *visit,
                         void *context);

/* Returns the number of instructions of the analysis. */
size_t prologue_size(const struct prologue *prologue);

/* Call the next three functions only if no other function of the same code was analysed since. */

/* Whether an instruction of the analysed function begins at `vaddr`. */
bool prologue_reaches(const struct prologue *prologue, uint64_t vaddr);

/* Whether control can go on from `insn` to the instruction after it. */
bool prologue_goes_on(const struct prologue *prologue, const struct code_insn *insn);

/* Whether `insn` is an indirect jump for which no jump table was found. */
bool prologue_goes_anywhere(const struct prologue *prologue, const struct code_insn *insn);

/*
 * Changes `state`, the state before the instruction, to that after it; a call's callee is taken to
 * pop nothing.
 */
void prologue_execute(const struct prologue *prologue, const struct code_insn *insn,
                      struct state *state);

/*
 * Fills *out with the rows of the function; row_table_deinit frees them. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status prologue_rows(const struct prologue *prologue, struct row_table *out);

#endif
