/* SPDX-License-Identifier: MIT */
#include "unwind/row/row_table.h"

#include <stdlib.h>

#include "base/search.h"
#include "base/vec.h"

#define RULE_OF_CFA 0xff /* in the place of a register's number */
#define RULE_OF_RA  0xfe

struct packed_rule {
    uint8_t of; /* register, or RULE_OF_ */
    uint8_t kind, reg;
    int32_t off;
};

struct packed_row {
    uint64_t start_vaddr, end_vaddr;
    uint64_t same; /* mask of registers with RULE_SAME */
    uint32_t first_rule;
    int32_t cfa_add;
    uint8_t rule_count;
    uint8_t source; /* enum trust */
    bool signal_frame, call_site_only, ra_signed;
};

void row_table_deinit(struct row_table *table)
{
    free(table->rows);
    free(table->rules);
    *table = (struct row_table){0};
}

static void push_rule(struct row_table *table, struct packed_row *packed, unsigned of,
                      const struct rule *rule)
{
    if (rule->kind == RULE_UNSPECIFIED)
        return;
    table->rules[table->rule_count++] = (struct packed_rule){.of = (uint8_t)of,
                                                             .kind = rule->kind,
                                                             .reg = rule->reg,
                                                             .off = rule->off};
    packed->rule_count++;
}

enum status row_table_add(struct row_table *table, const struct row *row)
{
    struct packed_row *packed;

    if (table->rule_count > UINT32_MAX - (ARCH_REG_MAX + 2) ||
        vec_reserve(&table->rows, &table->cap, table->count + 1, sizeof(*table->rows)) !=
            STATUS_OK ||
        vec_reserve(&table->rules, &table->rule_cap, table->rule_count + ARCH_REG_MAX + 2,
                    sizeof(*table->rules)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    packed = &table->rows[table->count++];
    *packed = (struct packed_row){.start_vaddr = row->start_vaddr,
                                  .end_vaddr = row->end_vaddr,
                                  .first_rule = (uint32_t)table->rule_count,
                                  .cfa_add = row->cfa_add,
                                  .source = (uint8_t)row->source,
                                  .signal_frame = row->signal_frame,
                                  .call_site_only = row->call_site_only,
                                  .ra_signed = row->ra_signed};
    push_rule(table, packed, RULE_OF_CFA, &row->cfa);
    push_rule(table, packed, RULE_OF_RA, &row->ra);
    for (unsigned reg = 0; reg < ARCH_REG_MAX; reg++)
        if (row->regs[reg].kind == RULE_SAME)
            packed->same |= UINT64_C(1) << reg;
        else
            push_rule(table, packed, reg, &row->regs[reg]);
    return STATUS_OK;
}

static void *trim(void *items, size_t *cap, size_t count, size_t size)
{
    void *trimmed = count ? realloc(items, count * size) : NULL;

    if (!trimmed)
        return items;
    *cap = count;
    return trimmed;
}

void row_table_trim(struct row_table *table)
{
    table->rows = trim(table->rows, &table->cap, table->count, sizeof(*table->rows));
    table->rules = trim(table->rules, &table->rule_cap, table->rule_count, sizeof(*table->rules));
}

void row_table_get(const struct row_table *table, size_t index, struct row *out)
{
    const struct packed_row *packed = &table->rows[index];

    row_init(out, packed->start_vaddr, packed->end_vaddr, (enum trust)packed->source);
    out->cfa_add = packed->cfa_add;
    out->signal_frame = packed->signal_frame;
    out->call_site_only = packed->call_site_only;
    out->ra_signed = packed->ra_signed;
    for (uint64_t same = packed->same; same; same &= same - 1)
        out->regs[__builtin_ctzll(same)].kind = RULE_SAME;
    for (unsigned i = 0; i < packed->rule_count; i++) {
        const struct packed_rule *rule = &table->rules[packed->first_rule + i];
        struct rule *to = rule->of == RULE_OF_CFA  ? &out->cfa
                          : rule->of == RULE_OF_RA ? &out->ra
                                                   : &out->regs[rule->of];

        *to = (struct rule){.kind = rule->kind, .reg = rule->reg, .off = rule->off};
    }
}

const struct row *row_table_find(const struct row_table *table, uint64_t vaddr, struct row *room)
{
    size_t at = SEARCH_FIRST(i, 0, table->count, table->rows[i].end_vaddr <= vaddr);

    if (at == table->count || vaddr < table->rows[at].start_vaddr)
        return NULL;
    row_table_get(table, at, room);
    return room;
}
