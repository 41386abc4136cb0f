/* SPDX-License-Identifier: MIT */
/* --explain: prints all rows at an address, its function, and how its row came about. */
#include "tools/cgrules/cgrules.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/elf/symtab.h"
#include "runtime/go/gopclntab.h"
#include "unwind/code/code.h"
#include "unwind/explain/explain.h"
#include "unwind/explain/explain_origin.h"
#include "unwind/prologue_source.h"
#include "unwind/row/row_print.h"

/* Reports why the address cannot be explained; returns the exit status. */
static int fail_address(const struct job *job, const char *what)
{
    struct diag diag;

    diag_set(&diag, job->options->elf, "%s: %s", job->options->explain, what);
    return fail_absent(job, &diag);
}

static int fail_memory(const struct job *job)
{
    struct diag diag;

    diag_set(&diag, job->options->elf, "out of memory");
    return fail(&diag);
}

/* Reads hexadecimal digits only; a function with such a name has to be given as NAME+0. */
static bool parse_hex(const char *text, uint64_t *out)
{
    char *end;

    if (!isxdigit((unsigned char)*text))
        return false;
    errno = 0;
    *out = strtoull(text, &end, 16);
    return errno == 0 && *end == '\0';
}

/* Finds the function of that name with the lowest address. */
static bool find_symbol(const struct job *job, const char *name, size_t length, uint64_t *out)
{
    const struct symtab *symtab = module_symtab(job->set, job->module);
    const struct gopclntab *go = module_gopclntab(job->set, job->module);
    size_t count = symtab ? symtab_count(symtab) : 0;
    struct go_function function;
    struct symbol symbol;

    for (size_t i = 0; i < count; i++) {
        symtab_at(symtab, i, &symbol);
        if (strncmp(symbol.name, name, length) == 0 && symbol.name[length] == '\0') {
            *out = symbol.start_vaddr;
            return true;
        }
    }
    for (size_t i = 0; go && i < gopclntab_count(go); i++)
        if (gopclntab_at(go, i, &function) == STATUS_OK &&
            strncmp(function.name, name, length) == 0 && function.name[length] == '\0') {
            *out = function.start_vaddr;
            return true;
        }
    return false;
}

/* Reads NAME or NAME+OFFSET; the offset is decimal, or hexadecimal with 0x. */
static bool parse_name(const struct job *job, const char *text, uint64_t *out)
{
    const char *plus = strrchr(text, '+');
    uint64_t offset = 0;
    char *end;

    if (find_symbol(job, text, strlen(text), out))
        return true;
    if (!plus || !isdigit((unsigned char)plus[1]))
        return false;
    errno = 0;
    offset = strtoull(plus + 1, &end,
                      plus[1] == '0' && tolower((unsigned char)plus[2]) == 'x' ? 16 : 10);
    if (errno != 0 || *end != '\0' || !find_symbol(job, text, (size_t)(plus - text), out) ||
        offset > UINT64_MAX - *out)
        return false;
    *out += offset;
    return true;
}

static bool is_code(const struct job *job, uint64_t vaddr)
{
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(job->module->image, &count);
    uint64_t avail;

    for (size_t i = 0; i < count; i++)
        if (vaddr >= ranges[i].start_vaddr && vaddr < ranges[i].end_vaddr)
            return elf_image_bytes_at(job->module->image, vaddr, &avail) != NULL;
    return false;
}

/* Writes " <name+0x10>". */
static void write_name(void *context, FILE *out, uint64_t vaddr)
{
    const struct job *job = context;
    struct symbol symbol;

    (void)out; /* print_name writes to standard output, which `out` is */
    if (!find_name(job, vaddr, &symbol))
        return;
    fputs(" <", stdout);
    print_name(symbol.name);
    if (vaddr != symbol.start_vaddr)
        printf("+0x%" PRIx64, vaddr - symbol.start_vaddr);
    putchar('>');
}

/* Prints the row of one source, as other tasks do. */
static enum status print_source(const struct job *job, enum trust source, uint64_t vaddr)
{
    const struct row *row;
    char text[ROW_TEXT_MAX];
    enum status status = module_rows_find(job->rows, source, vaddr, &row);

    if (status == STATUS_NO_MEMORY)
        return status;
    if (status == STATUS_OK)
        row_format(row, job->arch, text);
    printf("  %-12s %s\n", trust_name(source), status == STATUS_OK ? text : "-");
    return STATUS_OK;
}

