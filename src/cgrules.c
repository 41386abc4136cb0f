/* cgrules: prints the unwind rows of an ELF file, its functions, how well its code is analysed. Options and wiring only. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/module.h"
#include "symbol/symtab.h"
#include "unwind/audit.h"
#include "unwind/cfi.h"
#include "unwind/code.h"
#include "unwind/exidx.h"
#include "unwind/functions.h"
#include "unwind/insn.h"
#include "unwind/module_rows.h"
#include "unwind/prologue.h"
#include "unwind/row_print.h"

#define EXIT_USAGE     2
#define DEBUG_DIRS_MAX 64

enum task { TASK_ROWS, TASK_PCS, TASK_FUNCTIONS, TASK_AUDIT };

struct options {
    enum task task;
    enum trust method;
    bool method_given, code_only;
    unsigned verbose;
    const char *pcs;
    const char *debug_dirs[DEBUG_DIRS_MAX];
    size_t debug_dir_count;
    const char *elf;
};

/* What all tasks work on. */
struct job {
    const struct options *options;
    struct module_set *set;
    struct module *module;
    struct module_rows *rows;
    const struct arch *arch;
};

static const char usage[] =
    "Usage: cgrules [OPTION]... ELF\n"
    "Prints the unwind rows of an ELF file: range, CFA, return address, saved registers.\n"
    "\n"
    "  -m, --method M       debug_frame, eh_frame, exidx, prologue (default: the first the file "
    "has)\n"
    "      --pcs FILE       for each hexadecimal address in FILE ('-': standard input) print\n"
    "                       PC CFA-REGISTER CFA-OFFSET RA-OFFSET, or PC and '-' without an answer\n"
    "      --functions      the functions instead: address, size, mode (A32, T32), how found, "
    "name\n"
    "      --audit          compare prologue analysis with the file's own CFI, place by place\n"
    "  -v, --verbose        with --audit: list what is wrong; twice: what is unknown, too\n"
    "      --code-only      find functions as if the file had no unwind tables and was stripped\n"
    "      --debug-dir DIR  separate debug files (default /usr/lib/debug); repeatable\n"
    "  -h, --help           this text\n"
    "  -V, --version        the version\n"
    "\n"
    "Rows read like `readelf -wF`: c-8 saved at CFA-8, s same value, u undefined,\n"
    "exp a DWARF expression, [rbp-8] saved at rbp-8.\n";

