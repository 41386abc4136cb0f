/* SPDX-License-Identifier: MIT */
/*
 * Finds functions in code without symbols and tables.
 *
 * Each known start is walked with the state of its stack (prologue.h). The targets of its calls,
 * and of its jumps with nothing of a frame left, are starts, too. What is left between the
 * functions is tried as a function, and taken if it behaves like one.
 */
#include <stdlib.h>
#include <string.h>

#include "symbol/elf/plt.h"
#include "unwind/functions/function_walk.h"

#define POINTED_MAX   500 /* functions behind pointers that are looked at */
#define POINTED_MIN   20  /* of these, least number that share a register, … */
#define POINTED_SHARE 20  /* … and one in how many */
#define POINTED_KEPT  3   /* one in how many callee-saved registers is shared, at most */
#define POINTED_WORK  8   /* part of all work, one in how many */
#define LABELS_SHARE  4   /* one in how many that calls without saving LR: they are labels */

#define ADDRESS_MAX (UINT64_MAX - 0xffff) /* above, sums of addresses could wrap */
#define AREA_MAX    (UINT64_C(1) << 30)   /* bytes of code that are searched */
/* instructions walked for each unit of code; real files need little more than one */
#define WORK_A_UNIT 16
#define KNOWN_REST  16 /* one in how many bytes make a small rest */

static enum status add_area(struct search *s, uint64_t start_vaddr, uint64_t end_vaddr)
{
    struct area *area = &s->marks.areas[s->marks.area_count];

    if (end_vaddr - start_vaddr > AREA_MAX || end_vaddr > ADDRESS_MAX)
        return STATUS_OK;
    area->marks = calloc((size_t)(end_vaddr - start_vaddr), 1);
    if (!area->marks)
        return STATUS_NO_MEMORY;
    s->work_max += (end_vaddr - start_vaddr) / s->code->unit * WORK_A_UNIT;
    area->start_vaddr = start_vaddr;
    area->end_vaddr = end_vaddr;
    area->cut = s->marks.holes && start_vaddr != s->module_code->boundary_vaddr;
    s->marks.area_count++;
    return STATUS_OK;
}

static enum status make_areas(struct search *s, const struct vaddr_range *within)
{
    struct elf_image *image = s->module_code->image;
    struct vaddr_range plts[PLT_SECTIONS];
    size_t count, plt_count = plt_sections(image, plts);
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &count);

    s->marks.areas = calloc(count + 1, sizeof(*s->marks.areas));
    if (!s->marks.areas)
        return STATUS_NO_MEMORY;
    s->marks.holes = s->code->holes || within;
    for (size_t i = 0; i < count; i++) {
        struct vaddr_range range = {ranges[i].start_vaddr,
                                    elf_image_end_in_file(image, ranges[i].start_vaddr,
                                                          ranges[i].end_vaddr)};

        if (within && range.start_vaddr < within->start_vaddr)
            range.start_vaddr = within->start_vaddr;
        if (within && range.end_vaddr > within->end_vaddr)
            range.end_vaddr = within->end_vaddr;
        if (range.start_vaddr < range.end_vaddr &&
            add_area(s, range.start_vaddr, range.end_vaddr) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < plt_count; i++)
        marks_set(&s->marks, plts[i].start_vaddr, plts[i].end_vaddr, MARK_KNOWN);
    for (size_t i = 0; i < s->functions->count; i++) {
        const struct code_function *known = &s->functions->items[i];

        marks_set(&s->marks, known->start_vaddr, known->end_vaddr, MARK_KNOWN);
        marks_set(&s->marks, known->start_vaddr, known->start_vaddr + 1, MARK_START);
    }
    return STATUS_OK;
}

/* Are all but few bytes of the code in known functions? */
static bool nearly_all_known(const struct search *s)
{
    uint64_t total = 0, known = 0;

    for (size_t i = 0; i < s->marks.area_count; i++)
        total += s->marks.areas[i].end_vaddr - s->marks.areas[i].start_vaddr;
    for (size_t i = 0; i < s->functions->count; i++)
        known += s->functions->items[i].end_vaddr - s->functions->items[i].start_vaddr;
    return known > total - total / KNOWN_REST;
}

