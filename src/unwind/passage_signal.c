/* SPDX-License-Identifier: MIT */
/*
 * Passes the frame of a signal whose trampoline cannot be read, or is of instructions that are not
 * understood, or in memory of which no mapping is known, by its shape:
 *
 *     SP of the handler's caller -> ucontext or siginfo ... mark ... PC, SP of what it interrupted
 */
#include "unwind/passages.h"

#include "arch/analysis/analysis.h"
#include "symbol/address_space.h"

static bool has_mark(const struct unwind_walk *w, const struct insn_set *set, uint64_t sp)
{
    uint64_t word;

    return set->sigreturn_mark.mask &&
           memory_read(&w->env->memory, sp + set->sigreturn_mark.off, 4, &word) == STATUS_OK &&
           (word & set->sigreturn_mark.mask) == set->sigreturn_mark.value;
}

/* Is `ra` behind a call of a file's code? */
static bool is_behind_call(struct unwind_walk *w, uint64_t ra)
{
    const uint64_t pc = walk_code_address(w, ra);
    struct mapping *mapping = address_space_find(w->env->space, pc);
    struct module_rows *rows;
    uint64_t vaddr;

    if (!mapping || !mapping_vaddr(w->env->u->modules, mapping, pc, &vaddr))
        return false;
    rows = walk_rows_of(w->env->u, mapping->module);
    return rows && module_rows_after_call(rows, vaddr, walk_code_mode(w, ra));
}

bool walk_fits_signal_frame(struct unwind_walk *w, const struct regs *regs,
                            struct regs *interrupted)
{
    const struct arch *arch = w->env->u->arch;
    const struct insn_set *set = insn_set_for(arch, CODE_DEFAULT);
    const uint64_t sp = regs->value[arch->sp];
    struct row row;
    uint64_t cfa;

    return !w->env->space->board.is_board && set && has_mark(w, set, sp) &&
           set->sigreturn_row((const uint8_t *)set->sigreturn_code, set->sigreturn_size, 0, &row) ==
               STATUS_OK &&
           !is_behind_call(w, regs->value[arch->pc]) &&
           row_execute(&row, arch, 0, regs, &w->env->memory, interrupted, &cfa) == STATUS_OK &&
           !walk_is_nowhere(w, interrupted->value[arch->pc]) &&
           memory_region(&w->env->memory, interrupted->value[arch->sp]);
}

struct step_result passage_signal(struct unwind_walk *w)
{
    struct regs interrupted;

    if (!w->pos.frame->is_call || !walk_fits_signal_frame(w, &w->pos.regs, &interrupted))
        return step_undecided();
    suffix_match_spoil(&w->match); /* the rest depends on more than this frame's registers */
    w->last.only_row = false;
    w->last.return_addr = interrupted.value[w->env->u->arch->pc];
    return walk_go_on(w, &interrupted, TRUST_SCAN, true);
}
