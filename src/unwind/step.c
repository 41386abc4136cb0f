/* SPDX-License-Identifier: MIT */
#include "unwind/step.h"

#include <string.h>

#include "arch/analysis/analysis.h"
#include "arch/analysis/insn.h"
#include "base/vec.h"
#include "runtime/jit/jit_map.h"
#include "runtime/jit/rows/made_rows.h"
#include "symbol/address_space.h"
#include "symbol/module_set.h"
#include "unwind/passages.h"

#define SCAN_WORDS_MAX 512   /* words above SP that a stack scan looks at */
#define PAGE_LEAST     4096u /* mappings begin at multiples of it */

struct module_rows *walk_rows_of(struct unwinder *u, struct module *module)
{
    if (vec_reserve(&u->rows, &u->row_cap, (size_t)module->id + 1, sizeof(*u->rows)) != STATUS_OK)
        return NULL;
    while (u->row_count <= module->id)
        u->rows[u->row_count++] = NULL;
    if (!u->rows[module->id]) {
        if (module_rows_create(u->modules, module, &u->rows[module->id]) != STATUS_OK)
            return NULL;
        if (!u->searches)
            module_rows_set_no_search(u->rows[module->id]);
        if (u->options.cache)
            module_rows_set_cache(u->rows[module->id], u->options.cache);
    }
    return u->rows[module->id];
}

/* Does a signal trampoline begin at `pc`? `executed`: also one of other instructions than usual. */
static bool is_sigreturn(struct unwinder *u, struct mapping *mapping, uint64_t pc, bool executed)
{
    struct module_rows *rows;
    struct row row;
    uint64_t vaddr;

    if (!mapping_vaddr(u->modules, mapping, pc, &vaddr))
        return u->codes && code_stores_is_sigreturn(u->codes, mapping, vaddr, &row);
    rows = walk_rows_of(u, mapping->module);
    return rows && (module_rows_is_sigreturn(rows, vaddr, &row) ||
                    (executed && module_rows_executes_sigreturn(rows, vaddr, &row)));
}

bool walk_is_return_probe(const struct mapping *mapping, uint64_t pc)
{
    return mapping && mapping->start_addr == pc && mapping->module->kind == MODULE_SPECIAL &&
           strcmp(mapping->module->file.path, "[uprobes]") == 0;
}

static bool is_by_tables(enum trust trust)
{
    return trust == TRUST_EH_FRAME || trust == TRUST_DEBUG_FRAME;
}

/*
 * Is the stack lower before a call that is written by hand than behind it? Where calls push the
 * return address such code has pushed it itself: its caller is looked up behind the jump.
 */
static bool pops_return_address(const struct arch *arch)
{
    return arch->lr == REG_NONE;
}

/*
 * Does code begin at `pc`, in w->pos.mapping, that functions return to, but that calls none? Any
 * word may be the address of a function: guesses are not believed that a function returns to one.
 */
static bool is_returned_to(struct unwind_walk *w, uint64_t pc)
{
    const enum trust by = w->pos.frame->trust;
    struct module_rows *rows;
    uint64_t vaddr;

    if (is_sigreturn(w->env->u, w->pos.mapping, pc, true) ||
        walk_is_return_probe(w->pos.mapping, pc))
        return true;
    if (by > TRUST_FP || w->env->space->board.is_board ||
        !mapping_vaddr(w->env->u->modules, w->pos.mapping, pc, &vaddr))
        return false;
    rows = walk_rows_of(w->env->u, w->pos.mapping->module);
    w->pos.begins_chain = rows && module_rows_begins_chain(rows, vaddr, is_by_tables(by)) &&
                          !module_rows_is_goexit(rows, vaddr, CODE_DEFAULT);
    return w->pos.begins_chain ||
           (rows && is_by_tables(by) && pops_return_address(w->env->u->arch) &&
            !module_rows_after_call(rows, vaddr, CODE_DEFAULT) &&
            module_rows_called_by_hand(rows, vaddr));
}

/*
 * Gives code made at run time the function that is known to be there. Where control returns without
 * a call before, the address may be a function's first instruction.
 */
static void name_made_code(struct unwind_walk *w, struct frame *frame)
{
    const bool is_behind = frame->is_call && !walk_returns_to_made(w, frame->pc_addr);
    const uint64_t addr = frame->pc_addr - is_behind;
    struct jit_function function;
    enum status status = jit_map_find(w->env->space->jit, addr, &function);

    if (status == STATUS_OK)
        status = module_set_jit(w->env->u->modules, &frame->module);
    if (status == STATUS_OK)
        frame->lookup_vaddr = jit_vaddr(&function, addr);
    w->out_of_memory = w->out_of_memory || status == STATUS_NO_MEMORY;
}

