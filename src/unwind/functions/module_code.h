/* SPDX-License-Identifier: MIT */
/*
 * Has what prologue analysis and the search for functions need of a module's code: its
 * instructions, what called functions do, the targets of jumps and calls. Each is made when first
 * needed.
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
    uint64_t *items; /* addresses of the instructions, ascending; owned */
    size_t count, cap;
};

struct module_code {
    struct module_set *set;
    struct module *module;
    struct elf_image *image; /* the module's image, or an image of pieces of its code */
    bool code_only;          /* names count only if they are in .dynsym */
    /* for code in pieces: a piece that starts at this address cuts no function */
    uint64_t boundary_vaddr;
    struct code *code;
    struct callees *callees;
    struct jumps jumps;       /* get them with module_code_jumps only, which makes them */
    struct kept_search *kept; /* owned; keeps results for later runs; NULL: none are kept */
    /* get them with module_code_calls and module_code_far_jumps only, which make them */
    struct calls calls, far_jumps;
    /* get them with module_code_trap_returns only, which makes them */
    struct trap_returns trap_returns;
    bool traps_tried, is_cut;
    bool jumps_made, calls_made, far_jumps_made, pointers_tried, dynsym_tried, padding_tried,
        trap_padding;
    struct dynsym *dynsym;
    struct map pointers; /* address of a relocated word -> its value when the file is loaded */
};

/*
 * Prepares the code of `image`, the module's image, or one of pieces of its code; *out is the
 * caller's, and borrows the arguments. UNSUPPORTED: the image's architecture has no instruction set
 * here; NO_MEMORY.
 */
MUST_CHECK enum status module_code_create(struct module_set *set, struct module *module,
                                          struct elf_image *image, struct module_code **out);
void module_code_destroy(struct module_code *code);

/*
 * Sets *out to the index of jumps, made at the first call and owned by `code`. Fails with NO_MEMORY
 * only.
 */
MUST_CHECK enum status module_code_jumps(struct module_code *code, const struct jumps **out);

/*
 * Returns the addresses of instructions that return from exceptions (struct insn_set,
 * is_trap_return), at most 4096; made at the first call, owned by `code`. The list is empty if
 * there are none, as in programs of an operating system, or no memory for it.
 */
const struct trap_returns *module_code_trap_returns(struct module_code *code);

/*
 * Sets *out to the index of calls' targets, made at the first call and owned by `code`. Fails with
 * NO_MEMORY only.
 */
MUST_CHECK enum status module_code_calls(struct module_code *code, const struct calls **out);

/*
 * Sets *out to the index of far jumps' targets, made at the first call and owned by `code`. The
 * first call may make the index of module_code_calls anew, so that earlier results of that are
 * invalid. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status module_code_far_jumps(struct module_code *code, const struct calls **out);

/*
 * Enclose a search for functions: between begin and end code->callees has no earlier answers, so
 * that the search's result depends on the file alone. module_code_end_search sets *learned to the
 * search's *count answers, and adds them to the earlier ones. module_code_learn adds answers of an
 * earlier run. Against hostile code a search looks at no more than 2 instructions for each byte of
 * `within` (NULL: of all code) to find answers; if that was not enough, the module's `problem` says
 * so. All fail with NO_MEMORY only.
 */
struct code_search {
    struct callees *before;
};
MUST_CHECK enum status module_code_begin_search(struct module_code *code,
                                                const struct vaddr_range *within,
                                                struct code_search *search);
/*
 * Ends the search that module_code_begin_search began (see above); the caller frees *learned, also
 * after a failure.
 */
MUST_CHECK enum status module_code_end_search(struct module_code *code, struct code_search *search,
                                              struct map_pair **learned, size_t *count);
MUST_CHECK enum status module_code_learn(struct module_code *code, const struct map_pair *learned,
                                         size_t count);

/* Whether one of the searches had not enough instructions for its answers. */
bool module_code_is_cut(const struct module_code *code);

/* Whether the file may have landing pads (dynsym_may_throw). */
bool module_code_may_throw(struct module_code *code);

/*
 * Fills *out with what callers must know of the function at `vaddr` (callees_find). A
 * prologue_callee_fn; `context` is a struct module_code.
 */
void module_code_callee(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out);

/*
 * Whether `name` is that of a library's function that never returns; a version (@…) in it is
 * ignored. `own`: the function is in the file itself, so that names that programs may use for
 * another function (err) do not count.
 */
bool name_never_returns(const char *name, bool own);

/* Whether `name` is that of a function that may return a second time (setjmp, vfork). */
bool name_returns_twice(const char *name);

#endif
