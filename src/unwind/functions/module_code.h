/* SPDX-License-Identifier: MIT */
/*
 * A module's code as prologue analysis and the search for functions need it: its instructions, what
 * called functions do, who jumps where. Made when first needed.
 */
#ifndef UNWIND_FUNCTIONS_MODULE_CODE_H
#define UNWIND_FUNCTIONS_MODULE_CODE_H

#include "base/status.h"
#include "symbol/elf/dynsym.h"
#include "symbol/module.h"
#include "unwind/code/calls.h"
#include "unwind/code/code.h"
#include "unwind/code/jumps.h"
#include "unwind/functions/callees.h"
#include "unwind/functions/kept_search.h"

struct trap_returns {
    uint64_t *items; /* owned; addresses, ascending */
    size_t count, cap;
};

struct module_code {
    struct module_set *set;
    struct module *module;
    struct elf_image *image; /* the module's, or what takes its place */
    bool code_only;          /* no symbols but .dynsym tell names */
    /* where only pieces are there: the begin of all code, where no function is cut */
    uint64_t boundary_vaddr;
    struct code *code;
    struct callees *callees;
    struct jumps jumps;               /* through module_code_jumps */
    struct kept_search *kept;         /* owned; NULL: nothing is kept */
    struct calls calls, far_jumps;    /* through module_code_calls, module_code_far_jumps */
    struct trap_returns trap_returns; /* through module_code_trap_returns */
    bool traps_tried, is_cut;
    bool jumps_made, calls_made, far_jumps_made, pointers_tried, dynsym_tried, padding_tried,
        trap_padding;
    struct dynsym *dynsym;
    struct map pointers; /* address of a word -> what it will hold */
};

/*
 * Of `image`: the module's, or what takes its place. UNSUPPORTED: no instruction set for it;
 * NO_MEMORY. All is borrowed.
 */
MUST_CHECK enum status module_code_create(struct module_set *set, struct module *module,
                                          struct elf_image *image, struct module_code **out);
void module_code_destroy(struct module_code *code);

/* The index of jumps, made on the first call. */
MUST_CHECK enum status module_code_jumps(struct module_code *code, const struct jumps **out);

/*
 * Where handlers of exceptions may end (struct insn_set, is_trap_return), listed on the first call.
 * In programs of an operating system none does; without memory for the list it is empty, too.
 */
const struct trap_returns *module_code_trap_returns(struct module_code *code);

/* The index of calls' targets, made on the first call. */
MUST_CHECK enum status module_code_calls(struct module_code *code, const struct calls **out);

/* That of far jumps' targets; where calls' are not made yet, both are made at once. */
MUST_CHECK enum status module_code_far_jumps(struct module_code *code, const struct calls **out);

/*
 * A search asks what called functions do with a memory of its own, so that what it finds depends on
 * the file alone: not on what was asked before. What it has learned serves all afterwards:
 * module_code_learn, of the search's or of what an earlier run's had learned. Of code made for it
 * that would cost without end, so it is asked only so much for each byte of `within`, or of all
 * code; the module's `problem` says when that was not enough. Only NO_MEMORY fails.
 */
struct code_search {
    struct callees *before;
};
MUST_CHECK enum status module_code_begin_search(struct module_code *code,
                                                const struct vaddr_range *within,
                                                struct code_search *search);
/* *learned is owned by the caller, to be freed; also on failure. */
MUST_CHECK enum status module_code_end_search(struct module_code *code, struct code_search *search,
                                              struct callee_answer **learned, size_t *count);
MUST_CHECK enum status module_code_learn(struct module_code *code,
                                         const struct callee_answer *learned, size_t count);

/* Was one of the searches cut short so? */
bool module_code_is_cut(const struct module_code *code);

/* Can code of the file be entered by exceptions? See dynsym_may_throw. */
bool module_code_may_throw(struct module_code *code);

/* A prologue_callee_fn whose context is a struct module_code. */
void module_code_callee(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out);

/*
 * Is it the name of a function that never returns, whatever library has it? Versions (@…) do not
 * matter. `own`: the function is the file's own, which may have another one by a name that is not
 * reserved.
 */
bool name_never_returns(const char *name, bool own);

/* Is it the name of a function that returns again where it has returned before, or in a child? */
bool name_returns_twice(const char *name);

#endif
