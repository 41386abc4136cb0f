/* SPDX-License-Identifier: MIT */
/*
 * Values by address: how far SP has moved, files, lines, and the trees of inlined calls
 * (pcvalue, funcline and inlineUnwinder of Go's runtime).
 *
 * A table of values is a list of pairs, from the function's beginning on: by how much the value,
 * at first -1, changes (zigzag), and for how many units of code it then holds. A change of 0 that
 * is not the first one ends it.
 */
#include "base/cursor.h"
#include "runtime/go/gopclntab_private.h"

/* Pairs read for one look-up; the largest functions have some ten thousand. */
#define PAIRS_MAX 1000000

#define PCDATA_INLINE_TREE_INDEX 2
#define FUNCDATA_INLINE_TREE     3

#define INLINED_CALL_SIZE_MAX 20

struct value_range {
    uint64_t start_vaddr, end_vaddr;
    int32_t value;
    uint64_t next_off; /* of the pair behind it, in pctab; 0: from the function's beginning on */
};

/* A look-up of values of a function. */
struct go_place {
    const struct gopclntab *table;
    const struct go_function *function;
    struct go_func func;
    unsigned pairs_left;
    uint64_t tree_vaddr; /* 0: nothing is inlined, or not known */
};

struct inlined_call {
    uint32_t name_off;
    uint32_t parent_off; /* of code of the caller, in the function */
};

static bool read_varint(struct cursor *c, uint32_t *out)
{
    uint8_t byte;

    *out = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        if (!cursor_u8(c, &byte))
            return false;
        *out |= (uint32_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return true;
    }
    return false;
}

/*
 * Finds the value at `vaddr`. Continues behind *out, if that ends before `vaddr`; zeroed: begins
 * with the function. False: the table does not say, or is damaged.
 */
static bool find_value(struct go_place *place, uint32_t off, uint64_t vaddr,
                       struct value_range *out)
{
    const struct gopclntab *table = place->table;
    const struct go_function *function = place->function;
    const bool goes_on = out->next_off && out->end_vaddr <= vaddr;
    const uint64_t from = goes_on ? out->next_off : off, left = table->size - table->pctab_off;
    uint64_t at = goes_on ? out->end_vaddr : function->start_vaddr, size;
    uint32_t value = goes_on ? (uint32_t)out->value : UINT32_MAX, change, units;
    struct cursor c;

    if (off == 0 || from >= left)
        return false;
    c = cursor_init(table->bytes + table->pctab_off + from, (size_t)(left - from));
    for (; place->pairs_left > 0; place->pairs_left--) {
        if (!read_varint(&c, &change) || (change == 0 && at != function->start_vaddr) ||
            !read_varint(&c, &units))
            return false;
        value += (change >> 1) ^ (0 - (change & 1));
        size = (uint64_t)units * table->quantum;
        if (size > vaddr - at) {
            *out = (struct value_range){.start_vaddr = at,
                                        .end_vaddr = size < function->end_vaddr - at
                                                         ? at + size
                                                         : function->end_vaddr,
                                        .value = (int32_t)value,
                                        .next_off = from + c.pos};
            return true;
        }
        at += size;
    }
    return false;
}

/* -1: not known. */
static int32_t value_at(struct go_place *place, uint32_t off, uint64_t vaddr)
{
    struct value_range range = {0};

    return find_value(place, off, vaddr, &range) ? range.value : -1;
}

static bool place_init(struct go_place *place, const struct gopclntab *table,
                       const struct go_function *function, uint64_t vaddr)
{
    *place = (struct go_place){.table = table, .function = function, .pairs_left = PAIRS_MAX};
    return vaddr >= function->start_vaddr && vaddr < function->end_vaddr &&
           go_func_read(table, function->func_off, &place->func);
}

