/* SPDX-License-Identifier: MIT */
#include "unwind/explain/explain_row.h"

#include <inttypes.h>
#include <string.h>

#include "unwind/explain/explain_text.h"
#include "unwind/prologue/prologue_rows.h"
#include "unwind/row/row_print.h"

_Static_assert(EXPLAINED_ROW_MAX >= ROW_TEXT_MAX, "a row fits");

const char *explained_row_format(const struct state *state, const struct plan *plan,
                                 char buffer[EXPLAINED_ROW_MAX])
{
    const struct arch *arch = plan->request->code->arch;
    const size_t range = 2 * (arch->word_size * 2u + 1); /* bytes of START END and blanks */
    struct row row;

    row_init(&row, 0, 0, TRUST_PROLOGUE);
    state_to_row(state, arch, plan->dynamic, &row);
    if (row.cfa.kind == CFA_UNKNOWN && row.ra.kind != RULE_UNDEFINED) {
        snprintf(buffer, EXPLAINED_ROW_MAX, "u");
        return buffer;
    }
    (void)row_format(&row, arch, buffer);
    memmove(buffer, buffer + range, strlen(buffer + range) + 1);
    return buffer;
}

/* Writes all registers from which the CFA could be computed. */
static void write_candidates(const struct state *state, const struct arch *arch, FILE *out)
{
    struct item_line line = item_line_begin(out, "tells it");

    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (state->regs[reg].kind == VALUE_ENTRY && state->regs[reg].reg == arch->sp)
            item_line_put(&line, "%s%+" PRId64, arch_reg_names(arch)[reg],
                          (int64_t)(arch->cfa_entry_off - (uint64_t)state->regs[reg].k));
    item_line_end(&line);
}

static void write_choice(enum cfa_choice choice, const struct arch *arch, FILE *out)
{
    struct item_line line = item_line_begin(out, "cfa");

    switch (choice) {
    case CHOICE_NONE:
        item_line_put(&line, "no register and no word of the frame tells it");
        break;
    case CHOICE_FP_DYNAMIC:
        item_line_put(&line, "from %s: %s is not always known in this function",
                      arch_reg_names(arch)[arch->fp], arch_reg_names(arch)[arch->sp]);
        break;
    case CHOICE_FP_KEPT:
        item_line_put(&line, "from %s, which is where compilers keep a frame pointer: CFA-%u",
                      arch_reg_names(arch)[arch->fp], arch->frame_cfa_off);
        break;
    case CHOICE_PRESERVED:
        item_line_put(&line, "from the first that tells it: %s, %s, another that calls preserve",
                      arch_reg_names(arch)[arch->sp], arch_reg_names(arch)[arch->fp]);
        break;
    case CHOICE_SLOT:
        item_line_put(&line, "from a word of the realigned frame: no register that calls preserve "
                             "tells it");
        break;
    case CHOICE_SCRATCH:
        item_line_put(&line, "from a register that calls do not preserve: nothing else tells it");
        break;
    }
    item_line_end(&line);
}

static void write_reason(enum row_reason reason, const struct arch *arch, FILE *out)
{
    struct item_line line = item_line_begin(out, "because");

    switch (reason) {
    case ROW_COMPLETE:
        break;
    case ROW_OUTERMOST:
        item_line_put(&line, "%s is zero and nothing was saved: here a process or a thread begins",
                      arch_reg_names(arch)[arch->fp]);
        break;
    case ROW_NO_CFA:
        item_line_put(&line, "the CFA is not known: no answer");
        break;
    case ROW_SP_ABOVE:
        item_line_put(&line, "%s is above where it was at the entry: the state is wrong, no answer",
                      arch_reg_names(arch)[arch->sp]);
        break;
    case ROW_NO_RA:
        item_line_put(&line, "the return address is in no place that is known: no answer");
        break;
    }
    item_line_end(&line);
}

/* Writes where a state with a row became one without, on the way to the address. */
static void write_lost(const struct plan *plan, FILE *out)
{
    struct item_line line = item_line_begin(out, "lost");
    const struct planned_insn *insn;

    if (plan->lost == plan->insn_count)
        return;
    insn = &plan->insns[plan->lost];
    item_line_put(&line, "%s %" PRIx64 ", of such places on the ways here the nearest",
                  insn->flags & PLANNED_GIVES_UP ? "where paths meet at" : "by the instruction at",
                  insn->vaddr);
    item_line_end(&line);
}

void explained_row_write(const struct plan *plan, const struct state *state, FILE *out)
{
    const struct arch *arch = plan->request->code->arch;
    struct item_line line = item_line_begin(out, "state");
    char text[EXPLAINED_ROW_MAX];
    enum cfa_choice choice;
    enum row_reason reason;

    state_put(&line, state, arch, plan->request->verbose);
    item_line_end(&line);
    reason = state_row_reason(state, arch, plan->dynamic, &choice);
    write_candidates(state, arch, out);
    write_choice(choice, arch, out);
    write_reason(reason, arch, out);
    if (reason != ROW_COMPLETE && reason != ROW_OUTERMOST)
        write_lost(plan, out);
    fprintf(out, "%*s%-8s %s\n", EXPLAIN_INDENT, "", "row",
            explained_row_format(state, plan, text));
}
