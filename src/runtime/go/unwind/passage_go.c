/* SPDX-License-Identifier: MIT */
/*
 * Steps from a stack of the thread back to the goroutine for which Go's runtime works there, by the
 * place where the goroutine was left, which is in the sample.
 */
#include "unwind/passages.h"
#include "runtime/go/rows/go_rows.h"

static enum go_place place_of(struct unwind_walk *w, const struct frame *frame)
{
    struct module_rows *rows =
        frame->module && frame->vaddr_known ? walk_rows_of(w->env->u, frame->module) : NULL;
    const struct gopclntab *table = rows ? module_rows_go(rows) : NULL;

    return table ? go_place(table, frame->lookup_vaddr) : GO_ELSEWHERE;
}

/* Does the frame work for no goroutine? It does not if an inner frame looks for the next one. */
static bool schedules(struct unwind_walk *w)
{
    const struct frame *frame = w->pos.frame;

    for (size_t n = 1; frame && frame->trust != TRUST_CONTEXT && frame->trust != TRUST_KERNEL;
         n++) {
        frame = walk_inner(w, n);
        if (frame && place_of(w, frame) == GO_SCHEDULES)
            return true;
    }
    return false;
}

/*
 * Steps from `mark`, in the function that stands for the place where a goroutine was left (its
 * frame is like that of the function which left it), to its caller. True also if `mark` is
 * elsewhere.
 */
static bool pass_mark(struct unwind_walk *w, struct frame *mark, struct regs *caller)
{
    struct frame *frame = w->pos.frame;
    const size_t inner_count = w->pos.inner_count;
    struct mapping *mapping = w->pos.mapping;
    struct module_rows *rows = w->pos.rows;
    const struct row *row;
    uint64_t cfa;
    bool passed;

    walk_locate(w, mark, 0);
    passed = place_of(w, mark) != GO_MARKS;
    if (!passed && walk_find_row(w, TRUST_GOPCLNTAB, &row) == STATUS_OK &&
        row_execute(row, w->env->u->arch, w->pos.mapping->bias, &w->pos.regs, &w->env->memory,
                    caller, &cfa) == STATUS_OK) {
        mark->pc_addr = walk_code_address(w, caller->value[w->env->u->arch->pc]);
        mark->is_call = passed = walk_returns_to(w, caller->value[w->env->u->arch->pc]);
    }
    w->pos.frame = frame;
    w->pos.inner_count = inner_count;
    w->pos.mapping = mapping;
    w->pos.rows = rows;
    return passed;
}

/* Makes the place where the goroutine was left the next frame; UNDECIDED: not possible. */
static struct step_result return_to(struct unwind_walk *w, const struct snap_goroutine *left,
                                    bool calls)
{
    const struct arch *arch = w->env->u->arch;
    struct frame next = {.pc_addr = walk_code_address(w, left->pc), .trust = TRUST_GOPCLNTAB};
    struct regs regs = {.known = 0}, caller, before = w->pos.regs;

    regs_set(&regs, arch->sp, left->sp);
    regs_set(&regs, arch->pc, next.pc_addr);
    if (arch->lr != REG_NONE && left->lr)
        regs_set(&regs, arch->lr, left->lr);
    w->pos.regs = caller = regs;
    if (!memory_region(&w->env->memory, left->sp) || !pass_mark(w, &next, &caller) ||
        !address_space_find(w->env->space, next.pc_addr)) {
        w->pos.regs = before;
        return step_undecided();
    }
    w->pos.regs = caller;
    w->pos.regs.value[arch->pc] = next.pc_addr;
    next.is_call = next.is_call || (calls && walk_returns_to(w, left->pc));
    w->last.return_addr = next.pc_addr;
    return step_to(next);
}

/*
 * Steps from a callback by C code to the goroutine, above the place where it was left for C. C's
 * own frames lie on another stack and are left out.
 */
static struct step_result return_from_c(struct unwind_walk *w)
{
    const struct arch *arch = w->env->u->arch;
    struct snap_goroutine left = {.state = SNAP_GOROUTINE_LEFT};
    struct mapping *mapping;
    struct frame mark = {.is_call = false};
    const struct row *row;
    struct regs caller;
    uint64_t cfa;

