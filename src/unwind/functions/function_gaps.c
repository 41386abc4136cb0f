/* SPDX-License-Identifier: MIT */
/* Tries the code between functions as functions. */
#include "unwind/functions/function_evidence.h"
#include "unwind/functions/function_walk.h"

#define ALIGNED_SHARE  98 /* per cent of certain starts that make an alignment of 16 the rule */
#define ALIGNED_STARTS 50 /* least number of certain starts for that */
#define ALIGNED_CALLS  50 /* least number of calls for the same of the stack's alignment */
#define FEW_CALLS      8  /* the same, if no call is misaligned */
#define FEW_INSNS      8  /* most instructions in a row that random numbers may look like, … */
#define AROUND_INSNS   6  /* … with as many around them */

/* Do functions of this file start at multiples of 16? */
static bool alignment_is_rule(const struct search *s)
{
    return s->certain >= ALIGNED_STARTS && s->aligned * 100 >= s->certain * ALIGNED_SHARE;
}

/* Is the stack aligned at nearly all calls of this file's code? */
static bool calls_are_aligned(const struct search *s)
{
    uint64_t tolerated = s->calls >= ALIGNED_CALLS ? s->calls * (100 - ALIGNED_SHARE) / 100 : 0;

    return function_calls_tell(s->code, CODE_DEFAULT) && s->calls >= FEW_CALLS &&
           s->misaligned_calls <= tolerated;
}

static bool start_is_unusual(const struct search *s, uint64_t vaddr)
{
    return vaddr % 16 != 0 && alignment_is_rule(s);
}

struct rejected {
    struct search *search;
    /* MARK_REJECTED: may be part of something else; 0: is not looked at again */
    uint8_t mark;
    uint64_t end_vaddr; /* end of the marked code; 0: nothing marked yet */
};

/* Does the code at `vaddr` begin like a function, in either mode? */
static bool begins_function(const struct code *code, uint64_t vaddr)
{
    return (vaddr % code_set(code, CODE_DEFAULT)->alignment == 0 &&
            code_strong_start(code, vaddr, CODE_DEFAULT)) ||
           (code_has_two_modes(code) && code_strong_start(code, vaddr, CODE_T32));
}

/*
 * Marks rejected code, which is not tried again except behind a place where it ends. It is part of
 * a function that was not understood (a computed goto's block), as is the code that it branches to.
 */
static bool claim_rejected(void *context, const struct code_insn *insn, const struct state *state,
                           bool guessed)
{
    struct rejected *r = context;
    struct search *s = r->search;

    (void)state;
    (void)guessed;
    if (r->end_vaddr &&
        (insn->vaddr != r->end_vaddr || (*marks_at(&s->marks, insn->vaddr) & MARK_DATA)))
        return false;
    marks_set(&s->marks, insn->vaddr, insn->vaddr + insn->size, MARK_CODE);
    marks_set(&s->marks, insn->vaddr, insn->vaddr + 1, MARK_HEAD | r->mark);
    if (insn->flow == FLOW_BRANCH && insn->has_target &&
        !map_put(&s->branched, insn->target_vaddr, 0))
        s->failed = STATUS_NO_MEMORY;
    r->end_vaddr = insn->vaddr + insn->size;
    return true;
}

/*
 * Is it a function, behind a call that does not return? If the file throws it may be a landing pad,
 * which does not return in balance and has SP a word off.
 */
static bool begins_behind_call(const struct search *s, const struct evidence *e, uint64_t vaddr,
                               bool aligned_calls)
{
    if (!e->returns && !aligned_calls)
        return false;
    if (!s->may_throw && !alignment_is_rule(s))
        return true;
    return function_calls_tell(s->code, CODE_DEFAULT) &&
           (vaddr % 16 == 0 || (e->returns && aligned_calls && !alignment_is_rule(s)));
}

/* Does it save its caller's registers in its frame, and restore them before it returns? */
static bool keeps_for_caller(const struct evidence *e)
{
    return e->saves && e->returned && !e->unbalanced;
}

