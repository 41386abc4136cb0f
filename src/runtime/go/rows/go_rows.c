/* SPDX-License-Identifier: MIT */
#include "runtime/go/rows/go_rows.h"

#include <string.h>

#define PREFIX "runtime."

static bool is_runtime(const struct go_function *function, const char *name)
{
    return strncmp(function->name, PREFIX, sizeof(PREFIX) - 1) == 0 &&
           strcmp(function->name + sizeof(PREFIX) - 1, name) == 0;
}

/* The table describes cgocallback's frame, although it switches stacks. */
static bool writes_sp(const struct go_function *function)
{
    return function->flags & GO_FUNCTION_SP_WRITE && !is_runtime(function, "cgocallback");
}

bool go_writes_sp(const struct gopclntab *table, uint64_t vaddr)
{
    struct go_function function;

    return gopclntab_find(table, vaddr, &function) == STATUS_OK && writes_sp(&function);
}

/*
 * A signal handler has made the interrupted code call asyncPreempt (runtime/signal_*.go, pushCall):
 * where calls put the return address in LR, LR was pushed before, and SP kept aligned.
 */
static void return_to_interrupted(const struct arch *arch, struct row *row)
{
    const int32_t pushed = arch->lr == REG_NONE ? 0 : arch->word_size == 8 ? 16 : 4;

    row->signal_frame = true;
    if (!pushed)
        return;
    row->cfa.off += pushed;
    if (row->ra.kind == RULE_AT_CFA)
        row->ra.off -= pushed;
    row->regs[arch->lr] = (struct rule){.kind = RULE_AT_CFA, .off = -pushed};
}

/*
 * Go's functions keep no registers for their callers. Where calls put the return address in LR the
 * frame has it at SP.
 */
enum status go_row(const struct gopclntab *table, const struct arch *arch, uint64_t vaddr,
                   struct go_sp_delta *last, struct row *out)
{
    struct go_function function;
    enum status status = gopclntab_find(table, vaddr, &function);

    if (status == STATUS_OK)
        status = writes_sp(&function) ? STATUS_NOT_FOUND
                                      : gopclntab_sp_delta(table, &function, vaddr, last);
    if (status != STATUS_OK)
        return status;
    if (last->delta < 0 || last->delta % arch->word_size != 0)
        return STATUS_NOT_FOUND;
    row_init(out, last->start_vaddr, last->end_vaddr, TRUST_GOPCLNTAB);
    out->cfa =
        (struct rule){.kind = CFA_REG, .reg = arch->sp, .off = last->delta + arch->cfa_entry_off};
    if (arch->lr == REG_NONE)
        out->ra = (struct rule){.kind = RULE_AT_CFA, .off = -(int32_t)arch->word_size};
    else if (last->delta > 0)
        out->ra = (struct rule){.kind = RULE_AT_CFA, .off = -last->delta};
    else
        out->ra = (struct rule){.kind = RULE_SAME};
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (arch->callee_saved >> reg & 1)
            out->regs[reg] = (struct rule){.kind = RULE_UNDEFINED};
    if (is_runtime(&function, "asyncPreempt"))
        return_to_interrupted(arch, out);
    return STATUS_OK;
}

enum go_place go_place(const struct gopclntab *table, uint64_t vaddr)
{
    static const struct {
        const char *name;
        enum go_place place;
    } places[] = {
        {"goexit", GO_BEGINS},       {"mstart", GO_BEGINS},
        {"rt0_go", GO_BEGINS},       {"systemstack", GO_LEAVES},
        {"mcall", GO_LEAVES},        {"asmcgocall", GO_SWITCHES},
        {"morestack", GO_GROWS},     {"schedule", GO_SCHEDULES},
        {"execute", GO_SCHEDULES},   {"systemstack_switch", GO_MARKS},
        {"cgocallback", GO_RETURNS}, {"gogo", GO_SWITCHES},
    };
    struct go_function function;

    if (gopclntab_find(table, vaddr, &function) != STATUS_OK)
        return GO_ELSEWHERE;
    /* gogo, which is known in its own assembly file only, has no package before its name. */
    if (strcmp(function.name, "gogo") == 0)
        return GO_SWITCHES;
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (is_runtime(&function, places[i].name))
            return places[i].place;
    return GO_ELSEWHERE;
}