/*
 * A caller is looked up at its return address minus one, since the call may be its function's last
 * instruction. The return address of a signal handler is the first instruction of the trampoline,
 * that of a context's first function the first of another, a call by hand may have pushed its
 * return address itself, and interrupted frames did not call: all are looked up at their PC.
 */
void walk_locate(struct unwind_walk *w, struct frame *frames, size_t inner_count)
{
    struct frame *frame = &frames[inner_count];
    uint64_t pc = frame->pc_addr;

    w->pos.frame = frame;
    w->pos.inner_count = inner_count;
    w->pos.mapping = address_space_find(w->env->space, pc);
    w->pos.rows = NULL;
    w->pos.code_vaddr = pc;
    w->pos.begins_chain = false;
    frame->module = NULL;
    frame->lookup_vaddr = pc;
    if (frame->is_call && w->pos.mapping && is_returned_to(w, pc))
        frame->is_call = false;
    frame->lookup_vaddr = pc - frame->is_call;
    if (frame->is_call)
        w->pos.mapping = address_space_find(w->env->space, pc - 1);
    if (!w->pos.mapping)
        return;
    frame->module = w->pos.mapping->module;
    frame->vaddr_known =
        mapping_vaddr(w->env->u->modules, w->pos.mapping, pc - frame->is_call, &w->pos.code_vaddr);
    frame->lookup_vaddr = w->pos.code_vaddr;
    if (!frame->vaddr_known && w->env->space->jit)
        name_made_code(w, frame);
    w->pos.rows = walk_rows_of(w->env->u, frame->module);
    w->out_of_memory = w->out_of_memory || !w->pos.rows;
}

/* Can an instruction of this mode begin at `pc`? Not at an address that it is not aligned to. */
static bool is_aligned(const struct unwind_walk *w, uint64_t pc, enum code_mode mode)
{
    const struct insn_set *set = insn_set_for(w->env->u->arch, mode);

    return !set || pc % set->alignment == 0;
}

/* The mode of an interrupted PC is not in its bits: where there are two, it may be either. */
bool walk_is_nowhere(const struct unwind_walk *w, uint64_t pc_addr)
{
    return !address_space_find(w->env->space, pc_addr) ||
           (w->env->u->arch->isa_bit == 0 && !is_aligned(w, pc_addr, CODE_DEFAULT));
}

/* A register may still have the address after the function has returned there. */
static bool is_in_memory(const struct rule *ra)
{
    return ra->kind == RULE_AT_CFA || ra->kind == RULE_AT_REG || ra->kind == RULE_AT_EXPR;
}

/* Can `ra`, the caller's PC by `row`, be the return address of a call, or an interrupted PC? */
static bool return_address_plausible(struct unwind_walk *w, uint64_t ra, const struct row *row)
{
    enum code_mode mode = walk_code_mode(w, ra);
    uint64_t pc = walk_code_address(w, ra);
    /* Any scanned word may lead to absent code; rows are not doubted for that. */
    const bool is_guess = row->source == TRUST_SCAN;
    struct mapping *mapping = address_space_find(w->env->space, pc - 1), *at;
    uint64_t vaddr, start_vaddr, end_vaddr;
    struct module_rows *rows;

    /* An interrupted PC may be anything, also the target of a jump to nowhere. */
    if (row->signal_frame)
        return true;
    at = pc % PAGE_LEAST == 0 ? address_space_find(w->env->space, pc) : NULL;
    if (at && at->start_addr == pc &&
        ((!is_guess && walk_is_return_probe(at, pc)) || is_sigreturn(w->env->u, at, pc, !is_guess)))
        return true;
    if (!mapping || !is_aligned(w, pc, mode))
        return false;
    if (!mapping_vaddr(w->env->u->modules, mapping, pc, &vaddr))
        return !w->env->u->codes || walk_returns_to_made(w, pc) ||
               code_stores_after_call(w->env->u->codes, mapping, vaddr, mode) ||
               (!is_guess && code_stores_is_absent(w->env->u->codes, mapping, vaddr)) ||
               is_sigreturn(w->env->u, mapping, pc, !is_guess);
    rows = walk_rows_of(w->env->u, mapping->module);
    if (!rows || module_rows_after_call(rows, vaddr, mode) ||
        (!is_guess && module_rows_is_absent(rows, vaddr)) ||
        module_rows_is_goexit(rows, vaddr, mode))
        return true;
    /* They have no call before; CFI is believed. */
    if (is_sigreturn(w->env->u, mapping, pc, !is_guess))
        return true;
    if (is_guess || w->env->space->board.is_board)
        return false;
    return (is_by_tables(row->source) &&
            ((module_rows_function(rows, vaddr, &start_vaddr, &end_vaddr) == STATUS_OK &&
              start_vaddr == vaddr) ||
             (is_in_memory(&row->ra) && module_rows_called_by_hand(rows, vaddr)))) ||
           module_rows_begins_chain(rows, vaddr, false);
}

