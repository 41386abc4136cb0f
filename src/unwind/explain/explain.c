/* SPDX-License-Identifier: MIT */
#include "unwind/explain/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/search.h"
#include "base/vec.h"
#include "unwind/explain/explain_row.h"
#include "unwind/explain/explain_text.h"
#include "unwind/explain/explain_ways.h"

#define DATA_MAX 65536 /* extents of data among the code that are distinguished */

struct data_range {
    uint64_t start_vaddr, end_vaddr;
};

/* State while the text is written. */
struct writer {
    const struct explain_request *request;
    struct plan plan;
    struct kept_ways ways;
    FILE *out;
    struct decoder *decoders[2]; /* owned, by mode; NULL: not needed yet */
    struct data_range *data;     /* owned */
    size_t data_count, data_cap;
    size_t index;                /* of the next instruction */
    size_t left_out;             /* instructions since the last one shown */
    uint64_t next_vaddr;         /* end of the last instruction */
    bool followed;               /* there is a state behind the last instruction */
    struct state at;             /* before the instruction at the address */
    bool has_state;              /* `at` is known */
    char row[EXPLAINED_ROW_MAX]; /* last one written */
    enum status status;
};

static void note_data(void *context, uint64_t start_vaddr, uint64_t end_vaddr)
{
    struct writer *w = context;

    if (w->data_count >= DATA_MAX)
        return;
    if (vec_reserve(&w->data, &w->data_cap, w->data_count + 1, sizeof(*w->data)) != STATUS_OK) {
        w->status = STATUS_NO_MEMORY;
        return;
    }
    w->data[w->data_count++] = (struct data_range){start_vaddr, end_vaddr};
}

static int by_start(const void *a, const void *b)
{
    const struct data_range *x = a, *y = b;

    return (x->start_vaddr > y->start_vaddr) - (x->start_vaddr < y->start_vaddr);
}

/* Sorts the data and joins adjacent ranges. */
static void order_data(struct writer *w)
{
    size_t kept = 0;

    if (w->data_count > 1)
        qsort(w->data, w->data_count, sizeof(*w->data), by_start);
    for (size_t i = 0; i < w->data_count; i++) {
        struct data_range *last = kept > 0 ? &w->data[kept - 1] : NULL;

        if (!last || w->data[i].start_vaddr > last->end_vaddr)
            w->data[kept++] = w->data[i];
        else if (w->data[i].end_vaddr > last->end_vaddr)
            last->end_vaddr = w->data[i].end_vaddr;
    }
    w->data_count = kept;
}

/* Is there data at `vaddr`? *until: where the answer changes. */
static bool data_at(const struct writer *w, uint64_t vaddr, uint64_t *until)
{
    size_t low = SEARCH_FIRST(i, 0, w->data_count, w->data[i].end_vaddr <= vaddr);

    *until = UINT64_MAX;
    if (low == w->data_count)
        return false;
    *until = vaddr < w->data[low].start_vaddr ? w->data[low].start_vaddr : w->data[low].end_vaddr;
    return vaddr >= w->data[low].start_vaddr;
}

/* Writes about the bytes between two instructions; the last `padding` of them are padding. */
static void write_gap(const struct writer *w, uint64_t start_vaddr, uint64_t end_vaddr,
                      unsigned padding)
{
    const uint64_t code_end = end_vaddr - padding;

    for (uint64_t vaddr = start_vaddr, next; vaddr < code_end; vaddr = next) {
        const bool data = data_at(w, vaddr, &next);

        if (next > code_end)
            next = code_end;
        fprintf(w->out, "  %*" PRIx64 "  %" PRIu64 " byte%s %s\n", EXPLAIN_INDENT - 4, vaddr,
                next - vaddr, plural(next - vaddr),
                data                ? "of data that the function's code reads"
                : next - vaddr == 1 ? "that is no instruction of the function"
                                    : "that are no instructions of the function");
    }
    if (padding)
        fprintf(w->out, "  %*" PRIx64 "  %u byte%s of padding, with the row of what follows\n",
                EXPLAIN_INDENT - 4, code_end, padding, plural(padding));
}

static void write_left_out(struct writer *w)
{
    if (w->left_out > 0)
        fprintf(w->out, "%*s... %zu instruction%s left out\n", EXPLAIN_INDENT, "", w->left_out,
                w->left_out == 1 ? " is" : "s are");
    w->left_out = 0;
}

static void write_name(const struct writer *w, uint64_t vaddr)
{
    if (w->request->write_name)
        w->request->write_name(w->request->context, w->out, vaddr);
}

/* NULL: no disassembly. */
static struct decoder *decoder_of(struct writer *w, enum code_mode mode)
{
    if (w->decoders[mode])
        return w->decoders[mode];
    if (decoder_create(code_set(w->request->code, mode), &w->decoders[mode]) == STATUS_OK)
        code_prepare(w->request->code, w->decoders[mode]);
    else
        w->decoders[mode] = NULL;
    return w->decoders[mode];
}

