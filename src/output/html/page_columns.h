/* SPDX-License-Identifier: MIT */
/*
 * The page's numbers as columns of bytes, each of one type, as a reader wants them that makes one
 * array of each: see docs/formats/page.md.
 *
 * Building goes on after a failure, which columns_status tells.
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
    COLUMN_TEXT,   /* UTF-8; its count is that of its bytes */
};

struct page_column {
    const char *name; /* static storage */
    enum column_type type;
    uint8_t *bytes; /* owned */
    size_t size, cap;
    uint64_t count; /* of what was put */
    bool failed;
};

#define COLUMNS_MAX 64

struct page_columns { /* zeroed: none */
    struct page_column list[COLUMNS_MAX];
    size_t count;
};

void page_columns_deinit(struct page_columns *columns);

/* A new one, valid as long as `columns`. There are at most COLUMNS_MAX. */
struct page_column *page_columns_add(struct page_columns *columns, const char *name,
                                     enum column_type type);

/* Of U8 a number below 256; of VARINT any. */
void page_column_put(struct page_column *column, uint64_t value);
/* Of ZIGZAG. */
void page_column_put_signed(struct page_column *column, int64_t value);
/* Of TEXT. */
void page_column_put_text(struct page_column *column, const char *text, size_t size);

/* NO_MEMORY: one of them is not whole. */
MUST_CHECK enum status page_columns_status(const struct page_columns *columns);

/*
 * {name: [offset, bytes, count, type], …}, where the first offset is 0 and they follow one another.
 * NULL: out of memory.
 */
json_t *page_columns_describe(const struct page_columns *columns);

#endif
