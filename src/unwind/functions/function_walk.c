/* SPDX-License-Identifier: MIT */
#include "unwind/functions/function_walk.h"

#include "base/vec.h"
#include "unwind/functions/function_evidence.h"

#define LEARNT_MIN 50 /* functions, from which on `kept` is learned */
#define LEARNT_MAX 500
#define TAKERS_MIN 5 /* fewer are exceptions, or were walked wrongly */
/* One in how many functions that use or change a register, more than save it, frees it. */
#define TAKERS_SHARE    100
#define READERS_SHARE   10    /* the same for registers without a meaning at entry */
#define MODE_STARTS     50    /* certain starts, from which on unused modes are known */
#define SCANNED_AT_ONCE 16    /* marks that count as one instruction of work */
#define FRAGMENTS_MAX   16384 /* waiting fragments, of 2 KiB each */

void search_note_certain(struct search *s, uint64_t vaddr, enum code_mode mode)
{
    s->certain++;
    s->certain_t32 += mode == CODE_T32;
    s->aligned += vaddr % 16 == 0;
}

bool search_mode_is_unused(const struct search *s, enum code_mode mode)
{
    return code_has_two_modes(s->code) && s->certain >= MODE_STARTS &&
           s->certain_t32 == (mode == CODE_T32 ? 0 : s->certain);
}

void search_add_start(struct search *s, uint64_t vaddr, enum code_mode mode,
                      enum function_origin origin)
{
    uint8_t *mark = marks_at(&s->marks, vaddr);

    if (!mark || (*mark & (MARK_START | MARK_KNOWN)) || mark_is_data(*mark) ||
        (*mark & (MARK_CODE | MARK_HEAD)) == MARK_CODE)
        return;
    if (vec_reserve(&s->found, &s->found_cap, s->found_count + 1, sizeof(*s->found)) != STATUS_OK) {
        s->failed = STATUS_NO_MEMORY;
        return;
    }
    marks_start(&s->marks, vaddr, MARK_START);
    s->found[s->found_count++] =
        (struct found){.vaddr = vaddr, .mode = (uint8_t)mode, .origin = (uint8_t)origin};
    if (origin < FUNCTION_JUMP)
        search_note_certain(s, vaddr, mode);
}

void search_add_fragment(struct search *s, uint64_t vaddr, enum code_mode mode,
                         uint64_t owner_vaddr, bool swallowed, const struct state *state)
{
    uint8_t *mark = marks_at(&s->marks, vaddr);

    if (*mark & MARK_AWAITED || s->fragment_count >= FRAGMENTS_MAX)
        return;
    *mark |= MARK_AWAITED;
    if (vec_reserve(&s->fragments, &s->fragment_cap, s->fragment_count + 1,
                    sizeof(*s->fragments)) != STATUS_OK) {
        s->failed = STATUS_NO_MEMORY;
        return;
    }
    s->fragments[s->fragment_count].vaddr = vaddr;
    s->fragments[s->fragment_count].owner_vaddr = owner_vaddr;
    s->fragments[s->fragment_count].mode = (uint8_t)mode;
    s->fragments[s->fragment_count].swallowed = swallowed;
    state_copy(&s->fragments[s->fragment_count++].state, state);
}

void search_add_jump(struct search *s, uint64_t source_vaddr, uint64_t target_vaddr)
{
    struct functions *f = s->functions;

    if (vec_reserve(&f->jumps, &f->jump_cap, f->jump_count + 1, sizeof(*f->jumps)) != STATUS_OK) {
        s->failed = STATUS_NO_MEMORY;
        return;
    }
    f->jumps[f->jump_count++] = (struct entry_jump){source_vaddr, target_vaddr};
}

/* A walk over one function or fragment. */
struct search_walk {
    struct search *s;
    const struct prologue *prologue;
    uint64_t start_vaddr, end_vaddr;
    uint64_t reach_vaddr; /* end of the code that it came to */
    uint64_t owner_vaddr; /* start_vaddr; of a fragment: see struct fragment */
    /* end of an earlier walk that did not know the function's end; 0: none */
    uint64_t reached_vaddr;
    /* of the entry point's last call with a constant argument: that, and the callee; 0: none */
    uint64_t main_pointer, start_main_vaddr;
    enum code_mode start_main_mode;
    uint16_t far_jump; /* code_far_jump */
};

bool search_is_claimed(uint8_t mark, bool swallowed)
{
    return (mark & MARK_CODE) && !(mark & MARK_REJECTED) && !swallowed;
}