static bool has_table(const struct job *job, enum trust source)
{
    if (source == TRUST_EXIDX)
        return module_rows_exidx(job->rows) != NULL;
    if (source == TRUST_GOPCLNTAB)
        return module_rows_go(job->rows) != NULL;
    return module_rows_cfi(job->rows, source) != NULL;
}

static enum status print_sources(const struct job *job, uint64_t vaddr)
{
    static const enum trust tables[] = {TRUST_DEBUG_FRAME, TRUST_EH_FRAME, TRUST_EXIDX,
                                        TRUST_GOPCLNTAB};
    enum status status = STATUS_OK;
    struct row row;

    puts("rows");
    for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]) && status == STATUS_OK; i++) {
        if (!job->options->code_only && !job->options->method_given && has_table(job, tables[i]))
            status = print_source(job, tables[i], vaddr);
    }
    if (status == STATUS_OK)
        status = print_source(job, TRUST_PROLOGUE, vaddr);
    if (module_rows_is_sigreturn(job->rows, vaddr, &row))
        puts("  a signal trampoline begins there: the row prologue is its, whatever follows");
    return status;
}

static enum status print_analysis(const struct job *job, const struct recorded_analysis *record,
                                  uint64_t vaddr)
{
    struct explain_request request = {.prologue = record->prologue,
                                      .entries = {.arrivals = record->arrivals,
                                                  .arrival_count = record->arrival_count,
                                                  .landing_pads = record->landing_pads,
                                                  .landing_pad_count = record->landing_pad_count},
                                      .start_vaddr = record->function.start_vaddr,
                                      .end_vaddr = record->function.end_vaddr,
                                      .vaddr = vaddr,
                                      .verbose = job->options->verbose > 0,
                                      .write_name = job->options->code_only ? NULL : write_name,
                                      .context = (void *)job};
    enum status status = module_rows_code(job->rows, &request.code);

    putchar('\n');
    return status == STATUS_OK ? explain_write(&request, stdout) : status;
}

/* Prints the function and its analysis. */
static enum status print_function(const struct job *job, uint64_t vaddr)
{
    struct recorded_analysis record;
    const struct origin_request origin = {.rows = job->rows,
                                          .set = job->set,
                                          .module = job->module,
                                          .function = &record.function,
                                          .code_only = job->options->code_only,
                                          .write_name = job->options->code_only ? NULL : write_name,
                                          .context = (void *)job};
    enum status status = module_rows_record(job->rows, vaddr, &record);
    enum status written;

    if (record.function.end_vaddr == 0) {
        puts("function     none is known to hold the address");
        return status;
    }
    /* This looks through all code, so the recorded analysis is freed before. */
    recorded_analysis_deinit(&record);
    written = explain_origin_write(&origin, stdout);
    if (written != STATUS_OK)
        return written;
    status = module_rows_record(job->rows, vaddr, &record);
    if (status == STATUS_OK) {
        status = print_analysis(job, &record, vaddr);
        recorded_analysis_deinit(&record);
    } else if (status == STATUS_UNSUPPORTED) {
        puts("\nthe function is too large, or too much work, to be analysed");
    }
    return status;
}

int print_explanation(const struct job *job)
{
    const char *text = job->options->explain;
    enum status status;
    uint64_t vaddr;

    if (!parse_hex(text, &vaddr)) {
        if (job->options->code_only)
            return fail_address(job, "not a hexadecimal address; --code-only knows no names");
        if (!parse_name(job, text, &vaddr))
            return fail_address(job, "neither a hexadecimal address nor a function's name that "
                                     "the file has, perhaps with +OFFSET");
    }
    if (!is_code(job, vaddr))
        return fail_address(job, "there is no code at this address in the file");
    progress_begin("cgrules", "working");
    progress_end_for_output();
    printf("file         ");
    print_path(job->options->elf);
    printf(", %s\n", job->arch->name);
    printf("address      %" PRIx64, vaddr);
    if (!job->options->code_only)
        write_name((void *)job, stdout, vaddr);
    putchar('\n');
    status = print_sources(job, vaddr);
    if (status == STATUS_OK)
        status = print_function(job, vaddr);
    progress_end();
    if (status == STATUS_NO_MEMORY)
        return fail_memory(job);
    return insn_problem() ? fail_address(job, "code cannot be analysed") : 0;
}
