/* SPDX-License-Identifier: MIT */
#include "unwind/audit/audit.h"

#include <stdlib.h>
#include <string.h>

#include "base/search.h"
#include "base/vec.h"
#include "symbol/elf/function_starts.h"
#include "symbol/elf/plt.h"
#include "unwind/audit/audit_private.h"
#include "unwind/code/code.h"
#include "unwind/functions/functions.h"
#include "unwind/prologue/prologue.h"
#include "unwind/sources/cfi.h"

struct auditor {
    struct module_rows *rows;
    const struct module *module;
    struct function_starts *starts; /* for the mapping symbols */
    enum code_kind kind;            /* by the mapping symbols, of [kind_vaddr, kind_until) */
    uint64_t kind_vaddr, kind_until;
    struct code *code;
    const struct arch *arch;
    struct cfi *cfi;
    const struct audit_watch *watch;
    struct audit *out;
    enum status failed;
    /* The current FDE. */
    uint64_t start_vaddr, end_vaddr;
    struct row *truth;
    size_t truth_count, truth_cap;
    struct counted_insn *places;
    size_t place_count, place_cap;
    bool fragment, plt;
    /* The current function. */
    const struct prologue *prologue;
    struct row_table table;
    uint64_t from_vaddr, until_vaddr;      /* the function's range within the FDE */
    uint64_t next_vaddr;                   /* end of the last instruction */
    bool ended;                            /* control does not come from the instruction before */
    bool counted;                          /* the last instruction is the last of `places` */
    const struct row *last_truth, *behind; /* behind: a row that its code has contradicted */
    struct extent {
        uint64_t start_vaddr, end_vaddr;
    } * gaps; /* between the function's instructions */
    size_t gap_count, gap_cap;
};

static const struct row *truth_at(const struct auditor *a, uint64_t vaddr)
{
    size_t at = SEARCH_FIRST(i, 0, a->truth_count, a->truth[i].end_vaddr <= vaddr);

    return at < a->truth_count && vaddr >= a->truth[at].start_vaddr ? &a->truth[at] : NULL;
}

/*
 * Does the code contradict the CFI's row? Code compiled without asynchronous tables has no rows for
 * its epilogue:
 *      add  sp, sp, #16     CFA = sp + 16
 *      ret                  CFI: still sp + 16
 * If the rows agreed before an instruction that moved the CFI's register, and the CFI's row is the
 * same behind it, the row is wrong, provided that the analysis understood the instruction: see
 * audit_confirm_suspects.
 */
static bool contradicts(const struct auditor *a, const struct row *truth,
                        const struct code_insn *insn, const struct state *state)
{
    const struct counted_insn *last = a->place_count ? &a->places[a->place_count - 1] : NULL;
    const struct value *base = &state->regs[truth->cfa.reg], *before;

    if (!a->counted || a->ended || truth != a->last_truth || !last->has_state ||
        last->verdict != AUDIT_AGREE || last->flow == FLOW_CALL ||
        insn->vaddr != last->vaddr + last->size)
        return false;
    before = truth->cfa.reg == a->arch->sp   ? &last->sp
             : truth->cfa.reg == a->arch->fp ? &last->fp
                                             : NULL;
    return before && before->kind == VALUE_ENTRY && base->kind == VALUE_ENTRY &&
           !value_equal(before, base);
}

static struct answer answer_of(const struct row *row)
{
    return audit_answers(row) ? (struct answer){.cfa = row->cfa,
                                                .ra = row->ra,
                                                .cfa_add = row->cfa_add,
                                                .given = true}
                              : (struct answer){0};
}

/* Does control leave for another function, or perhaps for another part of this one? */
static bool leaves(const struct auditor *a, const struct code_insn *insn, const struct value *sp)
{
    const bool is_outside = insn->has_target && (insn->target_vaddr < a->start_vaddr ||
                                                 insn->target_vaddr >= a->end_vaddr);

    if (insn->flow == FLOW_RETURN)
        return true;
    return (insn->flow == FLOW_INDIRECT || (insn->flow == FLOW_JUMP && is_outside)) &&
           audit_is_entry_value(sp, a->arch->sp); /* otherwise a jump table's, or to a fragment */
}

/*
 * Does the function end there, where SP must have its entry value? Where calls put the return
 * address in LR tail calls count, too. A fragment's jumps lead to other parts of its function,
 * which may have a frame that the fragment does not know.
 */