/*
 * Does it read registers that callers do not set? A function that PLTs call does
 * (_dl_runtime_resolve), and saves LR.
 */
static bool reads_foreign(const struct search *s, const struct evidence *e)
{
    uint64_t reads = e->reads;

    if (e->saves_lr && !e->unbalanced)
        reads &= ~code_set(s->code, CODE_DEFAULT)->undefined_at_entry;
    return reads != 0;
}

/*
 * Does the evidence make it a function? `strong`: it begins like one. `continues`: it is right
 * behind a call, which may return. `weak`: it must begin like a function, or, behind a pointer,
 * return like one. `leads_on`: leads_to_leaf.
 */
static bool is_function(const struct search *s, const struct evidence *e,
                        enum function_origin origin, uint64_t vaddr, bool strong, bool continues,
                        bool weak, bool leads_on)
{
    bool pointer = origin == FUNCTION_POINTER || origin == FUNCTION_CONSTANT;
    bool aligned_calls = calls_are_aligned(s) && e->calls > 0 && e->misaligned == 0;

    if (e->count == 0 || e->broken || reads_foreign(s, e))
        return false;
    if (e->doubtful && !(strong && e->returned && !e->unbalanced))
        return false;
    if (calls_are_aligned(s) && e->misaligned * 2 > e->calls &&
        !(e->returns && !e->unbalanced && e->misaligned == e->misaligned_inside))
        return false;
    if (strong)
        return true;
    /* A function's block may do so, too; on x86 its target decides. */
    if (e->jumps_on && !leads_on && !pointer && !function_calls_tell(s->code, CODE_DEFAULT))
        return false;
    /*
     * In the rest of a function only parts without a frame return in balance: there it matters
     * little that the start is wrong.
     */
    if (s->in_rest && (vaddr % 16 != 0 || !e->returned))
        return false;
    if (aligned_calls && !continues && vaddr % 16 == 0 && keeps_for_caller(e))
        weak = false;
    /* Its target is tried first. */
    if ((weak && (!pointer || !e->returns || e->leads_on)) ||
        (origin == FUNCTION_PATTERN && e->leads_on))
        return false;
    if (continues && !begins_behind_call(s, e, vaddr, aligned_calls))
        return false;
    return !e->unbalanced && !e->underflow && !e->foreign_frame && !e->joins &&
           (!e->shares_end || e->returned) &&
           (!e->loses_lr || !e->ends || !s->may_throw || pointer) &&
           (aligned_calls || !start_is_unusual(s, vaddr));
}

/* Is there a word in [start, end) that cannot be decoded? */
static bool holds_numbers(const struct search *s, uint64_t start_vaddr, uint64_t end_vaddr,
                          enum code_mode mode)
{
    uint32_t index;

    for (uint64_t vaddr = start_vaddr; vaddr < end_vaddr; vaddr += s->code->unit)
        if (marks_at(&s->marks, vaddr) && code_get(s->code, vaddr, mode, 0, &index) != STATUS_OK)
            return true;
    return false;
}

/*
 * Are the few instructions that look like a function numbers in a table? They are if some words
 * before and behind cannot be decoded. Not on ARM, where literals are around, nor on x86, whose
 * instructions have any length.
 */
static bool lies_amid_data(const struct search *s, const struct evidence *e, enum code_mode mode)
{
    const uint64_t around = AROUND_INSNS * s->code->unit;

    return s->code->unit == 4 && !code_has_two_modes(s->code) && e->count <= FEW_INSNS &&
           holds_numbers(s, e->start_vaddr - around, e->start_vaddr, mode) &&
           holds_numbers(s, e->last_end_vaddr, e->last_end_vaddr + around, mode);
}

/* Marks the data of rejected code as doubtful, unless it begins like a function. */
static void claim_doubtful_data(void *context, uint64_t start_vaddr, uint64_t end_vaddr)
{
    const struct search *s = context;

    if (!begins_function(s->code, start_vaddr))
        marks_set_doubtful_data(&s->marks, start_vaddr, end_vaddr);
}

/*
 * Does it jump into a known function, as linkers' veneers that fix errata do? PLT stubs, which jump
 * to their first entry, are another matter.
 */
