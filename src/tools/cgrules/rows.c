/* SPDX-License-Identifier: MIT */
#include "tools/cgrules/cgrules.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "unwind/functions/functions.h"
#include "unwind/prologue/prologue.h"
#include "unwind/row/row_print.h"
#include "unwind/sources/cfi.h"
#include "unwind/sources/exidx.h"
#include "runtime/go/rows/go_rows.h"

struct printer {
    const struct arch *arch;
    bool printed; /* whether some row was printed */
};

static bool print_row(void *context, const struct row *row)
{
    struct printer *printer = context;
    char text[ROW_TEXT_MAX];
    size_t len = row_format(row, printer->arch, text);

    printer->printed = true;
    text[len++] = '\n';
    fwrite(text, 1, len, stdout);
    return true;
}

/* Prints the rows that prologue analysis finds, for each function once. */
static enum status print_prologue(const struct job *job, struct printer *printer)
{
    const struct functions *functions;
    enum status status = module_rows_functions(job->rows, &functions);

    progress_end_for_output();
    for (size_t i = 0; status == STATUS_OK && i < functions->count;
         status = module_rows_functions(job->rows, &functions), i++) {
        const struct row_table *table;

        status = module_rows_analyse(job->rows, functions->items[i].start_vaddr, &table);
        if (status == STATUS_NO_MEMORY)
            return status;
        for (size_t k = 0; status == STATUS_OK && k < table->count; k++) {
            struct row row;

            row_table_get(table, k, &row);
            print_row(printer, &row);
        }
        progress_set(i + 1, functions->count);
    }
    return status == STATUS_OK && !printer->printed ? STATUS_NOT_FOUND : status;
}

/* Returns the file with the CFI: the debug file, if the module's own has no .debug_frame. */
static struct elf_image *cfi_image(const struct job *job, enum trust source)
{
    struct elf_image *image = job->module->image, *debug;
    struct elf_section section;

    if (source == TRUST_EH_FRAME ||
        elf_image_section(image, ".debug_frame", &section) != STATUS_NOT_FOUND)
        return image;
    debug = module_debug_image(job->set, job->module);
    return debug ? debug : image;
}

bool tell_damaged_fdes(const struct job *job, enum trust source, struct diag *diag)
{
    struct elf_image *image = cfi_image(job, source);
    struct cfi_damage damage;

    if (cfi_damage_find(image, source, &damage) != STATUS_OK || damage.damaged == 0)
        return false;
    diag_set(
        diag, elf_image_path(image),
        "%zu of %zu FDEs of .%s cannot be read to their end or are not of its code, the first at "
        "%08" PRIx64 " in the section",
        damage.damaged, damage.fdes, trust_name(source), damage.first_off);
    return true;
}

static void warn_of_damaged_fdes(const struct job *job, enum trust source)
{
    struct diag diag;

    if (tell_damaged_fdes(job, source, &diag))
        warn(&diag);
}

static enum status print_cfi(const struct job *job, enum trust method, struct printer *printer)
{
    struct cfi *cfi = module_rows_cfi(job->rows, method);
    enum status status = STATUS_NOT_FOUND;

    for (size_t i = 0; cfi && (status = cfi_rows(cfi, i, print_row, printer)) != STATUS_NOT_FOUND;
         i++)
        if (status == STATUS_NO_MEMORY)
            return status;
    if (printer->printed)
        warn_of_damaged_fdes(job, method);
    return printer->printed ? STATUS_OK : STATUS_NOT_FOUND;
}

/* Prints the rows of .ARM.exidx. A damaged entry is left out, with a warning for the first. */
static enum status print_exidx(const struct job *job, struct printer *printer)
{
    const struct exidx *exidx = module_rows_exidx(job->rows);
    struct diag first, diag;
    size_t damaged = 0;
    enum status status = STATUS_NOT_FOUND;

    for (size_t i = 0;
         exidx && (status = exidx_rows(exidx, i, print_row, printer, &diag)) != STATUS_NOT_FOUND;
         i++) {
        if (status == STATUS_NO_MEMORY)
            return status;
        if (status != STATUS_OK && damaged++ == 0)
            first = diag;
    }
    if (damaged > 0) {
        diag_hint(&first, "%zu entr%s of .ARM.exidx %s left out", damaged,
                  damaged == 1 ? "y" : "ies", plural_was(damaged));
        warn(&first);
    }
    return printer->printed ? STATUS_OK : STATUS_NOT_FOUND;
}

