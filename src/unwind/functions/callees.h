/* SPDX-License-Identifier: MIT */
/*
 * Finds out what callers must know of a called function (struct callee): whether it returns, how
 * many bytes of arguments it pops (i386's ret 4), whether it is a pc thunk. Asks for what is known
 * without the code first (names: abort, __stack_chk_fail), then follows the code, callees of
 * callees included.
 *
 * A function never returns if no known path in it leads to a return, to a jump through a register
 * or to code that cannot be decoded. In doubt it returns.
 */
#ifndef UNWIND_FUNCTIONS_CALLEES_H
#define UNWIND_FUNCTIONS_CALLEES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "unwind/code/code.h"
#include "unwind/prologue/prologue.h"

struct callees;

/*
 * Says what is known of the function at `vaddr` without its code. KNOWN: *out is filled. SAME: it
 * does the same as the function at *same_vaddr, in *same_mode (a PLT stub).
 */
enum callee_knowledge { CALLEE_UNKNOWN, CALLEE_KNOWN, CALLEE_SAME };
typedef enum callee_knowledge callees_known_fn(void *context, uint64_t vaddr, struct callee *out,
                                               uint64_t *same_vaddr, enum code_mode *same_mode);

/*
 * Borrows `code` and `context`. `known` may be NULL. Looks at no more than `steps_max` instructions
 * in all; then functions are taken to return unless `known` says otherwise. Only NO_MEMORY fails.
 */
MUST_CHECK enum status callees_create(struct code *code, callees_known_fn *known, void *context,
                                      uint64_t steps_max, struct callees **out);
/* Was an answer cut short by `steps_max`? */
bool callees_are_cut(const struct callees *callees);
void callees_destroy(struct callees *callees);

/*
 * The cached answers, in no order. Later answers may depend on them, since a cached answer uses up
 * no part of the limits for one question.
 */
struct callee_answer {
    uint64_t place, answer; /* as callees.c packs them */
};
size_t callees_count(const struct callees *callees);
/* Copies all callees_count answers. */
void callees_list(const struct callees *callees, struct callee_answer *out);
/* Adds answers for places that have none. Only NO_MEMORY fails. */
MUST_CHECK enum status callees_add(struct callees *callees, const struct callee_answer *answers,
                                   size_t count);

/* Fills *out, always; caches the answer. */
void callees_find(struct callees *callees, uint64_t vaddr, enum code_mode mode, struct callee *out);

#endif
