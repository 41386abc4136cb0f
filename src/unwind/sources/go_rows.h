/* SPDX-License-Identifier: MIT */
/*
 * Rows by the tables of Go's runtime (gopclntab.h), and what the runtime does in a function of its
 * own: it goes from a goroutine's stack to one of the thread's (runtime/asm_*.s), and tables say
 * nothing of that.
 */
#ifndef UNWIND_SOURCES_GO_ROWS_H
#define UNWIND_SOURCES_GO_ROWS_H

#include <stdbool.h>

#include "arch/arch.h"
#include "base/status.h"
#include "symbol/elf/gopclntab.h"
#include "unwind/row/row.h"

/*
 * The row at `vaddr`. NOT_FOUND: the table has none there, or SP is set otherwise than it says.
 * `last`: as gopclntab_sp_delta's `out`.
 */
MUST_CHECK enum status go_row(const struct gopclntab *table, const struct arch *arch,
                              uint64_t vaddr, struct go_sp_delta *last, struct row *out);

/*
 * Is SP set, in the function at `vaddr`, otherwise than by adding? Then Go's own .debug_frame does
 * not know where it is, either.
 */
bool go_writes_sp(const struct gopclntab *table, uint64_t vaddr);

enum go_place {
    GO_ELSEWHERE,
    GO_BEGINS,    /* a goroutine or a thread begins here */
    GO_LEAVES,    /* has left the goroutine for what it called: systemstack, mcall */
    GO_GROWS,     /* morestack: the same, but the goroutine goes on where it called this */
    GO_SWITCHES,  /* goes from stack to stack, or not, if a row tells so: gogo, asmcgocall */
    GO_SCHEDULES, /* the thread has no goroutine any more, or not yet one that runs */
    GO_MARKS,     /* what a goroutine that has been left is said to be in: systemstack_switch */
    GO_RETURNS,   /* C code has called it, and it goes on in the goroutine: cgocallback */
};

/* What the function at `vaddr` is to the runtime. */
enum go_place go_place(const struct gopclntab *table, uint64_t vaddr);

#endif
