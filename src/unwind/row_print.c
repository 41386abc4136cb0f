#include "unwind/row_print.h"

#include <stdio.h>
#include <string.h>

static const char *reg_name(const struct arch *arch, unsigned reg)
{
    return reg < arch->reg_count ? arch->reg_names[reg] : "?";
}

/* snprintf would take most of the time of printing a file's rows. Cuts what does not fit. */
static void format_text(char *buffer, size_t size, const char *first, const char *second)
{
    size_t len = 0;

    while (*first && len + 1 < size)
        buffer[len++] = *first++;
    while (*second && len + 1 < size)
        buffer[len++] = *second++;
    if (size > 0)
        buffer[len] = '\0';
}

/* "%s%+d" */
static void format_offset(char *buffer, size_t size, const char *prefix, int32_t off)
{
    char digits[sizeof("-2147483648")], *at = digits + sizeof(digits);
    uint32_t left = off < 0 ? 0 - (uint32_t)off : (uint32_t)off;

    *--at = '\0';
    do
        *--at = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    *--at = off < 0 ? '-' : '+';
    format_text(buffer, size, prefix, at);
}

const char *row_format_cfa(const struct row *row, const struct arch *arch, char *buffer,
                           size_t size)
{
    switch ((enum cfa_kind)row->cfa.kind) {
    case CFA_UNKNOWN:
        format_text(buffer, size, "u", "");
        break;
    case CFA_REG:
        format_offset(buffer, size, reg_name(arch, row->cfa.reg), row->cfa.off);
        break;
    case CFA_DEREF:
        snprintf(buffer, size, "[%s%+d]%+d", reg_name(arch, row->cfa.reg), row->cfa.off,
                 row->cfa_add);
        break;
    case CFA_EXPR:
        format_text(buffer, size, "exp", "");
        break;
    }
    return buffer;
}

const char *rule_format(const struct rule *rule, const struct arch *arch, char *buffer, size_t size)
{
    switch ((enum rule_kind)rule->kind) {
    case RULE_UNSPECIFIED:
        format_text(buffer, size, "", "");
        break;
    case RULE_UNDEFINED:
        format_text(buffer, size, "u", "");
        break;
    case RULE_SAME:
        format_text(buffer, size, "s", "");
        break;
    case RULE_AT_CFA:
        format_offset(buffer, size, "c", rule->off);
        break;
    case RULE_IS_CFA:
        format_offset(buffer, size, "v", rule->off);
        break;
    case RULE_IN_REG:
        format_text(buffer, size, reg_name(arch, rule->reg), "");
        break;
    case RULE_AT_REG:
        snprintf(buffer, size, "[%s%+d]", reg_name(arch, rule->reg), rule->off);
        break;
    case RULE_AT_EXPR:
        format_text(buffer, size, "exp", "");
        break;
    case RULE_IS_EXPR:
        format_text(buffer, size, "vexp", "");
        break;
    }
    return buffer;
}

#define RULE_TEXT_MAX 64 /* of one rule */

static char *put_vaddr(char *at, const struct arch *arch, uint64_t vaddr)
{
    unsigned count = arch->word_size * 2u;

    for (unsigned i = count; i-- > 0; vaddr >>= 4)
        at[i] = "0123456789abcdef"[vaddr & 15];
    at[count] = ' ';
    return at + count + 1;
}

static char *put_text(char *at, const char *text)
{
    size_t len = strlen(text);

    memcpy(at, text, len);
    return at + len;
}

size_t row_format(const struct row *row, const struct arch *arch, char buffer[ROW_TEXT_MAX])
{
    char *at = put_vaddr(buffer, arch, row->start_vaddr), *cfa;

    cfa = at = put_vaddr(at, arch, row->end_vaddr);
    at += strlen(row_format_cfa(row, arch, at, RULE_TEXT_MAX));
    while (at < cfa + 10)
        *at++ = ' ';
    at = put_text(at, " ra=");
    at += strlen(rule_format(&row->ra, arch, at, RULE_TEXT_MAX));
    for (unsigned reg = 0; reg < arch->reg_count; reg++) {
        uint8_t kind = row->regs[reg].kind;

        if (reg == arch->pc || reg == arch->lr || kind == RULE_UNSPECIFIED || kind == RULE_SAME)
            continue;
        *at++ = ' ';
        at = put_text(at, arch->reg_names[reg]);
        *at++ = '=';
        at += strlen(rule_format(&row->regs[reg], arch, at, RULE_TEXT_MAX));
    }
    if (row->signal_frame)
        at = put_text(at, " signal-frame");
    *at = '\0';
    return (size_t)(at - buffer);
}
