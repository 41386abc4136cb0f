/* SPDX-License-Identifier: MIT */
/*
 * Prologue analysis: the rows of a function from its code alone, for every address of it.
 *
 * Abstract interpretation over the function's control flow (after Samsung's Thread Visualizer,
 * which sums the prologue's SP decrements and looks where LR was stored; the value domain is gdb's,
 * see value.h). States are kept at branch targets and merged where paths meet, so that an epilogue
 * in mid-function or a shrink-wrapped prologue does not poison what follows:
 *
 *      f:  push rbx         CFA = rsp + 8
 *          test edi, edi        rsp + 16, rbx at CFA-16
 *          je   1f
 *          pop  rbx
 *          ret                  rsp + 8
 *      1:  call g               rsp + 16   ← the state of the branch, not of the line above
 *
 * Code that no path reaches is taken to be reached through the function's indirect jumps (jump
 * tables), else by exceptions from its calls, at the stack depth that most of these have; without a
 * clear majority the answer is unknown. A call after which another path arrives with another stack
 * depth is one that does not return.
 *
 * The analysis knows no architecture: insn.h does. It never sees a stack.
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
 * Bytes of code; larger functions, and such with more branches than a real one has, are
 * UNSUPPORTED.
 */
#define PROLOGUE_FUNCTION_MAX (UINT64_C(1) << 20)

/* A state that arrives from outside the function: a fragment's (`.cold`) only way in. */
struct prologue_arrival {
    uint64_t vaddr;
    uint64_t source_vaddr; /* the instruction that it comes from; 0: not told */
    struct state state;
};

/* What a called function does besides what the ABI says. */
struct callee {
    bool never_returns;
    /* it is no function but the middle of one, to which that jumps by calls (struct insn_set) */
    bool is_amid;
    bool returns_twice; /* as setjmp: what follows the call may look like a function's start */
    uint16_t pops;      /* argument bytes that it takes off the stack: i386's ret 4 */
    /* the register that holds its return address afterwards (pc thunk), REG_NONE: none */
    uint8_t pc_reg;
};

typedef void prologue_callee_fn(void *context, uint64_t vaddr, enum code_mode mode,
                                struct callee *out);

/*
 * The end of the data among code (a literal pool) that holds `vaddr`; 0: no data, as far as is
 * known.
 */
typedef uint64_t prologue_data_fn(void *context, uint64_t vaddr);

/* The memory of analyses that are over, for the next ones. All zero: an empty one. */
struct prologue;
#define PROLOGUE_POOL_MAX 4
struct prologue_pool {
    struct prologue *items[PROLOGUE_POOL_MAX]; /* owned */
    unsigned count;
};
void prologue_pool_deinit(struct prologue_pool *pool);

struct prologue_input {
    struct code *code;
    struct prologue_pool *pool; /* borrowed as long as the analysis exists; may be NULL */
    uint64_t start_vaddr, end_vaddr;
    enum code_mode mode; /* of the first instruction */
    bool not_entered;    /* a fragment: nothing calls its start */
    bool is_trap_entry;  /* exceptions enter it, whether it returns from them or not */
    bool reached_only;   /* do not guess about code that no path reaches */
    bool open_end;       /* the function ends somewhere before end_vaddr: a jump may leave it */
    const struct prologue_arrival *arrivals; /* borrowed during the analysis */
    size_t arrival_count;
    const struct landing_pad
        *landing_pads; /* borrowed during the analysis; ascending and disjoint */
    size_t landing_pad_count;
    prologue_callee_fn *callee; /* may be NULL, as may data_until */
    prologue_data_fn *data_until;
    void *context;
};

/*
 * Analyses a function. Only NO_MEMORY and UNSUPPORTED fail; code that cannot be decoded is unknown.
 * The result can be asked as long as the code is not trimmed.
 */
MUST_CHECK enum status prologue_create(const struct prologue_input *input, struct prologue **out);
void prologue_destroy(struct prologue *prologue);

/*
 * The state before the instruction at `vaddr`, a jump to `target_vaddr` out of the function.
 * NOT_FOUND: there is no such jump, or no path reaches it.
 */
MUST_CHECK enum status prologue_state_at_jump(const struct prologue *prologue, uint64_t vaddr,
                                              uint64_t target_vaddr, struct state *out);

/*
 * The state that the function's calls leave to a landing pad outside of it. NOT_FOUND: none of them
 * does.
 */
MUST_CHECK enum status prologue_state_at_landing_pad(const struct prologue *prologue,
                                                     const struct landing_pad *landing_pad,
                                                     struct state *out);

/*
 * Cases of the function's jump tables that lead into [start, end), outside of it; at most `max`.
 * Their number.
 */
size_t prologue_outer_cases(const struct prologue *prologue, uint64_t start_vaddr,
                            uint64_t end_vaddr, struct prologue_arrival *out, size_t max);

/* One instruction and the state before it (NULL: no path that is known reaches it). */
typedef bool prologue_visit_fn(void *context, const struct code_insn *insn,
                               const struct state *state, bool guessed);

/* Reports every instruction in address order; false from `visit`: stop. */
void prologue_visit(const struct prologue *prologue, prologue_visit_fn *visit, void *context);

/*
 * Reports the data (literals, jump tables) that the function's instructions read from among its
 * code.
 */
typedef void prologue_data_visit_fn(void *context, uint64_t start_vaddr, uint64_t end_vaddr);
void prologue_visit_data(const struct prologue *prologue, prologue_data_visit_fn *visit,
                         void *context);

/* The instructions of the function, in number. */
size_t prologue_size(const struct prologue *prologue);

/* Is `vaddr` an instruction of the function? While nothing else was analysed since. */
bool prologue_reaches(const struct prologue *prologue, uint64_t vaddr);

/* Does control go on behind the instruction? */
bool prologue_goes_on(const struct prologue *prologue, const struct code_insn *insn);

/*
 * Does it go somewhere that is not known: through a register, and not by a jump table that was
 * found?
 */
bool prologue_goes_anywhere(const struct prologue *prologue, const struct code_insn *insn);

/* The effect of the instruction on the state before it. */
void prologue_execute(const struct prologue *prologue, const struct code_insn *insn,
                      struct state *state);

/* The rows of what was analysed. */
MUST_CHECK enum status prologue_rows(const struct prologue *prologue, struct row_table *out);

#endif
