/* SPDX-License-Identifier: MIT */
#include "unwind/row/row_print.h"

#include <string.h>

#define RULE_TEXT_MAX 64 /* characters of one rule: a register's name, two numbers and brackets */

/*
 * The put_ functions write to `at` and return the end: printf would take most of the time of
 * printing a file's rows.
 */
static char *put_text(char *at, const char *text)
{
    while (*text)
        *at++ = *text++;
    return at;
}

static char *put_reg(char *at, const struct arch *arch, unsigned reg)
{
    return put_text(at, reg < arch->all_regs ? arch_reg_names(arch)[reg] : "?");
}

/* "%+d" */
static char *put_offset(char *at, int32_t off)
{
    char digits[sizeof("2147483648")];
    uint32_t left = off < 0 ? 0 - (uint32_t)off : (uint32_t)off;
    unsigned count = 0;

    do
        digits[count++] = (char)('0' + left % 10);
    while ((left /= 10) > 0);
    *at++ = off < 0 ? '-' : '+';
    while (count > 0)
        *at++ = digits[--count];
    return at;
}

/* "[%s%+d]" */
static char *put_place(char *at, const struct arch *arch, unsigned reg, int32_t off)
{
    *at++ = '[';
    at = put_offset(put_reg(at, arch, reg), off);
    *at++ = ']';
    return at;
}

static char *put_cfa(char *at, const struct row *row, const struct arch *arch)
{
    switch ((enum cfa_kind)row->cfa.kind) {
    case CFA_UNKNOWN:
        return put_text(at, "u");
    case CFA_REG:
        return put_offset(put_reg(at, arch, row->cfa.reg), row->cfa.off);
    case CFA_DEREF:
        return put_offset(put_place(at, arch, row->cfa.reg, row->cfa.off), row->cfa_add);
    case CFA_EXPR:
        return put_text(at, "exp");
    }
    return at;
}

static char *put_rule(char *at, const struct rule *rule, const struct arch *arch)
{
    switch ((enum rule_kind)rule->kind) {
    case RULE_UNSPECIFIED:
        return at;
    case RULE_UNDEFINED:
        return put_text(at, "u");
    case RULE_SAME:
        return put_text(at, "s");
    case RULE_AT_CFA:
        return put_offset(put_text(at, "c"), rule->off);
    case RULE_IS_CFA:
        return put_offset(put_text(at, "v"), rule->off);
    case RULE_IN_REG:
        return put_reg(at, arch, rule->reg);
    case RULE_AT_REG:
        return put_place(at, arch, rule->reg, rule->off);
    case RULE_AT_EXPR:
        return put_text(at, "exp");
    case RULE_IS_EXPR:
        return put_text(at, "vexp");
    }
    return at;
}

/* Copies the text that ends at `end`, cut to `size`. */
static const char *copy(char *buffer, size_t size, const char *text, const char *end)
{
    size_t len = (size_t)(end - text);

    if (size == 0)
        return buffer;
    if (len >= size)
        len = size - 1;
    memcpy(buffer, text, len);
    buffer[len] = '\0';
    return buffer;
}

const char *row_format_cfa(const struct row *row, const struct arch *arch, char *buffer,
                           size_t size)
{
    char text[RULE_TEXT_MAX];

    return copy(buffer, size, text, put_cfa(text, row, arch));
}

const char *rule_format(const struct rule *rule, const struct arch *arch, char *buffer, size_t size)
{
    char text[RULE_TEXT_MAX];

    return copy(buffer, size, text, put_rule(text, rule, arch));
}

static char *put_vaddr(char *at, const struct arch *arch, uint64_t vaddr)
{
    unsigned count = arch->word_size * 2u;

    for (unsigned i = count; i-- > 0; vaddr >>= 4)
        at[i] = "0123456789abcdef"[vaddr & 15];
    at[count] = ' ';
    return at + count + 1;
}

size_t row_format(const struct row *row, const struct arch *arch, char buffer[ROW_TEXT_MAX])
{
    char *cfa = put_vaddr(put_vaddr(buffer, arch, row->start_vaddr), arch, row->end_vaddr);
    char *at = put_cfa(cfa, row, arch);

    while (at < cfa + 10)
        *at++ = ' ';
    at = put_rule(put_text(at, " ra="), &row->ra, arch);
    for (unsigned reg = 0; reg < arch->reg_count; reg++) {
        uint8_t kind = row->regs[reg].kind;

        if (reg == arch->pc || reg == arch->lr || kind == RULE_UNSPECIFIED || kind == RULE_SAME)
            continue;
        *at++ = ' ';
        at = put_text(at, arch_reg_names(arch)[reg]);
        *at++ = '=';
        at = put_rule(at, &row->regs[reg], arch);
    }
    if (row->signal_frame)
        at = put_text(at, " signal-frame");
    *at = '\0';
    return (size_t)(at - buffer);
}
