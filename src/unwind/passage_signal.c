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

static bool has_marks(const struct unwind_walk *w, const struct insn_set *set, uint64_t sp)
{
    for (size_t i = 0; i < 2; i++) {
        const uint32_t mask = set->sigreturn_marks[i].mask;
        uint64_t word;

        if (!mask ||
            memory_read(&w->env->memory, sp + set->sigreturn_marks[i].off, 4, &word) != STATUS_OK ||
            (word & mask) != set->sigreturn_marks[i].value)
            return false;
    }
    return true;
}

/* Are the registers that no code changes those of the thread? */
static bool has_kept(const struct unwind_walk *w, const struct insn_set *set,
                     const struct regs *interrupted)
{
    const struct regs *now = w->env->context;

    for (uint64_t rest = set->sigreturn_kept; rest; rest &= rest - 1) {
        const unsigned reg = (unsigned)__builtin_ctzll(rest);

        if (!regs_has(now, reg) || !now->value[reg] || !regs_has(interrupted, reg) ||
            interrupted->value[reg] != now->value[reg])
            return false;
    }
    return true;
}

/* Is `ra` behind a call, as far as its code is at hand? Before a mapping's first byte is none. */
static bool is_behind_call(struct unwind_walk *w, uint64_t ra)
{
    const uint64_t pc = walk_code_address(w, ra);
    struct mapping *mapping = address_space_find(w->env->space, pc - 1);
    struct module_rows *rows;
    uint64_t vaddr;

    if (!mapping)
        return false;
    if (!mapping_vaddr(w->env->u->modules, mapping, pc, &vaddr))
        return walk_returns_to_made(w, pc) ||
               (w->env->u->codes &&
                code_stores_after_call(w->env->u->codes, mapping, vaddr, walk_code_mode(w, ra)));
    rows = walk_rows_of(w->env->u, mapping->module);
    return rows && module_rows_after_call(rows, vaddr, walk_code_mode(w, ra));
}

/* Has the interrupted code just called: is the return address where a call puts it? */
static bool has_just_called(struct unwind_walk *w, const struct regs *interrupted)
{
    const struct arch *arch = w->env->u->arch;
    uint64_t ra = 0;

    if (arch->lr != REG_NONE)
        ra = interrupted->value[arch->lr];
    else if (memory_read(&w->env->memory, interrupted->value[arch->sp], arch->word_size, &ra) !=
             STATUS_OK)
        return false;
    return walk_guess_returns_to(w, ra);
}

/*
 * Are PC and SP what code may have had? Of a call to nowhere the return address tells, another
 * stack is in no memory that is known; weak marks want both.
 */
static bool is_interrupted(struct unwind_walk *w, const struct insn_set *set,
                           const struct regs *interrupted)
{
    const struct arch *arch = w->env->u->arch;
    const bool has_pc = !walk_is_nowhere(w, interrupted->value[arch->pc]);
    const bool has_sp = memory_region(&w->env->memory, interrupted->value[arch->sp]) != NULL;

    if (has_pc && has_sp)
        return true;
    return !set->sigreturn_kept && (has_pc || (has_sp && has_just_called(w, interrupted)));
}

bool walk_fits_signal_frame(struct unwind_walk *w, const struct regs *regs,
                            struct regs *interrupted)
{
    const struct arch *arch = w->env->u->arch;
    const struct insn_set *set = insn_set_for(arch, CODE_DEFAULT);
    const uint64_t sp = regs->value[arch->sp];
    struct row row;
    uint64_t cfa;

    return !w->env->space->board.is_board && set && has_marks(w, set, sp) &&
           set->sigreturn_row((const uint8_t *)set->sigreturn_code, set->sigreturn_size, 0, &row) ==
               STATUS_OK &&
           !is_behind_call(w, regs->value[arch->pc]) &&
           row_execute(&row, arch, 0, regs, &w->env->memory, interrupted, &cfa) == STATUS_OK &&
           has_kept(w, set, interrupted) && is_interrupted(w, set, interrupted);
}

/* The handler returns to the trampoline's first instruction: no call is before. */
static void name_trampoline(struct unwind_walk *w)
{
    struct frame *frame = w->pos.frame;

    if (!frame->is_call || !frame->vaddr_known ||
        address_space_find(w->env->space, frame->pc_addr) != w->pos.mapping)
        return;
    frame->is_call = false;
    frame->lookup_vaddr++;
}

struct step_result passage_signal(struct unwind_walk *w)
{
    /* A handler with a return probe returns to the trampoline by way of the kernel. */
    const bool may_be_one = w->pos.frame->is_call || w->pos.begins_chain ||
                            walk_is_return_probe(w->pos.mapping, w->pos.frame->pc_addr);
    struct regs interrupted;

    if (!may_be_one || !walk_fits_signal_frame(w, &w->pos.regs, &interrupted))
        return step_undecided();
    name_trampoline(w);
    suffix_match_spoil(&w->match); /* the rest depends on more than this frame's registers */
    w->last.only_row = false;
    w->last.return_addr = interrupted.value[w->env->u->arch->pc];
    return walk_go_on(w, &interrupted, TRUST_SCAN, true);
}
