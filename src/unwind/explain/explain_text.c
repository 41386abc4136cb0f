/* SPDX-License-Identifier: MIT */
#include "unwind/explain/explain_text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/plural.h"

struct item_line item_line_begin(FILE *out, const char *title)
{
    return (struct item_line){.out = out, .title = title};
}

void item_line_put(struct item_line *line, const char *format, ...)
{
    char text[256];
    unsigned length;
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    length = (unsigned)strlen(text);
    if (line->column == 0) {
        fprintf(line->out, "%*s%-8s", EXPLAIN_INDENT, "", line->title);
        line->column = EXPLAIN_INDENT + 8;
    } else if (line->column + 1 + length > EXPLAIN_COLUMNS) {
        fprintf(line->out, "\n%*s", EXPLAIN_INDENT + 8, "");
        line->column = EXPLAIN_INDENT + 8;
    }
    fprintf(line->out, " %s", text);
    line->column += 1 + length;
}

void item_line_end(struct item_line *line)
{
    if (line->column > 0)
        putc('\n', line->out);
    line->column = 0;
}

static const char *reg_name(const struct arch *arch, unsigned reg)
{
    if (reg < arch->all_regs)
        return arch_reg_names(arch)[reg];
    return reg == REG_TEMP ? "temp" : reg == REG_TEMP2 ? "temp2" : "?";
}

/* Formats a register's entry value plus a constant. */
static void format_entry(const struct value *value, const struct arch *arch,
                         char buffer[VALUE_TEXT_MAX])
{
    uint8_t ra = arch->lr != REG_NONE ? arch->lr : arch->pc;

    if (value->reg == arch->sp)
        snprintf(buffer, VALUE_TEXT_MAX, "c%+" PRId64,
                 (int64_t)((uint64_t)value->k - arch->cfa_entry_off));
    else if (value->k != 0)
        snprintf(buffer, VALUE_TEXT_MAX, "%s@entry%+" PRId64, reg_name(arch, value->reg), value->k);
    else if (value->reg == ra)
        snprintf(buffer, VALUE_TEXT_MAX, "ra");
    else
        snprintf(buffer, VALUE_TEXT_MAX, "%s@entry", reg_name(arch, value->reg));
}

const char *value_format(const struct value *value, const struct arch *arch,
                         char buffer[VALUE_TEXT_MAX])
{
    switch ((enum value_kind)value->kind) {
    case VALUE_UNKNOWN:
        snprintf(buffer, VALUE_TEXT_MAX, "?");
        break;
    case VALUE_CONST:
        snprintf(buffer, VALUE_TEXT_MAX, "0x%" PRIx64, (uint64_t)value->k);
        break;
    case VALUE_ENTRY:
        format_entry(value, arch, buffer);
        break;
    case VALUE_FRAME:
        snprintf(buffer, VALUE_TEXT_MAX,
                 value->k ? "aligned(+0x%" PRIx32 ")%+" PRId64 : "aligned(+0x%" PRIx32 ")",
                 value->base, value->k);
        break;
    case VALUE_ELEMENT:
        snprintf(buffer, VALUE_TEXT_MAX, "table(0x%" PRIx64 ")", (uint64_t)value->k);
        break;
    case VALUE_TABLE:
        snprintf(buffer, VALUE_TEXT_MAX, "0x%" PRIx64 "+table(0x%" PRIx64 ")",
                 (uint64_t)value->k + (uint64_t)(int64_t)(int32_t)value->base, (uint64_t)value->k);
        break;
    case VALUE_STRIDE:
        snprintf(buffer, VALUE_TEXT_MAX, "0x%" PRIx64 "+n*%u", (uint64_t)value->k, value->size);
        break;
    }
    return buffer;
}

static bool is_own(const struct value *value, unsigned reg)
{
    return value->kind == VALUE_ENTRY && value->reg == reg && value->k == 0;
}

/* Returns the registers whose entry value a row locates. */
static uint64_t told_registers(const struct arch *arch)
{
    return arch->callee_saved | UINT64_C(1) << (arch->lr != REG_NONE ? arch->lr : arch->pc);
}

bool value_tells(const struct value *value, const struct arch *arch)
{
    return value->kind == VALUE_FRAME ||
           (value->kind == VALUE_ENTRY &&
            (value->reg == arch->sp || (value->k == 0 && told_registers(arch) >> value->reg & 1)));
}

/* Shall the register's value be shown? */
static bool matters(const struct value *value, unsigned reg, const struct arch *arch, bool all)
{
    if (reg == arch->pc)
        return false;
    if (reg == arch->sp)
        return true;
    if (is_own(value, reg))
        return false;
    if (told_registers(arch) >> reg & 1)
        return true;
    return value_tells(value, arch) || (all && value->kind != VALUE_UNKNOWN);
}