/*
 * Adds main: a constant that the entry point passes to a call (perhaps through the GOT), if the
 * code there begins like a function; older C libraries get initialisers, too. Other constants may
 * be anything.
 */
static void start_arguments(struct search *s, const struct state *state)
{
    const struct arch *arch = s->code->arch;
    bool arm = code_has_two_modes(s->code);

    for (unsigned reg = 0; reg < arch->reg_count; reg++) {
        const struct value *value = &state->regs[reg];
        uint64_t vaddr = (uint64_t)value->k & ~(uint64_t)arm;
        enum code_mode mode = arm && value->k & 1 ? CODE_T32 : CODE_DEFAULT;

        if (value->kind == VALUE_CONST && !(arch->callee_saved >> reg & 1) && reg != arch->lr &&
            reg != arch->pc && marks_at(&s->marks, vaddr) &&
            (code_strong_start(s->code, vaddr, mode) || (!arm && vaddr % 16 == 0)))
            search_add_start(s, vaddr, mode, FUNCTION_CALL);
    }
}

/* Does start-up code, on another stack, jump to its first function? */
static bool begins_on_new_stack(const struct search *s, const struct code_insn *insn,
                                const struct state *state)
{
    uint8_t kind = state->regs[s->code->arch->sp].kind;

    return (kind == VALUE_UNKNOWN || kind == VALUE_CONST) &&
           code_strong_start(s->code, insn->target_vaddr, (enum code_mode)insn->target_mode);
}

/* Adds the target of a jump that the walk did not follow: a start or a fragment. */
static void leave(struct search_walk *w, const struct code_insn *insn, const struct state *state)
{
    struct search *s = w->s;
    const uint8_t *mark = marks_at(&s->marks, insn->target_vaddr);
    bool swallowed;

    if (!mark || !state)
        return;
    if (insn->flow == FLOW_JUMP &&
        (state_at_entry_depth(state, s->code->arch) || begins_on_new_stack(s, insn, state))) {
        search_add_start(s, insn->target_vaddr, (enum code_mode)insn->target_mode, FUNCTION_JUMP);
        return;
    }
    swallowed = insn->target_vaddr >= w->end_vaddr && insn->target_vaddr < w->reached_vaddr;
    if (*mark & (MARK_KNOWN | MARK_START) || search_is_claimed(*mark, swallowed))
        return;
    search_add_jump(s, insn->vaddr, insn->target_vaddr);
    search_add_fragment(s, insn->target_vaddr, (enum code_mode)insn->target_mode, w->owner_vaddr,
                        swallowed, state);
}

/* Notes the first argument of a call in the entry function, which may be main. */
static void note_main_call(struct search_walk *w, const struct code_insn *insn,
                           const struct state *state)
{
    const struct arch *arch = w->s->code->arch;
    const struct value *value = arch->first_arg != REG_NONE ? &state->regs[arch->first_arg] : NULL;

    if (!value || value->kind != VALUE_CONST || !(insn->has_target || insn->slot))
        return;
    w->main_pointer = (uint64_t)value->k;
    w->start_main_vaddr = insn->target_vaddr;
    w->start_main_mode = (enum code_mode)insn->target_mode;
}

/* Adds main: the first argument of a call that does not return (__libc_start_main). */
static void take_main(const struct search_walk *w)
{
    struct search *s = w->s;
    bool arm = code_has_two_modes(s->code);
    struct callee callee = {.never_returns = false};

    if (w->main_pointer)
        module_code_callee(s->module_code, w->start_main_vaddr, w->start_main_mode, &callee);
    if (callee.never_returns)
        search_add_start(s, w->main_pointer & ~(uint64_t)arm,
                         arm && w->main_pointer & 1 ? CODE_T32 : CODE_DEFAULT, FUNCTION_CALL);
}

/* Is the call a jump into the middle of a function (jumps_by_calls of struct insn_set)? */
static bool is_far_jump(const struct search_walk *w, const struct code_insn *insn)
{
    const uint64_t from = insn->vaddr, to = insn->target_vaddr;
    struct callee callee;

    if (!w->far_jump || (from < to ? to - from : from - to) <= w->far_jump)
        return false;
    module_code_callee(w->s->module_code, to, (enum code_mode)insn->target_mode, &callee);
    return callee.is_amid;
}

