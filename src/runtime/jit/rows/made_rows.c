/* SPDX-License-Identifier: MIT */
#include "runtime/jit/rows/made_rows.h"

#include <stdlib.h>

#include "base/overlay.h"
#include "base/vec.h"
#include "symbol/elf/loaded_section.h"
#include "unwind/sources/cfi.h"

struct made_table { /* a section */
    enum trust source;
    struct cfi *cfi; /* owned */
    uint8_t *bytes;  /* owned; used by cfi */
};

struct made_rows {
    struct made_table *tables; /* owned; in the order added */
    size_t count, cap;
    struct overlay eh_frame, debug_frame; /* functions; data: index into tables */
    uint64_t size;                        /* of all tables, bytes */
    struct made_rows *otherwise;
    struct row row; /* last result */
};

enum status made_rows_create(struct made_rows **out)
{
    *out = calloc(1, sizeof(**out));
    return *out ? STATUS_OK : STATUS_NO_MEMORY;
}

static void table_deinit(struct made_table *table)
{
    cfi_destroy(table->cfi);
    free(table->bytes);
}

void made_rows_destroy(struct made_rows *rows)
{
    if (!rows)
        return;
    for (size_t i = 0; i < rows->count; i++)
        table_deinit(&rows->tables[i]);
    free(rows->tables);
    overlay_deinit(&rows->eh_frame);
    overlay_deinit(&rows->debug_frame);
    free(rows);
}

void made_rows_set_otherwise(struct made_rows *rows, struct made_rows *otherwise)
{
    rows->otherwise = otherwise;
}

static struct overlay *functions_of(struct made_rows *rows, enum trust source)
{
    return source == TRUST_EH_FRAME ? &rows->eh_frame : &rows->debug_frame;
}

/* Adds the functions of the last table. */
static enum status add_functions(struct made_rows *rows)
{
    const struct made_table *table = &rows->tables[rows->count - 1];
    struct overlay *functions = functions_of(rows, table->source);
    struct overlay_range range = {.data = (uint32_t)rows->count - 1};
    enum status status = STATUS_OK;

    for (size_t i = 0; status == STATUS_OK && cfi_function_at(table->cfi, i, &range.start_addr,
                                                              &range.end_addr) == STATUS_OK;
         i++)
        if (range.start_addr < range.end_addr)
            status = overlay_add(functions, &range);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status;
}

/* Makes the table's cfi; frees the bytes on failure. NOT_FOUND: no row in them. */
static enum status make_table(const struct elf_section *section, struct elf_image *image,
                              struct made_table *table)
{
    struct cfi_section cfi = {.arch = elf_image_arch(image),
                              .bytes = table->bytes,
                              .size = section->size,
                              .vaddr = section->vaddr,
                              .eh_frame = table->source == TRUST_EH_FRAME};
    struct elf_section text;
    enum status status;

    if (elf_image_section(image, ".text", &text) == STATUS_OK)
        cfi.text_vaddr = text.vaddr;
    status = cfi_create(&cfi, table->source, NULL, &table->cfi);
    if (status != STATUS_OK)
        free(table->bytes);
    return status;
}

static enum status add_section(struct made_rows *rows, struct elf_image *image, enum trust source)
{
    struct made_table table = {.source = source};
    struct elf_section section;
    enum status status =
        loaded_section(image, source == TRUST_EH_FRAME ? ".eh_frame" : ".debug_frame", &section,
                       &table.bytes);

    if (status != STATUS_OK)
        return status;
    if (rows->count >= MADE_TABLES_MAX || section.size > MADE_TABLES_BYTES_MAX - rows->size) {
        free(table.bytes);
        return STATUS_NOT_FOUND;
    }
    status = make_table(&section, image, &table);
    if (status != STATUS_OK)
        return status;
    status = vec_reserve(&rows->tables, &rows->cap, rows->count + 1, sizeof(table));
    if (status != STATUS_OK) {
        table_deinit(&table);
        return status;
    }
    rows->tables[rows->count++] = table;
    rows->size += section.size;
    return add_functions(rows);
}

enum status made_rows_add(struct made_rows *rows, struct elf_image *image, bool *changed)
{
    const size_t before = rows->count;
    enum status status = add_section(rows, image, TRUST_EH_FRAME);

    if (status != STATUS_NO_MEMORY)
        status = add_section(rows, image, TRUST_DEBUG_FRAME);
    *changed |= rows->count > before;
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

enum status made_rows_find(struct made_rows *rows, enum trust source, uint64_t addr,
                           const struct row **out)
{
    for (; rows; rows = rows->otherwise) {
        struct overlay *functions = functions_of(rows, source);
        const struct overlay_range *function;
        enum status status;

        if (source != TRUST_EH_FRAME && source != TRUST_DEBUG_FRAME)
            return STATUS_NOT_FOUND;
        if (overlay_sort(functions) != STATUS_OK)
            return STATUS_NO_MEMORY;
        function = overlay_at(functions, addr);
        if (!function)
            continue;
        status = cfi_find(rows->tables[function->data].cfi, addr, &rows->row);
        if (status == STATUS_NOT_FOUND)
            continue;
        *out = &rows->row;
        return status;
    }
    return STATUS_NOT_FOUND;
}