bool walk_returns_to(struct unwind_walk *w, uint64_t ra)
{
    static const struct row any = {.source = TRUST_PROLOGUE};

    return return_address_plausible(w, ra, &any);
}

bool walk_guess_returns_to(struct unwind_walk *w, uint64_t ra)
{
    static const struct row guess = {.source = TRUST_SCAN};

    return return_address_plausible(w, ra, &guess);
}

/*
 * Did the call of the current frame leave LR alone? Calls of outlined prologues do, which return by
 * another register (RISC-V: jal t0, __riscv_save_4).
 */
static bool has_kept_lr(const struct unwind_walk *w)
{
    return w->lr_kept_pc != 0 && w->lr_kept_pc == w->pos.frame->pc_addr &&
           regs_has(&w->pos.regs, w->env->u->arch->lr);
}

static bool plausible(struct unwind_walk *w, const struct row *row, uint64_t cfa,
                      const struct regs *caller)
{
    const struct arch *arch = w->env->u->arch;
    uint64_t sp = w->pos.regs.value[arch->sp];
    uint64_t new_sp = caller->value[arch->sp];
    bool ra_in_reg, kept_in_reg;
    struct regs interrupted;

    if (!return_address_plausible(w, caller->value[arch->pc], row) &&
        (row->source > TRUST_PROLOGUE || !walk_fits_signal_frame(w, caller, &interrupted)))
        return false;
    /* The interrupted stack may be anywhere. */
    if (row->signal_frame)
        return true;
    if (cfa % arch->word_size != 0)
        return false;
    if (cfa < sp && walk_go_returns(w, cfa))
        return true;
    /*
     * The CFA must be above SP. It may be SP itself in a leaf that has not touched SP where calls
     * push nothing, in a function that has popped its return address (vfork), and where the return
     * address is in a register across a call; but not twice in a row, which might go on for ever.
     */
    ra_in_reg = arch->lr != REG_NONE || row->ra.kind == RULE_IN_REG;
    kept_in_reg = (row->ra.kind == RULE_IN_REG || has_kept_lr(w)) && sp != w->flat_sp &&
                  walk_code_address(w, caller->value[arch->pc]) != w->pos.frame->pc_addr;
    if (cfa < sp || (cfa == sp && (!ra_in_reg || (w->pos.frame->is_call && !kept_in_reg))))
        return false;
    return new_sp >= sp;
}

static uint8_t cfa_register(const struct row *row)
{
    bool is_deref;

    if (row->cfa.kind == CFA_EXPR)
        return row_expr_base(row, &row->cfa, &is_deref);
    return row->cfa.kind == CFA_REG || row->cfa.kind == CFA_DEREF ? row->cfa.reg : REG_NONE;
}

enum outcome { CALLER_FOUND, NO_CALLER, NEXT_SOURCE };

static void note_cfa(struct unwind_walk *w, const struct row *row, uint64_t cfa)
{
    w->pos.has_cfa = row->source != TRUST_FP; /* which may have a caller's CFA */
    w->pos.cfa = cfa;
    w->pos.cfa_reg = cfa_register(row);
}

/* Steps out of a handler, which `row` has found; the interrupted stack may be another. */
static enum outcome try_exception(struct unwind_walk *w, const struct row *row, uint64_t cfa,
                                  struct regs *caller)
{
    const struct arch *arch = w->env->u->arch;
    const uint64_t value = caller->value[arch->pc], sp = w->pos.regs.value[arch->sp];

    if (cfa % arch->word_size != 0 || cfa < sp || (cfa == sp && w->pos.frame->is_call) ||
        !(row->source == TRUST_PROLOGUE ? walk_leave_handler(w, value, caller)
                                        : walk_leave_by_lr(w, value, caller)))
        return NEXT_SOURCE;
    note_cfa(w, row, cfa);
    w->last.return_addr = caller->value[arch->pc];
    return CALLER_FOUND;
}

/*
 * ARMv6-M's `switch` calls a function that adds to the return address in LR, so as to return behind
 * a table that follows the call. Returns the address right behind the call then, else `value`.
 */
