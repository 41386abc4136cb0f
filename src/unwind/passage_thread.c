/* SPDX-License-Identifier: MIT */
#include "unwind/passages.h"

/* Is the result of the system call 0? */
static bool result_is_zero(const struct unwind_walk *w)
{
    return regs_has(&w->pos.regs, 0) && w->pos.regs.value[0] == 0;
}

bool walk_made_thread(struct unwind_walk *w, bool is_new, enum trust source, const struct row **out)
{
    const struct frame *frame = w->pos.frame;
    unsigned size;

    if (frame->trust != TRUST_CONTEXT || !w->pos.rows || !frame->vaddr_known ||
        result_is_zero(w) != is_new)
        return false;
    size = module_rows_behind_call(w->pos.rows, frame->lookup_vaddr);
    return size && module_rows_find(w->pos.rows, source,
                                    walk_before_call(frame->lookup_vaddr, size), out) == STATUS_OK;
}

/*
 * Is the innermost frame right behind the system call of the C library's clone, from which the new
 * thread returns as well? Code that ends a thread follows closely.
 */
static bool makes_thread(struct unwind_walk *w)
{
    const uint64_t vaddr = w->pos.frame->lookup_vaddr;

    return !w->pos.frame->is_call && w->pos.rows && w->pos.frame->vaddr_known &&
           module_rows_makes_thread(w->pos.rows, vaddr) && walk_ends_thread_soon(w);
}

/* The new thread has a stack of its own; the tables are right for its maker. */
struct step_result passage_new_thread(struct unwind_walk *w)
{
    if (!makes_thread(w))
        return step_undecided();
    w->pos.notes |= WALK_AT_CALL;
    return result_is_zero(w) ? step_stops(STOP_THREAD_START) : step_undecided();
}

/*
 * Where its return address would be is an argument of makecontext's. Also a signal's trampoline
 * never returns; its frame tells.
 */
struct step_result passage_context_end(struct unwind_walk *w)
{
    struct step_result result;

    if (!w->pos.begins_chain)
        return step_undecided();
    result = passage_signal(w);
    if (result.kind != STEP_UNDECIDED)
        return result;
    /* Cached as an end by a row; chains follow no cached step to what only tables believe. */
    w->last.row.ra = (struct rule){.kind = RULE_UNDEFINED};
    w->last.only_row = true;
    return step_stops(STOP_UNDEFINED_RA);
}

/* Registers and stack hold what the kernel left: a guess may take that for a caller. */
struct step_result passage_entry(struct unwind_walk *w)
{
    return !w->env->space->board.is_board && walk_in_entry_function(w)
               ? step_stops(STOP_THREAD_START)
               : step_undecided();
}
