/* SPDX-License-Identifier: MIT */
/*
 * Where chains of boards without Linux begin: in the handler of the reset, which finds nothing to
 * return to, and in the first function of an RTOS's thread, whose frame the RTOS has made up. What
 * that returns to is up to the RTOS: 0, all ones, or a function that was never called (FreeRTOS'
 * prvTaskExitError).
 */
#include "arch/analysis/analysis.h"
#include "symbol/elf/vectors.h"
#include "unwind/step.h"

#define CALLERS_MAX  256
#define TASK_TOP_MAX 64 /* bytes of a thread's stack above its first frame, that an RTOS may use */

/*
 * What the vector table in the file of the frame's module says, where the target's is not known:
 * the address of the reset handler in the file, or SP then.
 */
static bool read_vectors(const struct unwind_walk *w, struct vectors *out)
{
    return w->rows && w->frame->vaddr_known &&
           vectors_find(w->frame->module->image, out) == STATUS_OK;
}

/* In the file of the frame's module, with what else the address tells. */
static uint64_t reset_vaddr(const struct unwind_walk *w)
{
    struct vectors vectors;

    if (w->space->board.reset_addr)
        return w->space->board.reset_addr - w->mapping->bias;
    return read_vectors(w, &vectors) ? vectors.reset_vaddr
                                     : elf_image_entry_vaddr(w->frame->module->image);
}

/*
 * The handler of the reset, or what it goes on to: newlib's _start, which gives SP another value,
 * is jumped to by many.
 */
static bool in_reset_handler(const struct unwind_walk *w)
{
    uint64_t start_vaddr, end_vaddr, vaddr;

    if (!w->rows || !w->frame->vaddr_known)
        return false;
    vaddr = reset_vaddr(w);
    if (walk_in_function_at(w, vaddr))
        return true;
    return module_rows_function(w->rows, w->frame->lookup_vaddr, &start_vaddr, &end_vaddr) ==
               STATUS_OK &&
           module_rows_jumps_to(w->rows, vaddr & ~(uint64_t)w->u->arch->isa_bit, start_vaddr);
}

static uint64_t all_ones(const struct unwind_walk *w)
{
    return w->u->arch->word_size == 4 ? UINT32_MAX : UINT64_MAX;
}

/* What the handler of the reset has jumped to has nothing to return to, either. */
static bool at_initial_sp(const struct unwind_walk *w)
{
    uint64_t sp = w->space->board.initial_sp;
    struct vectors vectors;

    if (!w->refused.is_there || w->refused.return_addr != all_ones(w))
        return false;
    if (!sp && read_vectors(w, &vectors))
        sp = vectors.sp;
    return sp && w->refused.cfa == sp;
}

/* A pointer to code: no call is before it, or it would not have been refused. */
static bool is_function(const struct unwind_walk *w, uint64_t value)
{
    const struct mapping *mapping = address_space_find(w->space, walk_code_address(w, value));

    return mapping && (value & w->u->arch->isa_bit) == w->u->arch->isa_bit;
}

static bool is_called(struct unwind_walk *w)
{
    uint64_t start_vaddr, end_vaddr;

    return module_rows_function(w->rows, w->frame->lookup_vaddr, &start_vaddr, &end_vaddr) !=
               STATUS_OK ||
           module_rows_is_called(w->rows, start_vaddr);
}

/* Above its first frame a thread's stack has no more than a few words that an RTOS put there. */
static bool has_callers_above(struct unwind_walk *w, uint64_t cfa)
{
    const uint64_t word = w->u->arch->word_size;

    for (uint64_t off = 0; off < CALLERS_MAX; off += word) {
        uint64_t value;

        if (memory_read(&w->memory, cfa + off, (unsigned)word, &value) != STATUS_OK)
            return false;
        if ((value & w->u->arch->isa_bit) == w->u->arch->isa_bit && walk_returns_to(w, value))
            return true;
    }
    return false;
}

/*
 * A wrong row may find a 0 or a pointer to a function as well. Of a stack that the RTOS tells of
 * the first frame is at its end; else the function must be one that nothing calls directly.
 */
static bool in_task_start(struct unwind_walk *w)
{
    const struct snap_task *task = w->sample->task;
    const uint64_t value = w->refused.return_addr, cfa = w->refused.cfa;
    bool is_magic;

    if (!w->refused.is_there || !w->rows || !w->frame->vaddr_known ||
        (w->exceptions && w->exceptions->number(&w->banked) != 0))
        return false;
    is_magic = value == 0 || value == all_ones(w) || is_function(w, value);
    if (task && cfa > task->stack_start_addr && cfa <= task->stack_end_addr)
        return task->stack_end_addr - cfa <= TASK_TOP_MAX &&
               (is_magic || !address_space_find(w->space, walk_code_address(w, value)));
    return is_magic && !is_called(w) && !has_callers_above(w, cfa);
}

bool walk_began_board(struct unwind_walk *w, enum stop_reason *stop)
{
    if (!w->space->board.is_board)
        return false;
    if (in_reset_handler(w) || at_initial_sp(w))
        *stop = STOP_RESET;
    else if (in_task_start(w))
        *stop = STOP_THREAD_START;
    else
        return false;
    return true;
}