static bool ends_as_entered(const struct auditor *a, const struct code_insn *insn,
                            const struct state *state, const struct counted_insn *place)
{
    const struct arch *arch = a->arch;

    if (insn->flow == FLOW_RETURN) /* ret; bx lr, pop {.., pc} */
        return audit_is_entry_value(arch->lr == REG_NONE ? &place->sp : &place->sp_after, arch->sp);
    return place->leaves && !a->fragment && arch->lr != REG_NONE &&
           audit_is_entry_value(&state->regs[arch->lr], arch->lr);
}

/* Notes SP behind the instruction, and whether the function ends, for audit_confirm_suspects. */
static void note_sp_after(const struct auditor *a, const struct code_insn *insn,
                          const struct state *state, struct counted_insn *place)
{
    struct state after = *state;

    prologue_execute(a->prologue, insn, &after);
    place->sp_after = after.regs[a->arch->sp];
    place->returns = ends_as_entered(a, insn, state, place);
}

static struct counted_insn *add_place(struct auditor *a)
{
    a->failed = vec_reserve(&a->places, &a->place_cap, a->place_count + 1, sizeof(*a->places));
    return a->failed == STATUS_OK ? &a->places[a->place_count++] : NULL;
}

static enum code_kind kind_at(struct auditor *a, uint64_t vaddr)
{
    if (vaddr < a->kind_vaddr || vaddr >= a->kind_until) {
        a->kind_vaddr = vaddr;
        a->kind = code_kind_at(a->starts, vaddr, &a->kind_until);
    }
    return a->kind;
}

/* Compares the rows at an instruction of the FDE. `state`: NULL: none by analysis. */
static void count(struct auditor *a, const struct code_insn *insn, const struct state *state)
{
    const struct row *truth = truth_at(a, insn->vaddr);
    unsigned exclusion = a->plt ? AUDIT_PLT : audit_excluded(a->arch, truth);
    const struct row *ours;
    enum audit_verdict verdict;
    struct counted_insn *place;
    struct row room;

    if (kind_at(a, insn->vaddr) == KIND_DATA) {
        a->out->excluded[AUDIT_DATA] += insn->size;
        a->counted = false;
        return;
    }
    if (exclusion != AUDIT_EXCLUSION_COUNT) {
        a->out->excluded[exclusion]++;
        a->counted = false;
        return;
    }
    ours = state ? row_table_find(&a->table, insn->vaddr, &room) : NULL;
    verdict = audit_compare(a->arch, truth, ours, state);
    if (verdict == AUDIT_WRONG && contradicts(a, truth, insn, state))
        a->behind = truth;
    if (verdict == AUDIT_WRONG && truth == a->behind)
        verdict = AUDIT_SUSPECT;
    place = add_place(a);
    if (!place)
        return;
    *place = (struct counted_insn){.vaddr = insn->vaddr,
                                   .size = insn->size,
                                   .verdict = (uint8_t)verdict,
                                   .flow = insn->flow,
                                   .target_vaddr = insn->has_target ? insn->target_vaddr : 0,
                                   .has_state = state != NULL,
                                   .cfi = answer_of(truth),
                                   .analysed = answer_of(ours)};
    if (state) {
        place->sp = state->regs[a->arch->sp];
        place->fp = state->regs[a->arch->fp];
    }
    place->leaves = leaves(a, insn, &place->sp);
    if (state && a->behind)
        note_sp_after(a, insn, state, place);
    a->counted = true;
    a->last_truth = truth;
}

static bool take_insn(void *context, const struct code_insn *insn, const struct state *state,
                      bool guessed)
{
    struct auditor *a = context;

    if (insn->vaddr < a->from_vaddr)
        return true;
    if (insn->vaddr >= a->until_vaddr)
        return false;
    if (insn->vaddr > a->next_vaddr) {
        a->failed = vec_reserve(&a->gaps, &a->gap_cap, a->gap_count + 1, sizeof(*a->gaps));
        if (a->failed != STATUS_OK)
            return false;
        a->gaps[a->gap_count++] = (struct extent){a->next_vaddr, insn->vaddr};
        a->ended = true;
    }
    a->next_vaddr = insn->vaddr + insn->size;
    if (a->ended && insn->padding && (!state || guessed)) {
        a->out->excluded[AUDIT_PADDING]++;
        return true;
    }
    count(a, insn, state);
    a->ended = !prologue_goes_on(a->prologue, insn);
    return a->failed == STATUS_OK;
}

