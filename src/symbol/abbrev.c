#include "symbol/abbrev.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "base/cursor.h"
#include "base/vec.h"

#define PAD 64

/* No version of DWARF since 2 gives this number a meaning. */
#define AT_NOTHING 0x04

/* One attribute's name and form; *more is false for the pair of zeroes that ends the list. */
static bool read_attribute(struct cursor *c, uint8_t *bytes, bool *more)
{
    uint64_t name, form;
    int64_t constant;
    size_t at = c->pos;

    if (!cursor_uleb(c, &name) || !cursor_uleb(c, &form) ||
        (form == DW_FORM_implicit_const && !cursor_sleb(c, &constant)))
        return false;
    if (name == DW_AT_sibling)
        bytes[at] = AT_NOTHING | (bytes[at] & 0x80); /* LEB128 may be longer than it needs to be */
    *more = name != 0 || form != 0;
    return true;
}

/* Reads a table up to the code 0 that ends it. */
static bool read_table(struct cursor *c, uint8_t *bytes)
{
    uint64_t code, tag;
    bool more;

    for (;;) {
        if (!cursor_uleb(c, &code))
            return false;
        if (code == 0)
            return true;
        if (!cursor_uleb(c, &tag) || !cursor_skip(c, 1))
            return false;
        do {
            if (!read_attribute(c, bytes, &more))
                return false;
        } while (more);
    }
}

enum status abbrev_copy_init(struct abbrev_copy *copy, const uint8_t *bytes, size_t size)
{
    struct cursor c;

    *copy = (struct abbrev_copy){.bytes = calloc(1, size + PAD)};
    if (!copy->bytes)
        return STATUS_NO_MEMORY;
    memcpy(copy->bytes, bytes, size);
    c = cursor_init(copy->bytes, size);
    while (cursor_left(&c) > 0) {
        uint64_t start = c.pos;

        if (!read_table(&c, copy->bytes))
            break;
        if (vec_reserve(&copy->starts, &copy->start_cap, copy->start_count + 1,
                        sizeof(*copy->starts)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        copy->starts[copy->start_count++] = start;
        copy->size = c.pos;
    }
    return STATUS_OK;
}

void abbrev_copy_deinit(struct abbrev_copy *copy)
{
    free(copy->bytes);
    free(copy->starts);
    *copy = (struct abbrev_copy){0};
}

bool abbrev_copy_has_table(const struct abbrev_copy *copy, uint64_t off)
{
    size_t low = 0, high = copy->start_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (copy->starts[middle] < off)
            low = middle + 1;
        else
            high = middle;
    }
    return low < copy->start_count && copy->starts[low] == off;
}
