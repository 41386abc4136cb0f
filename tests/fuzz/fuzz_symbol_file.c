/* SPDX-License-Identifier: MIT */
/*
 * Symbol files that run-time compilers register, over any bytes: their functions, and the rows of
 * their tables.
 *
 * Input: an ELF file.
 */
#include <stdlib.h>
#include <string.h>

#include "symbol/symbol_file.h"
#include "runtime/jit/rows/made_rows.h"

#define FUNCTIONS_MAX 256 /* whose rows are looked at */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    struct made_rows *rows;
    unsigned functions;
};

static enum status take(void *context, const struct symbol_file_function *function)
{
    static const enum trust sources[] = {TRUST_EH_FRAME, TRUST_DEBUG_FRAME};
    struct seen *seen = context;
    const struct row *row;

    if (!function->size || !function->name[0])
        abort();
    if (seen->functions++ >= FUNCTIONS_MAX)
        return STATUS_OK;
    for (unsigned i = 0; i < 2; i++)
        if (made_rows_find(seen->rows, sources[i], function->start_addr, &row) == STATUS_OK &&
            (row->source != sources[i] || function->start_addr < row->start_vaddr ||
             function->start_addr >= row->end_vaddr))
            abort();
    return STATUS_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct seen seen = {.functions = 0};
    struct elf_image *image;
    bool changed = false;

    if (elf_image_open_bytes(data, size, "input", &image, NULL) != STATUS_OK)
        return 0;
    if (made_rows_create(&seen.rows) == STATUS_OK &&
        made_rows_add(seen.rows, image, &changed) == STATUS_OK)
        (void)!symbol_file_each(image, take, &seen);
    made_rows_destroy(seen.rows);
    elf_image_close(image);
    return 0;
}
