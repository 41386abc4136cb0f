/* SPDX-License-Identifier: MIT */
#include "unwind/explain/explain_plan.h"

#include <stdlib.h>

#include "base/search.h"
#include "base/vec.h"
#include "unwind/prologue/prologue_rows.h"

#define SHOWN_AROUND 12 /* instructions before and behind the address */
#define SHOWN_BEFORE 64 /* nearest instructions on the ways to it */
#define SHOWN_FIRST  24 /* from the function's start up to its first branch or call */

static bool has_row(const struct state *state, const struct plan *plan)
{
    enum cfa_choice choice;
    enum row_reason reason =
        state_row_reason(state, plan->request->code->arch, plan->dynamic, &choice);

    return reason == ROW_COMPLETE || reason == ROW_OUTERMOST;
}

static void note_way(void *context, const struct explained_way *way)
{
    struct plan *plan = context;

    if (plan->way_count >= PLAN_WAYS_MAX || plan->no_memory)
        return;
    if (vec_reserve(&plan->ways, &plan->way_cap, plan->way_count + 1, sizeof(*plan->ways)) !=
        STATUS_OK) {
        plan->no_memory = true;
        return;
    }
    plan->ways[plan->way_count++] = (struct planned_way){.from_vaddr = way->from_vaddr,
                                                         .to_vaddr = way->to_vaddr,
                                                         .kind = (uint8_t)way->kind,
                                                         .left_out = way->left_out,
                                                         .complete = has_row(way->state, plan)};
}

static uint8_t flags_of(const struct explained_insn *it, const struct plan *plan)
{
    const struct arch *arch = plan->request->code->arch;
    uint8_t flags = it->joins ? PLANNED_JOINS : 0;
    struct row before, after;

    if (!it->before || !it->after)
        return flags;
    row_init(&before, 0, 0, TRUST_PROLOGUE);
    row_init(&after, 0, 0, TRUST_PROLOGUE);
    state_to_row(it->before, arch, plan->dynamic, &before);
    state_to_row(it->after, arch, plan->dynamic, &after);
    if (!row_same_rules(&before, &after) ||
        !value_equal(&it->before->regs[arch->sp], &it->after->regs[arch->sp]))
        flags |= PLANNED_MOVES;
    if (has_row(it->before, plan) && !has_row(it->after, plan))
        flags |= PLANNED_MOVES | PLANNED_LOSES;
    return flags;
}

static void note_insn(void *context, const struct explained_insn *it)
{
    struct plan *plan = context;

    if (plan->no_memory)
        return;
    if (vec_reserve(&plan->insns, &plan->insn_cap, plan->insn_count + 1, sizeof(*plan->insns)) !=
        STATUS_OK) {
        plan->no_memory = true;
        return;
    }
    plan->insns[plan->insn_count++] = (struct planned_insn){.vaddr = it->insn->vaddr,
                                                            .size = it->insn->size,
                                                            .padding = it->padding,
                                                            .flags = flags_of(it, plan)};
}

static int by_target(const void *a, const void *b)
{
    const struct planned_way *x = a, *y = b;

    if (x->to_vaddr != y->to_vaddr)
        return x->to_vaddr < y->to_vaddr ? -1 : 1;
    return (x->from_vaddr > y->from_vaddr) - (x->from_vaddr < y->from_vaddr);
}

size_t plan_find(const struct plan *plan, uint64_t vaddr)
{
    size_t low = SEARCH_FIRST(i, 0, plan->insn_count, plan->insns[i].vaddr < vaddr);

    return low < plan->insn_count && plan->insns[low].vaddr == vaddr ? low : plan->insn_count;
}

size_t plan_ways_to(const struct plan *plan, uint64_t vaddr, size_t *count)
{
    size_t low = SEARCH_FIRST(i, 0, plan->way_count, plan->ways[i].to_vaddr < vaddr);

    *count = 0;
    while (low + *count < plan->way_count && plan->ways[low + *count].to_vaddr == vaddr)
        ++*count;
    return low;
}

/* Returns the instruction whose row holds at the address: padding before it counts. */
static size_t find_target(const struct plan *plan)
{
    uint64_t vaddr = plan->request->vaddr;

    for (size_t i = 0; i < plan->insn_count; i++) {
        const struct planned_insn *insn = &plan->insns[i];

        if (vaddr >= insn->vaddr - insn->padding && vaddr < insn->vaddr + insn->size)
            return i;
    }
    return plan->insn_count;
}

/* A breadth-first walk back from the address in question. */
struct back_walk {
    struct plan *plan;
    size_t *queue; /* indices of instructions, each once */
    size_t count;
};

