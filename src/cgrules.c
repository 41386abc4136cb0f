/* cgrules: prints the unwind rows of an ELF file. Options and wiring only. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/module.h"
#include "unwind/cfi.h"
#include "unwind/module_rows.h"
#include "unwind/prologue.h"
#include "unwind/row_print.h"

#define EXIT_USAGE 2

struct options {
    enum trust method;
    bool method_given;
    const char *pcs;
    const char *elf;
};

static const char usage[] =
    "Usage: cgrules [OPTION]... ELF\n"
    "Prints the unwind rows of an ELF file: range, CFA, return address, saved registers.\n"
    "\n"
    "  -m, --method M    debug_frame, eh_frame or prologue (default: the first the file has)\n"
    "      --pcs FILE    for each hexadecimal address in FILE ('-': standard input) print\n"
    "                    PC CFA-REGISTER CFA-OFFSET RA-OFFSET, or PC and '-' without an answer\n"
    "  -h, --help        this text\n"
    "  -V, --version     the version\n"
    "\n"
    "Rows read like `readelf -wF`: c-8 saved at CFA-8, s same value, u undefined,\n"
    "exp a DWARF expression, [rbp-8] saved at rbp-8.\n";

static bool parse_method(const char *name, enum trust *out)
{
    static const enum trust methods[] = {TRUST_DEBUG_FRAME, TRUST_EH_FRAME, TRUST_PROLOGUE};

    for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
        if (strcmp(name, trust_name(methods[i])) == 0) {
            *out = methods[i];
            return true;
        }
    return false;
}

static int usage_error(const char *what, const char *which)
{
    fprintf(stderr, "cgrules: %s%s; try --help\n", what, which);
    return EXIT_USAGE;
}

/* -1: go on; else the exit status. */
static int parse_options(int argc, char **argv, struct options *options)
{
    static const struct option longs[] = {{"method", required_argument, NULL, 'm'},
                                          {"pcs", required_argument, NULL, 'p'},
                                          {"help", no_argument, NULL, 'h'},
                                          {"version", no_argument, NULL, 'V'},
                                          {0}};
    int c;

    while ((c = getopt_long(argc, argv, "m:hV", longs, NULL)) != -1) {
        switch (c) {
        case 'm':
            if (!parse_method(optarg, &options->method))
                return usage_error("no such method: ", optarg);
            options->method_given = true;
            break;
        case 'p':
            options->pcs = optarg;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        case 'V':
            puts("cgrules " CG_VERSION);
            return 0;
        default:
            return EXIT_USAGE;
        }
    }
    if (optind + 1 != argc)
        return usage_error("one ELF file is needed", "");
    options->elf = argv[optind];
    return -1;
}

struct printer {
    const struct arch *arch;
};

static bool print_row(void *context, const struct row *row)
{
    const struct arch *arch = ((const struct printer *)context)->arch;
    char buffer[64];

    printf("%0*" PRIx64 " %0*" PRIx64 " %-10s ra=%s", arch->word_size * 2, row->start_vaddr,
           arch->word_size * 2, row->end_vaddr, row_format_cfa(row, arch, buffer, sizeof(buffer)),
           rule_format(&row->ra, arch, (char[64]){0}, 64));
    for (unsigned reg = 0; reg < arch->reg_count; reg++) {
        uint8_t kind = row->regs[reg].kind;

        if (reg == arch->pc || reg == arch->lr || kind == RULE_UNSPECIFIED || kind == RULE_SAME)
            continue;
        printf(" %s=%s", arch->reg_names[reg],
               rule_format(&row->regs[reg], arch, buffer, sizeof(buffer)));
    }
    puts(row->signal_frame ? " signal-frame" : "");
    return true;
}

static enum status print_analysed(struct module_rows *rows, uint64_t start_vaddr,
                                  struct printer *printer)
{
    const struct row_table *table;
    enum status status = module_rows_analyse(rows, start_vaddr, &table);

    if (status != STATUS_OK)
        return status;
    for (size_t i = 0; i < table->count; i++)
        print_row(printer, &table->rows[i]);
    return STATUS_OK;
}

/* Every function: of the FDEs when there are any, else of the symbols. */
static enum status print_prologue(struct module_set *set, struct module *module,
                                  struct module_rows *rows, struct printer *printer)
{
    const struct cfi *cfi = module_rows_cfi(rows, TRUST_EH_FRAME);
    const struct symtab *symtab = module_symtab(set, module);
    const struct symbol *symbols;
    uint64_t start_vaddr, end_vaddr, last = UINT64_MAX;
    size_t count;