/* Walks the known functions for their calls and jumps, unless only a small rest is left to find. */
static void walk_known(struct search *s)
{
    size_t count = nearly_all_known(s) ? 0 : s->functions->count;

    s->known_walked = count > 0;
    for (size_t i = 0; i < count && s->failed == STATUS_OK; i++) {
        struct code_function known = s->functions->items[i];
        struct prologue *prologue;
        enum status status;

        if (known.origin == FUNCTION_PLT)
            continue;
        status = search_walk_from(s, known.start_vaddr, (enum code_mode)known.mode, NULL,
                                  known.end_vaddr, WALK_KNOWN_END, &prologue);

        if (status == STATUS_NO_MEMORY)
            s->failed = status;
        if (status != STATUS_OK)
            continue;
        (void)search_claim_all(s, prologue, known.start_vaddr, (enum code_mode)known.mode,
                               known.end_vaddr, known.start_vaddr, 0);
        prologue_destroy(prologue);
        search_note_certain(s, known.start_vaddr, (enum code_mode)known.mode);
    }
}

static bool is_pointer(const struct code_function *seed)
{
    return seed->origin == FUNCTION_POINTER || seed->origin == FUNCTION_CONSTANT;
}

/* On ARM numbers in data often look like addresses in the middle of code. */
static bool is_doubtful(const struct search *s, const struct code_function *seed)
{
    return code_has_two_modes(s->code) && seed->origin == FUNCTION_CONSTANT &&
           !code_strong_start(s->code, seed->start_vaddr, (enum code_mode)seed->mode);
}

/*
 * Does the A32 instruction right before, which is executed always, go on to this place? Words of a
 * literal pool rarely look like one.
 */
static bool is_run_into(const struct search *s, const struct code_function *seed)
{
    const uint64_t before_vaddr = seed->start_vaddr - 4;
    const struct code_insn *insn;
    uint64_t word;
    uint32_t index;

    if (!is_doubtful(s, seed) || seed->mode == CODE_T32 ||
        !code_read_data(s->code, before_vaddr, 4, &word) || word >> 28 != 0xe ||
        code_get(s->code, before_vaddr, CODE_DEFAULT, 0, &index) != STATUS_OK)
        return false;
    insn = code_insn(s->code, index);
    return insn->flow == FLOW_NEXT && !insn->padding;
}

/*
 * Learns which callee-saved registers functions behind pointers share: gcc's global register
 * variables, as in php's handlers. Learns nothing if the pointers lead to labels of one large
 * function: then nearly all registers look shared, or some labels lose LR by calling.
 */
static void learn_pointed(struct search *s, const struct code_function *seeds, size_t count)
{
    const struct arch *arch = s->code->arch;
    const uint64_t kept = arch->callee_saved & ~(UINT64_C(1) << arch->fp);
    const uint64_t work_max = s->work + s->work_max / POINTED_WORK;
    unsigned takers[ARCH_REG_MAX] = {0}, looked_at = 0, all_takers = 0, labels = 0;
    size_t pointers = 0, step;
    uint64_t shared = 0;

    for (size_t i = 0; i < count; i++)
        pointers += seeds[i].origin == FUNCTION_POINTER;
    step = pointers / POINTED_MAX + 1;
    pointers = 0;
    for (size_t i = 0; i < count && s->failed == STATUS_OK; i++) {
        const uint8_t *mark = marks_at(&s->marks, seeds[i].start_vaddr);
        struct evidence e;

        if (s->work >= work_max)
            return;
        if (seeds[i].origin != FUNCTION_POINTER || pointers++ % step || !mark ||
            *mark & (MARK_KNOWN | MARK_DATA) || search_is_claimed(*mark, false) ||
            !search_look_at(s, seeds[i].start_vaddr, (enum code_mode)seeds[i].mode, &e) || e.broken)
            continue;
        looked_at++;
        all_takers += ((e.reads | e.changes) & kept) != 0;
        labels += ((e.reads | e.changes) & kept) && e.loses_lr && e.ends;
        for (unsigned reg = 0; reg < arch->reg_count; reg++)
            takers[reg] += (unsigned)((e.reads | e.changes) >> reg & 1);
    }
    if (labels * LABELS_SHARE >= all_takers)
        return;
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (kept >> reg & 1 && takers[reg] >= POINTED_MIN &&
            takers[reg] * POINTED_SHARE >= looked_at)
            shared |= UINT64_C(1) << reg;
    if (__builtin_popcountll(shared) * POINTED_KEPT <= __builtin_popcountll(arch->callee_saved))
        s->pointed_shared = shared;
}