static uint64_t before_table(struct unwind_walk *w, const struct row *row, uint64_t value)
{
    const enum code_mode mode = walk_code_mode(w, value);
    const uint64_t addr = walk_code_address(w, value);
    struct mapping *mapping = address_space_find(w->env->space, addr);
    uint64_t vaddr, start_vaddr, end_vaddr, return_vaddr;

    if (!w->env->exceptions || w->pos.frame->is_call || row->source != TRUST_PROLOGUE ||
        row->ra.kind != RULE_SAME || !w->pos.frame->vaddr_known || !mapping ||
        !mapping_vaddr(w->env->u->modules, mapping, addr, &vaddr) ||
        walk_rows_of(w->env->u, mapping->module) != w->pos.rows ||
        module_rows_after_call(w->pos.rows, vaddr, mode) ||
        module_rows_function(w->pos.rows, w->pos.frame->lookup_vaddr, &start_vaddr, &end_vaddr) !=
            STATUS_OK ||
        !module_rows_call_before(w->pos.rows, vaddr, mode, start_vaddr, &return_vaddr))
        return value;
    return value - (vaddr - return_vaddr);
}

static enum outcome try_row(struct unwind_walk *w, const struct row *row, struct regs *caller)
{
    uint64_t bias =
        w->pos.mapping && w->pos.mapping->bias_state == BIAS_KNOWN ? w->pos.mapping->bias : 0;
    uint64_t cfa = 0;
    enum status status =
        row_execute(row, w->env->u->arch, bias, &w->pos.regs, &w->env->memory, caller, &cfa);

    if (status == STATUS_END)
        return NO_CALLER;
    if (status == STATUS_FAULT && row->cfa.kind != CFA_UNKNOWN) {
        if (!(w->pos.notes & WALK_HAD_FAULT)) {
            w->pos.fault_cfa = w->pos.cfa = cfa;
            w->pos.has_cfa = cfa != 0 && row->source != TRUST_FP;
            w->pos.cfa_reg = cfa_register(row);
        }
        w->pos.notes |= WALK_HAD_FAULT;
    }
    if (status == STATUS_OK && caller->value[w->env->u->arch->pc] == 0 && !row->signal_frame &&
        (row->source == TRUST_EH_FRAME || row->source == TRUST_DEBUG_FRAME))
        w->pos.notes |= WALK_HAD_ZERO;
    if (status == STATUS_OK)
        caller->value[w->env->u->arch->pc] =
            before_table(w, row, caller->value[w->env->u->arch->pc]);
    if (status == STATUS_OK && walk_is_exception_return(w, caller->value[w->env->u->arch->pc]))
        return try_exception(w, row, cfa, caller);
    if (status == STATUS_OK && !plausible(w, row, cfa, caller)) {
        if (!w->pos.refused.is_there && row->source <= TRUST_PROLOGUE) {
            w->pos.refused.is_there = true;
            w->pos.refused.return_addr = caller->value[w->env->u->arch->pc];
            w->pos.refused.cfa = cfa;
        }
        return NEXT_SOURCE;
    }
    if (status != STATUS_OK)
        return NEXT_SOURCE;
    if (w->pos.frame->is_call && cfa == w->pos.regs.value[w->env->u->arch->sp])
        w->flat_sp = cfa;
    w->lr_kept_pc = row->ra.kind == RULE_IN_REG && row->ra.reg != w->env->u->arch->lr &&
                            regs_has(caller, w->env->u->arch->lr)
                        ? walk_code_address(w, caller->value[w->env->u->arch->pc])
                        : 0;
    note_cfa(w, row, cfa);
    w->last.return_addr = caller->value[w->env->u->arch->pc];
    caller->value[w->env->u->arch->pc] = walk_code_address(w, caller->value[w->env->u->arch->pc]);
    return CALLER_FOUND;
}

/* Makes callee-saved registers unknown, for a source that does not know about them. */
static void forget_callee_saved(const struct arch *arch, struct row *row)
{
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (arch->callee_saved >> reg & 1)
            row->regs[reg] = (struct rule){.kind = RULE_UNDEFINED};
}

/*
 * Makes the row of the frame pointer convention: FP leads to a record of the caller's FP and,
 * above, the return address; the CFA is above both.
 */
static bool frame_pointer_row(const struct unwind_walk *w, struct row *row)
{
    const struct arch *arch = w->env->u->arch;
    uint64_t fp = w->pos.regs.value[arch->fp];

    if (!regs_has(&w->pos.regs, arch->fp) || fp % arch->word_size != 0 ||
        fp < w->pos.regs.value[arch->sp] || !memory_region(&w->env->memory, fp))
        return false;
    row_init(row, 0, UINT64_MAX, TRUST_FP);
    row->cfa = (struct rule){.kind = CFA_REG,
                             .reg = arch->fp,
                             .off = 2 * arch->word_size + arch->record_off};
    row->ra = (struct rule){.kind = RULE_AT_CFA, .off = -(int32_t)arch->word_size};
    forget_callee_saved(arch, row);
    row->regs[arch->fp] = (struct rule){.kind = RULE_AT_CFA, .off = -2 * (int32_t)arch->word_size};
    return true;
}