/*
 * Counts code without analysis: padding or data; if the function was not analysed (`lost`),
 * instructions as well.
 */
static void take_unanalysed(struct auditor *a, uint64_t vaddr, uint64_t end_vaddr, bool lost)
{
    enum code_mode mode = kind_at(a, vaddr) == KIND_OTHER_CODE ? CODE_T32 : CODE_DEFAULT;
    uint8_t context = 0;

    a->ended = true;
    while (vaddr < end_vaddr && a->failed == STATUS_OK) {
        uint32_t index;
        enum status status = code_get(a->code, vaddr, mode, context, &index);
        struct code_insn insn;

        if (status == STATUS_NO_MEMORY)
            a->failed = status;
        if (status != STATUS_OK) {
            a->out->excluded[AUDIT_DATA] += a->code->unit;
            vaddr += a->code->unit;
            context = 0;
            continue;
        }
        insn = *code_insn(a->code, index);
        if (insn.padding && a->ended)
            a->out->excluded[AUDIT_PADDING]++;
        else if (lost)
            count(a, &insn, NULL);
        else
            a->out->excluded[AUDIT_DATA] += insn.size;
        a->ended = insn.flow == FLOW_RETURN || insn.flow == FLOW_JUMP ||
                   insn.flow == FLOW_INDIRECT || insn.flow == FLOW_STOP ||
                   (a->ended && insn.padding) || !lost;
        vaddr += insn.size;
        context = insn.next_context;
    }
}

/* Audits the part of the FDE that the function at from_vaddr has. */
static void take_function(struct auditor *a)
{
    enum status status = module_rows_prologue(a->rows, a->from_vaddr, &a->prologue);

    a->gap_count = 0;
    a->next_vaddr = a->from_vaddr;
    a->ended = a->counted = false;
    if (status == STATUS_OK)
        status = prologue_rows(a->prologue, &a->table);
    if (status == STATUS_NO_MEMORY) {
        a->failed = status;
        return;
    }
    if (status != STATUS_OK) {
        take_unanalysed(a, a->from_vaddr, a->until_vaddr, true);
        return;
    }
    prologue_visit(a->prologue, take_insn, a);
    row_table_deinit(&a->table);
    for (size_t i = 0; i < a->gap_count; i++)
        take_unanalysed(a, a->gaps[i].start_vaddr, a->gaps[i].end_vaddr, false);
    if (a->next_vaddr < a->until_vaddr)
        take_unanalysed(a, a->next_vaddr, a->until_vaddr, false);
}

/* Returns the start of the next function behind `vaddr`, which is in none. */
static uint64_t next_function(struct auditor *a, uint64_t vaddr)
{
    const struct functions *functions;
    size_t at;

    if (module_rows_functions(a->rows, &functions) != STATUS_OK)
        return UINT64_MAX;
    at = SEARCH_FIRST(i, 0, functions->count, functions->items[i].start_vaddr <= vaddr);
    return at < functions->count ? functions->items[at].start_vaddr : UINT64_MAX;
}

/* Audits all instructions of the FDE; with code-only functions need not match the FDE. */
static void take_code(struct auditor *a)
{
    uint64_t vaddr = a->start_vaddr, start_vaddr, end_vaddr;

    while (vaddr < a->end_vaddr && a->failed == STATUS_OK) {
        enum status status = a->plt
                                 ? STATUS_NOT_FOUND
                                 : module_rows_function(a->rows, vaddr, &start_vaddr, &end_vaddr);

        a->from_vaddr = vaddr;
        if (status == STATUS_NO_MEMORY) {
            a->failed = status;
            return;
        }
        if (status != STATUS_OK)
            end_vaddr = a->plt ? a->end_vaddr : next_function(a, vaddr);
        a->until_vaddr = end_vaddr < a->end_vaddr ? end_vaddr : a->end_vaddr;
        if (status == STATUS_OK)
            take_function(a);
        else
            take_unanalysed(a, vaddr, a->until_vaddr, true);
        vaddr = a->until_vaddr;
    }
}

static int by_address(const void *a, const void *b)
{
    const struct counted_insn *x = a, *y = b;

    return (x->vaddr > y->vaddr) - (x->vaddr < y->vaddr);
}

