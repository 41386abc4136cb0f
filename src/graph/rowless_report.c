/* SPDX-License-Identifier: MIT */
#include "graph/rowless_report.h"

#include <inttypes.h>

#include "base/text.h"
#include "graph/amount.h"
#include "symbol/elf/symtab.h"
#include "symbol/module_set.h"
#include "unwind/audit/rowless.h"

#define FUNCTIONS_TOLD 3

static uint64_t code_size(const struct elf_image *image)
{
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(image, &count);
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++)
        bytes += ranges[i].end_vaddr - ranges[i].start_vaddr;
    return bytes;
}

/* Prints the function's name, or the range's start, and its bytes. */
static enum status print_range(struct module_set *set, struct module *module,
                               const struct rowless_range *range, FILE *out)
{
    const struct symtab *symtab = range->is_function ? module_symtab(set, module) : NULL;
    struct symbol symbol;
    enum status status = STATUS_OK;

    if (symtab && symtab_find(symtab, range->start_vaddr, &symbol) == STATUS_OK &&
        symbol.start_vaddr == range->start_vaddr)
        status = text_put_clean(symbol.name, out);
    else
        fprintf(out, "%" PRIx64, range->start_vaddr);
    fprintf(out, " %" PRIu64, range->bytes);
    return status;
}

static enum status print_module(struct module_set *set, struct module *module,
                                const struct rowless *rowless, FILE *out)
{
    char share[AMOUNT_TEXT_MAX];
    enum status status;

    fprintf(out, "  %8s ", amount_share(share, rowless->bytes, rowless->code_bytes));
    status = text_put_clean(module->file.path, out);
    if (status == STATUS_OK && rowless->bytes)
        fprintf(out, ": %" PRIu64 " of %" PRIu64 " bytes: ", rowless->bytes, rowless->code_bytes);
    for (size_t i = 0; i < rowless->largest_count && i < FUNCTIONS_TOLD && status == STATUS_OK;
         i++) {
        if (i)
            fputs(", ", out);
        status = print_range(set, module, &rowless->largest[i], out);
    }
    fputc('\n', out);
    return status;
}

static enum status report_module(struct module_set *set, struct module *module, FILE *out)
{
    struct module_rows *rows;
    struct rowless rowless;
    enum status status;

    if (code_size(module->image) > ROWLESS_CODE_MAX) {
        fputs("  not told ", out);
        status = text_put_clean(module->file.path, out);
        fputs(": it has more than 64 MiB of code: cgrules --audit tells\n", out);
        return status;
    }
    status = module_rows_create(set, module, &rows);
    if (status != STATUS_OK)
        return status;
    status = rowless_count(rows, set, module, ROWLESS_ANY, &rowless);
    module_rows_destroy(rows);
    if (status == STATUS_OK && rowless.code_bytes)
        return print_module(set, module, &rowless, out);
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

enum status rowless_report(struct module_set *modules, FILE *out)
{
    enum status status = STATUS_OK;
    bool titled = false;

    for (size_t i = 0; i < module_set_count(modules) && status == STATUS_OK; i++) {
        struct module *module = module_set_at(modules, i);

        if (module->state != MODULE_OPEN)
            continue;
        if (!titled)
            fputs("code without a row, and the functions with the most of it:\n", out);
        titled = true;
        status = report_module(modules, module, out);
    }
    return status == STATUS_OK ? text_finish(out) : status;
}
