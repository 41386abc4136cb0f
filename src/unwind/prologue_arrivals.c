/* SPDX-License-Identifier: MIT */
/* Finds the states in which code outside jumps or throws into a function. */
#include <string.h>

#include "base/vec.h"
#include "symbol/elf/symtab.h"
#include "unwind/prologue_source_private.h"

/* jumps used of one fragment; an interpreter's large function has hundreds */
#define ARRIVALS_MAX 1024
/* successive functions with jumps into the fragment; each costs an analysis */
#define PARENTS_TRIED      12
#define JUMPS_TRIED        8192 /* jumps into a fragment */
#define CASES_TRIED        64   /* cases of jump tables into a fragment */
#define LANDING_PADS_TRIED 8    /* calls of other functions */
#define PARENTS_MAX        4    /* functions of one name to which a fragment may belong */
#define NAMES_COMPARED_MAX (UINT64_C(1) << 26) /* in searches of functions by name */

/* What a function's start is by symbols, or by a table of whole functions. */
enum standing { STANDING_UNKNOWN, STANDING_FUNCTION, STANDING_FRAGMENT };

static enum standing standing_of(const struct prologue_source *source,
                                 const struct code_function *function)
{
    const struct symtab *symtab = module_symtab(source->code->set, source->code->module);
    struct symbol symbol;

    if (function->origin == FUNCTION_FRAGMENT)
        return STANDING_FRAGMENT;
    if (function->origin == FUNCTION_GOPCLNTAB || function->origin == FUNCTION_MADE)
        return STANDING_FUNCTION;
    if (source->code->code_only || !symtab ||
        symtab_find(symtab, function->start_vaddr, &symbol) != STATUS_OK ||
        symbol.start_vaddr != function->start_vaddr)
        return STANDING_UNKNOWN;
    return strstr(symbol.name, ".cold") || prologue_is_part(symbol.name) ? STANDING_FRAGMENT
                                                                         : STANDING_FUNCTION;
}

/* Makes room for one more; NULL: there are ARRIVALS_MAX, or no memory. */
static struct prologue_arrival *next_arrival(struct arrivals *arrivals)
{
    if (arrivals->count >= ARRIVALS_MAX)
        return NULL;
    if (vec_reserve(&arrivals->items, &arrivals->cap, arrivals->count + 1,
                    sizeof(*arrivals->items)) != STATUS_OK) {
        arrivals->no_memory = true;
        return NULL;
    }
    return &arrivals->items[arrivals->count];
}

/*
 * Adds, without counting it, the state in which the jump at `source_vaddr` goes to `target_vaddr`.
 * NOT_FOUND: there is no such state, or a cap is reached.
 */
static enum status state_of_jump(struct prologue_source *source, uint64_t source_vaddr,
                                 uint64_t target_vaddr, struct arrivals *arrivals, unsigned depth)
{
    struct prologue_arrival *arrival = next_arrival(arrivals);
    const struct code_function *parent;
    const struct prologue *prologue;
    enum status status = module_functions_find(source->functions, source_vaddr, &parent);

    if (status != STATUS_OK || !arrival || arrivals->jumps++ >= JUMPS_TRIED)
        return STATUS_NOT_FOUND;
    if (arrivals->parent_vaddr != parent->start_vaddr) {
        if (arrivals->tries == 0)
            return STATUS_NOT_FOUND;
        arrivals->tries--;
        arrivals->parent_vaddr = parent->start_vaddr;
        arrivals->parent_failed = false;
    }
    arrivals->alone = false;
    if (arrivals->parent_failed)
        return STATUS_NOT_FOUND;
    status = prologue_source_outer(source, source_vaddr, depth, &prologue);
    arrivals->parent_failed = status != STATUS_OK;
    arrivals->no_memory = arrivals->no_memory || status == STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = prologue_state_at_jump(prologue, source_vaddr, target_vaddr, &arrival->state);
    arrival->vaddr = target_vaddr;
    arrival->source_vaddr = source_vaddr;
    return status;
}

/* Returns SP minus its entry value; negative: there is a frame. */
static int64_t height(const struct state *state, const struct arch *arch)
{
    const struct value *sp = &state->regs[arch->sp];

    return sp->kind == VALUE_ENTRY && sp->reg == arch->sp ? sp->k : -1;
}

/* Adds the cases of the jump tables of the function at `vaddr` that lie in the fragment. */
static void cases_of(struct prologue_source *source, uint64_t vaddr,
                     const struct prologue_input *input, struct arrivals *arrivals, unsigned depth)
{
    const struct prologue *prologue;
    enum status status;

    if (arrivals->count >= ARRIVALS_MAX)
        return;
    status = vec_reserve(&arrivals->items, &arrivals->cap, arrivals->count + CASES_TRIED,
                         sizeof(*arrivals->items));
    if (status == STATUS_OK)
        status = prologue_source_outer(source, vaddr, depth, &prologue);
    if (status == STATUS_OK)
        arrivals->count += prologue_outer_cases(prologue, input->start_vaddr, input->end_vaddr,
                                                arrivals->items + arrivals->count, CASES_TRIED);
    arrivals->no_memory = arrivals->no_memory || status == STATUS_NO_MEMORY;
}