/*
 * Is LR left from a call that has returned? It is if it leads into the current function, or if the
 * call before it calls another function.
 */
static bool is_stale(const struct unwind_walk *w, uint64_t ra)
{
    enum code_mode mode = walk_code_mode(w, ra);
    uint64_t addr = walk_code_address(w, ra), start_vaddr, end_vaddr, called_vaddr, vaddr;
    struct mapping *mapping = address_space_find(w->env->space, addr - 1);
    struct module_rows *rows;

    if (!mapping || !mapping_vaddr(w->env->u->modules, mapping, addr, &vaddr))
        return false;
    if (module_rows_function(w->pos.rows, w->pos.frame->lookup_vaddr, &start_vaddr, &end_vaddr) !=
        STATUS_OK)
        start_vaddr = end_vaddr = UINT64_MAX; /* not known */
    rows = walk_rows_of(w->env->u, mapping->module);
    if (rows && module_rows_called_before(rows, vaddr, mode, &called_vaddr))
        return rows != w->pos.rows || called_vaddr != start_vaddr;
    return rows == w->pos.rows && vaddr > start_vaddr && vaddr <= end_vaddr;
}

/* Can LR be trusted? Not if code is mapped there that cannot be read. */
static bool believes_lr(const struct unwind_walk *w)
{
    if (walk_is_return_probe(w->pos.mapping, w->pos.frame->pc_addr))
        return false;
    if (!w->pos.mapping || w->pos.mapping->module->kind == MODULE_SPECIAL)
        return true;
    return w->pos.rows && w->pos.frame->vaddr_known &&
           !is_stale(w, w->pos.regs.value[w->env->u->arch->lr]);
}

/*
 * Makes the row with the return address where the call put it: in LR, of a leaf that saved nothing;
 * where calls push it only after a call to nowhere. For the innermost and interrupted frames only.
 */
static bool link_register_row(const struct unwind_walk *w, struct row *row)
{
    const struct arch *arch = w->env->u->arch;

    /* There was a row, and it failed: the return address is elsewhere. */
    if (w->pos.frame->is_call || w->pos.notes & WALK_HAD_ROW ||
        (arch->lr == REG_NONE && w->pos.mapping))
        return false;
    if (arch->lr != REG_NONE && !believes_lr(w))
        return false;
    row_init(row, 0, UINT64_MAX, TRUST_LR);
    row->cfa = (struct rule){.kind = CFA_REG, .reg = arch->sp, .off = arch->cfa_entry_off};
    row->ra = arch->lr == REG_NONE ? (struct rule){.kind = RULE_AT_CFA, .off = -arch->word_size}
                                   : (struct rule){.kind = RULE_SAME};
    return true;
}

/* Finds the nearest word above SP that can be a return address. */
static enum outcome scan(struct unwind_walk *w, struct regs *caller)
{
    const struct arch *arch = w->env->u->arch;
    struct row row;

    row_init(&row, 0, UINT64_MAX, TRUST_SCAN);
    row.ra = (struct rule){.kind = RULE_AT_CFA, .off = -(int32_t)arch->word_size};
    forget_callee_saved(arch, &row);
    for (int32_t i = 1; i <= SCAN_WORDS_MAX; i++) {
        row.cfa = (struct rule){.kind = CFA_REG, .reg = arch->sp, .off = i * arch->word_size};
        switch (try_row(w, &row, caller)) {
        case CALLER_FOUND:
            return CALLER_FOUND;
        case NO_CALLER: /* a zero word */
        case NEXT_SOURCE:
            break;
        }
    }
    return NEXT_SOURCE;
}

enum status walk_find_row(struct unwind_walk *w, enum trust source, const struct row **out)
{
    enum status status;

    if (!w->pos.rows)
        return STATUS_NOT_FOUND;
    if (w->pos.frame->vaddr_known)
        status = module_rows_find(w->pos.rows, source, w->pos.frame->lookup_vaddr, out);
    else if ((source == TRUST_DEBUG_FRAME || source == TRUST_EH_FRAME) && w->env->space->made_rows)
        status = made_rows_find(w->env->space->made_rows, source,
                                w->pos.frame->pc_addr - w->pos.frame->is_call, out);
    else if (source == TRUST_PROLOGUE && w->env->u->codes)
        status = code_stores_find(w->env->u->codes,
                                  &(struct code_place){w->pos.mapping, w->pos.code_vaddr,
                                                       w->env->space->jit},
                                  out);
    else
        return STATUS_NOT_FOUND;
    w->out_of_memory = w->out_of_memory || status == STATUS_NO_MEMORY;
    if (status == STATUS_NOT_FOUND && walk_made_thread(w, false, source, out)) {
        w->pos.notes |= WALK_AT_CALL;
        status = STATUS_OK;
    }
    return status;
}

