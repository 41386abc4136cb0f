/*
 * Prologue analysis: the rows of a function from its code alone, for every address of it.
 *
 * Abstract interpretation over the function's control flow (after Samsung's Thread Visualizer, which sums the
 * prologue's SP decrements and looks where LR was stored; the value domain is gdb's, see value.h). States are kept at branch targets and
 * merged where paths meet, so that an epilogue in mid-function or a shrink-wrapped prologue does not poison what
 * follows:
 *
 *      f:  push rbx         CFA = rsp + 8
 *          test edi, edi        rsp + 16, rbx at CFA-16
 *          je   1f
 *          pop  rbx
 *          ret                  rsp + 8
 *      1:  call g               rsp + 16   ← the state of the branch, not of the line above
 *
 * Code that no path reaches is taken to be reached through the function's indirect jumps (jump tables), else by
 * exceptions from its calls; where these disagree the answer is unknown. A call after which another path arrives with another stack
 * depth is one that does not return.
 *
 * The analysis knows no architecture: insn.h does. It never sees a stack.
 */
#ifndef UNWIND_PROLOGUE_H
#define UNWIND_PROLOGUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arch.h"
#include "base/status.h"
#include "unwind/insn.h"
#include "unwind/row.h"
#include "unwind/value.h"

/* Bytes of code; larger functions, and such with more branches than a real one has, are UNSUPPORTED. */
#define PROLOGUE_FUNCTION_MAX (UINT64_C(1) << 20)

/* A state that arrives from outside the function: a fragment's (`.cold`) only way in. */
struct prologue_arrival {
    uint64_t vaddr;
    struct state state;
};

struct prologue_input {
    const struct arch *arch;
    struct decoder *decoder;
    const uint8_t *bytes; /* the function's code, end - start of them */
    uint64_t start_vaddr, end_vaddr;
    bool not_entered;                        /* a fragment: nothing calls its start */
    const struct prologue_arrival *arrivals; /* borrowed */
    size_t arrival_count;
    /* Does the function at this address never return? May be NULL. */
    bool (*no_return)(void *context, uint64_t vaddr);
    void *context;
};

/* Rows in ascending order, disjoint; addresses without a row are unknown. */
struct row_table {
    struct row *rows; /* owned */
    size_t count, cap;
};

void row_table_deinit(struct row_table *table);
/* The row for `vaddr`, or NULL. */
const struct row *row_table_find(const struct row_table *table, uint64_t vaddr);

/* Only NO_MEMORY and UNSUPPORTED fail; code that cannot be decoded is unknown. `out` is set anew. */
MUST_CHECK enum status prologue_analyse(const struct prologue_input *input, struct row_table *out);

/* The analysis itself, kept to be asked in which state the function is left. */
struct prologue;

/* As prologue_analyse; the code's bytes stay borrowed, the arrivals do not. */
MUST_CHECK enum status prologue_create(const struct prologue_input *input, struct prologue **out);
void prologue_destroy(struct prologue *prologue);

/*
 * The state before the instruction at `vaddr`, a jump to `target_vaddr` out of the function. NOT_FOUND: there is no such
 * jump, or no path reaches it.
 */
MUST_CHECK enum status prologue_state_at_jump(const struct prologue *prologue, uint64_t vaddr,
                                              uint64_t target_vaddr, struct state *out);

#endif