/* `sure`: takes only code that returns as a function does, or begins like one. */
static void try_pointer(struct search *s, const struct code_function *seed, bool sure)
{
    const uint8_t *mark = marks_at(&s->marks, seed->start_vaddr);

    if (mark && !(*mark & (MARK_KNOWN | MARK_DATA)) && !search_is_claimed(*mark, false) &&
        !(seed->origin == FUNCTION_CONSTANT &&
          search_mode_is_unused(s, (enum code_mode)seed->mode)) &&
        !is_run_into(s, seed) && s->work < s->work_max)
        search_try_start(s, seed->start_vaddr, (enum code_mode)seed->mode,
                         (enum function_origin)seed->origin, false, sure);
}

/*
 * Tries the code left right before `seed`, back to known code or `from_vaddr`, then the seed: a
 * pointer may lead to a label (a computed goto's) in a function that begins before it.
 */
static void try_in_order(struct search *s, const struct code_function *seed, uint64_t from_vaddr,
                         enum code_mode mode)
{
    const struct area *area = marks_area(&s->marks, seed->start_vaddr);
    uint64_t vaddr = seed->start_vaddr;
    uint8_t mark = area ? area->marks[vaddr - area->start_vaddr] : MARK_KNOWN;

    if ((mark & (MARK_KNOWN | MARK_DATA)) || search_is_claimed(mark, false))
        return;
    while (vaddr > area->start_vaddr && vaddr > from_vaddr &&
           !(area->marks[vaddr - 1 - area->start_vaddr] & (MARK_CODE | MARK_DATA | MARK_KNOWN)))
        vaddr--;
    (void)search_gaps(s, area, vaddr, seed->start_vaddr, &mode, true);
    try_pointer(s, seed, false);
}

/*
 * Adds code that no path reaches and a jump from outside of the searched code enters, in a state
 * that is not known.
 */
static void try_fragment(struct search *s, const struct code_function *seed)
{
    const uint8_t *mark = marks_at(&s->marks, seed->start_vaddr);
    struct state state;

    if (!mark || *mark & (MARK_KNOWN | MARK_DATA | MARK_START | MARK_FRAGMENT) ||
        search_is_claimed(*mark, false))
        return;
    state_init_entry(&state, s->code->arch);
    for (unsigned reg = 0; reg < s->code->arch->reg_count; reg++)
        state.regs[reg] = (struct value){.kind = VALUE_UNKNOWN};
    search_add_fragment(s, seed->start_vaddr, (enum code_mode)seed->mode, seed->start_vaddr, false,
                        &state);
    search_walk_found(s);
}