/*
 * Is the row wrong if the innermost frame is in an epilogue, and is the analysis of code, which
 * comes later, better?
 */
static bool leaves_to_code(struct unwind_walk *w, const struct row *row)
{
    const struct row *other;
    bool later = false, asked = false;

    if (!row->frame_to_end || w->pos.frame->is_call)
        return false;
    for (size_t i = 0; i < w->env->u->options.method_count; i++) {
        asked = asked || (later && w->env->u->options.methods[i] == TRUST_PROLOGUE);
        later = later || w->env->u->options.methods[i] == row->source;
    }
    return asked && walk_find_row(w, TRUST_PROLOGUE, &other) == STATUS_OK;
}

static bool keeps_frame_pointer(const struct arch *arch, const struct row *row)
{
    enum rule_kind kind = row->regs[arch->fp].kind;

    return (kind == RULE_SAME || kind == RULE_UNSPECIFIED) &&
           !(row->cfa.kind == CFA_REG && row->cfa.reg == arch->fp);
}

/* Does the frame directly call a function that leaves the register alone? */
static bool callee_keeps(struct unwind_walk *w, uint8_t reg)
{
    return w->pos.frame->is_call && w->pos.frame->vaddr_known &&
           !(module_rows_callee_changes(w->pos.rows, w->pos.frame->lookup_vaddr + 1) >> reg & 1);
}

/*
 * Finds the row of the place behind the call, if the return address there is in a register that the
 * callee leaves alone.
 */
static bool find_row_behind_call(struct unwind_walk *w, const struct row **out)
{
    uint64_t start_vaddr, end_vaddr, vaddr = w->pos.frame->lookup_vaddr;

    return w->pos.frame->vaddr_known &&
           module_rows_function(w->pos.rows, vaddr, &start_vaddr, &end_vaddr) == STATUS_OK &&
           vaddr + 1 < end_vaddr &&
           module_rows_find(w->pos.rows, TRUST_PROLOGUE, vaddr + 1, out) == STATUS_OK &&
           (*out)->ra.kind == RULE_IN_REG && callee_keeps(w, (*out)->ra.reg);
}

/*
 * Makes `reg`, which calls may change, known in the innermost frame's caller: its value in the
 * innermost frame, if the function of that one calls nothing and leaves it alone. The called
 * function may have jumped there: it must leave `reg` alone, too, if the call is direct; else a
 * table must name `reg`.
 */
static void recall(struct unwind_walk *w, uint8_t reg, enum trust source)
{
    const struct frame *callee = walk_inner(w, 1);
    struct module_rows *rows;

    if (!w->pos.frame->is_call || regs_has(&w->pos.regs, reg) || !callee ||
        callee->trust != TRUST_CONTEXT || !callee->vaddr_known || !regs_has(w->env->context, reg))
        return;
    if (!callee_keeps(w, reg) &&
        (source == TRUST_PROLOGUE || !w->pos.frame->vaddr_known ||
         module_rows_callee_changes(w->pos.rows, w->pos.frame->lookup_vaddr + 1) != UINT64_MAX))
        return;
    rows = walk_rows_of(w->env->u, callee->module);
    if (!rows || module_rows_leaf_changes(rows, callee->lookup_vaddr) >> reg & 1)
        return;
    regs_set(&w->pos.regs, reg, w->env->context->value[reg]);
    suffix_match_spoil(&w->match); /* the rest depends on more than this frame's registers */
}

/*
 * Is the row's claim that LR has the return address out of date? On boards handlers and thread
 * switches are written in assembly, whose tables describe the first instruction only. Marks the
 * step as not to be cached.
 */
static bool says_stale(struct unwind_walk *w, const struct row *row)
{
    if (!w->env->exceptions || w->pos.frame->is_call || row->source == TRUST_PROLOGUE ||
        (row->ra.kind != RULE_SAME && row->ra.kind != RULE_UNSPECIFIED) ||
        !regs_has(&w->pos.regs, w->env->u->arch->lr))
        return false;
    w->pos.notes |= WALK_GUESSED;
    return w->pos.frame->vaddr_known && is_stale(w, w->pos.regs.value[w->env->u->arch->lr]);
}

/*
 * Code that zeroes FP begins a thread, unless a call has put a return address where it belongs:
 * functions that do not return need not keep FP.
 */
