/* SPDX-License-Identifier: MIT */
#include "output/html/page_columns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

#define VARINT_MAX 10 /* bytes of 64 bits */

void page_columns_deinit(struct page_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        free(columns->list[i].bytes);
    columns->count = 0;
}

struct page_column *page_columns_add(struct page_columns *columns, const char *name,
                                     enum column_type type)
{
    struct page_column *column = &columns->list[columns->count];

    assert(columns->count < COLUMNS_MAX);
    columns->count++;
    *column = (struct page_column){.name = name, .type = type};
    return column;
}

static void put_bytes(struct page_column *column, const void *bytes, size_t size)
{
    if (column->failed ||
        vec_reserve(&column->bytes, &column->cap, column->size + size, 1) != STATUS_OK) {
        column->failed = true;
        return;
    }
    memcpy(column->bytes + column->size, bytes, size);
    column->size += size;
}

static void put_varint(struct page_column *column, uint64_t value)
{
    uint8_t bytes[VARINT_MAX];
    size_t size = 0;

    for (; value >= 0x80; value >>= 7)
        bytes[size++] = (uint8_t)(value | 0x80);
    bytes[size++] = (uint8_t)value;
    put_bytes(column, bytes, size);
}

void page_column_put(struct page_column *column, uint64_t value)
{
    const uint8_t byte = (uint8_t)value;

    if (column->type == COLUMN_U8)
        put_bytes(column, &byte, 1);
    else
        put_varint(column, value);
    column->count++;
}

void page_column_put_signed(struct page_column *column, int64_t value)
{
    put_varint(column, (uint64_t)value << 1 ^ (value < 0 ? UINT64_MAX : 0));
    column->count++;
}

void page_column_put_text(struct page_column *column, const char *text, size_t size)
{
    put_bytes(column, text, size);
    column->count += size;
}

enum status page_columns_status(const struct page_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        if (columns->list[i].failed)
            return STATUS_NO_MEMORY;
    return STATUS_OK;
}

static const char *type_name(enum column_type type)
{
    switch (type) {
    case COLUMN_U8:
        return "u8";
    case COLUMN_VARINT:
        return "varint";
    case COLUMN_ZIGZAG:
        return "zigzag";
    case COLUMN_TEXT:
        return "text";
    }
    return "u8";
}

json_t *page_columns_describe(const struct page_columns *columns)
{
    json_t *object = json_object();
    size_t offset = 0;

    for (size_t i = 0; object && i < columns->count; i++) {
        const struct page_column *column = &columns->list[i];
        json_t *place = json_pack("[I, I, I, s]", (json_int_t)offset, (json_int_t)column->size,
                                  (json_int_t)column->count, type_name(column->type));

        if (!place || json_object_set_new(object, column->name, place) != 0) {
            json_decref(object);
            return NULL;
        }
        offset += column->size;
    }
    return object;
}