/* "> 401000  53   push rbx  (by mask)" */
static void write_insn(struct writer *w, const struct code_insn *insn, bool is_target)
{
    const struct code *code = w->request->code;
    struct decoder *decoder = decoder_of(w, (enum code_mode)insn->mode);
    char hex[2 * INSN_SIZE_MAX + 1] = "";
    struct insn_text text = {.by_mask = false};
    uint64_t avail;
    const uint8_t *bytes = code->bytes_at(code->context, insn->vaddr, &avail);

    for (unsigned i = 0; bytes && i < insn->size && i < avail; i++)
        snprintf(hex + 2 * (size_t)i, 3, "%02x", bytes[i]);
    if (bytes && decoder &&
        decoder_text(decoder, bytes, avail, insn->vaddr, insn->context, &text) == STATUS_NO_MEMORY)
        w->status = STATUS_NO_MEMORY;
    fprintf(w->out, "%c %*" PRIx64 "  %-20s  %s%s\n", is_target ? '>' : ' ', EXPLAIN_INDENT - 4,
            insn->vaddr, hex, text.text[0] ? text.text : "?", text.by_mask ? "  (by mask)" : "");
}

/* The conditions of ARM and A64, by their code: no other architecture has predicates. */
static const char *condition_name(uint8_t predicate)
{
    static const char *const names[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs", "vc",
                                        "hi", "ls", "ge", "lt", "gt", "le", "al", "nv"};

    return names[(predicate - 1) & 15];
}

static const char *flow_name(enum flow flow)
{
    switch (flow) {
    case FLOW_NEXT:
        return "FLOW_NEXT";
    case FLOW_JUMP:
        return "FLOW_JUMP";
    case FLOW_BRANCH:
        return "FLOW_BRANCH";
    case FLOW_CALL:
        return "FLOW_CALL";
    case FLOW_RETURN:
        return "FLOW_RETURN";
    case FLOW_INDIRECT:
        return "FLOW_INDIRECT";
    case FLOW_STOP:
        return "FLOW_STOP";
    }
    return "?";
}

/* Writes the effects of the called function that the ABI does not give. */
static void write_callee(const struct writer *w, const struct explained_insn *it)
{
    const struct arch *arch = w->request->code->arch;
    const struct callee *callee = &it->callee;

    if (callee->never_returns)
        fputs(", which never returns", w->out);
    else if (!it->goes_on)
        fputs(", taken not to return by what lies behind", w->out);
    if (callee->returns_twice)
        fputs(", which returns twice", w->out);
    if (callee->pops)
        fprintf(w->out, ", which takes %u byte%s of arguments off the stack", callee->pops,
                plural(callee->pops));
    if (callee->pc_reg < arch->reg_count)
        fprintf(w->out, ", which does nothing but tell the PC in %s",
                arch_reg_names(arch)[callee->pc_reg]);
}

static void write_flow(const struct writer *w, const struct explained_insn *it)
{
    const struct code_insn *insn = it->insn;

    if (insn->flow == FLOW_NEXT && !insn->predicate)
        return;
    fprintf(w->out, "%*s%-8s %s", EXPLAIN_INDENT, "", "goes", flow_name((enum flow)insn->flow));
    if (insn->has_target || insn->slot) {
        fprintf(w->out, insn->slot ? " through the word at %" PRIx64 : " to %" PRIx64,
                insn->target_vaddr);
        write_name(w, insn->target_vaddr);
    }
    if (insn->has_target && (insn->flow == FLOW_JUMP || insn->flow == FLOW_BRANCH) &&
        (insn->target_vaddr < w->request->start_vaddr ||
         insn->target_vaddr >= w->request->end_vaddr))
        fputs(", outside of the function", w->out);
    if (insn->flow == FLOW_CALL && !insn->has_target && !insn->slot)
        fputs(", to where is not known", w->out);
    if (insn->flow == FLOW_CALL)
        write_callee(w, it);
    if (insn->flow == FLOW_INDIRECT && it->case_count > 0)
        fprintf(w->out, ", a jump table of %zu cases", it->case_count);
    else if (insn->flow == FLOW_INDIRECT && !insn->slot)
        fputs(", to where is not known", w->out);
    if (insn->pops)
        fprintf(w->out, ", takes %u byte%s of arguments off the stack", insn->pops,
                plural(insn->pops));
    if (insn->predicate)
        fprintf(w->out, " if %s", condition_name(insn->predicate));
    putc('\n', w->out);
}

