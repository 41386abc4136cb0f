/* SPDX-License-Identifier: MIT */
/* Steps over frames of code made at run time: of one known interpreter, and of unknown code. */
#include <string.h>

#include "runtime/jit/jit_map.h"
#include "unwind/passages.h"

#define SCAN_WORDS      4096  /* of the stack in which successive frames of such code may lie */
#define TRIALS_MAX      64    /* words that are tried as return addresses */
#define STEPS_TRIED_MAX 20000 /* steps of all trials of a sample */
#define DEPTH_MAX       512   /* frames of a trial */

bool walk_is_made(const struct unwind_walk *w)
{
    return w->pos.mapping && !w->pos.frame->vaddr_known &&
           (w->pos.mapping->module->kind == MODULE_ANON || w->pos.mapping->module->file.deleted);
}

/* HotSpot's interpreter, one function in its perf map. */
static const char hotspot_interpreter[] = "Interpreter";
/* The function in which a process of Erlang ends, by its runtime's perf map. */
static const char erlang_end[] = "$erts_beamasm:normal_exit/0";

/* Is `addr` in the function `name`? */
static bool is_in(const struct unwind_walk *w, uint64_t addr, const char *name)
{
    struct jit_function function;

    return w->env->space->jit && jit_map_find(w->env->space->jit, addr, &function) == STATUS_OK &&
           strcmp(jit_map_name(w->env->space->jit, function.name), name) == 0;
}

bool walk_returns_to_made(const struct unwind_walk *w, uint64_t addr)
{
    return is_in(w, addr, hotspot_interpreter) || is_in(w, addr, erlang_end);
}

struct step_result passage_made_end(struct unwind_walk *w)
{
    return w->pos.frame->is_call && is_in(w, w->pos.frame->pc_addr, erlang_end)
               ? step_stops(STOP_THREAD_START)
               : step_undecided();
}

bool walk_interpreter_row(const struct unwind_walk *w, struct row *row)
{
    const struct arch *arch = w->env->u->arch;

    if (!walk_is_made(w) || !is_in(w, w->pos.frame->pc_addr, hotspot_interpreter))
        return false;
    row->regs[arch->sp] = (struct rule){.kind = RULE_AT_CFA, .off = -3 * (int32_t)arch->word_size};
    return true;
}

/* Is the call before the return address `ra` a direct one of another function than the frame's? */
static bool was_called_otherwise(struct unwind_walk *w, uint64_t ra)
{
    const enum code_mode mode = walk_code_mode(w, ra);
    const uint64_t addr = walk_code_address(w, ra);
    struct mapping *mapping = address_space_find(w->env->space, addr - 1);
    uint64_t vaddr, start_vaddr, end_vaddr, called_vaddr;
    struct module_rows *rows;

    if (!mapping || !w->pos.rows || !w->pos.frame->vaddr_known ||
        !mapping_vaddr(w->env->u->modules, mapping, addr, &vaddr))
        return false;
    rows = walk_rows_of(w->env->u, mapping->module);
    return rows && module_rows_called_before(rows, vaddr, mode, &called_vaddr) &&
           module_rows_function(w->pos.rows, w->pos.frame->lookup_vaddr, &start_vaddr,
                                &end_vaddr) == STATUS_OK &&
           (rows != w->pos.rows || called_vaddr != start_vaddr);
}

/* Does a walk from `first` reach the thread's start, by rows of code in files? */
static bool reaches_start(struct unwind_walk *from, const struct frame *first,
                          const struct regs *regs)
{
    struct walk_env env = *from->env;
    struct unwind_walk w = *from;
    struct frame frames[2] = {*from->pos.frame,
                              *first}; /* the frame before may be looked at, too */

    w.pos.regs = *regs;
    env.is_trial = true;
    w.env = &env;
    for (unsigned depth = 0; depth < DEPTH_MAX && !w.out_of_memory; depth++) {
        struct step_result result;

        if (++from->trial_steps > STEPS_TRIED_MAX)
            return false;
        walk_locate(&w, frames, 1);
        result = walk_step(&w);
        if (result.kind != STEP_TO_CALLER)
            return result.stop == STOP_THREAD_START;
        if (depth == 0 && result.next.is_call && was_called_otherwise(&w, w.last.return_addr))
            return false;
        frames[0] = frames[1];
        frames[1] = result.next;
    }
    return false;
}

/* Is the target of the direct call before `vaddr` now in the current frame's mapping? */
static bool calls_here(const struct unwind_walk *w, struct module_rows *rows, uint64_t addr,
                       uint64_t vaddr)
{
    const uint64_t target_vaddr = module_rows_called_at(rows, vaddr, walk_code_mode(w, addr));

    return target_vaddr &&
           address_space_find(w->env->space, target_vaddr + (walk_code_address(w, addr) - vaddr)) ==
               w->pos.mapping;
}