    if (walk_find_row(w, TRUST_GOPCLNTAB, &row) != STATUS_OK ||
        row_execute(row, arch, w->pos.mapping->bias, &w->pos.regs, &w->env->memory, &caller,
                    &cfa) != STATUS_OK ||
        cfa <= w->pos.regs.value[arch->sp])
        return step_undecided();
    left.sp = caller.value[arch->sp];
    left.pc = walk_code_address(w, caller.value[arch->pc]);
    mapping = address_space_find(w->env->space, left.pc);
    if (!mapping)
        return step_undecided();
    mark.module = mapping->module;
    mark.vaddr_known = mapping_vaddr(w->env->u->modules, mapping, left.pc, &mark.lookup_vaddr);
    return place_of(w, &mark) == GO_MARKS ? return_to(w, &left, false) : step_undecided();
}

/* Is SP on the stack on which the goroutine was left: before or after the switch? */
static bool on_goroutine(const struct unwind_walk *w)
{
    const struct snap_region *region = memory_region(&w->env->memory, w->env->goroutine->sp);

    return region &&
           region == memory_region(&w->env->memory, w->pos.regs.value[w->env->u->arch->sp]);
}

/* Handles the places where Go's runtime switches stacks, or begins one. */
struct step_result passage_go_stacks(struct unwind_walk *w)
{
    const enum go_place place = place_of(w, w->pos.frame);
    struct step_result result;

    if (place == GO_BEGINS && w->pos.frame->is_call)
        return step_stops(STOP_THREAD_START);
    if (place == GO_RETURNS)
        return return_from_c(w);
    if (w->env->goroutine->state == SNAP_GOROUTINE_UNKNOWN ||
        (place != GO_LEAVES && place != GO_GROWS) || on_goroutine(w))
        return step_undecided();
    suffix_match_spoil(&w->match); /* the rest depends on more than this frame's registers */
    if (w->env->goroutine->state == SNAP_GOROUTINE_NONE || schedules(w))
        return step_stops(STOP_THREAD_START);
    if (w->goroutine_used)
        return step_stops(STOP_TRUNCATED);
    w->goroutine_used = true;
    result = return_to(w, w->env->goroutine, place == GO_LEAVES);
    return result.kind == STEP_TO_CALLER ? result : step_stops(STOP_TRUNCATED);
}

/* The midst of a switch of stacks, where no row may hold: to where the goroutine was left. */
struct step_result passage_go_switch(struct unwind_walk *w)
{
    const enum go_place place = place_of(w, w->pos.frame);

    if (w->env->goroutine->state != SNAP_GOROUTINE_LEFT || w->goroutine_used ||
        (place != GO_LEAVES && place != GO_SWITCHES) ||
        (on_goroutine(w) && w->env->goroutine->sp < w->pos.regs.value[w->env->u->arch->sp]))
        return step_undecided();
    suffix_match_spoil(&w->match);
    w->goroutine_used = true;
    return return_to(w, w->env->goroutine, true);
}

/* A goroutine's stack is another than the thread's. */
struct step_result passage_go_end(struct unwind_walk *w)
{
    const uint64_t vaddr = w->pos.frame->lookup_vaddr + 1;

    return w->pos.frame->is_call && w->pos.rows && w->pos.frame->vaddr_known &&
                   module_rows_is_goexit(w->pos.rows, vaddr, CODE_DEFAULT) &&
                   !module_rows_after_call(w->pos.rows, vaddr, CODE_DEFAULT)
               ? step_stops(STOP_THREAD_START)
               : step_undecided();
}

bool walk_go_left(struct unwind_walk *w)
{
    enum go_place place = w->pos.frame->is_call ? place_of(w, w->pos.frame) : GO_ELSEWHERE;

    return place == GO_LEAVES || place == GO_GROWS || place == GO_SWITCHES;
}

bool walk_go_returns(struct unwind_walk *w, uint64_t cfa)
{
    const struct gopclntab *table =
        w->pos.rows && w->pos.frame->vaddr_known ? module_rows_go(w->pos.rows) : NULL;
    const struct snap_region *here =
        memory_region(&w->env->memory, w->pos.regs.value[w->env->u->arch->sp]);
    const struct snap_region *there =
        memory_region(&w->env->memory, cfa - w->env->u->arch->word_size);

    if (!table || w->goroutine_used || !there || there == here ||
        !go_writes_sp(table, w->pos.frame->lookup_vaddr))
        return false;
    w->goroutine_used = true;
    return true;
}
