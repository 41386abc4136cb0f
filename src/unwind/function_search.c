/*
 * Finding functions in code without symbols and tables.
 *
 * From each known start the function is walked with its stack state (prologue.h); what it calls, and what it jumps to
 * with nothing of its frame left, starts a function too. What is then left between the functions is tried as a function
 * and taken when it behaves like one.
 */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "unwind/function_judge.h"
#include "unwind/function_marks.h"
#include "unwind/functions.h"
#include "unwind/prologue.h"

#define ADDRESS_MAX (UINT64_MAX - 0xffff) /* behind it sums of addresses could wrap */
#define AREA_MAX    (UINT64_C(1) << 30)   /* bytes of code that are searched */
#define WORK_A_UNIT                                                                                \
    16 /* instructions of tried functions, for each unit of code; real files need less than one */
#define FRAGMENTS_MAX  16384 /* that wait to be walked, of 2 KiB each */
#define KNOWN_REST     16    /* a rest of less than one in so many bytes is small */
#define ALIGNED_SHARE  98    /* per cent of certain starts that make an alignment the rule */
#define ALIGNED_STARTS 50    /* as many are needed to tell */

struct found {
    uint64_t vaddr;
    uint64_t reach_vaddr; /* the end of what its walk came to */
    uint8_t mode, origin;
};

struct fragment {
    uint64_t vaddr;
    uint8_t mode;
    bool swallowed; /* the code was thought to be part of the function that jumps here */
    struct state state;
};

struct search {
    struct functions *functions;
    struct module_code *module_code;
    struct module_pads *pads;
    struct code *code;
    struct marks marks;
    struct found *found; /* all starts; those from `walked` on are yet to be walked */
    size_t found_count, found_cap, walked;
    struct fragment *fragments; /* to be walked */
    size_t fragment_count, fragment_cap;
    unsigned certain,
        aligned; /* starts that were called or pointed to; those of them at 16 bytes */
    uint64_t work,
        work_max; /* instructions of what was tried; gaps are tried as long as these are not too many */
    enum status failed; /* NO_MEMORY */
};

static void note_alignment(struct search *s, uint64_t vaddr)
{
    s->certain++;
    s->aligned += vaddr % 16 == 0;
}

/* Do functions of this file start at multiples of 16? */
static bool alignment_is_rule(const struct search *s)
{
    return s->certain >= ALIGNED_STARTS && s->aligned * 100 >= s->certain * ALIGNED_SHARE;
}

static bool start_is_unusual(const struct search *s, uint64_t vaddr)
{
    return vaddr % 16 != 0 && alignment_is_rule(s);
}

static void add_start(struct search *s, uint64_t vaddr, enum code_mode mode,
                      enum function_origin origin)
{
    uint8_t *mark = marks_at(&s->marks, vaddr);

    if (!mark || (*mark & (MARK_START | MARK_KNOWN | MARK_DATA)) ||
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
        note_alignment(s, vaddr);
}

static void add_fragment(struct search *s, uint64_t vaddr, enum code_mode mode, bool swallowed,
                         const struct state *state)
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
    s->fragments[s->fragment_count].mode = (uint8_t)mode;
    s->fragments[s->fragment_count].swallowed = swallowed;
    state_copy(&s->fragments[s->fragment_count++].state, state);
}

static void add_entry_jump(struct search *s, uint64_t source_vaddr, uint64_t target_vaddr)
{
    struct functions *f = s->functions;

    if (vec_reserve(&f->jumps, &f->jump_cap, f->jump_count + 1, sizeof(*f->jumps)) != STATUS_OK) {
        s->failed = STATUS_NO_MEMORY;
        return;
    }
    f->jumps[f->jump_count++] = (struct entry_jump){source_vaddr, target_vaddr};
}

/* A walk over one function or fragment. */
struct walk {
    struct search *s;
    const struct prologue *prologue;
    uint64_t start_vaddr, end_vaddr;
    uint64_t reach_vaddr; /* the end of what it came to */
    uint64_t
        reached_vaddr; /* of an earlier walk, when it was not yet known that the function ends before that */
};

