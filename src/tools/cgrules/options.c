/* SPDX-License-Identifier: MIT */
#include "tools/cgrules/cgrules.h"

#include <string.h>
#include <sys/stat.h>

#include "tools/options.h"

static const enum trust methods[] = {TRUST_DEBUG_FRAME, TRUST_EH_FRAME, TRUST_EXIDX,
                                     TRUST_GOPCLNTAB, TRUST_PROLOGUE};

static const char *method_name(size_t i)
{
    return i < sizeof(methods) / sizeof(methods[0]) ? trust_name(methods[i]) : NULL;
}

static int set_method(const struct option_use *use)
{
    struct cgrules_options *options = use->options;

    for (size_t i = 0; method_name(i); i++)
        if (strcmp(use->argument, method_name(i)) == 0) {
            options->method = methods[i];
            options->method_given = true;
            return -1;
        }
    return options_refuse(use->table, "no such method: %s", use->argument);
}

static int set_task(const struct option_use *use, enum task task)
{
    struct cgrules_options *options = use->options;

    if (options->task != TASK_ROWS && options->task != task)
        return options_refuse(use->table,
                              "only one of --pcs, --functions, --audit and --explain can be done");
    options->task = task;
    return -1;
}

static int set_pcs(const struct option_use *use)
{
    struct cgrules_options *options = use->options;

    if (!use->argument[0])
        return options_refuse(use->table, "--pcs: the name of the file is empty");
    options->pcs = use->argument;
    return set_task(use, TASK_PCS);
}

static int set_functions(const struct option_use *use)
{
    return set_task(use, TASK_FUNCTIONS);
}

static int set_audit(const struct option_use *use)
{
    return set_task(use, TASK_AUDIT);
}

static int set_explain(const struct option_use *use)
{
    struct cgrules_options *options = use->options;

    options->explain = use->argument;
    return set_task(use, TASK_EXPLAIN);
}

static int add_verbosity(const struct option_use *use)
{
    struct cgrules_options *options = use->options;

    options->verbose++;
    return -1;
}

static int add_debug_dir(const struct option_use *use)
{
    struct cgrules_options *options = use->options;
    struct stat st;

    if (options->debug_dir_count == DEBUG_DIRS_MAX)
        return options_refuse(use->table, "too many directories: %s", use->argument);
    if (stat(use->argument, &st) != 0 || !S_ISDIR(st.st_mode))
        return options_refuse(use->table, "--debug-dir: no such directory: %s", use->argument);
    options->debug_dirs[options->debug_dir_count++] = use->argument;
    return -1;
}

static const struct option_spec specs[] = {
    {"method", 'm', OPTION_CHOICE, "M",
     "debug_frame, eh_frame, exidx, gopclntab, prologue (default: the file's first)",
     .apply = set_method, .choices = method_name},
    {"pcs", 0, OPTION_FILE, "FILE",
     "for each hexadecimal address in FILE ('-': standard input) print\n"
     "PC CFA-REGISTER CFA-OFFSET RA-OFFSET, or PC and '-' without an answer",
     .apply = set_pcs},
    {"functions", 0, OPTION_FLAG, NULL,
     "the functions instead: address, size, mode (A32, T32), how found, name",
     .apply = set_functions},
    {"explain", 0, OPTION_TEXT, "ADDR",
     "how the row at ADDR (hexadecimal, or FUNCTION+OFFSET) came about", .apply = set_explain},
    {"audit", 0, OPTION_FLAG, NULL,
     "compare prologue analysis with the file's own CFI, place by place", .apply = set_audit},
    {"verbose", 'v', OPTION_FLAG, NULL,
     "with --audit: list what is wrong; twice: what is unknown, too;\n"
     "with --explain: every instruction and all that is known there",
     .apply = add_verbosity},
    {"code-only", 0, OPTION_FLAG, NULL,
     "find functions as if the file had no unwind tables and was stripped",
     .apply = option_set_flag, .field = OPTION_FIELD(bool, struct cgrules_options, code_only)},
    {"debug-dir", 0, OPTION_DIRECTORY, "DIR",
     "separate debug files (default /usr/lib/debug); repeatable", .apply = add_debug_dir},
    {"memory", 0, OPTION_TEXT, "SIZE", "fail rather than use more memory: 2G, 512M",
     .apply = option_set_bytes,
     .field = OPTION_FIELD(uint64_t, struct cgrules_options, sandbox.memory),
     .no_short_form = true},
    {"no-sandbox", 0, OPTION_FLAG, NULL, "do not confine the process", .apply = option_set_flag,
     .field = OPTION_FIELD(bool, struct cgrules_options, sandbox.off), .line = "",
     .no_short_form = true},
    OPTION_ROWS_AT_END(.joins = true)};

static const struct option_table table = {
    .program = "cgrules",
    .built = CG_BUILT,
    .head = "Usage: cgrules [OPTION]... ELF\n"
            "Prints the unwind rows of an ELF file: range, CFA, return address, saved registers.\n"
            "\n",
    .tail = "\n"
            "Rows read like `readelf -wF`: c-8 saved at CFA-8, s same value, u undefined,\n"
            "exp a DWARF expression, [rbp-8] saved at rbp-8.\n",
    .specs = specs,
    .count = sizeof(specs) / sizeof(specs[0]),
    .column = 23,
};

/* Refuses options that would have no effect. */
static int check_together(const struct cgrules_options *options)
{
    if (options->method_given && (options->task == TASK_FUNCTIONS || options->task == TASK_AUDIT))
        return options_refuse(&table,
                              "--functions and --audit take no --method: they analyse the code");
    if (options->method_given && options->code_only && options->method != TRUST_PROLOGUE)
        return options_refuse(&table, "--code-only goes with the method prologue, not with %s",
                              trust_name(options->method));
    if (options->method_given && options->task == TASK_EXPLAIN && options->method != TRUST_PROLOGUE)
        return options_refuse(&table, "--explain explains the method prologue, not %s",
                              trust_name(options->method));
    if (options->verbose && options->task != TASK_AUDIT && options->task != TASK_EXPLAIN)
        return options_refuse(&table, "--verbose goes with --audit and --explain");
    return -1;
}

int options_parse(struct cgrules_options *options, int argc, char **argv)
{
    int operand, result = options_read(&table, options, argc, argv, &operand);

    if (result >= 0)
        return result;
    if (operand + 1 != argc)
        return options_refuse(&table, "one ELF file is needed");
    options->elf = argv[operand];
    if (!options->elf[0])
        return options_refuse(&table, "the name of the ELF file is empty");
    return check_together(options);
}
