/* SPDX-License-Identifier: MIT */
/*
 * Steps from an exception handler of a board's processor to the interrupted code: where the return
 * address of a frame is a value by which handlers return (EXC_RETURN), the processor has saved
 * registers on one of its stacks.
 *      handler's row ──► registers at its entry, with SP
 *                        + other stack pointers and the number of the exception (`banked`), which
 *                          no row has: known from the sample, or from the last exception
 *                    ──► the registers that the processor has saved
 */
#include "arch/analysis/analysis.h"
#include "unwind/passages.h"

/* Returns the target's exceptions; NULL: none. */
static const struct exception_arch *exceptions_of(const struct unwinder *u,
                                                  const struct address_space *space)
{
    const struct exception_arch *exceptions = arch_analysis(u->arch)->exception;

    return exceptions && space->board.is_board && exceptions->profile == space->board.profile
               ? exceptions
               : NULL;
}

const struct exception_arch *walk_exceptions(const struct unwinder *u,
                                             const struct address_space *space)
{
    const struct exception_arch *exceptions = exceptions_of(u, space);

    return exceptions && exceptions->is_return ? exceptions : NULL;
}

void walk_bank_registers(struct unwind_walk *w)
{
    const struct exception_arch *exceptions = w->env->exceptions;

    if (!exceptions)
        return;
    w->banked = w->pos.regs;
    w->banked.known &= exceptions->banked;
    w->pos.regs.known &= ~exceptions->banked;
}

unsigned walk_trap_number(const struct unwind_walk *w, uint64_t pc_addr)
{
    const struct exception_arch *exceptions = exceptions_of(w->env->u, w->env->space);

    return exceptions && exceptions->trap && !w->has_left_trap && w->env->sample
               ? exceptions->trap(w->env->sample->system, w->env->sample->system_count, pc_addr)
               : 0;
}

bool walk_is_exception_return(const struct unwind_walk *w, uint64_t value)
{
    return w->env->exceptions && w->env->exceptions->is_return(value);
}

/* Reads what the processor saved; `handler`: the handler's registers at entry. */
static enum status leave(struct unwind_walk *w, uint64_t value, const struct regs *handler,
                         struct regs *out)
{
    struct regs entered = *handler;
    const struct exception_entry entry = {.value = value,
                                          .handler = &entered,
                                          .memory = &w->env->memory,
                                          .system = w->env->sample->system,
                                          .system_count = w->env->sample->system_count};

    for (unsigned reg = 0; reg < w->env->u->arch->all_regs; reg++)
        if (regs_has(&w->banked, reg))
            regs_set(&entered, reg, w->banked.value[reg]);
    return w->env->exceptions->unwind(&entry, out);
}

bool walk_leave_handler(struct unwind_walk *w, uint64_t value, struct regs *caller)
{
    const struct exception_arch *exceptions = w->env->exceptions;
    struct regs out = {.known = 0};
    enum status status = leave(w, value, caller, &out);

    if (status == STATUS_FAULT)
        w->pos.notes |= WALK_LOST_STACK;
    if (status != STATUS_OK)
        return false;
    w->last.left_number = exceptions->number(&w->banked);
    w->last.has_left_handler = true;
    w->banked = out;
    w->banked.known &= exceptions->banked;
    *caller = out;
    caller->known &= ~exceptions->banked;
    return true;
}

struct step_result passage_exception_return(struct unwind_walk *w)
{
    /* Bit 0, which is no part of an address, may be lost. */
    const uint64_t pc = w->pos.frame->pc_addr, values[] = {pc | w->env->u->arch->isa_bit, pc};

    if (w->pos.frame->trust != TRUST_CONTEXT || !w->env->exceptions)
        return step_undecided();
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        struct regs caller = w->pos.regs;

        if (w->env->exceptions->is_return(values[i]) && walk_leave_handler(w, values[i], &caller))
            return walk_go_on(w, &caller, TRUST_EXCEPTION, false);
    }
    return step_undecided();
}

/* Is the handler about to write the stack pointer of threads? */
static bool changes_thread(const struct unwind_walk *w)
{
    return w->env->exceptions->thread_sp && !w->pos.frame->is_call && w->pos.rows &&
           w->pos.frame->vaddr_known &&
           module_rows_writes_ahead(w->pos.rows, w->pos.frame->lookup_vaddr,
                                    walk_code_mode(w, w->env->u->arch->isa_bit),
                                    w->env->exceptions->thread_sp);
}

bool walk_leave_by_lr(struct unwind_walk *w, uint64_t value, struct regs *caller)
{
    const struct exception_entry entry = {.value = value,
                                          .handler = &w->banked,
                                          .memory = &w->env->memory};
    struct regs stored = {.known = 0};

    if (!changes_thread(w))
        return walk_leave_handler(w, value, caller);
    if (!w->env->exceptions->stored(&entry, &value, &stored))
        return false;
    for (unsigned reg = 0; reg < w->env->u->arch->reg_count; reg++)
        if (regs_has(&stored, reg))
            regs_set(caller, reg, stored.value[reg]);
    return walk_leave_handler(w, value, caller);
}

/*
 * For a handler without a row, such as one that switches threads: LR has the EXC_RETURN, and SP is
 * taken to be as at the handler's entry.
 */
struct step_result passage_exception_by_lr(struct unwind_walk *w)
{
    const struct arch *arch = w->env->u->arch;
    struct regs caller = w->pos.regs;

    if (w->pos.frame->is_call || !w->env->exceptions || arch->lr == REG_NONE ||
        !regs_has(&w->pos.regs, arch->lr) || w->env->exceptions->number(&w->banked) == 0 ||
        !w->env->exceptions->is_return(w->pos.regs.value[arch->lr]) ||
        !walk_leave_by_lr(w, w->pos.regs.value[arch->lr], &caller))
        return step_undecided();
    return walk_go_on(w, &caller, TRUST_EXCEPTION, false);
}
