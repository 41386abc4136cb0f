/* SPDX-License-Identifier: MIT */
/*
 * The rows of a function, packed: a struct row has room for every register of every architecture,
 * and tables are kept by the thousand.
 */
#ifndef UNWIND_ROW_ROW_TABLE_H
#define UNWIND_ROW_ROW_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "unwind/row/row.h"

/* Rows in ascending order, disjoint; addresses without a row are unknown. */
struct row_table {
    struct packed_row *rows;   /* owned */
    struct packed_rule *rules; /* owned */
    size_t count, cap, rule_count, rule_cap;
};

void row_table_deinit(struct row_table *table);

/* Adds a row of rules without expressions, behind all others. */
MUST_CHECK enum status row_table_add(struct row_table *table, const struct row *row);

/* Gives back the room that more rows would need. */
void row_table_trim(struct row_table *table);

/* Row number `index`, below table->count. */
void row_table_get(const struct row_table *table, size_t index, struct row *out);

/* The row for `vaddr`, put in `room`; NULL: there is none. */
const struct row *row_table_find(const struct row_table *table, uint64_t vaddr, struct row *room);

#endif