/* Adds the jumps that the search for functions has found: all are in mid-frame. */
static void arrivals_from_search(struct prologue_source *source,
                                 const struct code_function *function,
                                 const struct prologue_input *input, struct arrivals *arrivals,
                                 unsigned depth)
{
    uint64_t parent_vaddr = 0; /* function whose cases were added */
    size_t count;
    const struct entry_jump *jumps =
        module_functions_jumps(source->functions, function->start_vaddr, function->end_vaddr,
                               &count);

    for (size_t i = 0; i < count; i++) {
        if (state_of_jump(source, jumps[i].source_vaddr, jumps[i].target_vaddr, arrivals, depth) !=
            STATUS_OK)
            continue;
        arrivals->count++;
        if (arrivals->parent_vaddr != parent_vaddr)
            cases_of(source, jumps[i].source_vaddr, input, arrivals, depth);
        parent_vaddr = arrivals->parent_vaddr;
    }
    if (count > 0)
        arrivals->alone = false;
}

/* Adds the states at landing pads in the function of calls elsewhere. */
static enum status arrivals_from_landing_pads(struct prologue_source *source,
                                              struct prologue_input *input,
                                              struct arrivals *arrivals, unsigned depth)
{
    struct module_landing_pads *module_landing_pads =
        module_functions_landing_pads(source->functions);
    struct landing_pad landing_pads[LANDING_PADS_TRIED];
    const struct landing_pads *into;
    size_t count;

    if (!module_landing_pads)
        return STATUS_OK;
    if (module_landing_pads_into(module_landing_pads, input->start_vaddr, input->end_vaddr,
                                 &into) != STATUS_OK)
        return STATUS_NO_MEMORY;
    count = into->count < LANDING_PADS_TRIED ? into->count : LANDING_PADS_TRIED;
    if (count > 0) {
        memcpy(landing_pads, into->items, count * sizeof(*landing_pads));
        arrivals->alone = false;
    }
    for (size_t i = 0; i < count; i++) {
        struct prologue_arrival *arrival = next_arrival(arrivals);
        const struct prologue *prologue;
        enum status status;

        if (!arrival)
            return STATUS_OK;
        if (landing_pads[i].landing_pad_vaddr == input->start_vaddr)
            input->not_entered = true;
        arrival->vaddr = landing_pads[i].landing_pad_vaddr;
        arrival->source_vaddr = landing_pads[i].start_vaddr;
        status = prologue_source_outer(source, landing_pads[i].start_vaddr, depth, &prologue);
        arrivals->no_memory = arrivals->no_memory || status == STATUS_NO_MEMORY;
        if (status == STATUS_OK &&
            prologue_state_at_landing_pad(prologue, &landing_pads[i], &arrival->state) == STATUS_OK)
            arrivals->count++;
    }
    return STATUS_OK;
}

/*
 * Adds cases of the jump tables of the function that a fragment is named after, if no jump leads to
 * the fragment.
 */
static void arrivals_from_tables(struct prologue_source *source, const struct prologue_input *input,
                                 struct arrivals *arrivals, unsigned depth)
{
    const struct symtab *symtab = module_symtab(source->code->set, source->code->module);
    unsigned parents = 0;
    struct symbol fragment, symbol;
    size_t count, length;
    const char *suffix;

    arrivals->alone = false;
    if (arrivals->count > 0 || source->code->code_only || !symtab ||
        symtab_find(symtab, input->start_vaddr, &fragment) != STATUS_OK)
        return;
    suffix = strstr(fragment.name, ".cold");
    if (!suffix)
        return;
    length = (size_t)(suffix - fragment.name);
    count = symtab_count(symtab);
    for (size_t i = 0; i < count && parents < PARENTS_MAX && arrivals->count < CASES_TRIED &&
                       source->names_compared < NAMES_COMPARED_MAX;
         i++, source->names_compared++) {
        symtab_at(symtab, i, &symbol);
        if (strncmp(symbol.name, fragment.name, length) != 0 || symbol.name[length])
            continue;
        parents++;
        cases_of(source, symbol.start_vaddr, input, arrivals, depth);
    }
}

/*
 * Is the jump in the instruction set of its function? To a PLT's first entry only stubs of the PLT
 * count, which jump there with pushed words; other code calls stubs, or jumps to them without a
 * frame.
 */
