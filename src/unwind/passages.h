/* SPDX-License-Identifier: MIT */
/*
 * Passages: places that no row describes, where something else tells where the chain goes on, or
 * that it ends: Go's switches of stacks, returns from exceptions, code made at run time, a jump to
 * an address without code, a thread's first instructions.
 *
 *     walk_step:  FIRST -> each source { BEFORE_GUESS, if it guesses; its row } -> LAST
 *
 * To add a passage: write a function as below, in a file of its own, and add it to the table in
 * passages.c, whose order is the order in which passages are asked. Private to the unwinder.
 */
#ifndef UNWIND_PASSAGES_H
#define UNWIND_PASSAGES_H

#include "unwind/step.h"

enum passage_when {
    PASSAGE_FIRST = 1,        /* before all sources, where no row of the frame is right */
    PASSAGE_BEFORE_GUESS = 2, /* when tables and code have no row, and the next source guesses */
    PASSAGE_LAST = 4,         /* tried when no row source has led to a caller */
};

/*
 * Asks the passages whose moment is `when`, in the table's order, until one decides, and returns
 * its result; UNDECIDED: none does.
 */
struct step_result passages_ask(struct unwind_walk *w, enum passage_when when);

/*
 * Steps from the walk's current frame if that is at the passage's place. UNDECIDED: the frame is at
 * no such place; its registers are as they were.
 */
typedef struct step_result passage_fn(struct unwind_walk *w);

/*
 * passage_exception.c: returns from an exception, where the innermost frame's PC is an EXC_RETURN
 * (_return), or LR has one (_by_lr).
 */
passage_fn passage_exception_return, passage_exception_by_lr;
/*
 * passage_go.c: a function that switches stacks (_stacks); the midst of a switch, where no row may
 * hold (_switch); the end of a goroutine's chain (_end).
 */
passage_fn passage_go_stacks, passage_go_switch, passage_go_end;
/*
 * passage_made.c: the end of an Erlang process's chain (_made_end); frames of code made at run time
 * that no source knows (_over_made): searches the stack above SP for the nearest return address of
 * a call in a file's code from which rows lead to the thread's start. Callers in between that are
 * such code, too, are left out.
 */
passage_fn passage_made_end, passage_over_made;
/*
 * passage_thread.c: a new thread, right after the system call that made it (_new_thread); the
 * entry function of a program or the dynamic linker, which nothing has called (_entry); what a
 * context's first function returns to (_context_end).
 */
passage_fn passage_new_thread, passage_entry, passage_context_end;
/* passage_signal.c: the frame of a signal that only its shape tells. */
passage_fn passage_signal;
/*
 * passage_jump.c: a call or jump to an address without code, which faulted: registers and stack are
 * as the jump left them.
 */
passage_fn passage_jump;
/*
 * passage_plt.c, where calls push the return address: a PLT's code that has no row, as it is
 * reached with several stacks, where the nearest return address of a call elsewhere is looked for
 * among the words that a PLT pushes at most; the resolver that a PLT jumps to, by the analysis of
 * code.
 */
passage_fn passage_plt;
/* passage_board.c: the frame in which a board, or one of its threads, began. */
passage_fn passage_board_begin;

#endif