/* Prints the rows of .gopclntab; none for functions whose SP the table cannot describe. */
static enum status print_go(const struct job *job, struct printer *printer)
{
    const struct gopclntab *table = module_rows_go(job->rows);
    struct go_sp_delta last = {0};
    struct go_function function;
    struct row row;

    for (size_t i = 0; table && i < gopclntab_count(table); i++) {
        if (gopclntab_at(table, i, &function) != STATUS_OK)
            continue;
        for (uint64_t vaddr = function.start_vaddr;
             vaddr < function.end_vaddr &&
             go_row(table, job->arch, vaddr, &last, &row) == STATUS_OK && row.end_vaddr > vaddr;
             vaddr = row.end_vaddr)
            print_row(printer, &row);
    }
    return printer->printed ? STATUS_OK : STATUS_NOT_FOUND;
}

static bool note_row(void *context, const struct row *row)
{
    (void)row;
    *(bool *)context = true;
    return false;
}

/*
 * Says whether the method has rows. Having the section is not enough: in Debian's C programs for
 * armhf all of .ARM.exidx is CANTUNWIND, and a section may be empty or damaged.
 */
static bool has_rows(const struct job *job, enum trust method)
{
    const struct exidx *exidx = method == TRUST_EXIDX ? module_rows_exidx(job->rows) : NULL;
    struct cfi *cfi = method == TRUST_DEBUG_FRAME || method == TRUST_EH_FRAME
                          ? module_rows_cfi(job->rows, method)
                          : NULL;
    bool found = method == TRUST_PROLOGUE ||
                 (method == TRUST_GOPCLNTAB && module_rows_go(job->rows) != NULL);
    enum status status = STATUS_OK;

    for (size_t i = 0;
         exidx && !found && exidx_rows(exidx, i, note_row, &found, NULL) != STATUS_NOT_FOUND; i++)
        ;
    for (size_t i = 0; cfi && !found && status != STATUS_NOT_FOUND && status != STATUS_NO_MEMORY;
         i++)
        status = cfi_rows(cfi, i, note_row, &found);
    return found;
}

static enum trust method_of(const struct job *job)
{
    static const enum trust tables[] = {TRUST_DEBUG_FRAME, TRUST_EH_FRAME, TRUST_EXIDX,
                                        TRUST_GOPCLNTAB};

    if (job->options->method_given)
        return job->options->method;
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && !job->options->code_only; i++)
        if (has_rows(job, tables[i]))
            return tables[i];
    for (size_t i = 0; i < 2 && !job->options->code_only; i++)
        warn_of_damaged_fdes(job, tables[i]);
    return TRUST_PROLOGUE;
}

static void explain_cfi(const struct job *job, enum trust method, struct diag *diag)
{
    struct elf_image *image = cfi_image(job, method);
    struct elf_section section;
    char name[16];

    snprintf(name, sizeof(name), ".%s", trust_name(method));
    if (tell_damaged_fdes(job, method, diag))
        return;
    switch (elf_image_section(image, name, &section)) {
    case STATUS_OK:
        diag_set(diag, elf_image_path(image),
                 section.bytes ? "no rows: %s holds none" : "no rows: %s is not in this file",
                 name);
        break;
    case STATUS_BAD_DATA:
        diag_set(diag, elf_image_path(image), "no rows: %s is not all in the file", name);
        break;
    case STATUS_END:
    case STATUS_NOT_FOUND:
    case STATUS_FAULT:
    case STATUS_UNSUPPORTED:
    case STATUS_NO_MEMORY:
    case STATUS_BUSY:
    case STATUS_IO:
        diag_set(diag, elf_image_path(image), "no rows: there is no %s", name);
        break;
    }
}

