/* SPDX-License-Identifier: MIT */
/*
 * The rows of a function, packed: struct row has room for every register of every architecture, and
 * thousands of tables are in memory at once.
 */
#ifndef UNWIND_ROW_ROW_TABLE_H
#define UNWIND_ROW_ROW_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "unwind/row/row.h"

/* Ascending, disjoint rows; between them there may be addresses without a row. Zero it first. */
struct row_table {
    struct packed_row *rows;   /* owned */
    struct packed_rule *rules; /* owned */
    size_t count, cap, rule_count, rule_cap;
};

void row_table_deinit(struct row_table *table);

/*
 * Appends a copy of `row`, which lies behind all others and has no expressions. args_size,
 * has_returned and frame_to_end are not kept. Only NO_MEMORY fails.
 */
MUST_CHECK enum status row_table_add(struct row_table *table, const struct row *row);

/* Frees the room that is reserved for more rows. */
void row_table_trim(struct row_table *table);

/* Unpacks row number `index`, which is below table->count. */
void row_table_get(const struct row_table *table, size_t index, struct row *out);

/* Unpacks the row for `vaddr` into `room` and returns `room`; NULL: there is none. */
const struct row *row_table_find(const struct row_table *table, uint64_t vaddr, struct row *room);

#endif