static void put_back(struct back_walk *walk, size_t index)
{
    struct planned_insn *insn = &walk->plan->insns[index];

    if (insn->flags & PLANNED_ON_WAY)
        return;
    insn->flags |= PLANNED_ON_WAY;
    walk->queue[walk->count++] = index;
}

/* Do some of the ways bring a row and others none? */
static bool loses_where_ways_meet(const struct plan *plan, size_t first, size_t count)
{
    bool complete = false, incomplete = false;

    for (size_t i = first; i < first + count; i++) {
        complete = complete || (plan->ways[i].complete && !plan->ways[i].left_out);
        incomplete = incomplete || (!plan->ways[i].complete && !plan->ways[i].left_out);
    }
    return complete && incomplete;
}

static void put_those_before(struct back_walk *walk, size_t index)
{
    const struct plan *plan = walk->plan;
    const struct planned_insn *insn = &plan->insns[index];
    size_t count, first;

    if (!(insn->flags & PLANNED_JOINS)) {
        if (index > 0 && insn[-1].vaddr + insn[-1].size == insn->vaddr)
            put_back(walk, index - 1);
        return;
    }
    first = plan_ways_to(plan, insn->vaddr, &count);
    for (size_t i = first; i < first + count; i++) {
        size_t from = plan_find(plan, plan->ways[i].from_vaddr);

        if (!plan->ways[i].left_out && from < plan->insn_count)
            put_back(walk, from);
    }
    if (loses_where_ways_meet(plan, first, count))
        plan->insns[index].flags |= PLANNED_GIVES_UP;
}

/* Marks the instructions on ways to the address, and shows those that made its row. */
static enum status look_back(struct plan *plan)
{
    struct back_walk walk = {.plan = plan};
    unsigned shown = 0;

    walk.queue = malloc((plan->insn_count + 1) * sizeof(*walk.queue));
    if (!walk.queue)
        return STATUS_NO_MEMORY;
    put_back(&walk, plan->target);
    for (size_t i = 0; i < walk.count; i++) {
        size_t index = walk.queue[i];
        struct planned_insn *insn = &plan->insns[index];
        /* the instruction at the address acts behind it */
        const uint8_t losing = index == plan->target ? 0 : PLANNED_LOSES;

        put_those_before(&walk, index);
        if (insn->flags & (losing | PLANNED_GIVES_UP) && plan->lost == plan->insn_count)
            plan->lost = index;
        if (insn->flags & (PLANNED_MOVES | PLANNED_GIVES_UP) && shown < SHOWN_BEFORE) {
            insn->flags |= PLANNED_SHOWN;
            shown++;
        }
    }
    free(walk.queue);
    return STATUS_OK;
}

static void show(struct plan *plan, size_t from, size_t to)
{
    for (size_t i = from; i < to && i < plan->insn_count; i++)
        plan->insns[i].flags |= PLANNED_SHOWN;
}

/* Shows the function's start, up to the end of its straight code. */
static void show_start(struct plan *plan)
{
    size_t i = 0;

    while (i < plan->insn_count && i < SHOWN_FIRST &&
           (i == 0 || !(plan->insns[i].flags & PLANNED_JOINS)))
        i++;
    show(plan, 0, i);
}

static void choose(struct plan *plan)
{
    size_t around = plan->target;

    if (plan->request->verbose || plan->insn_count <= EXPLAIN_WHOLE_MAX) {
        show(plan, 0, plan->insn_count);
        return;
    }
    show_start(plan);
    if (around == plan->insn_count) /* take the instruction before an address without one */
        for (around = 0; around + 1 < plan->insn_count &&
                         plan->insns[around + 1].vaddr <= plan->request->vaddr;)
            around++;
    show(plan, around > SHOWN_AROUND ? around - SHOWN_AROUND : 0, around + SHOWN_AROUND + 1);
}

enum status plan_make(const struct explain_request *request, struct plan *plan)
{
    const struct explain_watch watch = {.insn = note_insn, .way = note_way, .context = plan};
    enum status status = STATUS_OK;

    *plan = (struct plan){.request = request, .dynamic = prologue_is_dynamic(request->prologue)};
    prologue_explain(request->prologue, &request->entries, &watch);
    if (plan->no_memory) {
        plan_deinit(plan);
        return STATUS_NO_MEMORY;
    }
    if (plan->way_count > 1)
        qsort(plan->ways, plan->way_count, sizeof(*plan->ways), by_target);
    plan->target = find_target(plan);
    plan->lost = plan->insn_count;
    if (plan->target < plan->insn_count)
        status = look_back(plan);
    if (status != STATUS_OK) {
        plan_deinit(plan);
        return status;
    }
    choose(plan);
    return STATUS_OK;
}

void plan_deinit(struct plan *plan)
{
    free(plan->insns);
    free(plan->ways);
    plan->insns = NULL;
    plan->ways = NULL;
}