static bool joins_known(const struct search *s, const struct evidence *e)
{
    const struct code_function *known =
        e->inside_vaddr ? functions_find(s->functions, e->inside_vaddr) : NULL;

    return known && known->origin != FUNCTION_PLT && known->start_vaddr != e->inside_vaddr;
}

/*
 * Does a known function that was not walked call it? Helpers in hand-written code may run into the
 * next function. Not on x86, where too many bytes look like a call. On ARM a call does not say the
 * mode, so that the code must be sound in the one at hand.
 */
static bool is_called_by_known(struct search *s, const struct evidence *e, uint64_t vaddr)
{
    const struct calls *calls;

    if (s->known_walked || s->functions->count == 0 || s->code->arch->lr == REG_NONE ||
        (e->broken && code_has_two_modes(s->code)))
        return false;
    if (module_code_calls(s->module_code, &calls) == STATUS_OK)
        return calls_lead_to(calls, vaddr);
    s->failed = STATUS_NO_MEMORY;
    return false;
}

/*
 * Is the code at `vaddr` only a jump to a leaf that behaves like a function and is not known yet?
 * Code that calls without saving LR is a block of another function.
 */
static bool leads_to_leaf(struct search *s, uint64_t vaddr, enum code_mode mode)
{
    const struct code_insn *insn;
    struct evidence e;
    uint8_t *mark;
    uint32_t index;

    if (function_calls_tell(s->code, mode) ||
        code_get(s->code, vaddr, mode, 0, &index) != STATUS_OK)
        return false;
    insn = code_insn(s->code, index);
    mark = marks_at(&s->marks, insn->target_vaddr);
    return insn->flow == FLOW_JUMP && !insn->predicate && mark &&
           !(*mark & (MARK_CODE | MARK_DATA | MARK_KNOWN)) &&
           search_look_at(s, insn->target_vaddr, (enum code_mode)insn->target_mode, &e) &&
           e.count > 0 && !e.broken && !e.reads && !e.unbalanced && !e.loses_lr && !e.joins &&
           (e.returned || e.tail_calls);
}

void search_try_start(struct search *s, uint64_t vaddr, enum code_mode mode,
                      enum function_origin origin, bool continues, bool weak)
{
    bool strong = code_strong_start(s->code, vaddr, mode);
    bool leads_on = !strong && leads_to_leaf(s, vaddr, mode);
    struct prologue *prologue;
    struct evidence e;
    uint64_t reach_vaddr;
    size_t own;
    uint64_t limit = marks_limit(&s->marks, vaddr);
    enum status status = search_walk_from(s, vaddr, mode, NULL, limit, WALK_OPEN_END, &prologue);
    bool taken;

    if (status == STATUS_NO_MEMORY)
        s->failed = status;
    if (status != STATUS_OK) {
        marks_set(&s->marks, vaddr, limit, MARK_DATA); /* larger than any function */
        return;
    }
    e = function_evidence(s->code, &s->marks, prologue, vaddr, limit,
                          origin == FUNCTION_POINTER ? s->kept & ~s->pointed_shared : s->kept);
    strong = strong || e.saves_lr;
    taken = (strong || !map_get(&s->branched, vaddr)) &&
            is_function(s, &e, origin, vaddr, strong, continues, weak, leads_on) &&
            (strong ||
             (!joins_known(s, &e) && (origin == FUNCTION_POINTER || !lies_amid_data(s, &e, mode))));
    if (!taken && origin == FUNCTION_GAP && e.count > 0 && is_called_by_known(s, &e, vaddr)) {
        origin = FUNCTION_CALL;
        taken = true;
    }
    if (taken) {
        own = s->found_count;
        search_add_start(s, vaddr, mode, origin);
        if (s->found_count == own) {
            prologue_destroy(prologue);
            return; /* out of memory */
        }
        s->walked = s->found_count; /* it was walked here */
        reach_vaddr = search_claim_all(s, prologue, vaddr, mode, limit, vaddr,
                                       0); /* adds to s->found, which moves */
        s->found[own].reach_vaddr = reach_vaddr;
        if (strong && keeps_for_caller(&e))
            search_note_reach(s, &s->found[own]);
        prologue_destroy(prologue);
        search_walk_found(s);
        return;
    }
    if (origin == FUNCTION_GAP) {
        struct rejected rejected = {.search = s,
                                    .mark = function_calls_tell(s->code, mode) ? MARK_REJECTED : 0};

        prologue_visit_data(prologue, claim_doubtful_data, s);
        prologue_visit(prologue, claim_rejected, &rejected);
        if (!(*marks_at(&s->marks, vaddr) & MARK_CODE))
            marks_set(&s->marks, vaddr, vaddr + s->code->unit, MARK_DATA);
    }
    prologue_destroy(prologue);
}

