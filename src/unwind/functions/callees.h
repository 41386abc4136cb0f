/* SPDX-License-Identifier: MIT */
/*
 * Finds out what callers must know of a called function (struct callee): whether it returns, how
 * many bytes of arguments it pops (i386's ret 4), whether it is a pc thunk. First asks for what is
 * known without the code (by names: abort, __stack_chk_fail), then follows the code, callees of
 * callees included.
 *
 * A function never returns if no known path in it leads to a return, to a jump through a register
 * or to code that cannot be decoded. In doubt it returns.
 */
#ifndef UNWIND_FUNCTIONS_CALLEES_H
#define UNWIND_FUNCTIONS_CALLEES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/status.h"
#include "unwind/code/code.h"
#include "unwind/prologue/prologue.h"

struct callees;

/*
 * Says what is known of the function at `vaddr` without its code. UNKNOWN: nothing. KNOWN: *out is
 * filled. SAME: the function does the same as that at *same_vaddr, in *same_mode (a PLT stub).
 */
enum callee_knowledge { CALLEE_UNKNOWN, CALLEE_KNOWN, CALLEE_SAME };
typedef enum callee_knowledge callees_known_fn(void *context, uint64_t vaddr, struct callee *out,
                                               uint64_t *same_vaddr, enum code_mode *same_mode);

/*
 * Creates an empty cache of answers; *out is the caller's. Borrows `code` and `context`, which is
 * passed to `known` (may be NULL). All questions together look at no more than `steps_max`
 * instructions; after that functions are taken to return unless `known` says otherwise. Fails with
 * NO_MEMORY only.
 */
MUST_CHECK enum status callees_create(struct code *code, callees_known_fn *known, void *context,
                                      uint64_t steps_max, struct callees **out);
/* Whether `steps_max` of callees_create has cut an answer short. */
bool callees_are_cut(const struct callees *callees);
void callees_destroy(struct callees *callees);

/*
 * Cached answers, to be kept for a later run with the same code: pairs of the question's place and
 * the answer to it, in the form of callees.c. Other answers may depend on which are cached, since a
 * cached answer uses up no part of the limits for one question.
 */
size_t callees_count(const struct callees *callees);
/* Copies all cached answers, in ascending order of places, to out[0 .. callees_count - 1]. */
void callees_list(const struct callees *callees, struct map_pair *out);
/*
 * Adds `count` answers of callees_list; an answer that is cached for the same place stays. Fails
 * with NO_MEMORY only.
 */
MUST_CHECK enum status callees_add(struct callees *callees, const struct map_pair *answers,
                                   size_t count);

/*
 * Fills *out for the function at `vaddr`, and caches the answer. Never fails: in doubt the function
 * returns.
 */
void callees_find(struct callees *callees, uint64_t vaddr, enum code_mode mode, struct callee *out);

#endif
