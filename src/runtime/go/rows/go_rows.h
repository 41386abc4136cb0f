/* SPDX-License-Identifier: MIT */
/*
 * Makes rows from the tables of Go's runtime (gopclntab.h), and tells the functions in which the
 * runtime switches between a goroutine's stack and one of the thread's (runtime/asm_*.s), which no
 * table describes.
 */
#ifndef RUNTIME_GO_ROWS_GO_ROWS_H
#define RUNTIME_GO_ROWS_GO_ROWS_H

#include <stdbool.h>

#include "arch/arch.h"
#include "base/status.h"
#include "runtime/go/gopclntab.h"
#include "unwind/row/row.h"

/*
 * Sets *out to the row for `vaddr`. `last` is zeroed, or as the call before left it, which makes a
 * look-up at a higher address in the same function cheaper (gopclntab_sp_delta). NOT_FOUND: the
 * table has no SP delta there that can be used, or go_writes_sp is true; else fails as
 * gopclntab_find.
 */
MUST_CHECK enum status go_row(const struct gopclntab *table, const struct arch *arch,
                              uint64_t vaddr, struct go_sp_delta *last, struct row *out);

/*
 * Whether the function at `vaddr`, other than cgocallback, has the flag SPWRITE: it sets SP in
 * another way than by adding to it, and neither the table nor Go's .debug_frame describes its
 * frame.
 */
bool go_writes_sp(const struct gopclntab *table, uint64_t vaddr);

enum go_place {
    GO_ELSEWHERE,
    GO_BEGINS,    /* a goroutine or a thread begins in it: goexit, mstart, rt0_go */
    GO_LEAVES,    /* the function calls another on the thread's stack: systemstack, mcall */
    GO_GROWS,     /* as GO_LEAVES, but the goroutine goes on at its call: morestack */
    GO_SWITCHES,  /* may switch stacks where no row holds: gogo, asmcgocall */
    GO_SCHEDULES, /* the thread runs no goroutine in the function: schedule, execute */
    GO_MARKS,     /* the saved PC of a goroutine that was left is in it: systemstack_switch */
    GO_RETURNS,   /* C code calls it, and it goes on in the goroutine: cgocallback */
};

/*
 * Returns the role in Go's runtime of the function at `vaddr`, by its name; GO_ELSEWHERE: none of
 * these, or no known function.
 */
enum go_place go_place(const struct gopclntab *table, uint64_t vaddr);

#endif
