/* SPDX-License-Identifier: MIT */
/*
 * The page's numbers as columns, each of one type, from which a reader makes an array:
 * docs/formats/page.md.
 *
 * After a failure building goes on; page_columns_status tells.
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
    COLUMN_VARINT, /* LEB128, unsigned */
    COLUMN_ZIGZAG, /* LEB128 of 2n for n, and of 2n - 1 for -n */
    COLUMN_TEXT,   /* UTF-8; count: bytes */
};

struct page_column {
    const char *name; /* static storage */
    enum column_type type;
    uint8_t *bytes; /* owned */
    size_t size, cap;
    uint64_t count; /* values */
    bool failed;
};

#define COLUMNS_MAX 64

struct page_columns { /* zeroed: empty */
    struct page_column list[COLUMNS_MAX];
    size_t count;
};

void page_columns_deinit(struct page_columns *columns);

/* Adds a column, of at most COLUMNS_MAX, and returns it, valid as long as `columns`. */
struct page_column *page_columns_add(struct page_columns *columns, const char *name,
                                     enum column_type type);

/* Put a value: below 256 for U8, any for VARINT; for ZIGZAG; for TEXT. */
void page_column_put(struct page_column *column, uint64_t value);
void page_column_put_signed(struct page_column *column, int64_t value);
void page_column_put_text(struct page_column *column, const char *text, size_t size);

/* Returns NO_MEMORY if a column is not whole. */
MUST_CHECK enum status page_columns_status(const struct page_columns *columns);

/*
 * Returns {name: [offset, bytes, count, type], ...}, with the offsets of columns that follow one
 * another, from 0 on. NULL: out of memory.
 */
json_t *page_columns_describe(const struct page_columns *columns);

#endif