static bool parse_method(const char *name, enum trust *out)
{
    static const enum trust methods[] = {TRUST_DEBUG_FRAME, TRUST_EH_FRAME, TRUST_EXIDX,
                                         TRUST_PROLOGUE};

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

static int fail(const struct diag *diag)
{
    char line[768];

    fprintf(stderr, "cgrules: %s\n", diag_format(diag, line, sizeof(line)));
    return 1;
}

enum {
    OPT_PCS = 256,
    OPT_FUNCTIONS,
    OPT_AUDIT,
    OPT_CODE_ONLY,
    OPT_DEBUG_DIR,
};

static const struct option longs[] = {{"method", required_argument, NULL, 'm'},
                                      {"pcs", required_argument, NULL, OPT_PCS},
                                      {"functions", no_argument, NULL, OPT_FUNCTIONS},
                                      {"audit", no_argument, NULL, OPT_AUDIT},
                                      {"verbose", no_argument, NULL, 'v'},
                                      {"code-only", no_argument, NULL, OPT_CODE_ONLY},
                                      {"debug-dir", required_argument, NULL, OPT_DEBUG_DIR},
                                      {"help", no_argument, NULL, 'h'},
                                      {"version", no_argument, NULL, 'V'},
                                      {0}};

static int set_task(struct options *options, enum task task)
{
    if (options->task != TASK_ROWS && options->task != task)
        return usage_error("only one of --pcs, --functions and --audit can be done", "");
    options->task = task;
    return -1;
}

/* -1: go on; else the exit status. */
static int parse_option(struct options *options, int c)
{
    switch (c) {
    case 'm':
        if (!parse_method(optarg, &options->method))
            return usage_error("no such method: ", optarg);
        options->method_given = true;
        return -1;
    case OPT_PCS:
        options->pcs = optarg;
        return set_task(options, TASK_PCS);
    case OPT_FUNCTIONS:
        return set_task(options, TASK_FUNCTIONS);
    case OPT_AUDIT:
        return set_task(options, TASK_AUDIT);
    case 'v':
        options->verbose++;
        return -1;
    case OPT_CODE_ONLY:
        options->code_only = true;
        return -1;
    case OPT_DEBUG_DIR:
        if (options->debug_dir_count == DEBUG_DIRS_MAX)
            return usage_error("too many directories: ", optarg);
        options->debug_dirs[options->debug_dir_count++] = optarg;
        return -1;
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

static int parse_options(int argc, char **argv, struct options *options)
{
    int c, result;

    while ((c = getopt_long(argc, argv, "m:vhV", longs, NULL)) != -1)
        if ((result = parse_option(options, c)) >= 0)
            return result;
    if (optind + 1 != argc)
        return usage_error("one ELF file is needed", "");
    if (options->method_given && options->method != TRUST_PROLOGUE &&
        (options->task == TASK_FUNCTIONS || options->task == TASK_AUDIT))
        return usage_error("--functions and --audit are of the method prologue, not ",
                           trust_name(options->method));
    options->elf = argv[optind];
    return -1;
}

struct printer {
    const struct arch *arch;
    bool printed; /* some row */
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

/* Every function there is, once. */
static enum status print_prologue(const struct job *job, struct printer *printer)
{
    const struct functions *functions;
    enum status status;

    for (size_t i = 0; (status = module_rows_functions(job->rows, &functions)) == STATUS_OK &&
                       i < functions->count;
         i++) {
        const struct row_table *table;

        status = module_rows_analyse(job->rows, functions->items[i].start_vaddr, &table);
        if (status == STATUS_NO_MEMORY)
            return status;
        for (size_t k = 0; status == STATUS_OK && k < table->count; k++) {
            struct row row;

            row_table_get(table, k, &row);
            print_row(printer, &row);
        }
    }
    return status == STATUS_OK && functions->count == 0 ? STATUS_NOT_FOUND : status;
}

static enum status print_cfi(const struct cfi *cfi, struct printer *printer)
{
    enum status status;

    for (size_t i = 0; (status = cfi_rows(cfi, i, print_row, printer)) != STATUS_NOT_FOUND; i++)
        if (status == STATUS_NO_MEMORY)
            return status;
    return STATUS_OK;
}

/* An entry that makes no sense is told of and costs no other. */
static enum status print_exidx(struct elf_image *image, struct printer *printer, struct diag *diag)
{
    struct exidx *exidx;
    enum status status = exidx_create_from_image(image, &exidx, diag);

    if (status != STATUS_OK)
        return status;
    printer->printed = false;
    for (size_t i = 0;
         (status = exidx_rows(exidx, i, print_row, printer, diag)) != STATUS_NOT_FOUND; i++)
        if (status != STATUS_OK)
            fail(diag);
    exidx_destroy(exidx);
    return printer->printed ? STATUS_OK : STATUS_NOT_FOUND;
}

static bool note_row(void *context, const struct row *row)
{
    (void)row;
    *(bool *)context = true;
    return false;
}

/* Debian's C programs have an .ARM.exidx that says of everything that it cannot be unwound. */
static bool has_exidx_rows(const struct job *job)
{
    const struct exidx *exidx = module_rows_exidx(job->rows);
    bool found = false;

    for (size_t i = 0;
         exidx && !found && exidx_rows(exidx, i, note_row, &found, NULL) != STATUS_NOT_FOUND; i++)
        ;
    return found;
}

static enum trust first_method(const struct job *job)
{
    return job->options->code_only                         ? TRUST_PROLOGUE
           : module_rows_cfi(job->rows, TRUST_DEBUG_FRAME) ? TRUST_DEBUG_FRAME
           : module_rows_cfi(job->rows, TRUST_EH_FRAME)    ? TRUST_EH_FRAME
           : has_exidx_rows(job)                           ? TRUST_EXIDX
                                                           : TRUST_PROLOGUE;
}

static int print_rows(const struct job *job, enum trust method)
{
    struct printer printer = {.arch = job->arch};
    struct diag diag;
    enum status status;

    if (method == TRUST_PROLOGUE)
        status = print_prologue(job, &printer);
    else if (method == TRUST_EXIDX)
        status = print_exidx(job->module->image, &printer, &diag);
    else
        status = module_rows_cfi(job->rows, method)
                     ? print_cfi(module_rows_cfi(job->rows, method), &printer)
                     : STATUS_NOT_FOUND;
    if (status == STATUS_OK)
        return 0;
    if (method != TRUST_EXIDX || status == STATUS_NOT_FOUND)
        diag_set(&diag, job->options->elf, "no rows by %s: %s", trust_name(method),
                 status_name(status));
    return fail(&diag);
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

/* A line is one address, perhaps with blanks around it. */
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

static int answer_lines(struct module_rows *rows, const struct arch *arch, enum trust method,
                        const char *path, FILE *file)
{
    char *line = NULL;
    size_t cap = 0, number = 0;
    int result = 0;

    errno = 0;
    while (result == 0 && getline(&line, &cap, file) >= 0) {
        uint64_t vaddr;

        number++;
        if (parse_address(line, &vaddr)) {
            answer(rows, arch, method, vaddr);
        } else {
            fprintf(stderr, "cgrules: %s: line %zu is not a hexadecimal address\n", path, number);
            result = 1;
        }
        errno = 0;
    }
    if (result == 0 && (ferror(file) || errno)) {
        fprintf(stderr, "cgrules: %s: %s\n", path, strerror(errno));
        result = 1;
    }
    free(line);
    return result;
}

static int answer_pcs(struct module_rows *rows, const struct arch *arch, enum trust method,
                      const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "r");
    int result;

    if (!file) {
        fprintf(stderr, "cgrules: %s: %s\n", path, strerror(errno));
        return 1;
    }
    result = answer_lines(rows, arch, method, path, file);
    if (file != stdin)
        fclose(file);
    return result;
}

/* A name is a word: what could be taken for the end of a column or of a line is not printed. */
static void print_name(const char *name)
{
    for (; *name; name++)
        putchar((unsigned char)*name <= ' ' || *name == 0x7f ? '?' : *name);
}

/* The symbol that begins at, or holds, `vaddr`. */
static bool find_name(const struct job *job, uint64_t vaddr, struct symbol *out)
{
    const struct symtab *symtab = module_symtab(job->set, job->module);

    return symtab && symtab_find(symtab, vaddr, out) == STATUS_OK;
}

/*
 * A line for each function: ADDRESS SIZE MODE ORIGIN NAME, with one blank between. ADDRESS is hexadecimal, SIZE decimal bytes
 * up to what is known to be the next function's, MODE A32 or T32 on arm and '-' elsewhere, ORIGIN
 * function_origin_name's. NAME is '-' where no symbol begins there, and always with --code-only.
 */
static int print_functions(const struct job *job)
{
    const struct functions *functions;
    enum status status = module_rows_functions(job->rows, &functions);
    bool has_modes = insn_set_for(job->arch, CODE_T32) != NULL;
    struct diag diag;

    if (status != STATUS_OK || functions->count == 0) {
        diag_set(&diag, job->options->elf, "no functions: %s",
                 status_name(status == STATUS_OK ? STATUS_NOT_FOUND : status));
        return fail(&diag);
    }
    for (size_t i = 0; i < functions->count; i++) {
        const struct function *function = &functions->items[i];
        struct symbol symbol;

        printf("%0*" PRIx64 " %" PRIu64 " %s %s ", job->arch->word_size * 2, function->start_vaddr,
               function->end_vaddr - function->start_vaddr,
               !has_modes                   ? "-"
               : function->mode == CODE_T32 ? "T32"
                                            : "A32",
               function_origin_name((enum function_origin)function->origin));
        print_name(!job->options->code_only && find_name(job, function->start_vaddr, &symbol) &&
                           symbol.start_vaddr == function->start_vaddr
                       ? symbol.name
                       : "-");
        putchar('\n');
    }
    return 0;
}

static void print_frame(const char *title, const struct row *row, const struct arch *arch)
{
    char cfa[64], ra[64];

    if (!row) {
        printf(" %s=-", title);
        return;
    }
    row_format_cfa(row, arch, cfa, sizeof(cfa));
    rule_format(&row->ra, arch, ra, sizeof(ra));
    printf(" %s=%s,%s", title, cfa, ra[0] ? ra : "s");
}

/* ADDRESS NAME+OFFSET KIND VERDICT cfi=CFA,RA analysed=CFA,RA */
static void print_place(void *context, const struct audit_place *place)
{
    const struct job *job = context;
    struct symbol symbol;

    if (job->options->verbose < (place->verdict == AUDIT_WRONG ? 1 : 2))
        return;
    printf("%0*" PRIx64 " ", job->arch->word_size * 2, place->vaddr);
    if (find_name(job, place->vaddr, &symbol)) {
        print_name(symbol.name);
        printf("+0x%" PRIx64, place->vaddr - symbol.start_vaddr);
    } else {
        putchar('-');
    }
    printf(" %s %s", audit_kind_name(place->kind), audit_verdict_name(place->verdict));
    print_frame("cfi", place->cfi, job->arch);
    print_frame("analysed", place->analysed, job->arch);
    putchar('\n');
}

static void print_counts(const char *name, const uint64_t counts[AUDIT_VERDICT_COUNT])
{
    uint64_t eligible = 0;

    for (unsigned i = 0; i < AUDIT_VERDICT_COUNT; i++)
        eligible += counts[i];
    printf("%-16s %10" PRIu64 " ", name, eligible);
    if (eligible > 0) /* rounded down: 100.00 means all */
        printf("%8.2f", (double)(counts[AUDIT_AGREE] * 10000 / eligible) / 100);
    else
        printf("%8s", "-");
    printf(" %10" PRIu64 " %10" PRIu64 " %13" PRIu64 "\n", counts[AUDIT_WRONG],
           counts[AUDIT_UNKNOWN], counts[AUDIT_INCOMPARABLE]);
}

static void print_table(const char *title, uint64_t counts[][AUDIT_VERDICT_COUNT])
{
    static const enum audit_kind order[AUDIT_KIND_COUNT] = {AUDIT_PROLOGUE, AUDIT_BODY,
                                                            AUDIT_EPILOGUE, AUDIT_AFTER_EPILOGUE,
                                                            AUDIT_ALLOCA,   AUDIT_REALIGNED,
                                                            AUDIT_FRAGMENT};
    uint64_t total[AUDIT_VERDICT_COUNT] = {0};

    printf("\n%-16s %10s %8s %10s %10s %13s\n", title, "eligible", "agree%", "wrong", "unknown",
           "incomparable");
    for (unsigned i = 0; i < AUDIT_KIND_COUNT; i++) {
        print_counts(audit_kind_name(order[i]), counts[order[i]]);
        for (unsigned k = 0; k < AUDIT_VERDICT_COUNT; k++)
            total[k] += counts[order[i]][k];
    }
    print_counts("total", total);
}

static void print_excluded(const struct audit *audit)
{
    const char *separator = "\nnot counted: ";

    for (unsigned i = 0; i < AUDIT_EXCLUSION_COUNT; i++) {
        if (audit->excluded[i] == 0)
            continue;
        printf("%s%" PRIu64 " %s", separator, audit->excluded[i],
               audit_exclusion_name((enum audit_exclusion)i));
        separator = ", ";
    }
    if (separator[0] == ',')
        putchar('\n');
}

static double per_cent(uint64_t part, uint64_t whole)
{
    return whole ? (double)(part * 10000 / whole) / 100 : 0;
}

/* Which file the CFI is in. */
static const char *truth_path(const struct job *job, enum trust truth)
{
    struct elf_section section;
    const struct elf_image *debug;

    if (truth == TRUST_EH_FRAME ||
        elf_image_section(job->module->image, ".debug_frame", &section) == STATUS_OK)
        return job->options->elf;
    debug = module_debug_image(job->set, job->module);
    return debug ? elf_image_path(debug) : job->options->elf;
}

static int print_audit(struct job *job)
{
    struct audit audit;
    struct audit_starts starts = {0};
    struct diag diag;
    enum status status = audit_module(job->rows, job->set, job->module, print_place, job, &audit);

    if (status == STATUS_OK && job->options->code_only)
        status = audit_starts(job->rows, job->set, job->module, &starts);
    if (status != STATUS_OK) {
        diag_set(&diag, job->options->elf, "cannot be audited: %s", status_name(status));
        if (status == STATUS_NOT_FOUND) {
            diag_set(&diag, job->options->elf, "has no CFI to compare with");
            diag_hint(&diag, "try --debug-dir, or compile with -fasynchronous-unwind-tables");
        }
        return fail(&diag);
    }
    printf("%s: %zu FDEs of .%s", job->options->elf, audit.fde_count, trust_name(audit.truth));
    if (truth_path(job, audit.truth) != job->options->elf)
        printf(" of %s", truth_path(job, audit.truth));
    printf("%s\n", job->options->code_only ? ", functions from the code only" : "");
    print_table("any instruction", audit.places);
    print_table("at calls", audit.calls);
    print_excluded(&audit);
    if (job->options->code_only)
        printf("\nstarts of functions: %" PRIu64 " found, %" PRIu64
               " right (precision %.2f%%), %" PRIu64 " expected (recall %.2f%%)\n",
               starts.found, starts.right, per_cent(starts.right, starts.found), starts.expected,
               per_cent(starts.right, starts.expected));
    return 0;
}

/* Has the file what rows by the method come from? */
static bool has_method(const struct job *job, enum trust method)
{
    return method == TRUST_PROLOGUE ||
           (method == TRUST_EXIDX ? has_exidx_rows(job)
                                  : module_rows_cfi(job->rows, method) != NULL);
}

static int run(struct job *job)
{
    const struct options *options = job->options;
    enum trust method = options->method_given ? options->method : first_method(job);
    struct diag diag;

    switch (options->task) {
    case TASK_ROWS:
        return print_rows(job, method);
    case TASK_PCS:
        if (!has_method(job, method)) {
            diag_set(&diag, options->elf, "no rows by %s", trust_name(method));
            return fail(&diag);
        }
        return answer_pcs(job->rows, job->arch, method, options->pcs);
    case TASK_FUNCTIONS:
        return print_functions(job);
    case TASK_AUDIT:
        return print_audit(job);
    }
    return EXIT_USAGE;
}

/* Opens the file and does the task. */
static int work(const struct options *options, const char *path)
{
    struct module_options module_options = {.debug_dirs = options->debug_dirs,
                                            .debug_dir_count = options->debug_dir_count};
    struct job job = {.options = options};
    struct diag diag;
    int result = 1;

    diag_set(&diag, options->elf, "out of memory");
    if (module_set_create(&module_options, &job.set) != STATUS_OK ||
        module_set_get(job.set, MODULE_FILE, path, NULL, 0, false, &job.module) != STATUS_OK ||
        module_rows_create(job.set, job.module, &job.rows) != STATUS_OK) {
        fail(&diag);
    } else if (module_open(job.set, job.module) != STATUS_OK) {
        fail(&job.module->problem);
    } else {
        job.arch = elf_image_arch(job.module->image);
        if (options->code_only)
            module_rows_set_code_only(job.rows);
        result = run(&job);
    }
    module_rows_destroy(job.rows);
    module_set_destroy(job.set);
    return result;
}

int main(int argc, char **argv)
{
    struct options options = {0};
    static char buffer[1 << 16];
    struct diag diag;
    char *path;
    int result;

    setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
    result = parse_options(argc, argv, &options);
    if (result >= 0)
        return result;
    path = realpath(options.elf, NULL);
    if (!path) {
        diag_set(&diag, options.elf, "%s", strerror(errno));
        return fail(&diag);
    }
    result = work(&options, path);
    free(path);
    if (fflush(stdout) != 0 && result == 0) {
        diag_set(&diag, "standard output", "%s", strerror(errno));
        result = fail(&diag);
    }
    return result;
}
