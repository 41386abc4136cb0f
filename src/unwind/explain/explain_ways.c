/* SPDX-License-Identifier: MIT */
#include "unwind/explain/explain_ways.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/search.h"
#include "base/vec.h"
#include "unwind/explain/explain_text.h"

static void keep_way(void *context, const struct explained_way *way)
{
    struct kept_ways *ways = context;
    size_t index = plan_find(ways->plan, way->to_vaddr);

    if (ways->no_memory || ways->count >= WAYS_KEPT_MAX || index == ways->plan->insn_count ||
        !(ways->plan->insns[index].flags & PLANNED_SHOWN))
        return;
    if (vec_reserve(&ways->items, &ways->cap, ways->count + 1, sizeof(*ways->items)) != STATUS_OK ||
        states_add(&ways->states, way->state) != STATUS_OK) {
        ways->no_memory = true;
        return;
    }
    ways->items[ways->count++] = (struct kept_way){.way = {.from_vaddr = way->from_vaddr,
                                                           .to_vaddr = way->to_vaddr,
                                                           .kind = (uint8_t)way->kind,
                                                           .left_out = way->left_out},
                                                   .state = (uint32_t)ways->states.count - 1};
}

static int by_target(const void *a, const void *b)
{
    const struct kept_way *x = a, *y = b;

    if (x->way.to_vaddr != y->way.to_vaddr)
        return x->way.to_vaddr < y->way.to_vaddr ? -1 : 1;
    return (x->state > y->state) - (x->state < y->state); /* in the order of the reports */
}

enum status kept_ways_make(const struct plan *plan, struct kept_ways *out)
{
    const struct explain_watch watch = {.way = keep_way, .context = out};

    *out = (struct kept_ways){.plan = plan};
    prologue_explain(plan->request->prologue, &plan->request->entries, &watch);
    if (out->no_memory) {
        kept_ways_deinit(out);
        return STATUS_NO_MEMORY;
    }
    if (out->count > 1)
        qsort(out->items, out->count, sizeof(*out->items), by_target);
    return STATUS_OK;
}

void kept_ways_deinit(struct kept_ways *ways)
{
    free(ways->items);
    states_deinit(&ways->states);
    ways->items = NULL;
}

/* The ways to one place that have a state. */
struct meeting {
    const struct kept_ways *ways;
    const struct kept_way *items;
    size_t count;
    const struct state *kept;
    const struct arch *arch;
    FILE *out;
};

static const struct state *state_of(const struct meeting *m, size_t index)
{
    return m->ways->states.items[m->items[index].state];
}

/* Formats where the way comes from: "401005 (jump)". */
static const char *format_source(const struct planned_way *way, char buffer[64])
{
    const char *how = "";

    switch ((enum way_kind)way->kind) {
    case WAY_CALLERS:
        snprintf(buffer, 64, "callers");
        return buffer;
    case WAY_GUESS:
        snprintf(buffer, 64, "a guess");
        return buffer;
    case WAY_OUTSIDE:
        how = "another function";
        break;
    case WAY_JUMP:
        how = "jump";
        break;
    case WAY_CASE:
        how = "jump table";
        break;
    case WAY_NEXT:
        how = "next";
        break;
    case WAY_RETURN:
        how = "behind the call";
        break;
    case WAY_THROW:
        how = "landing pad";
        break;
    case WAY_CALLED:
        how = "call";
        break;
    }
    snprintf(buffer, 64, "%" PRIx64 " (%s)", way->from_vaddr, how);
    return buffer;
}

static void write_sources(const struct meeting *m, size_t all)
{
    struct item_line line = item_line_begin(m->out, "from");
    char text[64];

    for (size_t i = 0; i < m->count; i++)
        item_line_put(&line, "%s%s", format_source(&m->items[i].way, text),
                      i + 1 < m->count ? "," : "");
    if (all > m->count)
        item_line_put(&line, "and %zu more that are not compared", all - m->count);
    item_line_end(&line);
}

static void write_guess(const struct meeting *m, uint64_t vaddr)
{
    const struct explained_guess guess = prologue_guess(m->ways->plan->request->prologue, vaddr);
    struct item_line line = item_line_begin(m->out, "guess");

    item_line_put(&line, "no path is known to lead here:");
    switch (guess.from) {
    case GUESS_INDIRECT:
        item_line_put(&line, "as before the indirect jumps that were not understood,");
        break;
    case GUESS_TRAP:
        item_line_put(&line, "as at the trap before it, behind which a handler may go on");
        item_line_end(&line);
        return;
    case GUESS_CALLS:
        item_line_put(&line, "as behind the function's calls,");
        break;
    case GUESS_TAIL_CALLS:
        item_line_put(&line, "as before the function's tail calls,");
        break;
    case GUESS_NO_FRAME:
        item_line_put(&line, "the function calls nothing and leaves SP alone");
        item_line_end(&line);
        return;
    }
    item_line_put(&line, "%u of %u of which have the same depth", guess.agreed, guess.all);
    item_line_end(&line);
}