/* A jump that the function's own walk did not follow. */
static void leave(struct walk *w, const struct code_insn *insn, const struct state *state)
{
    struct search *s = w->s;
    const uint8_t *mark = marks_at(&s->marks, insn->target_vaddr);
    bool swallowed;

    if (!mark || !state)
        return;
    if (state_at_entry_depth(state, s->code->arch) && insn->flow == FLOW_JUMP) {
        add_start(s, insn->target_vaddr, (enum code_mode)insn->target_mode, FUNCTION_JUMP);
        return;
    }
    swallowed = insn->target_vaddr >= w->end_vaddr && insn->target_vaddr < w->reached_vaddr;
    if (*mark & (MARK_KNOWN | MARK_START) || (*mark & MARK_CODE && !swallowed))
        return;
    add_entry_jump(s, insn->vaddr, insn->target_vaddr);
    add_fragment(s, insn->target_vaddr, (enum code_mode)insn->target_mode, swallowed, state);
}

static bool claim(void *context, const struct code_insn *insn, const struct state *state,
                  bool guessed)
{
    struct walk *w = context;
    struct search *s = w->s;

    (void)guessed;
    marks_set(&s->marks, insn->vaddr, insn->vaddr + insn->size, MARK_CODE);
    marks_set(&s->marks, insn->vaddr, insn->vaddr + 1, MARK_HEAD);
    if (insn->vaddr + insn->size > w->reach_vaddr)
        w->reach_vaddr = insn->vaddr + insn->size;
    if (!insn->has_target)
        return s->failed == STATUS_OK;
    if (insn->flow == FLOW_CALL) {
        if (insn->target_vaddr != insn->vaddr + insn->size)
            add_start(s, insn->target_vaddr, (enum code_mode)insn->target_mode, FUNCTION_CALL);
    } else if (insn->target_vaddr < w->start_vaddr || insn->target_vaddr >= w->end_vaddr ||
               !prologue_reaches(w->prologue, insn->target_vaddr)) {
        leave(w, insn, state);
    }
    return s->failed == STATUS_OK;
}

static void claim_data(void *context, uint64_t start_vaddr, uint64_t end_vaddr)
{
    struct walk *w = context;

    marks_set(&w->s->marks, start_vaddr, end_vaddr, MARK_DATA);
}

/* Data that other functions read. */
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

static enum status walk_from(struct search *s, uint64_t vaddr, enum code_mode mode,
                             const struct state *state, uint64_t limit, bool open_end,
                             struct prologue **out)
{
    struct prologue_arrival arrival = {.vaddr = vaddr};
    struct prologue_input input = {.code = s->code,
                                   .start_vaddr = vaddr,
                                   .mode = mode,
                                   .reached_only = true,
                                   .open_end = open_end,
                                   .callee = callee,
                                   .data_until = data_until,
                                   .context = s};
    const struct landing_pads *pads;

    input.end_vaddr = limit;
    if (state) {
        state_copy(&arrival.state, state);
        input.not_entered = true;
        input.arrivals = &arrival;
        input.arrival_count = 1;
    }
    if (s->pads && module_pads_of(s->pads, vaddr, &pads) == STATUS_OK) {
        input.pads = pads->items;
        input.pad_count = pads->count;
    }
    code_trim(s->code, CODE_INSNS_SEARCHED);
    return prologue_create(&input, out);
}

/* Marks what a walk came to and adds what it leads to. Gives the end of what it came to. */
static uint64_t claim_all(struct search *s, const struct prologue *prologue, uint64_t vaddr,
                          uint64_t limit, uint64_t reached_vaddr)
{
    struct walk w = {.s = s,
                     .prologue = prologue,
                     .start_vaddr = vaddr,
                     .end_vaddr = limit,
                     .reached_vaddr = reached_vaddr};

    prologue_visit_data(prologue, claim_data, &w);
    prologue_visit(prologue, claim, &w);
    return w.reach_vaddr;
}

static uint64_t walk_and_claim(struct search *s, uint64_t vaddr, enum code_mode mode,
                               const struct state *state, uint64_t reached_vaddr)
{
    uint64_t reach_vaddr;
    struct prologue *prologue;
    uint64_t limit = marks_limit(&s->marks, vaddr);
    enum status status = walk_from(s, vaddr, mode, state, limit, true, &prologue);

    if (status == STATUS_NO_MEMORY)
        s->failed = status;
    if (status != STATUS_OK)
        return 0;
    reach_vaddr = claim_all(s, prologue, vaddr, limit, reached_vaddr);
    prologue_destroy(prologue);
    return reach_vaddr;
}

