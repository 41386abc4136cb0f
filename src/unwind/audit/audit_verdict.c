/* SPDX-License-Identifier: MIT */
#include "unwind/audit/audit_private.h"

const char *audit_kind_name(enum audit_kind kind)
{
    static const char *const names[AUDIT_KIND_COUNT] = {
        [AUDIT_FRAGMENT] = "fragment", [AUDIT_REALIGNED] = "realigned",
        [AUDIT_ALLOCA] = "alloca",     [AUDIT_EPILOGUE] = "epilogue",
        [AUDIT_PROLOGUE] = "prologue", [AUDIT_AFTER_EPILOGUE] = "after-epilogue",
        [AUDIT_BODY] = "body",
    };

    return names[kind];
}

const char *audit_verdict_name(enum audit_verdict verdict)
{
    static const char *const names[] = {
        [AUDIT_AGREE] = "agree",     [AUDIT_WRONG] = "wrong",
        [AUDIT_UNKNOWN] = "unknown", [AUDIT_INCOMPARABLE] = "incomparable",
        [AUDIT_SUSPECT] = "suspect",
    };

    return names[verdict];
}

const char *audit_exclusion_name(enum audit_exclusion exclusion)
{
    static const char *const names[AUDIT_EXCLUSION_COUNT] = {
        [AUDIT_NO_ROW] = "without a row",
        [AUDIT_CFA_EXPRESSION] = "CFA by expression",
        [AUDIT_OUTERMOST] = "outermost",
        [AUDIT_RA_ELSEWHERE] = "return address elsewhere",
        [AUDIT_PLT] = "PLT",
        [AUDIT_SIGNAL_FRAME] = "signal frame",
        [AUDIT_PADDING] = "padding",
        [AUDIT_CFI_BEHIND] = "CFI behind its code",
        [AUDIT_DATA] = "bytes of data",
    };

    return names[exclusion];
}

bool audit_is_entry_row(const struct row *row, const struct arch *arch)
{
    if (row->cfa.kind != CFA_REG || row->cfa.reg != arch->sp || row->cfa.off != arch->cfa_entry_off)
        return false;
    if (arch->lr == REG_NONE)
        return row->ra.kind == RULE_AT_CFA && row->ra.off == -arch->cfa_entry_off;
    return row->ra.kind == RULE_UNSPECIFIED || row->ra.kind == RULE_SAME;
}

bool audit_is_entry_value(const struct value *value, unsigned reg)
{
    return value && value->kind == VALUE_ENTRY && value->reg == reg && value->k == 0;
}

static enum audit_verdict compare_cfa(const struct arch *arch, const struct rule *cfa,
                                      const struct state *state)
{
    const struct value *base = &state->regs[cfa->reg];

    switch ((enum value_kind)base->kind) {
    case VALUE_ENTRY: /* of any size: wraps like the machine's arithmetic */
        return base->reg == arch->sp &&
                       (uint64_t)base->k + (uint64_t)(int64_t)cfa->off == arch->cfa_entry_off
                   ? AUDIT_AGREE
                   : AUDIT_WRONG;
    case VALUE_CONST:
    case VALUE_FRAME: /* not a fixed distance from the CFA */
        return AUDIT_WRONG;
    case VALUE_UNKNOWN:
    case VALUE_ELEMENT:
    case VALUE_TABLE:
    case VALUE_STRIDE:
        break;
    }
    return AUDIT_INCOMPARABLE;
}

/* By the analysis, is the return address where the CFI says? */
static bool ra_agrees(const struct arch *arch, const struct rule *ra, const struct state *state)
{
    const unsigned reg = state->link;

    if (ra->kind == RULE_AT_CFA) {
        const struct value addr = {.kind = VALUE_ENTRY,
                                   .reg = arch->sp,
                                   .k = (int64_t)arch->cfa_entry_off + ra->off};

        return audit_is_entry_value(state_load(state, &addr), reg);
    }
    return audit_is_entry_value(&state->regs[reg], reg);
}

bool audit_answers(const struct row *row)
{
    return row && (row->cfa.kind != CFA_UNKNOWN || row->ra.kind == RULE_UNDEFINED);
}

enum audit_verdict audit_compare(const struct arch *arch, const struct row *truth,
                                 const struct row *ours, const struct state *state)
{
    enum audit_verdict verdict;

    if (!audit_answers(ours) || !state)
        return AUDIT_UNKNOWN;
    if (ours->ra.kind == RULE_UNDEFINED) /* our row says that there is no caller */
        return AUDIT_WRONG;
    /* The CFI of an exception handler describes a function. */
    if (ours->source == TRUST_EXCEPTION)
        return AUDIT_INCOMPARABLE;
    /* Our row with the state, then the CFI with the state. */
    if ((ours->cfa.kind == CFA_REG &&
         (compare_cfa(arch, &ours->cfa, state) != AUDIT_AGREE ||
          (ours->cfa.reg == truth->cfa.reg && ours->cfa.off != truth->cfa.off))) ||
        !ra_agrees(arch, &ours->ra, state))
        return AUDIT_WRONG;
    verdict = compare_cfa(arch, &truth->cfa, state);
    if (verdict == AUDIT_AGREE && !ra_agrees(arch, &truth->ra, state))
        verdict = AUDIT_WRONG;
    return verdict;
}

unsigned audit_excluded(const struct arch *arch, const struct row *truth)
{
    if (!truth || truth->cfa.kind == CFA_UNKNOWN || truth->cfa.kind == CFA_DEREF)
        return AUDIT_NO_ROW;
    if (truth->signal_frame)
        return AUDIT_SIGNAL_FRAME;
    if (truth->cfa.kind == CFA_EXPR)
        return AUDIT_CFA_EXPRESSION;
    switch ((enum rule_kind)truth->ra.kind) {
    case RULE_AT_CFA:
        return AUDIT_EXCLUSION_COUNT;
    case RULE_UNSPECIFIED:
    case RULE_SAME:
        return arch->lr != REG_NONE ? AUDIT_EXCLUSION_COUNT : AUDIT_RA_ELSEWHERE;
    case RULE_UNDEFINED:
        return AUDIT_OUTERMOST;
    case RULE_IS_CFA:
    case RULE_IN_REG:
    case RULE_AT_REG:
    case RULE_AT_EXPR:
    case RULE_IS_EXPR:
        break;
    }
    return AUDIT_RA_ELSEWHERE;
}