static enum outcome try_zeroed(struct unwind_walk *w, struct row *row, struct regs *caller)
{
    const struct arch *arch = w->env->u->arch;
    const struct row zeroed = *row;

    if (arch->lr != REG_NONE || row->cfa.kind != CFA_REG || walk_is_thread_start(w) ||
        (w->pos.frame->is_call && w->pos.frame->vaddr_known &&
         module_rows_exits_ahead(w->pos.rows, w->pos.frame->lookup_vaddr + 1, CODE_DEFAULT)))
        return NO_CALLER;
    w->last.only_row = false; /* the word on the stack decides */
    row->ra = (struct rule){.kind = RULE_AT_CFA, .off = -arch->cfa_entry_off};
    forget_callee_saved(arch, row);
    if (try_row(w, row, caller) == CALLER_FOUND)
        return CALLER_FOUND;
    *row = zeroed;
    return NO_CALLER;
}

static enum outcome try_source(struct unwind_walk *w, enum trust source, struct regs *caller,
                               bool *signal_frame)
{
    const struct row *found;
    struct row *row = &w->last.row;
    enum outcome outcome;
    enum status status;

    row->has_returned = false;
    switch (source) {
    case TRUST_DEBUG_FRAME:
    case TRUST_EH_FRAME:
    case TRUST_EXIDX:
    case TRUST_GOPCLNTAB:
    case TRUST_PROLOGUE:
        status = walk_find_row(w, source, &found);
        if (status != STATUS_OK || (found->call_site_only && !w->pos.frame->is_call))
            return NEXT_SOURCE;
        *row = *found; /* the next look-up moves it */
        if (leaves_to_code(w, row))
            return NEXT_SOURCE;
        /* RISC-V's vDSO marks a signal frame, but has no rules for it. */
        if (row->signal_frame && (row->ra.kind == RULE_SAME || row->ra.kind == RULE_UNSPECIFIED))
            return NEXT_SOURCE;
        /*
         * A call overwrites LR. Functions that do not return need not save it: then the return
         * address is lost, and a guess would skip callers.
         */
        if (w->pos.frame->is_call && w->env->u->arch->lr != REG_NONE && !has_kept_lr(w) &&
            (row->ra.kind == RULE_SAME || row->ra.kind == RULE_UNSPECIFIED)) {
            if (source != TRUST_PROLOGUE)
                return NEXT_SOURCE;
            if (!find_row_behind_call(w, &found)) {
                w->pos.notes |= WALK_RA_LOST;
                return NEXT_SOURCE;
            }
            *row = *found;
        }
        if (says_stale(w, row))
            return NEXT_SOURCE;
        if (row->ra.kind == RULE_IN_REG)
            recall(w, row->ra.reg, source);
        w->last.only_row = !(w->pos.notes & (WALK_HAD_ROW | WALK_GUESSED | WALK_AT_CALL));
        w->pos.notes |= WALK_HAD_ROW;
        outcome = source == TRUST_PROLOGUE && row->ra.kind == RULE_UNDEFINED
                      ? try_zeroed(w, row, caller)
                      : try_row(w, row, caller);
        *signal_frame = row->signal_frame;
        /*
         * The function left FP alone: the record is a caller's. Not for code made at run time,
         * which may have changed since the row was made.
         */
        if (outcome == NEXT_SOURCE && source == TRUST_PROLOGUE && !walk_is_made(w) &&
            keeps_frame_pointer(w->env->u->arch, row))
            w->pos.notes |= WALK_NO_RECORD;
        return outcome;
    case TRUST_FP:
        w->last.only_row = !(w->pos.notes & (WALK_HAD_ROW | WALK_GUESSED | WALK_AT_CALL));
        w->pos.notes |= WALK_GUESSED;
        if (w->pos.notes & (WALK_RA_LOST | WALK_NO_RECORD) || !frame_pointer_row(w, row))
            return NEXT_SOURCE;
        /* Handlers return there, too, and leave the kernel's frame. */
        if (walk_is_return_probe(w->pos.mapping, w->pos.frame->pc_addr))
            w->last.only_row = false;
        if (walk_is_made(w)) {
            w->last.only_row = false; /* the step depends on more than the address */
            if (walk_made_record_is_callers(w))
                return NEXT_SOURCE;
        }
        if (walk_interpreter_row(w, row))
            w->last.only_row = false; /* this row cannot be cached */
        outcome = try_row(w, row, caller);
        if (outcome == CALLER_FOUND)
            walk_forget_sp(w->env->u->arch, caller);
        return outcome;
    case TRUST_LR:
        w->last.only_row = false;
        w->pos.notes |= WALK_GUESSED;
        return link_register_row(w, row) ? try_row(w, row, caller) : NEXT_SOURCE;
    case TRUST_SCAN:
        w->last.only_row = false;
        w->pos.notes |= WALK_GUESSED;
        return w->pos.notes & WALK_RA_LOST ? NEXT_SOURCE : scan(w, caller);
    case TRUST_CONTEXT:
    case TRUST_EXCEPTION:
    case TRUST_KERNEL:
        return NEXT_SOURCE;
    }
    return NEXT_SOURCE;
}

