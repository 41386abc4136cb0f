/* SPDX-License-Identifier: MIT */
/*
 * Passages: places that no row describes, where something else tells where the chain goes on, or
 * that it ends: Go's switches of stacks, returns from exceptions, code made at run time, a jump to
 * nowhere, a thread's first instructions.
 *
 *     walk_step:  FIRST -> each source { BEFORE_GUESS, if it guesses; its row } -> LAST
 *
 * To add one: write a function as below, in a file of its own, and add it to the table in
 * passages.c, whose order is the order in which passages are asked. Private to the unwinder.
 */
#ifndef UNWIND_PASSAGES_H
#define UNWIND_PASSAGES_H

#include "unwind/step.h"

enum passage_when {
    PASSAGE_FIRST = 1,        /* before all sources: no row of the frame is right */
    PASSAGE_BEFORE_GUESS = 2, /* tables and code had no row; the next source guesses */
    PASSAGE_LAST = 4,         /* no source led to a caller */
};

/* Asks the passages of that moment, in the table's order, until one decides. */
struct step_result passages_ask(struct unwind_walk *w, enum passage_when when);

/*
 * Steps from the current frame. UNDECIDED: that is no such place; the frame's registers are as they
 * were.
 */
typedef struct step_result passage_fn(struct unwind_walk *w);

/* passage_exception.c: the PC of the innermost frame is an EXC_RETURN; one is in LR. */
passage_fn passage_exception_return, passage_exception_by_lr;
/* passage_go.c: a switch of stacks, or its midst, where no row may hold; a goroutine's end. */
passage_fn passage_go_stacks, passage_go_switch, passage_go_end;
/*
 * passage_made.c: an Erlang process's end; frames of code made at run time, which no source knows.
 * The latter searches the stack above SP for the nearest return address of a call in a file's code
 * from which rows lead to the thread's start. Callers between that are made code, too, are left
 * out.
 */
passage_fn passage_made_end, passage_over_made;
/* passage_thread.c: a new thread behind the system call that made it. */
passage_fn passage_new_thread;
/* passage_jump.c: the jump to the frame faulted, so that everything is as the jump left it. */
passage_fn passage_jump;
/* passage_board.c: a board, or one of its threads, began here. */
passage_fn passage_board_begin;

#endif