/* Writes what merging a state that was left out would have changed. */
static void write_left_out(const struct meeting *m, size_t index)
{
    const struct planned_way *way = &m->items[index].way;
    struct item_line line = item_line_begin(m->out, "without");
    char text[64];

    item_line_put(&line, "%s:", format_source(way, text));
    state_put_changes(&line, m->kept, state_of(m, index), m->arch, false);
    if (way->kind == WAY_RETURN)
        item_line_put(&line, "(the call is taken not to return)");
    item_line_end(&line);
}

/* Is the register unknown, though a way has a value of it? */
static bool gave_up_register(const struct meeting *m, unsigned reg)
{
    if (m->kept->regs[reg].kind != VALUE_UNKNOWN)
        return false;
    for (size_t i = 0; i < m->count; i++)
        if (!m->items[i].way.left_out && state_of(m, i)->regs[reg].kind != VALUE_UNKNOWN)
            return true;
    return false;
}

static const struct value *slot_value(const struct state *state, const struct value *addr)
{
    static const struct value unknown = {.kind = VALUE_UNKNOWN};
    const struct value *value = state_load(state, addr);

    return value ? value : &unknown;
}

/* Writes "NAME: c-24 from 401005, ? from 401010": each value once, of the first way with it. */
static void write_values(const struct meeting *m, const char *name, unsigned reg,
                         const struct value *addr)
{
    struct item_line line = item_line_begin(m->out, "gives up");
    char value[VALUE_TEXT_MAX], text[64];

    item_line_put(&line, "%s:", name);
    for (size_t i = 0; i < m->count; i++) {
        const struct value *own =
            addr ? slot_value(state_of(m, i), addr) : &state_of(m, i)->regs[reg];
        bool known = m->items[i].way.left_out;

        for (size_t k = 0; k < i && !known; k++)
            known = !m->items[k].way.left_out &&
                    value_equal(own, addr ? slot_value(state_of(m, k), addr)
                                          : &state_of(m, k)->regs[reg]);
        if (!known)
            item_line_put(&line, "%s from %s;", value_format(own, m->arch, value),
                          format_source(&m->items[i].way, text));
    }
    item_line_end(&line);
}

/* Writes the slots of the ways that the kept state lacks; each once. */
static void write_slots(const struct meeting *m)
{
    char name[VALUE_TEXT_MAX + 2], addr[VALUE_TEXT_MAX];

    for (size_t i = 0; i < m->count; i++) {
        const struct state *state = state_of(m, i);

        for (unsigned k = 0; k < state->slot_count && !m->items[i].way.left_out; k++) {
            const struct slot *slot = &state->slots[k];
            bool known = state_load(m->kept, &slot->addr) || !value_tells(&slot->value, m->arch);

            for (size_t before = 0; before < i && !known; before++)
                known = !m->items[before].way.left_out &&
                        state_load(state_of(m, before), &slot->addr) != NULL;
            if (known)
                continue;
            snprintf(name, sizeof(name), "[%s]", value_format(&slot->addr, m->arch, addr));
            write_values(m, name, 0, &slot->addr);
        }
    }
}

static void write_given_up(const struct meeting *m)
{
    const uint64_t told = m->arch->callee_saved | UINT64_C(1) << m->arch->sp |
                          (m->arch->lr != REG_NONE ? UINT64_C(1) << m->arch->lr : 0);

    for (unsigned reg = 0; reg < m->arch->reg_count; reg++)
        if ((told >> reg & 1) && reg != m->arch->pc && gave_up_register(m, reg))
            write_values(m, arch_reg_names(m->arch)[reg], reg, NULL);
    write_slots(m);
}

void kept_ways_write(const struct kept_ways *ways, uint64_t vaddr, const struct state *kept,
                     FILE *out)
{
    struct meeting m = {.ways = ways,
                        .kept = kept,
                        .arch = ways->plan->request->code->arch,
                        .out = out};
    size_t low = SEARCH_FIRST(i, 0, ways->count, ways->items[i].way.to_vaddr < vaddr), all;

    m.items = ways->items + low;
    while (low + m.count < ways->count && m.items[m.count].way.to_vaddr == vaddr &&
           m.count < WAYS_COMPARED_MAX)
        m.count++;
    (void)plan_ways_to(ways->plan, vaddr, &all);
    write_sources(&m, all);
    for (size_t i = 0; i < m.count; i++) {
        if (m.items[i].way.kind == WAY_GUESS)
            write_guess(&m, vaddr);
        if (m.items[i].way.left_out)
            write_left_out(&m, i);
    }
    write_given_up(&m);
}