/* Writes the row, unless it is the last one written. */
static void write_row(struct writer *w, const struct state *state)
{
    char text[EXPLAINED_ROW_MAX];

    if (strcmp(explained_row_format(state, &w->plan, text), w->row) == 0)
        return;
    memcpy(w->row, text, strlen(text) + 1);
    fprintf(w->out, "%*s%-8s %s\n", EXPLAIN_INDENT, "", "row", text);
}

static void write_before(struct writer *w, const struct explained_insn *it)
{
    const struct arch *arch = w->request->code->arch;
    struct item_line line = item_line_begin(w->out, it->guessed ? "guessed" : "before");

    if (!it->before) {
        fprintf(w->out, "%*sno path is known to lead here: no state, no row\n", EXPLAIN_INDENT, "");
        w->row[0] = '\0';
        return;
    }
    if (it->joins)
        kept_ways_write(&w->ways, it->insn->vaddr, it->before, w->out);
    state_put(&line, it->before, arch, w->request->verbose);
    item_line_end(&line);
    if (it->joins || !w->followed)
        w->row[0] = '\0';
    write_row(w, it->before);
}

static void write_effect(struct writer *w, const struct explained_insn *it)
{
    const struct arch *arch = w->request->code->arch;
    struct item_line does = item_line_begin(w->out, "does");
    struct item_line after = item_line_begin(w->out, "after");

    for (unsigned i = 0; i < it->insn->op_count; i++)
        op_put(&does, &it->ops[i], arch);
    item_line_end(&does);
    write_flow(w, it);
    if (!it->before || !it->after)
        return;
    state_put_changes(&after, it->before, it->after, arch, w->request->verbose);
    item_line_end(&after);
    if ((it->goes_on || it->insn->flow == FLOW_JUMP) && !it->insn->predicate)
        write_row(w, it->after);
}

static void show_insn(void *context, const struct explained_insn *it)
{
    struct writer *w = context;
    const size_t index = w->index++;
    const uint64_t vaddr = it->insn->vaddr;
    const bool is_target = index == w->plan.target;
    const bool follows = vaddr == w->next_vaddr && w->followed;

    if (is_target && it->before) {
        state_copy(&w->at, it->before);
        w->has_state = true;
    }
    if (!(w->plan.insns[index].flags & PLANNED_SHOWN)) {
        w->left_out++;
    } else {
        const bool jumped = w->left_out > 0;

        write_left_out(w);
        if (!jumped && vaddr > w->next_vaddr)
            write_gap(w, w->next_vaddr, vaddr, it->padding);
        if (it->joins || !follows || jumped || is_target || w->request->verbose)
            write_before(w, it);
        write_insn(w, it->insn, is_target);
        write_effect(w, it);
    }
    w->next_vaddr = vaddr + it->insn->size;
    /* behind a condition the state is that of both paths */
    w->followed = it->after != NULL && it->goes_on && !it->insn->predicate;
}

static void write_legend(const struct writer *w)
{
    static const char legend[] =
        "instructions\n"
        "  c is the CFA, c-16 an address of the frame, [c-16] the word there; rbx@entry is what a\n"
        "  register had when the function was entered, ra the return address, ? not known\n";

    fputs(legend, w->out);
    if (w->plan.insn_count > EXPLAIN_WHOLE_MAX && !w->request->verbose)
        fprintf(w->out,
                "  of %zu are shown: those around the address, the first ones, and those that "
                "changed\n  the row on the ways to it; all of them with -v\n",
                w->plan.insn_count);
}

static void write_conclusion(struct writer *w)
{
    const struct plan *plan = &w->plan;

    fprintf(w->out, "\nrow at %" PRIx64 "\n", w->request->vaddr);
    if (w->has_state) {
        explained_row_write(plan, &w->at, w->out);
        return;
    }
    fprintf(w->out, "%*s%-8s %s\n%*s%-8s u\n", EXPLAIN_INDENT, "", "because",
            plan->target < plan->insn_count ? "no path is known to lead there"
                                            : "no instruction of the function lies there",
            EXPLAIN_INDENT, "", "row");
}

enum status explain_write(const struct explain_request *request, FILE *out)
{
    struct writer w = {.request = request, .out = out, .next_vaddr = request->start_vaddr};
    const struct explain_watch watch = {.insn = show_insn, .context = &w};
    enum status status = plan_make(request, &w.plan);

    if (status != STATUS_OK)
        return status;
    status = kept_ways_make(&w.plan, &w.ways);
    if (status == STATUS_OK) {
        prologue_visit_data(request->prologue, note_data, &w);
        order_data(&w);
        write_legend(&w);
        prologue_explain(request->prologue, &request->entries, &watch);
        write_left_out(&w);
        write_conclusion(&w);
        status = w.status;
        kept_ways_deinit(&w.ways);
    }
    plan_deinit(&w.plan);
    free(w.data);
    for (unsigned mode = 0; mode < 2; mode++)
        decoder_destroy(w.decoders[mode]);
    return status;
}
