/* SPDX-License-Identifier: MIT */
/*
 * Rows from the tables of Go's runtime (gopclntab.h), and the functions in which the runtime
 * switches between a goroutine's stack and one of the thread's (runtime/asm_*.s), which no table
 * describes.
 */
#ifndef RUNTIME_GO_GO_ROWS_H
#define RUNTIME_GO_GO_ROWS_H

#include <stdbool.h>

#include "arch/arch.h"
#include "base/status.h"
#include "runtime/go/gopclntab.h"
#include "unwind/row/row.h"

/*
 * Makes the row for `vaddr`. `last` is zeroed, or from the call before, which makes look-ups behind
 * it in the same function cheaper (gopclntab_sp_delta). NOT_FOUND: the table has no usable SP delta
 * there, or go_writes_sp; other errors are gopclntab_find's.
 */
MUST_CHECK enum status go_row(const struct gopclntab *table, const struct arch *arch,
                              uint64_t vaddr, struct go_sp_delta *last, struct row *out);

/*
 * Does the function at `vaddr` set SP in another way than by adding to it (its SPWRITE flag;
 * cgocallback excepted)? Neither the table nor Go's .debug_frame describes its frame then.
 */
bool go_writes_sp(const struct gopclntab *table, uint64_t vaddr);

enum go_place {
    GO_ELSEWHERE,
    GO_BEGINS,    /* a goroutine or a thread begins here: goexit, mstart, rt0_go */
    GO_LEAVES,    /* calls a function on the thread's stack: systemstack, mcall */
    GO_GROWS,     /* as GO_LEAVES, but the goroutine goes on where it called: morestack */
    GO_SWITCHES,  /* may switch stacks, unless a row says otherwise: gogo, asmcgocall */
    GO_SCHEDULES, /* the thread runs no goroutine: schedule, execute */
    GO_MARKS,     /* saved PC of a goroutine that was left: systemstack_switch */
    GO_RETURNS,   /* called by C code, goes on in the goroutine: cgocallback */
};

/* Returns the role in the runtime of the function at `vaddr`, by its name. */
enum go_place go_place(const struct gopclntab *table, uint64_t vaddr);

#endif