/*
 * Returns the next place from `vaddr` on that is neither walked nor data nor padding; `end_vaddr`
 * or above: none. *mode: of the code before. *called: that code ends with a call, right before the
 * place.
 */
static uint64_t next_gap(struct search *s, const struct area *area, uint64_t vaddr,
                         uint64_t end_vaddr, enum code_mode *mode, bool *called)
{
    *called = false;
    while (vaddr < end_vaddr) {
        uint8_t mark = area->marks[vaddr - area->start_vaddr];
        uint32_t index;
        unsigned zeros;

        if (mark & MARK_HEAD) {
            const struct code_insn *insn;

            /* Decodes it again if it was dropped, so that the result does not depend on that. */
            index = code_find(s->code, vaddr);
            if (!index && code_get(s->code, vaddr, *mode, 0, &index) != STATUS_OK)
                index = 0;
            insn = index ? code_insn(s->code, index) : NULL;
            *called = insn && insn->flow == FLOW_CALL;
            if (insn)
                *mode = (enum code_mode)insn->mode;
            vaddr++;
            continue;
        }
        if (mark & (MARK_CODE | MARK_DATA | MARK_KNOWN)) {
            *called = *called && (mark & MARK_CODE);
            do
                vaddr++;
            while (vaddr < end_vaddr && mark == MARK_KNOWN &&
                   area->marks[vaddr - area->start_vaddr] == MARK_KNOWN);
            continue;
        }
        if (vaddr % s->code->unit != 0) {
            vaddr++;
            continue;
        }
        zeros = code_filler(s->code, vaddr);
        if (zeros) {
            *called = false;
            vaddr += zeros;
            continue;
        }
        code_trim(s->code, CODE_INSNS_SEARCHED);
        if (code_get(s->code, vaddr, *mode, 0, &index) != STATUS_OK ||
            !code_insn(s->code, index)->padding)
            return vaddr;
        *called = false;
        vaddr += code_insn(s->code, index)->size;
    }
    return vaddr;
}

/* Marks a straight line's literals as doubtful data, since the line may be data. */
static void claim_literals(const struct search *s, uint64_t vaddr, uint64_t end_vaddr)
{
    while (vaddr < end_vaddr) {
        uint32_t index = code_find(s->code, vaddr);
        const struct code_insn *insn = code_insn(s->code, index);

        if (!index)
            return;
        if (insn->literal_vaddr >= end_vaddr && !begins_function(s->code, insn->literal_vaddr))
            marks_set_doubtful_data(&s->marks, insn->literal_vaddr,
                                    insn->literal_vaddr + insn->literal_size);
        vaddr += insn->size;
    }
}

/* Returns the end of the straight line of code from `vaddr` on, and marks its literals. */
static uint64_t line_end(struct search *s, uint64_t vaddr, enum code_mode mode, uint64_t limit)
{
    uint64_t start_vaddr = vaddr;
    uint8_t context = 0;
    uint32_t index;

    while (vaddr < limit && code_get(s->code, vaddr, mode, context, &index) == STATUS_OK) {
        const struct code_insn *insn = code_insn(s->code, index);

        vaddr += insn->size;
        context = insn->next_context;
        if (!insn->predicate && (insn->flow == FLOW_JUMP || insn->flow == FLOW_RETURN ||
                                 insn->flow == FLOW_INDIRECT || insn->flow == FLOW_STOP)) {
            claim_literals(s, start_vaddr, vaddr);
            return vaddr;
        }
    }
    return limit - vaddr > s->code->unit ? vaddr + s->code->unit : limit;
}