/* Adds the C library's _start, to which firmware's first code jumps by a register. */
static void start_goes_on(struct search *s, const struct code_insn *insn, const struct state *state)
{
    const bool arm = code_has_two_modes(s->code);
    const struct value *to = insn->jump_reg != REG_NONE ? &state->regs[insn->jump_reg] : NULL;

    if (to && to->kind == VALUE_CONST && marks_at(&s->marks, (uint64_t)to->k & ~(uint64_t)arm))
        search_add_start(s, (uint64_t)to->k & ~(uint64_t)arm,
                         arm && to->k & 1 ? CODE_T32 : CODE_DEFAULT, FUNCTION_JUMP);
}

static bool claim(void *context, const struct code_insn *insn, const struct state *state,
                  bool guessed)
{
    struct search_walk *w = context;
    struct search *s = w->s;
    uint64_t helper_vaddr;

    (void)guessed;
    marks_set_code(&s->marks, insn->vaddr, insn->vaddr + insn->size);
    marks_set(&s->marks, insn->vaddr, insn->vaddr + 1, MARK_HEAD);
    if (marks_at(&s->marks, insn->vaddr))
        *marks_at(&s->marks, insn->vaddr) &= (uint8_t)~MARK_REJECTED;
    if (insn->trampoline) /* the bytes that it jumps over are never executed */
        marks_set_data(&s->marks, insn->vaddr + insn->size, insn->target_vaddr);
    if (s->marks.holes && state && !state_at_entry_depth(state, s->code->arch) &&
        prologue_goes_anywhere(w->prologue, insn) && !map_put(&s->open, w->start_vaddr, 0))
        s->failed = STATUS_NO_MEMORY;
    if (state && insn->flow == FLOW_CALL) {
        s->calls++;
        s->misaligned_calls += function_misaligned_call(s->code, insn, state);
        if (w->start_vaddr == s->entry_vaddr) {
            start_arguments(s, state);
            note_main_call(w, insn, state);
        }
    }
    helper_vaddr = code_table_helper(s->code, insn);
    if (helper_vaddr)
        search_add_start(s, helper_vaddr, (enum code_mode)insn->mode, FUNCTION_CALL);
    if (state && insn->flow == FLOW_INDIRECT && w->start_vaddr == s->entry_vaddr)
        start_goes_on(s, insn, state);
    if (insn->vaddr + insn->size > w->reach_vaddr)
        w->reach_vaddr = insn->vaddr + insn->size;
    if (!insn->has_target)
        return s->failed == STATUS_OK;
    if (insn->flow == FLOW_CALL && !is_far_jump(w, insn)) {
        if (!code_reads_pc(s->code, insn) && !code_calls_trampoline(s->code, insn))
            search_add_start(s, insn->target_vaddr, (enum code_mode)insn->target_mode,
                             FUNCTION_CALL);
    } else if (insn->target_vaddr < w->start_vaddr || insn->target_vaddr >= w->end_vaddr ||
               !prologue_reaches(w->prologue, insn->target_vaddr)) {
        leave(w, insn, state);
    } else if (w->owner_vaddr != w->start_vaddr) {
        /* Another fragment may be found to start between the two. */
        search_add_jump(s, insn->vaddr, insn->target_vaddr);
    }
    return s->failed == STATUS_OK;
}

static void claim_data(void *context, uint64_t start_vaddr, uint64_t end_vaddr)
{
    marks_set_data(context, start_vaddr, end_vaddr);
}

/* A prologue_data_fn: data that other functions read. */
static uint64_t data_until(void *context, uint64_t vaddr)
{
    const struct search *s = context;
    const uint8_t *mark = marks_at(&s->marks, vaddr);

    return mark && (*mark & MARK_DATA) ? vaddr + 1 : 0;
}

static void callee(void *context, uint64_t vaddr, enum code_mode mode, struct callee *out)
{
    const struct search *s = context;

    module_code_callee(s->module_code, vaddr, mode, out);
}

enum status search_walk_from(struct search *s, uint64_t vaddr, enum code_mode mode,
                             const struct state *state, uint64_t limit, enum walk_end end,
                             struct prologue **out)
{
    struct prologue_arrival arrival = {.vaddr = vaddr};
    struct prologue_input input = {.code = s->code,
                                   .pool = &s->pool,
                                   .start_vaddr = vaddr,
                                   .mode = mode,
                                   .reached_only = end != WALK_KNOWN_END_AND_GAPS,
                                   .open_end = end == WALK_OPEN_END,
                                   .callee = callee,
                                   .data_until = data_until,
                                   .context = s};
    const struct landing_pads *landing_pads;
    enum status status;

