/* SPDX-License-Identifier: MIT */
/*
 * What called functions do that their callers must know: that they never return, how many bytes of
 * arguments they take off the stack (i386's ret 4), that they are a pc thunk. Found from the code,
 * on demand, callees of callees included; what names tell (abort, __stack_chk_fail) is asked first.
 *
 * A function never returns when no path of it that is known leads to a return, to a jump through a
 * register or to code that cannot be decoded. In doubt it returns.
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
 * What is known of the function at `vaddr` without its code: KNOWN, and *out is filled; SAME: it
 * does what the function at *same does, in *same_mode (a PLT stub).
 */
enum callee_knowledge { CALLEE_UNKNOWN, CALLEE_KNOWN, CALLEE_SAME };
typedef enum callee_knowledge callees_known_fn(void *context, uint64_t vaddr, struct callee *out,
                                               uint64_t *same_vaddr, enum code_mode *same_mode);

/*
 * `code` and the context are borrowed. `steps_max`: so many instructions are looked at for all
 * questions; behind that only what is known without the code is told.
 */
MUST_CHECK enum status callees_create(struct code *code, callees_known_fn *known, void *context,
                                      uint64_t steps_max, struct callees **out);
/* Was there a question behind that? */
bool callees_are_cut(const struct callees *callees);
void callees_destroy(struct callees *callees);

/*
 * The answers so far, in no order. Later ones may depend on them: what is known costs no part of
 * the limits that there are for one question.
 */
struct callee_answer {
    uint64_t place, answer; /* as callees.c packs them */
};
size_t callees_count(const struct callees *callees);
void callees_list(const struct callees *callees, struct callee_answer *out);
/* What was not asked yet is answered so from now on. */
MUST_CHECK enum status callees_add(struct callees *callees, const struct callee_answer *answers,
                                   size_t count);

/* Always answers; an answer is cached. */
void callees_find(struct callees *callees, uint64_t vaddr, enum code_mode mode, struct callee *out);

#endif
