/* SPDX-License-Identifier: MIT */
/*
 * Prologue analysis: makes the rows of a function from its code alone, for each of its addresses.
 *
 * It is abstract interpretation over the function's control flow (after Samsung's Thread
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
 * Bytes of a function; larger ones, and functions with more instructions or branches than real ones
 * have, are UNSUPPORTED.
 */
#define PROLOGUE_FUNCTION_MAX (UINT64_C(1) << 20)

/* A state in which code outside enters the function; the only entry of a fragment (`.cold`). */
struct prologue_arrival {
    uint64_t vaddr;        /* of the entry */
    uint64_t source_vaddr; /* of the jump or call; 0: not known */
    struct state state;
};

/* Effects of a called function that the ABI does not give. */
struct callee {
    bool never_returns;
    bool is_amid; /* no function, but the target of a jump by a call instruction (jumps_by_calls) */
    bool returns_twice; /* as setjmp: what follows the call may look like a function's start */
    uint16_t pops;      /* bytes of arguments that it pops: i386's ret 4 */
    uint8_t pc_reg;     /* a pc thunk: register that gets the return address; REG_NONE: no thunk */
};

/* Fills *out for the function at `vaddr`. */
typedef void prologue_callee_fn(void *context, uint64_t vaddr, enum code_mode mode,
                                struct callee *out);

/* Returns the end of the data among code (a literal pool) that holds `vaddr`; 0: none known. */
typedef uint64_t prologue_data_fn(void *context, uint64_t vaddr);

/* Memory of destroyed analyses, for the next ones. Zero it to begin with. */
struct prologue;
#define PROLOGUE_POOL_MAX 4
struct prologue_pool {
    struct prologue *items[PROLOGUE_POOL_MAX]; /* owned */
    unsigned count;
};
void prologue_pool_deinit(struct prologue_pool *pool);

struct prologue_input {
    struct code *code;
    struct prologue_pool *pool; /* borrowed as long as the analysis exists; NULL: none */
    uint64_t start_vaddr, end_vaddr;
    enum code_mode mode; /* of the first instruction */
    bool not_entered;    /* a fragment: its start is not entered like a function's */
    bool is_trap_entry;  /* exceptions enter it, whether it returns from them or not */
    bool reached_only;   /* leave out code that no path reaches, instead of guessing its state */
    bool open_end;       /* the function may end before end_vaddr: any jump may leave it */
    const struct prologue_arrival *arrivals; /* borrowed during the analysis */
    size_t arrival_count;
    const struct landing_pad
        *landing_pads; /* borrowed during the analysis; ascending and disjoint */
    size_t landing_pad_count;
    prologue_callee_fn *callee;   /* NULL: callees return and pop nothing */
    prologue_data_fn *data_until; /* NULL: no data known */
    void *context;                /* for both; borrowed as long as the analysis exists */
};

/*
 * Analyses a function. Code that cannot be decoded has no rows. NO_MEMORY; UNSUPPORTED: an empty or
 * too large range, or too much work. The analysis is valid until code_trim drops instructions.
 */
MUST_CHECK enum status prologue_create(const struct prologue_input *input, struct prologue **out);
void prologue_destroy(struct prologue *prologue);

/*
 * Copies the state before the jump or branch at `vaddr` to `target_vaddr`. NOT_FOUND: there is no
 * such jump, or no state before it.
 */
MUST_CHECK enum status prologue_state_at_jump(const struct prologue *prologue, uint64_t vaddr,
                                              uint64_t target_vaddr, struct state *out);

/*
 * Makes the state with which the function's calls in the range of `landing_pad` enter the landing
 * pad, which lies outside of the function. NOT_FOUND: there is no such call with a state.
 */
MUST_CHECK enum status prologue_state_at_landing_pad(const struct prologue *prologue,
                                                     const struct landing_pad *landing_pad,
                                                     struct state *out);

/*
 * Copies up to `max` cases of the function's jump tables that lead into [start, end), outside of
 * the function, with their states; returns their number.
 */
size_t prologue_outer_cases(const struct prologue *prologue, uint64_t start_vaddr,
                            uint64_t end_vaddr, struct prologue_arrival *out, size_t max);

/*
 * Receives an instruction and the state before it, both borrowed for the call (`state` NULL: no
 * known path reaches it). `guessed`: the state follows from a guess. Returns false to stop.
 */
typedef bool prologue_visit_fn(void *context, const struct code_insn *insn,
                               const struct state *state, bool guessed);

/* Reports each instruction, in address order. */
void prologue_visit(const struct prologue *prologue, prologue_visit_fn *visit, void *context);

/* Reports the data (literals, jump tables) in the function's range that its instructions read. */
typedef void prologue_data_visit_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr);
void prologue_visit_data(const struct prologue *prologue, prologue_data_visit_fn *visit,
                         void *context);

/* Returns the number of instructions. */
size_t prologue_size(const struct prologue *prologue);

/* The next three are valid only while no other function was analysed since. */

/* Does an instruction of the function begin at `vaddr`? */
bool prologue_reaches(const struct prologue *prologue, uint64_t vaddr);

/* Can control go on to the instruction behind `insn`? */
bool prologue_goes_on(const struct prologue *prologue, const struct code_insn *insn);

/* Is `insn` an indirect jump without a jump table that was found? */
bool prologue_goes_anywhere(const struct prologue *prologue, const struct code_insn *insn);

/* Executes the instruction on `state`; a call's callee pops nothing. */
void prologue_execute(const struct prologue *prologue, const struct code_insn *insn,
                      struct state *state);

/* Makes the rows of the function; row_table_deinit frees them. Only NO_MEMORY fails. */
MUST_CHECK enum status prologue_rows(const struct prologue *prologue, struct row_table *out);

#endif