/* Reports why there are no rows, and what to try; returns the exit status. */
static int fail_without_rows(const struct job *job, enum trust method, enum status status)
{
    const char *elf = job->options->elf;
    struct exidx *exidx;
    struct diag diag;

    if (status == STATUS_NO_MEMORY) {
        diag_set(&diag, elf, "out of memory");
        return fail(&diag);
    }
    if (method == TRUST_PROLOGUE) {
        diag_set(&diag, elf, "no rows: %s code that can be analysed",
                 job->options->method_given || job->options->code_only
                     ? "there is no"
                     : "neither unwind tables that have some nor");
        return fail_absent(job, &diag);
    }
    if (method == TRUST_GOPCLNTAB) {
        diag_set(&diag, elf, "no rows: there are no tables of Go 1.16 or later");
    } else if (method != TRUST_EXIDX) {
        explain_cfi(job, method, &diag);
    } else {
        diag_set(&diag, elf, "no rows: there is no .ARM.exidx");
        if (module_rows_exidx(job->rows))
            diag_set(&diag, elf, "no rows: .ARM.exidx says that nothing of it can be unwound");
        else if (exidx_create_from_image(job->module->image, &exidx, &diag) == STATUS_OK)
            exidx_destroy(exidx);
    }
    diag_hint(&diag, "try --method prologue");
    return fail_absent(job, &diag);
}

int print_rows(const struct job *job)
{
    enum trust method = method_of(job);
    struct printer printer = {.arch = job->arch};
    enum status status;

    progress_begin("cgrules", "working");
    if (method == TRUST_PROLOGUE)
        status = print_prologue(job, &printer);
    else if (method == TRUST_EXIDX)
        status = print_exidx(job, &printer);
    else if (method == TRUST_GOPCLNTAB)
        status = print_go(job, &printer);
    else
        status = print_cfi(job, method, &printer);
    progress_end();
    return status == STATUS_OK ? 0 : fail_without_rows(job, method, status);
}

static void answer(const struct job *job, enum trust method, uint64_t vaddr)
{
    const struct arch *arch = job->arch;
    const struct row *row;

    if (module_rows_find(job->rows, method, vaddr, &row) != STATUS_OK || row->cfa.kind != CFA_REG ||
        (row->ra.kind != RULE_AT_CFA && row->ra.kind != RULE_SAME &&
         !(row->ra.kind == RULE_UNSPECIFIED && arch->lr != REG_NONE))) {
        printf("%" PRIx64 " - - -\n", vaddr);
        return;
    }
    printf("%" PRIx64 " %s %d ", vaddr, arch_reg_names(arch)[row->cfa.reg], row->cfa.off);
    if (row->ra.kind == RULE_AT_CFA)
        printf("%d\n", row->ra.off);
    else
        puts("lr");
}

/* Reads a line with one address, with optional blanks around. */
static bool parse_address(const char *line, uint64_t *vaddr)
{
    char *end;

    line += strspn(line, " \t");
    if (!isxdigit((unsigned char)*line))
        return false;
    errno = 0;
    *vaddr = strtoull(line, &end, 16);
    return errno == 0 && end[strspn(end, " \t\r\n")] == '\0';
}

static int fail_pcs(const struct job *job, const char *why)
{
    struct diag diag;

    diag_set(&diag, job->options->pcs, "%s", why);
    return fail(&diag);
}

static int answer_lines(const struct job *job, enum trust method, FILE *file)
{
    char why[64];
    char *line = NULL;
    size_t cap = 0, number = 0;
    int result = 0;

    errno = 0;
    while (result == 0 && getline(&line, &cap, file) >= 0) {
        uint64_t vaddr;

        number++;
        if (line[strspn(line, " \t\r\n")] == '\0')
            continue;
        if (parse_address(line, &vaddr)) {
            answer(job, method, vaddr);
        } else {
            snprintf(why, sizeof(why), "line %zu is not a hexadecimal address", number);
            result = fail_pcs(job, why);
        }
        errno = 0;
    }
    if (result == 0 && (ferror(file) || errno))
        result = fail_pcs(job, strerror(errno));
    free(line);
    return result;
}

int answer_pcs(const struct job *job)
{
    enum trust method = method_of(job);
    const char *path = job->options->pcs;
    FILE *file;
    int result;

    if (!has_rows(job, method))
        return fail_without_rows(job, method, STATUS_NOT_FOUND);
    file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    if (!file)
        return fail_pcs(job, strerror(errno));
    result = answer_lines(job, method, file);
    if (file != stdin)
        fclose(file);
    return result;
}