/*
 * Returns +1 if the instruction raises SP, -1 if it lowers SP, else 0; 0 also for calls and the
 * last instruction of a run.
 */
static int sp_step(const struct auditor *a, size_t index)
{
    const struct counted_insn *place = &a->places[index], *next = place + 1;

    if (index + 1 == a->place_count || place->vaddr + place->size != next->vaddr ||
        place->flow == FLOW_CALL || !place->has_state || !next->has_state ||
        next->sp.kind != VALUE_ENTRY)
        return 0;
    if (place->sp.kind != VALUE_ENTRY) /* the instruction is leave */
        return 1;
    return (next->sp.k > place->sp.k) - (next->sp.k < place->sp.k);
}

static bool changes_frame(const struct auditor *a, size_t index)
{
    const struct counted_insn *place = &a->places[index], *next = place + 1;

    return index + 1 < a->place_count && place->has_state && next->has_state &&
           (!value_equal(&place->sp, &next->sp) || !value_equal(&place->fp, &next->fp));
}

/*
 * Returns how many places at the begin are the prologue. A leaf's epilogue may follow without a
 * branch between.
 */
static size_t prologue_length(const struct auditor *a)
{
    size_t length = 0;

    for (size_t i = 0; i < a->place_count && a->places[i].flow == FLOW_NEXT && sp_step(a, i) <= 0;
         i++)
        if (changes_frame(a, i))
            length = i + 1;
    return length;
}

static enum audit_kind kind_of(const struct auditor *a, size_t index, bool epilogue, bool prologue,
                               bool after)
{
    const struct counted_insn *place = &a->places[index];

    if (a->fragment)
        return AUDIT_FRAGMENT;
    if (place->has_state && place->sp.kind == VALUE_FRAME)
        return AUDIT_REALIGNED;
    if (place->analysed.given && place->sp.kind != VALUE_ENTRY)
        return AUDIT_ALLOCA;
    return epilogue   ? AUDIT_EPILOGUE
           : prologue ? AUDIT_PROLOGUE
           : after    ? AUDIT_AFTER_EPILOGUE
                      : AUDIT_BODY;
}

static void restore_row(const struct answer *answer, struct row *row)
{
    row_init(row, 0, 0, TRUST_PROLOGUE);
    row->cfa = answer->cfa;
    row->cfa_add = answer->cfa_add;
    row->ra = answer->ra;
}

static void enter_result(struct auditor *a, const struct counted_insn *place, enum audit_kind kind)
{
    struct row cfi, analysed;
    struct audit_place report = {.vaddr = place->vaddr,
                                 .kind = kind,
                                 .verdict = (enum audit_verdict)place->verdict,
                                 .cfi = &cfi,
                                 .analysed = place->analysed.given ? &analysed : NULL};

    if (place->verdict == AUDIT_SUSPECT) {
        a->out->excluded[AUDIT_CFI_BEHIND]++;
    } else {
        a->out->places[kind][place->verdict]++;
        if (place->flow == FLOW_CALL)
            a->out->calls[kind][place->verdict]++;
    }
    if (place->verdict == AUDIT_AGREE || !a->watch->report)
        return;
    restore_row(&place->cfi, &cfi);
    restore_row(&place->analysed, &analysed);
    a->watch->report(a->watch->context, &report);
}

/* Counts the places in [from, to); those below `prologue` are the prologue's. */
static void enter_results(struct auditor *a, size_t from, size_t to, size_t prologue, bool epilogue,
                          bool after)
{
    for (size_t i = from; i < to; i++)
        enter_result(a, &a->places[i], kind_of(a, i, epilogue, i < prologue, after));
}

/* Finds epilogues (from where SP rises to where control leaves); counts all places. */
static void enter_all(struct auditor *a)
{
    size_t prologue = prologue_length(a), done = 0, first = SIZE_MAX;
    bool after = false;

    for (size_t i = 0; i < a->place_count; i++) {
        const struct counted_insn *place = &a->places[i];
        int step = sp_step(a, i);

        if (step > 0 && first == SIZE_MAX)
            first = i;
        if (place->leaves) {
            if (first == SIZE_MAX)
                first = i;
            enter_results(a, done, first, prologue, false, after);
            enter_results(a, first, i + 1, 0, true, after);
            done = i + 1;
            after = true;
        }
        if (step < 0 || place->flow != FLOW_NEXT)
            first = SIZE_MAX;
    }
    enter_results(a, done, a->place_count, prologue, false, after);
}