static void walk_fragment(struct search *s)
{
    struct fragment fragment = s->fragments[--s->fragment_count];
    uint8_t *mark = marks_at(&s->marks, fragment.vaddr);

    *mark &= (uint8_t)~MARK_AWAITED;
    if (*mark & (MARK_START | MARK_KNOWN | MARK_FRAGMENT) ||
        (*mark & MARK_CODE && !fragment.swallowed))
        return;
    marks_start(&s->marks, fragment.vaddr, MARK_FRAGMENT);
    if (vec_reserve(&s->found, &s->found_cap, s->found_count + 1, sizeof(*s->found)) != STATUS_OK) {
        s->failed = STATUS_NO_MEMORY;
        return;
    }
    s->found[s->found_count++] =
        (struct found){.vaddr = fragment.vaddr, .mode = fragment.mode, .origin = FUNCTION_FRAGMENT};
    (void)walk_and_claim(s, fragment.vaddr, (enum code_mode)fragment.mode, &fragment.state, 0);
}

/* Walks all that was found, and what it finds. */
static void walk_found(struct search *s)
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
        if (found.origin == FUNCTION_FRAGMENT)
            continue;
        found.reach_vaddr =
            walk_and_claim(s, found.vaddr, (enum code_mode)found.mode, NULL, found.reach_vaddr);
        s->found[index].reach_vaddr = found.reach_vaddr;
    }
}

/*
 * A function that was walked before the next one was known may have run into what lies behind that: its own fragments. Once
 * more, then, now that its end is known.
 */
static void walk_overrunning(struct search *s)
{
    size_t count = s->found_count;

    for (size_t i = 0; i < count && s->failed == STATUS_OK; i++) {
        struct found found = s->found[i];

        if (found.reach_vaddr > marks_limit(&s->marks, found.vaddr))
            (void)walk_and_claim(s, found.vaddr, (enum code_mode)found.mode, NULL,
                                 found.reach_vaddr);
    }
    walk_found(s);
}

/* What is no function is not tried again, except behind a place where it ends. */
static bool claim_rejected(void *context, const struct code_insn *insn, const struct state *state,
                           bool guessed)
{
    struct walk *w = context;

    (void)state;
    (void)guessed;
    if (w->end_vaddr && insn->vaddr != w->end_vaddr)
        return false;
    marks_set(&w->s->marks, insn->vaddr, insn->vaddr + insn->size, MARK_CODE);
    marks_set(&w->s->marks, insn->vaddr, insn->vaddr + 1, MARK_HEAD);
    w->end_vaddr = insn->vaddr + insn->size;
    return true;
}

/* Tries the code at `vaddr` as a function; what it covers is marked in any case. */
static void try_start(struct search *s, uint64_t vaddr, enum code_mode mode,
                      enum function_origin origin, bool continues, bool weak)
{
    bool strong = code_strong_start(s->code, vaddr, mode);
    struct prologue *prologue;
    struct judgement j;
    uint64_t reach_vaddr;
    size_t own;
    uint64_t limit = marks_limit(&s->marks, vaddr);
    enum status status = walk_from(s, vaddr, mode, NULL, limit, true, &prologue);
    bool taken;

    if (status == STATUS_NO_MEMORY)
        s->failed = status;
    if (status != STATUS_OK) {
        marks_set(&s->marks, vaddr, limit, MARK_DATA); /* larger than any function */
        return;
    }
    s->work += prologue_size(prologue);
    j = function_judge(s->code, &s->marks, prologue, vaddr, limit);
    strong = strong || j.saves_lr;
    taken = j.count > 0 && !j.broken && !j.foreign_read && (strong || !weak) &&
            (strong || (!j.unbalanced && !j.joins && !continues && !start_is_unusual(s, vaddr) &&
                        (!j.loses_lr || origin == FUNCTION_POINTER)));
    if (taken) {
        own = s->found_count;
        add_start(s, vaddr, mode, origin);
        if (s->found_count == own) {
            prologue_destroy(prologue);
            return; /* out of memory */
        }
        s->walked = s->found_count;                            /* this is its walk */
        reach_vaddr = claim_all(s, prologue, vaddr, limit, 0); /* finds more: the list moves */
        s->found[own].reach_vaddr = reach_vaddr;
        prologue_destroy(prologue);
        walk_found(s);
        return;
    }
    if (origin == FUNCTION_GAP) {
        struct walk w = {.s = s, .prologue = prologue};

        prologue_visit_data(prologue, claim_data, &w);
        prologue_visit(prologue, claim_rejected, &w);
        if (!(*marks_at(&s->marks, vaddr) & MARK_CODE))
            marks_set(&s->marks, vaddr, vaddr + s->code->unit, MARK_DATA);
    }
    prologue_destroy(prologue);
}

/*
 * What lies behind `vaddr` up to the first thing that is neither walked nor padding; the section's end: nothing. `mode` is
 * that of the code before, `*called` whether that ends with a call and nothing lies between.
 */
