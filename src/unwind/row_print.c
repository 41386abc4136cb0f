#include "unwind/row_print.h"

#include <stdio.h>

static const char *reg_name(const struct arch *arch, unsigned reg)
{
    return reg < arch->reg_count ? arch->reg_names[reg] : "?";
}

const char *row_format_cfa(const struct row *row, const struct arch *arch, char *buffer,
                           size_t size)
{
    switch ((enum cfa_kind)row->cfa.kind) {
    case CFA_UNKNOWN:
        snprintf(buffer, size, "u");
        break;
    case CFA_REG:
        snprintf(buffer, size, "%s%+d", reg_name(arch, row->cfa.reg), row->cfa.off);
        break;
    case CFA_DEREF:
        snprintf(buffer, size, "[%s%+d]%+d", reg_name(arch, row->cfa.reg), row->cfa.off,
                 row->cfa_add);
        break;
    case CFA_EXPR:
        snprintf(buffer, size, "exp");
        break;
    }
    return buffer;
}

const char *rule_format(const struct rule *rule, const struct arch *arch, char *buffer, size_t size)
{
    switch ((enum rule_kind)rule->kind) {
    case RULE_UNSPECIFIED:
        snprintf(buffer, size, "%s", "");
        break;
    case RULE_UNDEFINED:
        snprintf(buffer, size, "u");
        break;
    case RULE_SAME:
        snprintf(buffer, size, "s");
        break;
    case RULE_AT_CFA:
        snprintf(buffer, size, "c%+d", rule->off);
        break;
    case RULE_IS_CFA:
        snprintf(buffer, size, "v%+d", rule->off);
        break;
    case RULE_IN_REG:
        snprintf(buffer, size, "%s", reg_name(arch, rule->reg));
        break;
    case RULE_AT_REG:
        snprintf(buffer, size, "[%s%+d]", reg_name(arch, rule->reg), rule->off);
        break;
    case RULE_AT_EXPR:
        snprintf(buffer, size, "exp");
        break;
    case RULE_IS_EXPR:
        snprintf(buffer, size, "vexp");
        break;
    }
    return buffer;
}