static void search_all(struct search *s, const struct code_function *seeds, size_t count)
{
    enum code_mode mode = CODE_DEFAULT;
    uint64_t from_vaddr = 0;

    for (size_t i = 0; i < count; i++)
        if (!is_pointer(&seeds[i]) && seeds[i].origin != FUNCTION_FRAGMENT) {
            mode = (enum code_mode)seeds[i].mode;
            search_add_start(s, seeds[i].start_vaddr, mode, (enum function_origin)seeds[i].origin);
        }
    walk_known(s);
    search_walk_found(s);
    search_walk_overrunning(s);
    for (size_t i = 0; i < count && s->failed == STATUS_OK; i++)
        if (seeds[i].origin == FUNCTION_FRAGMENT)
            try_fragment(s, &seeds[i]);
    learn_pointed(s, seeds, count);
    for (size_t i = 0; i < count && s->failed == STATUS_OK; i++)
        if (is_pointer(&seeds[i]) && !is_doubtful(s, &seeds[i]))
            try_pointer(s, &seeds[i], !code_has_two_modes(s->code));
    for (size_t i = 0; i < s->marks.area_count; i++) {
        const struct area *area = &s->marks.areas[i];
        enum code_mode before = mode;

        (void)search_gaps(s, area, area->start_vaddr, area->end_vaddr, &before, false);
    }
    /* On ARM doubtful seeds only: a gap's mode depends on the code before it. */
    for (size_t i = 0; i < count && s->failed == STATUS_OK; i++)
        if (is_doubtful(s, &seeds[i])) {
            try_pointer(s, &seeds[i], false);
        } else if (is_pointer(&seeds[i]) && !code_has_two_modes(s->code)) {
            try_in_order(s, &seeds[i], from_vaddr, mode);
            from_vaddr = seeds[i].start_vaddr;
        }
    search_walk_overrunning(s);
    for (size_t i = 0; i < s->marks.area_count; i++)
        (void)search_gaps(s, &s->marks.areas[i], s->marks.areas[i].start_vaddr,
                          s->marks.areas[i].end_vaddr, &mode, true);
    search_walk_overrunning(s);
    search_landing_pads(s);
}

/* Drops the jumps that stay inside of their function. */
static void drop_inner_jumps(struct functions *functions)
{
    size_t kept = 0;

    for (size_t i = 0; i < functions->jump_count; i++) {
        const struct entry_jump jump = functions->jumps[i];
        const struct code_function *source = functions_find(functions, jump.source_vaddr);

        if (source &&
            (jump.target_vaddr < source->start_vaddr || jump.target_vaddr >= source->end_vaddr))
            functions->jumps[kept++] = jump;
    }
    functions->jump_count = kept;
}

/* Adds the found functions; each ends at the next start, or where its area ends. */
static enum status deliver(struct search *s)
{
    for (size_t i = 0; i < s->found_count; i++) {
        const struct found *found = &s->found[i];
        struct code_function function = {.start_vaddr = found->vaddr,
                                         .end_vaddr = marks_limit(&s->marks, found->vaddr),
                                         .origin = found->origin,
                                         .mode = found->mode};

        if (functions_add(s->functions, &function) != STATUS_OK)
            return STATUS_NO_MEMORY;
    }
    functions_sort(s->functions);
    drop_inner_jumps(s->functions);
    return STATUS_OK;
}

enum status functions_search(struct functions *functions, struct module_code *code,
                             struct module_landing_pads *landing_pads,
                             const struct code_function *seeds, size_t seed_count,
                             const struct vaddr_range *within)
{
    struct search s = {.functions = functions,
                       .module_code = code,
                       .landing_pads = landing_pads,
                       .code = code->code,
                       .kept = UINT64_MAX,
                       .may_throw = module_code_may_throw(code),
                       .entry_vaddr = elf_image_entry_vaddr(code->image) &
                                      ~(uint64_t)code_has_two_modes(code->code)};
    enum status status = make_areas(&s, within);

    if (status == STATUS_OK) {
        search_all(&s, seeds, seed_count);
        status = s.failed;
    }
    if (status == STATUS_OK)
        status = deliver(&s);
    for (size_t i = 0; i < s.marks.area_count; i++)
        free(s.marks.areas[i].marks);
    free(s.marks.areas);
    prologue_pool_deinit(&s.pool);
    free(s.found);
    free(s.fragments);
    map_deinit(&s.reaches);
    map_deinit(&s.open);
    map_deinit(&s.branched);
    return status;
}
