/* SPDX-License-Identifier: MIT */
/*
 * A module's code as prologue analysis and the search for functions need it: its instructions, what
 * called functions do, the targets of jumps and calls. Each is made when first needed.
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
    struct elf_image *image; /* the module's, or one of pieces of its code */
    bool code_only;          /* use no names but those of .dynsym */
    uint64_t boundary_vaddr; /* of code in pieces: a piece that starts here cuts no function */
    struct code *code;
    struct callees *callees;
    struct jumps jumps;               /* through module_code_jumps */
    struct kept_search *kept;         /* owned; NULL: no results are kept */
    struct calls calls, far_jumps;    /* through module_code_calls, module_code_far_jumps */
    struct trap_returns trap_returns; /* through module_code_trap_returns */
    bool traps_tried, is_cut;
    bool jumps_made, calls_made, far_jumps_made, pointers_tried, dynsym_tried, padding_tried,
        trap_padding;
    struct dynsym *dynsym;
    struct map pointers; /* address of a word -> its value when the file is loaded */
};

/*
 * Borrows its arguments; `image` is the module's, or one of pieces of its code. UNSUPPORTED: no
 * instruction set for it; NO_MEMORY.
 */
MUST_CHECK enum status module_code_create(struct module_set *set, struct module *module,
                                          struct elf_image *image, struct module_code **out);
void module_code_destroy(struct module_code *code);

/* Returns the index of jumps, made on the first call. Only NO_MEMORY fails, here and below. */
MUST_CHECK enum status module_code_jumps(struct module_code *code, const struct jumps **out);

/*
 * Returns the addresses of instructions that return from exceptions (struct insn_set,
 * is_trap_return), at most 4096, listed on the first call. Empty in programs of an operating
 * system, and without memory for the list.
 */
const struct trap_returns *module_code_trap_returns(struct module_code *code);

/* Returns the index of calls' targets, made on the first call. */
MUST_CHECK enum status module_code_calls(struct module_code *code, const struct calls **out);

/* Returns the index of far jumps' targets, made on the first call, which may remake calls'. */
MUST_CHECK enum status module_code_far_jumps(struct module_code *code, const struct calls **out);

/*
 * A search for functions lies between begin and end: in it code->callees has no earlier answers, so
 * that the result depends on the file alone. module_code_end_search returns the search's answers
 * and adds them to those of before; module_code_learn adds answers of an earlier run. Against
 * hostile code a search may look at 2 instructions for each byte of `within` (NULL: of all code) to
 * answer; the module's `problem` says when that was not enough.
 */
struct code_search {
    struct callees *before;
};
MUST_CHECK enum status module_code_begin_search(struct module_code *code,
                                                const struct vaddr_range *within,
                                                struct code_search *search);
/* The caller frees *learned, also on failure. */
MUST_CHECK enum status module_code_end_search(struct module_code *code, struct code_search *search,
                                              struct callee_answer **learned, size_t *count);
MUST_CHECK enum status module_code_learn(struct module_code *code,
                                         const struct callee_answer *learned, size_t count);

/* Was one of the searches cut short? */
bool module_code_is_cut(const struct module_code *code);

/* May the file have landing pads (dynsym_may_throw)? */
bool module_code_may_throw(struct module_code *code);

/* A prologue_callee_fn whose context is a struct module_code. */
void module_code_callee(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out);

/*
 * Is `name` that of a library's function that never returns? Versions (@…) are ignored. `own`: the
 * function is in the file itself: a name that programs may use for another function (err) does not
 * count.
 */
bool name_never_returns(const char *name, bool own);

/* Is `name` that of a function that may return a second time (setjmp, vfork)? */
bool name_returns_twice(const char *name);

#endif