static bool is_of_its_function(const struct prologue_source *source, const struct jump *jump,
                               bool to_plt)
{
    const struct code_function *function;

    return module_functions_find(source->functions, jump->source_vaddr, &function) == STATUS_OK &&
           function->mode == jump->mode && (!to_plt || function->origin == FUNCTION_PLT);
}

/*
 * Does this jump enter the function in a state of its own? Not where SP is above its entry value:
 * that is the tail call of a fragment that was taken for a function. A jump to the start without a
 * frame is as good as a call. One to a place behind the start, without a frame, comes from a
 * function without a frame, of which this is a fragment; it counts only where no path from the
 * start leads.
 */
static bool is_arrival(const struct prologue_source *source, const struct prologue_input *input,
                       const struct prologue_arrival *arrival)
{
    int64_t k = height(&arrival->state, input->code->arch);
    const struct calls *calls;

    if (!state_tells_frame(&arrival->state, input->code->arch))
        return false;
    if (input->not_entered || arrival->vaddr != input->start_vaddr)
        return k <= 0;
    /* Code that is called, or begins like a function, is one: the state is wrong. */
    return k < 0 && !code_strong_start(input->code, input->start_vaddr, input->mode) &&
           !(input->code->arch->lr != REG_NONE &&
             module_code_calls(source->code, &calls) == STATUS_OK &&
             calls_lead_to(calls, input->start_vaddr));
}

/* Adds the states of jumps from anywhere in the file. */
static enum status arrivals_from_file(struct prologue_source *source,
                                      const struct code_function *function,
                                      struct prologue_input *input, struct arrivals *arrivals,
                                      unsigned depth)
{
    const uint64_t start_vaddr = function->start_vaddr, end_vaddr = function->end_vaddr;
    unsigned tail_calls = 0;
    bool is_fragment = false; /* a jump arrives in mid-frame */
    const bool plt = function->origin == FUNCTION_PLT;
    const struct jumps *jumps;
    const struct calls *calls;
    uint64_t parent_vaddr = 0; /* function whose cases were added */

    if (module_code_jumps(source->code, &jumps) != STATUS_OK)
        return STATUS_NO_MEMORY;
    for (size_t i = jumps_from(jumps, start_vaddr);
         i < jumps->count && jumps->items[i].target_vaddr < end_vaddr; i++) {
        const struct jump *jump = &jumps->items[i];
        bool to_start = jump->target_vaddr == start_vaddr;

        /* Code that is tail-called twice is a function. */
        if ((jump->source_vaddr >= start_vaddr && jump->source_vaddr < end_vaddr) ||
            (to_start && tail_calls == 2) || !is_of_its_function(source, jump, plt) ||
            state_of_jump(source, jump->source_vaddr, jump->target_vaddr, arrivals, depth) !=
                STATUS_OK)
            continue;
        if (is_arrival(source, input, &arrivals->items[arrivals->count])) {
            input->not_entered = input->not_entered || to_start;
            is_fragment = is_fragment || to_start ||
                          height(&arrivals->items[arrivals->count].state, input->code->arch) < 0;
            arrivals->count++;
            if (arrivals->parent_vaddr != parent_vaddr)
                cases_of(source, jump->source_vaddr, input, arrivals, depth);
            parent_vaddr = arrivals->parent_vaddr;
        } else {
            tail_calls += to_start;
        }
    }
    /* Only functions are exported. OCaml's get registers that the ABI keeps for callers. */
    if (is_fragment || plt || function->origin == FUNCTION_DYNSYM ||
        !code_continues(input->code, start_vaddr, input->mode))
        return STATUS_OK;
    if (module_code_calls(source->code, &calls) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (!calls_lead_to(calls, start_vaddr))
        input->not_entered = true; /* entered by exceptions only, or not known how */
    return STATUS_OK;
}

enum status prologue_arrivals_find(struct prologue_source *source,
                                   const struct code_function *function,
                                   struct prologue_input *input, struct arrivals *arrivals,
                                   unsigned depth)
{
    enum standing standing = standing_of(source, function);
    enum status status;

    arrivals->tries = depth == 0 ? PARENTS_TRIED : 2;
    /* A jump that leaves nothing of its frame enters a part as a call does. */
    input->not_entered = standing == STANDING_FRAGMENT && function->origin != FUNCTION_JUMP;
    status = arrivals_from_landing_pads(source, input, arrivals, depth);
    if (status != STATUS_OK)
        return status;
    if (function->origin >= FUNCTION_ENTRY) {
        arrivals_from_search(source, function, input, arrivals, depth);
        return STATUS_OK;
    }
    if (standing != STANDING_FUNCTION)
        status = arrivals_from_file(source, function, input, arrivals, depth);
    if (status == STATUS_OK && standing == STANDING_FRAGMENT)
        arrivals_from_tables(source, input, arrivals, depth);
    if (status == STATUS_OK)
        prologue_arrive_by_table(source, function, input, arrivals);
    return status;
}
