/* SPDX-License-Identifier: MIT */
/*
 * The page's numbers as columns: each is the bytes of values of one type, from which the page's
 * script makes an array (docs/formats/page.md).
 *
 * If memory is short a column is marked as failed and ignores further values; page_columns_status
 * tells in the end.
 */
#ifndef OUTPUT_HTML_PAGE_COLUMNS_H
#define OUTPUT_HTML_PAGE_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/status.h"

enum column_type {
    COLUMN_U8,
    COLUMN_VARINT, /* LEB128 of an unsigned number */
    COLUMN_ZIGZAG, /* LEB128 of 2n for n, and of 2n - 1 for -n */
    COLUMN_TEXT,   /* UTF-8; page_column.count is in bytes */
};
struct page_column {
    const char *name; /* name in the page's head; static storage */
    enum column_type type;
    uint8_t *bytes; /* owned; the encoded values */
    size_t size, cap;
    uint64_t count; /* number of values */
    bool failed;    /* memory was short: values are missing */
};

#define COLUMNS_MAX 64

struct page_columns { /* zeroed: empty */
    struct page_column list[COLUMNS_MAX];
    size_t count;
};

void page_columns_deinit(struct page_columns *columns);

/* Adds an empty column, of at most COLUMNS_MAX, and returns it; owned by `columns`. */
struct page_column *page_columns_add(struct page_columns *columns, const char *name,
                                     enum column_type type);

/*
 * Append a value to a column: page_column_put to U8 (a value below 256) or VARINT,
 * page_column_put_signed to ZIGZAG, page_column_put_text `size` bytes to TEXT.
 */
void page_column_put(struct page_column *column, uint64_t value);
void page_column_put_signed(struct page_column *column, int64_t value);
void page_column_put_text(struct page_column *column, const char *text, size_t size);

/* Returns NO_MEMORY if some column has failed. */
MUST_CHECK enum status page_columns_status(const struct page_columns *columns);

/*
 * Returns {name: [offset, bytes, count, type], ...}, with offsets in bytes from the first column's
 * beginning; the caller owns it. NULL: out of memory.
 */
json_t *page_columns_describe(const struct page_columns *columns);

#endif