static bool slot_matters(const struct slot *slot, const struct arch *arch, bool all)
{
    return all || value_tells(&slot->value, arch);
}

static void put_register(struct item_line *line, const struct value *value, unsigned reg,
                         const struct arch *arch)
{
    char text[VALUE_TEXT_MAX];

    item_line_put(line, "%s=%s", reg_name(arch, reg), value_format(value, arch, text));
}

static void put_slot(struct item_line *line, const struct slot *slot, const struct arch *arch)
{
    char addr[VALUE_TEXT_MAX], text[VALUE_TEXT_MAX];

    item_line_put(line, "[%s]=%s", value_format(&slot->addr, arch, addr),
                  value_format(&slot->value, arch, text));
}

/* Comes the slot before the other: the higher first, those of realigned frames last? */
static bool is_above(const struct slot *slot, const struct slot *other)
{
    if (slot->addr.kind != other->addr.kind)
        return slot->addr.kind == VALUE_ENTRY;
    if (slot->addr.base != other->addr.base)
        return slot->addr.base < other->addr.base;
    return slot->addr.k > other->addr.k;
}

/* Orders the slots from the top of the frame down. */
static unsigned order_slots(const struct state *state, uint8_t order[STATE_SLOTS_MAX])
{
    for (uint8_t i = 0; i < state->slot_count; i++) {
        unsigned at = i;

        for (; at > 0 && is_above(&state->slots[i], &state->slots[order[at - 1]]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return state->slot_count;
}

void state_put(struct item_line *line, const struct state *state, const struct arch *arch, bool all)
{
    uint8_t order[STATE_SLOTS_MAX];
    unsigned count = order_slots(state, order);

    put_register(line, &state->regs[arch->sp], arch->sp, arch);
    for (unsigned reg = 0; reg < arch->reg_count; reg++)
        if (reg != arch->sp && matters(&state->regs[reg], reg, arch, all))
            put_register(line, &state->regs[reg], reg, arch);
    for (unsigned i = 0; i < count; i++)
        if (slot_matters(&state->slots[order[i]], arch, all))
            put_slot(line, &state->slots[order[i]], arch);
}

static void put_register_changes(struct item_line *line, const struct state *before,
                                 const struct state *after, const struct arch *arch, bool all)
{
    for (unsigned i = 0; i < arch->reg_count; i++) {
        unsigned reg = i == 0 ? arch->sp : i <= arch->sp ? i - 1 : i; /* SP first */

        if (!value_equal(&before->regs[reg], &after->regs[reg]) &&
            (matters(&before->regs[reg], reg, arch, all) ||
             matters(&after->regs[reg], reg, arch, all)))
            put_register(line, &after->regs[reg], reg, arch);
    }
}

void state_put_changes(struct item_line *line, const struct state *before,
                       const struct state *after, const struct arch *arch, bool all)
{
    uint8_t order[STATE_SLOTS_MAX];
    unsigned count = order_slots(after, order);
    char text[VALUE_TEXT_MAX];

    put_register_changes(line, before, after, arch, all);
    for (unsigned i = 0; i < count; i++) {
        const struct slot *slot = &after->slots[order[i]];
        const struct value *old = state_load(before, &slot->addr);

        if ((!old || !value_equal(old, &slot->value)) && slot_matters(slot, arch, all))
            put_slot(line, slot, arch);
    }
    count = order_slots(before, order);
    for (unsigned i = 0; i < count; i++) {
        const struct slot *slot = &before->slots[order[i]];
        const struct value *now = state_load(after, &slot->addr);

        if (slot_matters(slot, arch, all) &&
            (!now || (!value_equal(now, &slot->value) && !all && !value_tells(now, arch))))
            item_line_put(line, "[%s]=gone", value_format(&slot->addr, arch, text));
    }
}

/* " + 8", " - 8", "" for 0. */
static const char *format_distance(int64_t imm, char buffer[32])
{
    uint64_t size = imm < 0 ? 0 - (uint64_t)imm : (uint64_t)imm;

    buffer[0] = '\0';
    if (imm != 0)
        snprintf(buffer, 32, " %c %" PRIu64, imm < 0 ? '-' : '+', size);
    return buffer;
}

/* Formats the second register of an addition, cut to some bytes and shifted. */
static void format_operand(const struct op *op, const struct arch *arch, char buffer[64])
{
    unsigned size = op->size & ~OP_UNSIGNED;
    char cut[40];

    if (size)
        snprintf(cut, sizeof(cut), "%ssigned %u byte%s of %s", op->size & OP_UNSIGNED ? "un" : "",
                 size, plural(size), reg_name(arch, op->src2));
    else
        snprintf(cut, sizeof(cut), "%s", reg_name(arch, op->src2));
    if (op->shift)
        snprintf(buffer, 64, "(%s << %u)", cut, op->shift);
    else
        snprintf(buffer, 64, "%s", cut);
}

static void put_clobber(struct item_line *line, uint64_t mask, const struct arch *arch)
{
    item_line_put(line, "OP_CLOBBER");
    for (; mask; mask &= mask - 1)
        item_line_put(line, "%s", reg_name(arch, (unsigned)__builtin_ctzll(mask)));
    item_line_put(line, "= ?;");
}

static void put_store(struct item_line *line, const struct op *op, const struct arch *arch)
{
    char distance[32];
    const char *dst = reg_name(arch, op->dst);

    format_distance(op->imm, distance);
    if (op->src == REG_NONE)
        item_line_put(line, "OP_STORE [%s%s] = ? of %u byte%s;", dst, distance, op->size,
                      plural(op->size));
    else if (op->size == arch->word_size)
        item_line_put(line, "OP_STORE [%s%s] = %s;", dst, distance, reg_name(arch, op->src));
    else
        item_line_put(line, "OP_STORE [%s%s] = %u byte%s of %s;", dst, distance, op->size,
                      plural(op->size), reg_name(arch, op->src));
}

static void put_element(struct item_line *line, const struct op *op, const struct arch *arch)
{
    const char *sign = op->shift ? ", signed," : "";
    char distance[32];

    if (op->src == REG_NONE)
        item_line_put(line, "OP_ELEMENT %s = %u byte%s%s of the table at 0x%" PRIx64 ";",
                      reg_name(arch, op->dst), op->size, plural(op->size), sign, (uint64_t)op->imm);
    else
        item_line_put(line, "OP_ELEMENT %s = %u byte%s%s of the table at %s%s;",
                      reg_name(arch, op->dst), op->size, plural(op->size), sign,
                      reg_name(arch, op->src), format_distance(op->imm, distance));
}

void op_put(struct item_line *line, const struct op *op, const struct arch *arch)
{
    const char *dst = reg_name(arch, op->dst), *src = reg_name(arch, op->src);
    char distance[32], operand[64];

    switch ((enum op_kind)op->kind) {
    case OP_CONST:
        item_line_put(line, "OP_CONST %s = 0x%" PRIx64 ";", dst, (uint64_t)op->imm);
        return;
    case OP_LITERAL:
        item_line_put(line, "OP_LITERAL %s = word at 0x%" PRIx64 ";", dst, (uint64_t)op->imm);
        return;
    case OP_INSERT:
        item_line_put(line, "OP_INSERT 16 bits of %s from %u on = 0x%" PRIx64 ";", dst, op->shift,
                      (uint64_t)op->imm);
        return;
    case OP_ADD:
        item_line_put(line, "OP_ADD %s = %s%s;", dst, src, format_distance(op->imm, distance));
        return;
    case OP_ADD_REG:
        format_operand(op, arch, operand);
        item_line_put(line, "OP_ADD_REG %s = %s + %s;", dst, src, operand);
        return;
    case OP_SUB_REG:
        item_line_put(line, "OP_SUB_REG %s = %s - %s;", dst, src, reg_name(arch, op->src2));
        return;
    case OP_SHIFT:
        item_line_put(line, "OP_SHIFT %s = %s %s %d;", dst, src, op->imm < 0 ? ">>" : "<<",
                      (int)(op->imm < 0 ? -op->imm : op->imm));
        return;
    case OP_THUMB:
        item_line_put(line, "OP_THUMB %s = %s | 1;", dst, src);
        return;
    case OP_ALIGN:
        item_line_put(line, "OP_ALIGN %s = %s rounded down;", dst, dst);
        return;
    case OP_LOAD:
        item_line_put(line, "OP_LOAD %s = [%s%s];", dst, src, format_distance(op->imm, distance));
        return;
    case OP_ELEMENT:
        put_element(line, op, arch);
        return;
    case OP_STRIDE:
        item_line_put(line, "OP_STRIDE %s = 0x%" PRIx64 " + n * %u;", dst, (uint64_t)op->imm,
                      op->size);
        return;
    case OP_STORE:
        put_store(line, op, arch);
        return;
    case OP_CLOBBER:
        put_clobber(line, op->mask, arch);
        return;
    case OP_COMPARE:
        item_line_put(line, "OP_COMPARE %s, 0x%" PRIx64 ";", op->src == REG_NONE ? "memory" : src,
                      (uint64_t)op->imm);
        return;
    case OP_COMPARE_REG:
        item_line_put(line, "OP_COMPARE_REG %s, %s;", src, reg_name(arch, op->src2));
        return;
    }
}