/* A step to an interrupted frame has trust EXCEPTION, though the analysis of code found it. */
static enum trust told_as(const struct unwind_walk *w, enum trust source)
{
    return source == TRUST_PROLOGUE && w->last.row.source == TRUST_EXCEPTION ? TRUST_EXCEPTION
                                                                             : source;
}

struct step_result walk_go_on(struct unwind_walk *w, const struct regs *caller, enum trust source,
                              bool signal_frame)
{
    const bool is_call = !signal_frame && !w->last.has_left_handler && !w->last.row.has_returned;
    const bool leaves_trap = !w->last.has_left_handler && told_as(w, source) == TRUST_EXCEPTION;
    const uint64_t pc_addr = caller->value[w->env->u->arch->pc];
    const unsigned number = w->last.has_left_handler ? w->last.left_number
                            : leaves_trap            ? walk_trap_number(w, pc_addr)
                                                     : 0;

    w->has_left_trap |= leaves_trap;
    w->pos.frame->signal_frame = signal_frame;
    w->pos.regs = *caller;
    w->pos.has_just_jumped = w->last.has_left_handler
                                 ? w->env->exceptions->has_just_jumped(&w->banked)
                                 : (signal_frame || leaves_trap) && walk_is_nowhere(w, pc_addr);
    return step_to(
        (struct frame){.pc_addr = pc_addr,
                       .is_call = is_call,
                       .trust = w->last.has_left_handler ? TRUST_EXCEPTION : told_as(w, source),
                       .exception = (uint16_t)number});
}

bool walk_is_asked(const struct unwind_walk *w, enum trust source)
{
    const struct unwinder *u = w->env->u;

    for (size_t i = 0; i < u->options.method_count; i++)
        if (u->options.methods[i] == source)
            return true;
    return false;
}

struct step_result walk_by_lr(struct unwind_walk *w)
{
    struct regs caller;
    bool signal_frame = false;

    if (!walk_is_asked(w, TRUST_LR))
        return step_undecided();
    return try_source(w, TRUST_LR, &caller, &signal_frame) == CALLER_FOUND
               ? walk_go_on(w, &caller, TRUST_LR, false)
               : step_undecided();
}

/* Steps by one source; UNDECIDED: the next one is to be asked. */
static struct step_result ask_source(struct unwind_walk *w, enum trust source)
{
    struct regs caller;
    bool signal_frame = false;
    enum stop_reason stop;

    switch (try_source(w, source, &caller, &signal_frame)) {
    case NEXT_SOURCE:
        break;
    case NO_CALLER:
        if (walk_began_board(w, &stop))
            return step_stops(stop);
        if (walk_in_thread_start(w))
            return step_stops(STOP_THREAD_START);
        /* That code has no caller is for tables to say: the analysis of code only supposes it. */
        if (source <= TRUST_GOPCLNTAB)
            return step_stops(STOP_UNDEFINED_RA);
        break;
    case CALLER_FOUND:
        return walk_go_on(w, &caller, source, signal_frame);
    }
    return step_undecided();
}

/* Asks the sources in their order, and the passages before each one that guesses. */
static struct step_result ask_sources(struct unwind_walk *w)
{
    struct step_result result = step_undecided();

    for (size_t i = 0; i < w->env->u->options.method_count && result.kind == STEP_UNDECIDED; i++) {
        enum trust source = w->env->u->options.methods[i];

        if (source > TRUST_PROLOGUE)
            result = passages_ask(w, PASSAGE_BEFORE_GUESS);
        if (result.kind == STEP_UNDECIDED)
            result = ask_source(w, source);
    }
    return result;
}

struct step_result walk_step(struct unwind_walk *w)
{
    struct step_result result;

    w->pos.notes = 0;
    w->last.only_row = w->pos.has_cfa = w->last.has_left_handler = w->pos.refused.is_there = false;
    w->last.row.has_returned = false; /* set by the step before */
    result = passages_ask(w, PASSAGE_FIRST);
    if (result.kind == STEP_UNDECIDED)
        result = ask_sources(w);
    if (result.kind == STEP_UNDECIDED)
        result = passages_ask(w, PASSAGE_LAST);
    return result.kind == STEP_UNDECIDED ? step_stops(walk_failure(w)) : result;
}
