/* SPDX-License-Identifier: MIT */
/*
 * Recognizes where chains of boards without Linux begin: in the reset handler, which has no caller,
 * and in the first function of an RTOS's thread. The RTOS has made the frame of the latter, with a
 * return address of its choice: 0, all ones, or a function that was never called (FreeRTOS'
 * prvTaskExitError).
 */
#include "arch/analysis/analysis.h"
#include "symbol/elf/vectors.h"
#include "unwind/passages.h"

#define CALLERS_MAX  256
#define TASK_TOP_MAX 64 /* bytes that an RTOS may use above a thread's first frame */

/*
 * Reads the vector table of the module's file (reset handler's address in the file, initial SP),
 * for targets whose own is not known.
 */
static bool read_vectors(const struct unwind_walk *w, struct vectors *out)
{
    return w->pos.rows && w->pos.frame->vaddr_known &&
           vectors_find(w->pos.frame->module->image, out) == STATUS_OK;
}

/* Returns the reset handler's address in the module's file, with the mode's bit. */
static uint64_t reset_vaddr(const struct unwind_walk *w)
{
    struct vectors vectors;

    if (w->env->space->board.reset_addr)
        return w->env->space->board.reset_addr - w->pos.mapping->bias;
    return read_vectors(w, &vectors) ? vectors.reset_vaddr
                                     : elf_image_entry_vaddr(w->pos.frame->module->image);
}

/*
 * Is the frame in the reset handler, or in a function that it jumps to (newlib's _start, which sets
 * SP anew and to which others may jump as well)?
 */
static bool in_reset_handler(const struct unwind_walk *w)
{
    uint64_t start_vaddr, end_vaddr, vaddr;

    if (!w->pos.rows || !w->pos.frame->vaddr_known)
        return false;
    vaddr = reset_vaddr(w);
    if (walk_in_function_at(w, vaddr))
        return true;
    return module_rows_function(w->pos.rows, w->pos.frame->lookup_vaddr, &start_vaddr,
                                &end_vaddr) == STATUS_OK &&
           module_rows_jumps_to(w->pos.rows, vaddr & ~(uint64_t)w->env->u->arch->isa_bit,
                                start_vaddr);
}

static uint64_t all_ones(const struct unwind_walk *w)
{
    return w->env->u->arch->word_size == 4 ? UINT32_MAX : UINT64_MAX;
}

/* Is the frame in a function that the reset handler has jumped to? Its CFA is the initial SP. */
static bool at_initial_sp(const struct unwind_walk *w)
{
    uint64_t sp = w->env->space->board.initial_sp;
    struct vectors vectors;

    if (!w->pos.refused.is_there || w->pos.refused.return_addr != all_ones(w))
        return false;
    if (!sp && read_vectors(w, &vectors))
        sp = vectors.sp;
    return sp && w->pos.refused.cfa == sp;
}

/* Is `value` a pointer to code? It is not behind a call, or it would not have been refused. */
static bool is_function(const struct unwind_walk *w, uint64_t value)
{
    const struct mapping *mapping = address_space_find(w->env->space, walk_code_address(w, value));

    return mapping && (value & w->env->u->arch->isa_bit) == w->env->u->arch->isa_bit;
}

static bool is_called(struct unwind_walk *w)
{
    uint64_t start_vaddr, end_vaddr;

    return module_rows_function(w->pos.rows, w->pos.frame->lookup_vaddr, &start_vaddr,
                                &end_vaddr) != STATUS_OK ||
           module_rows_is_called(w->pos.rows, start_vaddr);
}

/* Are there return addresses above `cfa`? Above a thread's first frame there are none. */
static bool has_callers_above(struct unwind_walk *w, uint64_t cfa)
{
    const uint64_t word = w->env->u->arch->word_size;

    for (uint64_t off = 0; off < CALLERS_MAX; off += word) {
        uint64_t value;

        if (memory_read(&w->env->memory, cfa + off, (unsigned)word, &value) != STATUS_OK)
            return false;
        if ((value & w->env->u->arch->isa_bit) == w->env->u->arch->isa_bit &&
            walk_returns_to(w, value))
            return true;
    }
    return false;
}

/*
 * Is the frame the first of an RTOS's thread? A wrong row may find a 0 or a pointer to a function,
 * too: so the frame must be at the end of the stack, if the RTOS says where that is; else in a
 * function that no direct call leads to.
 */
static bool in_task_start(struct unwind_walk *w)
{
    const struct snap_task *task = w->env->sample->task;
    const uint64_t value = w->pos.refused.return_addr, cfa = w->pos.refused.cfa;
    bool is_magic;

    if (!w->pos.refused.is_there || !w->pos.rows || !w->pos.frame->vaddr_known ||
        (w->env->exceptions && w->env->exceptions->number(&w->banked) != 0))
        return false;
    is_magic = value == 0 || value == all_ones(w) || is_function(w, value);
    if (task && cfa > task->stack_start_addr && cfa <= task->stack_end_addr)
        return task->stack_end_addr - cfa <= TASK_TOP_MAX &&
               (is_magic || !address_space_find(w->env->space, walk_code_address(w, value)));
    return is_magic && !is_called(w) && !has_callers_above(w, cfa);
}

bool walk_began_board(struct unwind_walk *w, enum stop_reason *stop)
{
    if (!w->env->space->board.is_board)
        return false;
    if (in_reset_handler(w) || at_initial_sp(w))
        *stop = STOP_RESET;
    else if (in_task_start(w))
        *stop = STOP_THREAD_START;
    else
        return false;
    return true;
}

/* A guess would step on, though there is no caller. */
struct step_result passage_board_begin(struct unwind_walk *w)
{
    enum stop_reason stop;

    return walk_began_board(w, &stop) ? step_stops(stop) : step_undecided();
}