static uint64_t next_gap(struct search *s, const struct area *area, uint64_t vaddr,
                         enum code_mode *mode, bool *called)
{
    *called = false;
    while (vaddr < area->end_vaddr) {
        uint8_t mark = area->marks[vaddr - area->start_vaddr];
        uint32_t index;

        if (mark & MARK_HEAD) {
            const struct code_insn *insn;

            index = code_find(s->code, vaddr);
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
            while (vaddr < area->end_vaddr && mark == MARK_KNOWN &&
                   area->marks[vaddr - area->start_vaddr] == MARK_KNOWN);
            continue;
        }
        if (vaddr % s->code->unit != 0) {
            vaddr++;
            continue;
        }
        if (code_get(s->code, vaddr, *mode, 0, &index) != STATUS_OK ||
            !code_insn(s->code, index)->padding)
            return vaddr;
        *called = false;
        vaddr += code_insn(s->code, index)->size;
    }
    return vaddr;
}

/* The literals that a straight line of code loads are no code; but what looks like one may be data itself. */
static void claim_literals(const struct search *s, uint64_t vaddr, uint64_t end_vaddr)
{
    while (vaddr < end_vaddr) {
        uint32_t index = code_find(s->code, vaddr);
        const struct code_insn *insn = code_insn(s->code, index);

        if (!index)
            return;
        if (insn->literal_vaddr >= end_vaddr &&
            !code_strong_start(s->code, insn->literal_vaddr, (enum code_mode)insn->mode))
            marks_set(&s->marks, insn->literal_vaddr, insn->literal_vaddr + insn->literal_size,
                      MARK_DATA);
        vaddr += insn->size;
    }
}

/* The end of the straight line of code from `vaddr` on. */
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

/* Tries the code at `vaddr` in the instruction set of the code before it, else in the other one. */
static void try_modes(struct search *s, uint64_t vaddr, enum code_mode mode, bool called, bool all)
{
    enum function_origin origin = all ? FUNCTION_GAP : FUNCTION_PATTERN;
    bool weak = !all && (vaddr % 16 != 0 || called || !alignment_is_rule(s));
    enum code_mode other = mode == CODE_T32 ? CODE_DEFAULT : CODE_T32;
    const uint8_t *mark = marks_at(&s->marks, vaddr);

    /* A function that begins like one in the other set, and in this one does not. */
    if (code_is_arm(s->code) && vaddr % code_set(s->code, other)->alignment == 0 &&
        code_strong_start(s->code, vaddr, other) && !code_strong_start(s->code, vaddr, mode)) {
        try_start(s, vaddr, other, FUNCTION_PATTERN, false, true);
        if (*mark & MARK_START)
            return;
    }
    try_start(s, vaddr, mode, origin, called, weak);
}

/*
 * Tries what lies between the functions. First only what begins like a function: what it jumps to in mid-frame is then known
 * as a fragment when all the rest is tried.
 */
static void search_gaps(struct search *s, const struct area *area, enum code_mode mode, bool all)
{
    uint64_t vaddr = area->start_vaddr;
    bool called;

    while (s->failed == STATUS_OK && s->work < s->work_max &&
           (vaddr = next_gap(s, area, vaddr, &mode, &called)) < area->end_vaddr) {
        try_modes(s, vaddr, mode, called, all);
        if (!(area->marks[vaddr - area->start_vaddr] & (MARK_CODE | MARK_DATA)))
            vaddr = line_end(s, vaddr, mode, area->end_vaddr);
    }
}

static enum status add_area(struct search *s, uint64_t start_vaddr, uint64_t end_vaddr)
{
    struct area *area = &s->marks.areas[s->marks.area_count];

    if (end_vaddr - start_vaddr > AREA_MAX || end_vaddr > ADDRESS_MAX)
        return STATUS_OK;
    area->marks = calloc(end_vaddr - start_vaddr, 1);
    if (!area->marks)
        return STATUS_NO_MEMORY;
    s->work_max += (end_vaddr - start_vaddr) / s->code->unit * WORK_A_UNIT;
    area->start_vaddr = start_vaddr;
    area->end_vaddr = end_vaddr;
    s->marks.area_count++;
    return STATUS_OK;
}