/*
 * Is `word` the return address of a call in a file's code that may have entered made code? Most
 * words that calls have left behind are not: those were direct calls of functions in files, unless
 * other memory has taken the place of the file's code.
 */
static bool is_entry_return(struct unwind_walk *w, uint64_t word)
{
    const uint64_t addr = walk_code_address(w, word);
    const enum code_mode mode = walk_code_mode(w, word);
    struct mapping *mapping = address_space_find(w->env->space, addr - 1);
    struct module_rows *rows;
    uint64_t vaddr;

    if (!mapping || !mapping_vaddr(w->env->u->modules, mapping, addr, &vaddr) ||
        !walk_returns_to(w, word))
        return false;
    rows = walk_rows_of(w->env->u, mapping->module);
    return rows &&
           (module_rows_calls_anything(rows, vaddr, mode) || calls_here(w, rows, word, vaddr));
}

/* Place of FP of the caller to which the word at `addr` returns. */
enum caller_fp { FP_KEPT, FP_SAVED, FP_UNKNOWN };

/*
 * Fills the registers of that caller; false: impossible. Made code may have left FP alone, or have
 * a frame record; else FP is not known.
 */
static bool enter_caller(const struct unwind_walk *w, uint64_t addr, uint64_t pc,
                         enum caller_fp where, struct regs *regs)
{
    const struct arch *arch = w->env->u->arch;
    const struct snap_region *region = memory_region(&w->env->memory, addr);
    uint64_t fp;

    *regs = (struct regs){.known = 0};
    regs_set(regs, arch->pc, pc);
    regs_set(regs, arch->sp, addr + arch->word_size);
    if (where == FP_UNKNOWN)
        return true;
    if (where == FP_KEPT ? !regs_has(&w->pos.regs, arch->fp)
                         : memory_read(&w->env->memory, addr - arch->word_size, arch->word_size,
                                       &fp) != STATUS_OK)
        return false;
    if (where == FP_KEPT)
        fp = w->pos.regs.value[arch->fp];
    regs_set(regs, arch->fp, fp);
    return fp > addr && memory_region(&w->env->memory, fp) == region;
}

/* Does the chain go on at the return address `word` at `addr`? */
static bool try_word(struct unwind_walk *w, uint64_t addr, uint64_t word, struct frame *next)
{
    struct regs regs;

    *next =
        (struct frame){.pc_addr = walk_code_address(w, word), .is_call = true, .trust = TRUST_SCAN};
    for (enum caller_fp where = FP_KEPT; where <= FP_UNKNOWN; where++)
        if (enter_caller(w, addr, next->pc_addr, where, &regs) && reaches_start(w, next, &regs)) {
            w->pos.regs = regs;
            w->last.return_addr = word;
            return true;
        }
    return false;
}

/* Tries the words from SP up to `last_addr` as return addresses. */
static bool scan(struct unwind_walk *w, uint64_t last_addr, struct frame *next)
{
    const struct arch *arch = w->env->u->arch;
    uint64_t addr = w->pos.regs.value[arch->sp];
    unsigned trials = 0;

    if (w->env->is_trial || w->env->u->by_request || !walk_is_made(w) ||
        !regs_has(&w->pos.regs, arch->sp))
        return false;
    suffix_match_spoil(&w->match); /* the rest depends on all words between */
    for (unsigned i = 0; i < SCAN_WORDS && trials < TRIALS_MAX && addr <= last_addr; i++) {
        uint64_t word;

        if (memory_read(&w->env->memory, addr, arch->word_size, &word) != STATUS_OK)
            return false;
        if (is_entry_return(w, word)) {
            if (try_word(w, addr, word, next))
                return true;
            trials++;
        }
        addr += arch->word_size;
    }
    return false;
}

struct step_result passage_over_made(struct unwind_walk *w)
{
    struct frame next;

    if (w->env->is_trial || !walk_is_made(w) || walk_failure(w) == STOP_THREAD_START ||
        !scan(w, UINT64_MAX, &next))
        return step_undecided();
    return step_to(next);
}

bool walk_made_record_is_callers(struct unwind_walk *w)
{
    const struct arch *arch = w->env->u->arch;
    struct unwind_walk trial = *w;
    struct frame next;
    uint64_t ra;
    bool found;

    /*
     * The word above FP is the return address of a call that may have entered made code: the record
     * is this code's own.
     */
    if (regs_has(&w->pos.regs, arch->fp) &&
        memory_read(&w->env->memory, w->pos.regs.value[arch->fp] + arch->word_size, arch->word_size,
                    &ra) == STATUS_OK &&
        is_entry_return(&trial, ra))
        return false;
    if (!regs_has(&w->pos.regs, arch->fp) || is_in(w, w->pos.frame->pc_addr, hotspot_interpreter))
        return false;
    found = scan(&trial, w->pos.regs.value[arch->fp], &next);
    w->trial_steps = trial.trial_steps;
    return found;
}