    if (!cfi)
        cfi = module_rows_cfi(rows, TRUST_DEBUG_FRAME);
    for (size_t i = 0; cfi && cfi_function_at(cfi, i, &start_vaddr, &end_vaddr) == STATUS_OK; i++)
        if (print_analysed(rows, start_vaddr, printer) == STATUS_NO_MEMORY)
            return STATUS_NO_MEMORY;
    if (cfi || !symtab)
        return cfi ? STATUS_OK : STATUS_NOT_FOUND;
    symbols = symtab_all(symtab, &count);
    for (size_t i = 0; i < count; i++) {
        if (symbols[i].start_vaddr != last &&
            print_analysed(rows, symbols[i].start_vaddr, printer) == STATUS_NO_MEMORY)
            return STATUS_NO_MEMORY;
        last = symbols[i].start_vaddr;
    }
    return count ? STATUS_OK : STATUS_NOT_FOUND;
}

static enum status print_cfi(const struct cfi *cfi, struct printer *printer)
{
    enum status status;

    for (size_t i = 0; (status = cfi_rows(cfi, i, print_row, printer)) != STATUS_NOT_FOUND; i++)
        if (status == STATUS_NO_MEMORY)
            return status;
    return STATUS_OK;
}

static void answer(struct module_rows *rows, const struct arch *arch, enum trust method,
                   uint64_t vaddr)
{
    const struct row *row;

    if (module_rows_find(rows, method, vaddr, &row) != STATUS_OK || row->cfa.kind != CFA_REG ||
        (row->ra.kind != RULE_AT_CFA && row->ra.kind != RULE_SAME &&
         !(row->ra.kind == RULE_UNSPECIFIED && arch->lr != REG_NONE))) {
        printf("%" PRIx64 " - - -\n", vaddr);
        return;
    }
    printf("%" PRIx64 " %s %d ", vaddr, arch->reg_names[row->cfa.reg], row->cfa.off);
    if (row->ra.kind == RULE_AT_CFA)
        printf("%d\n", row->ra.off);
    else
        puts("lr");
}

static int answer_pcs(struct module_rows *rows, const struct arch *arch, enum trust method,
                      const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    char line[256];

    if (!file) {
        fprintf(stderr, "cgrules: %s: %s\n", path, strerror(errno));
        return 1;
    }
    while (fgets(line, sizeof(line), file)) {
        char *end;
        uint64_t vaddr;

        errno = 0;
        vaddr = strtoull(line, &end, 16);
        while (isspace((unsigned char)*end))
            end++;
        if (end == line || *end || errno) {
            fprintf(stderr, "cgrules: %s: not a hexadecimal address: %.40s\n", path, line);
            return 1;
        }
        answer(rows, arch, method, vaddr);
    }
    if (file != stdin)
        fclose(file);
    return 0;
}

static int fail(const struct diag *diag)
{
    char line[768];

    fprintf(stderr, "cgrules: %s\n", diag_format(diag, line, sizeof(line)));
    return 1;
}

static int run(const struct options *options, struct module_set *set, struct module *module,
               struct module_rows *rows)
{
    struct printer printer = {.arch = elf_image_arch(module->image)};
    enum trust method = options->method;
    enum status status;
    struct diag diag;

    if (!options->method_given)
        method = module_rows_cfi(rows, TRUST_DEBUG_FRAME) ? TRUST_DEBUG_FRAME
                 : module_rows_cfi(rows, TRUST_EH_FRAME)  ? TRUST_EH_FRAME
                                                          : TRUST_PROLOGUE;
    if (options->pcs)
        return answer_pcs(rows, printer.arch, method, options->pcs);
    if (method == TRUST_PROLOGUE)
        status = print_prologue(set, module, rows, &printer);
    else
        status = module_rows_cfi(rows, method) ? print_cfi(module_rows_cfi(rows, method), &printer)
                                               : STATUS_NOT_FOUND;
    if (status == STATUS_OK)
        return 0;
    diag_set(&diag, options->elf, "no rows by %s: %s", trust_name(method), status_name(status));
    return fail(&diag);
}

int main(int argc, char **argv)
{
    struct options options = {0};
    struct module_options module_options = {0};
    struct module_set *set = NULL;
    struct module *module = NULL;
    struct module_rows *rows = NULL;
    struct diag diag;
    char *path;
    int result = parse_options(argc, argv, &options);

    if (result >= 0)
        return result;
    path = realpath(options.elf, NULL);
    if (!path) {
        diag_set(&diag, options.elf, "%s", strerror(errno));
        return fail(&diag);
    }
    diag_set(&diag, options.elf, "out of memory");
    result = 1;
    if (module_set_create(&module_options, &set) != STATUS_OK ||
        module_set_get(set, MODULE_FILE, path, NULL, 0, false, &module) != STATUS_OK ||
        module_rows_create(set, module, &rows) != STATUS_OK)
        fail(&diag);
    else if (module_open(set, module) != STATUS_OK)
        fail(&module->problem);
    else
        result = run(&options, set, module, rows);
    module_rows_destroy(rows);
    module_set_destroy(set);
    free(path);
    if (fflush(stdout) != 0 && result == 0) {
        diag_set(&diag, "standard output", "%s", strerror(errno));
        result = fail(&diag);
    }
    return result;
}