static enum status make_areas(struct search *s)
{
    static const char *const plts[] = {".plt", ".plt.sec", ".plt.got", ".iplt"};
    struct elf_image *image = s->module_code->image;
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &count);
    struct elf_section section;

    s->marks.areas = calloc(count + 1, sizeof(*s->marks.areas));
    if (!s->marks.areas)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < count; i++)
        if (add_area(s, ranges[i].start_vaddr, ranges[i].end_vaddr) != STATUS_OK)
            return STATUS_NO_MEMORY;
    for (size_t i = 0; i < sizeof(plts) / sizeof(plts[0]); i++)
        if (elf_image_section(image, plts[i], &section) == STATUS_OK)
            marks_set(&s->marks, section.vaddr, section.vaddr + section.size, MARK_KNOWN);
    for (size_t i = 0; i < s->functions->count; i++) {
        const struct function *known = &s->functions->items[i];

        marks_set(&s->marks, known->start_vaddr, known->end_vaddr, MARK_KNOWN);
        marks_set(&s->marks, known->start_vaddr, known->start_vaddr + 1, MARK_START);
    }
    return STATUS_OK;
}

/* Is all but a small rest of the code in functions that were known before? */
static bool nearly_all_known(const struct search *s)
{
    uint64_t total = 0, known = 0;

    for (size_t i = 0; i < s->marks.area_count; i++)
        total += s->marks.areas[i].end_vaddr - s->marks.areas[i].start_vaddr;
    for (size_t i = 0; i < s->functions->count; i++)
        known += s->functions->items[i].end_vaddr - s->functions->items[i].start_vaddr;
    return known > total - total / KNOWN_REST;
}

/* What functions that were known before call and jump to. A small rest is not worth analysing them all. */
static void walk_known(struct search *s)
{
    size_t count = nearly_all_known(s) ? 0 : s->functions->count;

    for (size_t i = 0; i < count && s->failed == STATUS_OK; i++) {
        struct function known = s->functions->items[i];
        struct prologue *prologue;
        enum status status = walk_from(s, known.start_vaddr, (enum code_mode)known.mode, NULL,
                                       known.end_vaddr, false, &prologue);

        if (status == STATUS_NO_MEMORY)
            s->failed = status;
        if (status != STATUS_OK)
            continue;
        (void)claim_all(s, prologue, known.start_vaddr, known.end_vaddr, 0);
        prologue_destroy(prologue);
        note_alignment(s, known.start_vaddr);
    }
}

static void search_all(struct search *s, const struct function *seeds, size_t count)
{
    enum code_mode mode = CODE_DEFAULT;

    for (size_t i = 0; i < count; i++)
        if (seeds[i].origin != FUNCTION_POINTER) {
            mode = (enum code_mode)seeds[i].mode;
            add_start(s, seeds[i].start_vaddr, mode, (enum function_origin)seeds[i].origin);
        }
    walk_known(s);
    walk_found(s);
    walk_overrunning(s);
    for (size_t i = 0; i < count && s->failed == STATUS_OK; i++) {
        const uint8_t *mark = marks_at(&s->marks, seeds[i].start_vaddr);

        if (seeds[i].origin == FUNCTION_POINTER && mark &&
            !(*mark & (MARK_CODE | MARK_KNOWN | MARK_DATA)))
            try_start(s, seeds[i].start_vaddr, (enum code_mode)seeds[i].mode, FUNCTION_POINTER,
                      false, false);
    }
    for (size_t i = 0; i < s->marks.area_count; i++)
        search_gaps(s, &s->marks.areas[i], mode, false);
    walk_overrunning(s);
    for (size_t i = 0; i < s->marks.area_count; i++)
        search_gaps(s, &s->marks.areas[i], mode, true);
}

/* A function reaches to the next start, or to the end of what may be its own. */
static enum status deliver(struct search *s)
{
    for (size_t i = 0; i < s->found_count; i++) {
        const struct found *found = &s->found[i];
        struct function function = {.start_vaddr = found->vaddr,
                                    .end_vaddr = marks_limit(&s->marks, found->vaddr),
                                    .origin = found->origin,
                                    .mode = found->mode};

        if (functions_add(s->functions, &function) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    functions_sort(s->functions);
    return STATUS_OK;
}

enum status functions_search(struct functions *functions, struct module_code *code,
                             struct module_pads *pads, const struct function *seeds,
                             size_t seed_count)
{
    struct search s = {.functions = functions,
                       .module_code = code,
                       .pads = pads,
                       .code = code->code};
    enum status status = make_areas(&s);

    if (status == STATUS_OK) {
        search_all(&s, seeds, seed_count);
        status = s.failed;
    }
    if (status == STATUS_OK)
        status = deliver(&s);
    for (size_t i = 0; i < s.marks.area_count; i++)
        free(s.marks.areas[i].marks);
    free(s.marks.areas);
    free(s.found);
    free(s.fragments);
    return status;
}