    input.end_vaddr = limit;
    if (state) {
        state_copy(&arrival.state, state);
        input.not_entered = true;
        input.arrivals = &arrival;
        input.arrival_count = 1;
    }
    if (s->landing_pads &&
        module_landing_pads_of(s->landing_pads, vaddr, &landing_pads) == STATUS_OK) {
        input.landing_pads = landing_pads->items;
        input.landing_pad_count = landing_pads->count;
    }
    code_trim(s->code, CODE_INSNS_SEARCHED);
    status = prologue_create(&input, out);
    /* A walk that was given up may have looked at nearly all of it. */
    s->work += status == STATUS_OK ? prologue_size(*out) : (limit - vaddr) / s->code->unit;
    return status;
}

uint64_t search_claim_all(struct search *s, const struct prologue *prologue, uint64_t vaddr,
                          enum code_mode mode, uint64_t limit, uint64_t owner_vaddr,
                          uint64_t reached_vaddr)
{
    struct search_walk w = {.s = s,
                            .prologue = prologue,
                            .start_vaddr = vaddr,
                            .end_vaddr = limit,
                            .owner_vaddr = owner_vaddr,
                            .reached_vaddr = reached_vaddr,
                            .far_jump = code_far_jump(s->code, vaddr, mode)};

    prologue_visit_data(prologue, claim_data, &s->marks);
    prologue_visit(prologue, claim, &w);
    take_main(&w);
    return w.reach_vaddr;
}

/*
 * Learns which registers the file's functions keep for their callers, and which have no meaning at
 * entry. The ABI's rules are not everybody's: Go's functions keep none, have arguments in other
 * registers, and the goroutine in one.
 */
static void learn_kept(struct search *s, const struct prologue *prologue, uint64_t vaddr,
                       uint64_t limit)
{
    const struct arch *arch = s->code->arch;
    const uint64_t others = arch->callee_saved & ~(UINT64_C(1) << arch->fp);
    struct evidence e;
    unsigned share;
    bool taken;

    if (s->looked_at >= LEARNT_MAX)
        return;
    e = function_evidence(s->code, &s->marks, prologue, vaddr, limit, UINT64_MAX);
    s->looked_at++;
    for (unsigned reg = 0; reg < arch->reg_count; reg++) {
        s->takers[reg] += (unsigned)((e.reads | e.changes) >> reg & 1);
        s->savers[reg] += (unsigned)(e.saves >> reg & 1);
        share = arch->callee_saved >> reg & 1 ? TAKERS_SHARE : READERS_SHARE;
        taken = s->looked_at >= LEARNT_MIN && s->takers[reg] >= TAKERS_MIN &&
                s->takers[reg] >= s->looked_at / share &&
                (s->takers[reg] > s->savers[reg] || s->takers[reg] > s->looked_at / 2);
        s->kept = (s->kept & ~(UINT64_C(1) << reg)) | (uint64_t)!taken << reg;
    }
    /* Functions that do not keep half of them keep none, except FP. */
    if (__builtin_popcountll(others & ~s->kept) * 2 >= __builtin_popcountll(others))
        s->kept &= ~others;
}

void search_note_reach(struct search *s, const struct found *found)
{
    uint64_t *reach = map_put(&s->reaches, found->vaddr, 0);

    if (reach)
        *reach = found->reach_vaddr;
    else
        s->failed = STATUS_NO_MEMORY;
}

/* Walks up to the next start, *limit. NULL: it cannot be walked. */
static struct prologue *walk_open_end(struct search *s, uint64_t vaddr, enum code_mode mode,
                                      const struct state *state, uint64_t *limit)
{
    struct prologue *prologue;
    enum status status;

    *limit = marks_limit(&s->marks, vaddr);
    status = search_walk_from(s, vaddr, mode, state, *limit, WALK_OPEN_END, &prologue);
    if (status == STATUS_NO_MEMORY)
        s->failed = status;
    return status == STATUS_OK ? prologue : NULL;
}

bool search_look_at(struct search *s, uint64_t vaddr, enum code_mode mode, struct evidence *out)
{
    uint64_t limit;
    struct prologue *prologue = walk_open_end(s, vaddr, mode, NULL, &limit);

    if (!prologue)
        return false;
    *out = function_evidence(s->code, &s->marks, prologue, vaddr, limit, UINT64_MAX);
    prologue_destroy(prologue);
    return true;
}

