/* SPDX-License-Identifier: MIT */
/*
 * Keeps the rows of a function in little memory: struct row has room for every register of every
 * architecture, and thousands of tables are in memory at once.
 */
#ifndef UNWIND_ROW_ROW_TABLE_H
#define UNWIND_ROW_ROW_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "unwind/row/row.h"

/*
 * Rows, ascending and disjoint; addresses between them may have no row. The caller zeroes it at
 * first.
 */
struct row_table {
    struct packed_row *rows;   /* the rows, ascending by address; owned */
    struct packed_rule *rules; /* rules that the rows refer to; owned */
    size_t count, cap, rule_count, rule_cap;
};

void row_table_deinit(struct row_table *table);

/*
 * Appends a copy of *row, which must begin where all others have ended, and have no expressions.
 * args_size, has_returned and frame_to_end are not kept. Fails with NO_MEMORY only.
 */
MUST_CHECK enum status row_table_add(struct row_table *table, const struct row *row);

/* Frees the room that is reserved for more rows. */
void row_table_trim(struct row_table *table);

/* Sets *out to row number `index`, which must be below table->count. */
void row_table_get(const struct row_table *table, size_t index, struct row *out);

/* Sets *room to the row that holds `vaddr`, and returns `room`; NULL: there is none. */
const struct row *row_table_find(const struct row_table *table, uint64_t vaddr, struct row *room);

#endif