enum status gopclntab_sp_delta(const struct gopclntab *table, const struct go_function *function,
                               uint64_t vaddr, struct go_sp_delta *out)
{
    struct value_range range = {0};
    struct go_place place;

    if (out->func_off == function->func_off)
        range = (struct value_range){out->start_vaddr, out->end_vaddr, out->delta, out->next_off};
    if (!place_init(&place, table, function, vaddr) ||
        !find_value(&place, place.func.pcsp_off, vaddr, &range))
        return STATUS_NOT_FOUND;
    *out = (struct go_sp_delta){.start_vaddr = range.start_vaddr,
                                .end_vaddr = range.end_vaddr,
                                .delta = range.value,
                                .func_off = function->func_off,
                                .next_off = range.next_off};
    return STATUS_OK;
}

static void find_line(struct go_place *place, uint64_t vaddr, struct go_source *out)
{
    const struct gopclntab *table = place->table;
    int32_t file = value_at(place, place->func.pcfile_off, vaddr);
    int32_t line = value_at(place, place->func.pcln_off, vaddr);
    uint64_t file_off;

    if (file < 0 || line <= 0 ||
        !go_uint(table, table->cu_off + ((uint64_t)place->func.cu_index + (uint32_t)file) * 4, 4,
                 &file_off))
        return;
    out->file = go_text_at(table, table->filetab_off, (uint32_t)file_off);
    out->line = (uint32_t)line;
}

/* 0: there is none. */
static uint64_t find_tree(const struct gopclntab *table, const struct go_func *func)
{
    uint64_t value, off = func->pcdata_off + (uint64_t)func->pcdata_count * 4;

    if (func->pcdata_count <= PCDATA_INLINE_TREE_INDEX ||
        func->funcdata_count <= FUNCDATA_INLINE_TREE)
        return 0;
    if (table->layout == GO_1_16) {
        uint64_t vaddr = (table->vaddr + off + table->word - 1) & ~(uint64_t)(table->word - 1);

        return go_pointer(table, vaddr + FUNCDATA_INLINE_TREE * table->word, &value) ? value : 0;
    }
    if (table->funcdata_vaddr == 0 || !go_uint(table, off + FUNCDATA_INLINE_TREE * 4, 4, &value) ||
        value == UINT32_MAX)
        return 0;
    return table->funcdata_vaddr + value;
}

/* The innermost call that was inlined at `vaddr`; false: none. */
static bool find_call(struct go_place *place, uint64_t vaddr, struct inlined_call *out)
{
    const struct gopclntab *table = place->table;
    bool is_short = table->layout == GO_1_20;
    uint64_t values_off, avail, size = is_short ? 16 : INLINED_CALL_SIZE_MAX;
    const uint8_t *bytes;
    struct cursor c;
    int32_t index;

    if (place->tree_vaddr == 0 ||
        !go_uint(table, place->func.pcdata_off + PCDATA_INLINE_TREE_INDEX * 4, 4, &values_off))
        return false;
    index = value_at(place, (uint32_t)values_off, vaddr);
    if (index < 0)
        return false;
    bytes = elf_image_bytes_at(table->image, place->tree_vaddr + (uint32_t)index * size, &avail);
    if (!bytes)
        return false;
    c = cursor_init(bytes, avail < size ? (size_t)avail : (size_t)size);
    return cursor_skip(&c, is_short ? 4 : 12) && cursor_u32(&c, &out->name_off) &&
           cursor_u32(&c, &out->parent_off);
}

size_t gopclntab_sources(const struct gopclntab *table, const struct go_function *function,
                         uint64_t vaddr, struct go_source out[GO_SOURCES_MAX])
{
    uint64_t size = function->end_vaddr - function->start_vaddr;
    struct inlined_call call;
    struct go_place place;
    size_t count = 0;

    if (!place_init(&place, table, function, vaddr)) {
        out[0] = (struct go_source){.function = function->name};
        return 1;
    }
    place.tree_vaddr = find_tree(table, &place.func);
    while (count + 1 < GO_SOURCES_MAX && find_call(&place, vaddr, &call)) {
        const char *name = go_text_at(table, table->funcname_off, call.name_off);

        if (!name || call.parent_off >= size)
            break;
        out[count] = (struct go_source){.function = name, .is_inline = true};
        find_line(&place, vaddr, &out[count++]);
        vaddr = function->start_vaddr + call.parent_off;
    }
    out[count] = (struct go_source){.function = function->name};
    find_line(&place, vaddr, &out[count]);
    return count + 1;
}