/* Walks a function, or with `state` a fragment; returns as search_claim_all, 0: failed. */
static uint64_t walk_and_claim(struct search *s, uint64_t vaddr, enum code_mode mode,
                               const struct state *state, uint64_t owner_vaddr,
                               uint64_t reached_vaddr)
{
    uint64_t reach_vaddr, limit;
    struct prologue *prologue = walk_open_end(s, vaddr, mode, state, &limit);

    if (!prologue)
        return 0;
    if (!state)
        learn_kept(s, prologue, vaddr, limit);
    reach_vaddr = search_claim_all(s, prologue, vaddr, mode, limit, owner_vaddr, reached_vaddr);
    prologue_destroy(prologue);
    return reach_vaddr;
}

/*
 * Is the fragment between parts of the function that it belongs to? Seldom executed code may lie
 * there, and jumps back to code that nothing else leads to.
 */
static bool is_inside(struct search *s, const struct fragment *fragment)
{
    const struct area *area = marks_area(&s->marks, fragment->vaddr);
    const uint64_t *reach = map_get(&s->reaches, fragment->owner_vaddr);
    uint64_t at = fragment->vaddr;

    if (!reach || fragment->owner_vaddr >= at || *reach <= at ||
        fragment->owner_vaddr < area->start_vaddr)
        return false;
    s->work += (at - fragment->owner_vaddr) / SCANNED_AT_ONCE;
    while (--at > fragment->owner_vaddr)
        if (area->marks[at - area->start_vaddr] & (MARK_START | MARK_FRAGMENT | MARK_KNOWN))
            return false;
    return true;
}

static void walk_fragment(struct search *s)
{
    struct fragment fragment = s->fragments[--s->fragment_count];
    uint8_t *mark = marks_at(&s->marks, fragment.vaddr);

    *mark &= (uint8_t)~MARK_AWAITED;
    if (s->work >= s->work_max || *mark & (MARK_START | MARK_KNOWN | MARK_FRAGMENT) ||
        search_is_claimed(*mark, fragment.swallowed))
        return;
    if (is_inside(s, &fragment)) {
        s->work += (marks_limit(&s->marks, fragment.vaddr) - fragment.vaddr) / SCANNED_AT_ONCE;
        (void)walk_and_claim(s, fragment.vaddr, (enum code_mode)fragment.mode, &fragment.state,
                             fragment.owner_vaddr, 0);
        return;
    }
    marks_start(&s->marks, fragment.vaddr, MARK_FRAGMENT);
    if (vec_reserve(&s->found, &s->found_cap, s->found_count + 1, sizeof(*s->found)) != STATUS_OK) {
        s->failed = STATUS_NO_MEMORY;
        return;
    }
    s->found[s->found_count++] =
        (struct found){.vaddr = fragment.vaddr, .mode = fragment.mode, .origin = FUNCTION_FRAGMENT};
    (void)walk_and_claim(s, fragment.vaddr, (enum code_mode)fragment.mode, &fragment.state,
                         fragment.owner_vaddr, 0);
}

void search_walk_found(struct search *s)
{
    while (s->failed == STATUS_OK && (s->walked < s->found_count || s->fragment_count > 0)) {
        struct found found;
        size_t index;

        if (s->walked == s->found_count) {
            walk_fragment(s);
            continue;
        }
        index = s->walked++;
        found = s->found[index];
        if (found.origin == FUNCTION_FRAGMENT || s->work >= s->work_max)
            continue;
        found.reach_vaddr = walk_and_claim(s, found.vaddr, (enum code_mode)found.mode, NULL,
                                           found.vaddr, found.reach_vaddr);
        /* A function that was only tried may be none, and reach over others. */
        if (found.origin < FUNCTION_POINTER)
            search_note_reach(s, &found);
        s->found[index].reach_vaddr = found.reach_vaddr;
    }
}

/*
 * A function that was walked before the next start was known may have run over it, into its own
 * fragments behind.
 */
void search_walk_overrunning(struct search *s)
{
    size_t count = s->found_count;

    for (size_t i = 0; i < count && s->failed == STATUS_OK && s->work < s->work_max; i++) {
        struct found found = s->found[i];

        if (found.reach_vaddr > marks_limit(&s->marks, found.vaddr))
            (void)walk_and_claim(s, found.vaddr, (enum code_mode)found.mode, NULL, found.vaddr,
                                 found.reach_vaddr);
    }
    search_walk_found(s);
}