static bool take_truth(void *context, const struct row *row)
{
    struct auditor *a = context;

    a->failed = vec_reserve(&a->truth, &a->truth_cap, a->truth_count + 1, sizeof(*a->truth));
    if (a->failed == STATUS_OK)
        a->truth[a->truth_count++] = *row;
    return a->failed == STATUS_OK;
}

/* Audits the index-th FDE, up to the start of the next one. */
static enum status audit_fde(struct auditor *a, size_t index)
{
    uint64_t next_vaddr, end_vaddr;
    enum status status = cfi_function_at(a->cfi, index, &a->start_vaddr, &a->end_vaddr);

    if (status != STATUS_OK)
        return status;
    if (cfi_function_at(a->cfi, index + 1, &next_vaddr, &end_vaddr) == STATUS_OK &&
        next_vaddr < a->end_vaddr)
        a->end_vaddr = next_vaddr;
    a->end_vaddr = elf_image_end_in_file(a->module->image, a->start_vaddr, a->end_vaddr);
    a->truth_count = a->place_count = 0;
    a->behind = NULL;
    if (cfi_rows(a->cfi, index, take_truth, a) == STATUS_NO_MEMORY || a->failed != STATUS_OK)
        return STATUS_NO_MEMORY;
    a->plt = plt_holds(a->module->image, a->start_vaddr);
    a->fragment = a->truth_count > 0 && !audit_is_entry_row(&a->truth[0], a->arch);
    take_code(a);
    if (a->failed != STATUS_OK)
        return a->failed;
    if (a->place_count > 1)
        qsort(a->places, a->place_count, sizeof(*a->places), by_address);
    audit_confirm_suspects(a->places, a->place_count);
    enter_all(a);
    return STATUS_OK;
}

static size_t fde_count(struct cfi *cfi)
{
    uint64_t start_vaddr, end_vaddr;
    size_t number = 0;

    while (cfi && cfi_function_at(cfi, number, &start_vaddr, &end_vaddr) == STATUS_OK)
        number++;
    return number;
}

/* Did the index of FDEs fail for want of memory? */
static bool lacks_memory(struct cfi *cfi)
{
    uint64_t start_vaddr, end_vaddr;

    return cfi && cfi_function_at(cfi, 0, &start_vaddr, &end_vaddr) == STATUS_NO_MEMORY;
}

struct cfi *audit_truth(struct module_rows *rows, enum trust *source)
{
    struct cfi *eh_frame = module_rows_cfi(rows, TRUST_EH_FRAME);
    struct cfi *debug_frame = module_rows_cfi(rows, TRUST_DEBUG_FRAME);
    bool eh = eh_frame && fde_count(eh_frame) > fde_count(debug_frame);

    *source = eh ? TRUST_EH_FRAME : TRUST_DEBUG_FRAME;
    return eh ? eh_frame : debug_frame;
}

enum status audit_module(struct module_rows *rows, struct module_set *set, struct module *module,
                         const struct audit_watch *watch, struct audit *out)
{
    struct auditor a = {.rows = rows, .module = module, .watch = watch, .out = out};
    enum status status = STATUS_OK;
    size_t all;

    *out = (struct audit){0};
    if (lacks_memory(module_rows_cfi(rows, TRUST_EH_FRAME)) ||
        lacks_memory(module_rows_cfi(rows, TRUST_DEBUG_FRAME)))
        return STATUS_NO_MEMORY;
    a.cfi = audit_truth(rows, &out->truth);
    if (!a.cfi)
        return STATUS_NOT_FOUND;
    status = module_rows_code(rows, &a.code);
    if (status != STATUS_OK)
        return status;
    a.arch = a.code->arch;
    if (function_starts_create(module->image, module_symtab(set, module), false, &a.starts) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    audit_coverage(a.cfi, module->image, out);
    all = fde_count(a.cfi);
    while ((status = audit_fde(&a, out->fde_count)) == STATUS_OK) {
        out->fde_count++;
        if (watch->progress)
            watch->progress(watch->context, out->fde_count, all);
    }
    function_starts_destroy(a.starts);
    free(a.truth);
    free(a.places);
    free(a.gaps);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}
