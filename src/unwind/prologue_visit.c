/* What an analysis is asked: its instructions with their states, its rows. */
#include <stdlib.h>

#include "base/vec.h"
#include "unwind/prologue_rows.h"
#include "unwind/prologue_walk.h"

void prologue_visit(const struct prologue *a, prologue_visit_fn *visit, void *context)
{
    uint64_t next_vaddr = 0;
    bool valid = false, guessed = false;
    struct state merged;
    struct walk walk;

    for (size_t i = 0; i < a->order_count; i++) {
        const struct node *node = &a->nodes[a->order[i]];
        const struct code_insn *insn = node_insn(a, node);
        const struct state *state = NULL;
        unsigned path = 0;

        if (node->state >= 0) {
            walk_begin(&walk, &a->states[node->state]);
            valid = true;
            guessed = !node->reached;
        } else if (insn->vaddr != next_vaddr) {
            valid = false;
        }
        if (valid) {
            path = walk_enter(&walk, insn, a->arch);
            state = walk_state(&walk, a->arch, &merged);
        }
        if (!visit(context, insn, state, guessed))
            return;
        next_vaddr = insn->vaddr + insn->size;
        if (valid) {
            struct op compare = walk.compare;

            walk_execute(a, &walk, node, path);
            if (insn->equal == EQUAL_FALLS && !walk_make_equal(&compare, &walk.paths[path]))
                walk.ended[path] = true;
            valid = walk_leave(&walk, insn, a->arch);
        }
    }
}

void prologue_visit_data(const struct prologue *a, prologue_data_visit_fn *visit, void *context)
{
    for (size_t i = 0; i < a->data_count; i++)
        visit(context, a->data[i].start_vaddr, a->data[i].end_vaddr);
}

size_t prologue_size(const struct prologue *a)
{
    return a->node_count;
}

bool prologue_reaches(const struct prologue *a, uint64_t vaddr)
{
    return prologue_node_at(a, vaddr) != NULL;
}

bool prologue_goes_on(const struct prologue *a, const struct code_insn *insn)
{
    const struct node *node = prologue_node_at(a, insn->vaddr);

    return node && (node->falls_through || insn->predicate);
}

void prologue_execute(const struct prologue *a, const struct code_insn *insn, struct state *state)
{
    walk_effect(a, insn, state);
}

struct row_maker {
    const struct arch *arch;
    struct row_table *out;
    bool dynamic;
    struct state state; /* that the last row was made of */
    enum status status;
};

static bool make_row(void *context, const struct code_insn *insn, const struct state *state,
                     bool guessed)
{
    struct row_maker *maker = context;
    struct row_table *out = maker->out;
    struct row *last = out->count ? &out->rows[out->count - 1] : NULL;
    struct row row;

    (void)guessed;
    if (!state)
        return true;
    if (last && last->end_vaddr == insn->vaddr &&
        state_same_row(state, &maker->state, maker->arch)) {
        last->end_vaddr += insn->size;
        return true;
    }
    state_copy(&maker->state, state);
    row_init(&row, insn->vaddr, insn->vaddr + insn->size, TRUST_PROLOGUE);
    state_to_row(state, maker->arch, maker->dynamic, &row);
    if (last && last->end_vaddr == row.start_vaddr && row_same_rules(last, &row)) {
        last->end_vaddr = row.end_vaddr;
        return true;
    }
    maker->status = vec_reserve(&out->rows, &out->cap, out->count + 1, sizeof(*out->rows));
    if (maker->status == STATUS_OK)
        out->rows[out->count++] = row;
    return maker->status == STATUS_OK;
}

/* Is there a place where the frame pointer tells the CFA and SP does not? */
static bool is_dynamic(const struct prologue *a)
{
    for (size_t i = 0; i < a->state_count; i++) {
        const struct value *fp = &a->states[i].regs[a->arch->fp];

        if (a->states[i].regs[a->arch->sp].kind == VALUE_UNKNOWN && fp->kind == VALUE_ENTRY &&
            fp->reg == a->arch->sp)
            return true;
    }
    return false;
}

/* Gives back what the rows do not need: tables are kept by the thousand. */
static void trim_table(struct row_table *table)
{
    struct row *rows =
        table->count ? realloc(table->rows, table->count * sizeof(*table->rows)) : NULL;

    if (rows) {
        table->rows = rows;
        table->cap = table->count;
    }
}

enum status prologue_rows(const struct prologue *a, struct row_table *out)
{
    struct row_maker maker;

    *out = (struct row_table){0};
    maker.arch = a->arch;
    maker.out = out;
    maker.dynamic = is_dynamic(a);
    maker.status = STATUS_OK;
    prologue_visit(a, make_row, &maker);
    if (maker.status != STATUS_OK)
        row_table_deinit(out);
    else
        trim_table(out);
    return maker.status;
}

struct jump_finder {
    uint64_t vaddr, target_vaddr;
    struct state *out;
    bool found;
};

static bool find_jump(void *context, const struct code_insn *insn, const struct state *state,
                      bool guessed)
{
    struct jump_finder *finder = context;

    (void)guessed;
    if (insn->vaddr < finder->vaddr)
        return true;
    if (state && insn->vaddr == finder->vaddr && insn->has_target &&
        insn->target_vaddr == finder->target_vaddr &&
        (insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH)) {
        state_copy(finder->out, state);
        finder->found = true;
    }
    return false;
}

enum status prologue_state_at_jump(const struct prologue *a, uint64_t vaddr, uint64_t target_vaddr,
                                   struct state *out)
{
    struct jump_finder finder = {.vaddr = vaddr, .target_vaddr = target_vaddr, .out = out};

    prologue_visit(a, find_jump, &finder);
    return finder.found ? STATUS_OK : STATUS_NOT_FOUND;
}

void row_table_deinit(struct row_table *table)
{
    free(table->rows);
    *table = (struct row_table){0};
}

const struct row *row_table_find(const struct row_table *table, uint64_t vaddr)
{
    size_t low = 0, high = table->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (table->rows[mid].end_vaddr <= vaddr)
            low = mid + 1;
        else
            high = mid;
    }
    return low < table->count && vaddr >= table->rows[low].start_vaddr ? &table->rows[low] : NULL;
}
