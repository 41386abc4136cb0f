#include "tools/cgrules/cgrules.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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
    "      --explain ADDR   how the row at ADDR (hexadecimal, or FUNCTION+OFFSET) came about\n"
    "      --audit          compare prologue analysis with the file's own CFI, place by place\n"
    "  -v, --verbose        with --audit: list what is wrong; twice: what is unknown, too;\n"
    "                       with --explain: every instruction and all that is known there\n"
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
    struct diag diag;
    char line[768];

    diag_set(&diag, NULL, "%s%s", what, which); /* control characters are made harmless */
    fprintf(stderr, "cgrules: %s; try --help\n", diag_format(&diag, line, sizeof(line)));
    return EXIT_USAGE;
}

enum {
    OPT_PCS = 256,
    OPT_FUNCTIONS,
    OPT_AUDIT,
    OPT_EXPLAIN,
    OPT_CODE_ONLY,
    OPT_DEBUG_DIR,
};

static const struct option longs[] = {{"method", required_argument, NULL, 'm'},
                                      {"pcs", required_argument, NULL, OPT_PCS},
                                      {"functions", no_argument, NULL, OPT_FUNCTIONS},
                                      {"audit", no_argument, NULL, OPT_AUDIT},
                                      {"explain", required_argument, NULL, OPT_EXPLAIN},
                                      {"verbose", no_argument, NULL, 'v'},
                                      {"code-only", no_argument, NULL, OPT_CODE_ONLY},
                                      {"debug-dir", required_argument, NULL, OPT_DEBUG_DIR},
                                      {"help", no_argument, NULL, 'h'},
                                      {"version", no_argument, NULL, 'V'},
                                      {0}};

static int set_task(struct cgrules_options *options, enum task task)
{
    if (options->task != TASK_ROWS && options->task != task)
        return usage_error("only one of --pcs, --functions, --audit and --explain can be done", "");
    options->task = task;
    return -1;
}

static int add_debug_dir(struct cgrules_options *options, const char *path)
{
    struct stat st;

    if (options->debug_dir_count == DEBUG_DIRS_MAX)
        return usage_error("too many directories: ", path);
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return usage_error("--debug-dir: no such directory: ", path);
    options->debug_dirs[options->debug_dir_count++] = path;
    return -1;
}

/* -1: go on; else the exit status. */
static int parse_option(struct cgrules_options *options, int c)
{
    switch (c) {
    case 'm':
        if (!parse_method(optarg, &options->method))
            return usage_error("no such method: ", optarg);
        options->method_given = true;
        return -1;
    case OPT_PCS:
        if (!optarg[0])
            return usage_error("--pcs: the name of the file is empty", "");
        options->pcs = optarg;
        return set_task(options, TASK_PCS);
    case OPT_FUNCTIONS:
        return set_task(options, TASK_FUNCTIONS);
    case OPT_AUDIT:
        return set_task(options, TASK_AUDIT);
    case OPT_EXPLAIN:
        options->explain = optarg;
        return set_task(options, TASK_EXPLAIN);
    case 'v':
        options->verbose++;
        return -1;
    case OPT_CODE_ONLY:
        options->code_only = true;
        return -1;
    case OPT_DEBUG_DIR:
        return add_debug_dir(options, optarg);
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

/* Options that would have no effect are refused: whoever gave them expects one. */
static int check_together(const struct cgrules_options *options)
{
    if (options->method_given && (options->task == TASK_FUNCTIONS || options->task == TASK_AUDIT))
        return usage_error("--functions and --audit take no --method: they analyse the code", "");
    if (options->method_given && options->code_only && options->method != TRUST_PROLOGUE)
        return usage_error("--code-only goes with the method prologue, not with ",
                           trust_name(options->method));
    if (options->method_given && options->task == TASK_EXPLAIN && options->method != TRUST_PROLOGUE)
        return usage_error("--explain explains the method prologue, not ",
                           trust_name(options->method));
    if (options->verbose && options->task != TASK_AUDIT && options->task != TASK_EXPLAIN)
        return usage_error("--verbose goes with --audit and --explain", "");
    return -1;
}

int options_parse(struct cgrules_options *options, int argc, char **argv)
{
    int c, result;

    while ((c = getopt_long(argc, argv, "m:vhV", longs, NULL)) != -1)
        if ((result = parse_option(options, c)) >= 0)
            return result;
    if (optind + 1 != argc)
        return usage_error("one ELF file is needed", "");
    options->elf = argv[optind];
    if (!options->elf[0])
        return usage_error("the name of the ELF file is empty", "");
    return check_together(options);
}