/* Tries the other mode if the code begins like a function only there, then `mode`. */
static void try_modes(struct search *s, uint64_t vaddr, enum code_mode mode, bool called, bool all)
{
    enum function_origin origin = all ? FUNCTION_GAP : FUNCTION_PATTERN;
    bool weak = !all && (s->in_rest || vaddr % 16 != 0 || called || !alignment_is_rule(s));
    enum code_mode other = mode == CODE_T32 ? CODE_DEFAULT : CODE_T32;
    const uint8_t *mark = marks_at(&s->marks, vaddr);

    /* The lower half of an A32 load with a distance of 0x5nn looks like T32's push. */
    if (code_has_two_modes(s->code) && !search_mode_is_unused(s, other) &&
        vaddr % code_set(s->code, other)->alignment == 0 &&
        code_strong_start(s->code, vaddr, other) && !code_strong_start(s->code, vaddr, mode) &&
        (other != CODE_T32 || vaddr % 4 != 0 || !code_looks_like_a32(s->code, vaddr))) {
        search_try_start(s, vaddr, other, FUNCTION_PATTERN, false, true);
        if (*mark & MARK_START)
            return;
    }
    search_try_start(s, vaddr, mode, origin, called, weak);
}

/*
 * Is `vaddr` in the rest of a function that starts elsewhere: at the begin of a piece of code, or
 * behind a function whose jump table is not there, so that its cases are not known?
 */
static bool in_rest(const struct search *s, const struct area *area, uint64_t vaddr)
{
    while (vaddr-- > area->start_vaddr)
        if (area->marks[vaddr - area->start_vaddr] & (MARK_START | MARK_FRAGMENT))
            return map_get(&s->open, vaddr) != NULL;
    return area->cut;
}

/* Goes on to `to_vaddr` and updates s->in_rest by the starts on the way. */
static void pass_starts(struct search *s, const struct area *area, uint64_t vaddr,
                        uint64_t to_vaddr)
{
    for (; s->marks.holes && vaddr < to_vaddr; vaddr++)
        if (area->marks[vaddr - area->start_vaddr] & (MARK_START | MARK_FRAGMENT))
            s->in_rest = map_get(&s->open, vaddr) != NULL;
}

/*
 * Returns the mode in which to try a gap behind code in `mode`. Many programs have T32 code behind
 * A32's PLT, and A32 code behind that: the C library's, before their own.
 */
static enum code_mode gap_mode(const struct search *s, uint64_t vaddr, enum code_mode mode)
{
    if (mode == CODE_T32)
        return vaddr % 4 == 0 && code_looks_like_a32(s->code, vaddr) ? CODE_DEFAULT : CODE_T32;
    return code_has_two_modes(s->code) && !search_mode_is_unused(s, CODE_T32) &&
                   code_looks_like_t32(s->code, vaddr)
               ? CODE_T32
               : mode;
}

uint64_t search_gaps(struct search *s, const struct area *area, uint64_t vaddr,
                     uint64_t until_vaddr, enum code_mode *mode, bool all)
{
    uint64_t passed_vaddr = vaddr;
    bool called;

    s->in_rest = s->marks.holes && in_rest(s, area, vaddr);
    while (s->failed == STATUS_OK && s->work < s->work_max &&
           (vaddr = next_gap(s, area, vaddr, until_vaddr, mode, &called)) < until_vaddr) {
        enum code_mode here = gap_mode(s, vaddr, *mode);

        pass_starts(s, area, passed_vaddr, vaddr);
        passed_vaddr = vaddr;
        try_modes(s, vaddr, here, called, all);
        if (!(area->marks[vaddr - area->start_vaddr] & (MARK_CODE | MARK_DATA)))
            vaddr = line_end(s, vaddr, here, area->end_vaddr);
    }
    return vaddr;
}
