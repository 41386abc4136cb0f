/* SPDX-License-Identifier: MIT */
#include "tools/cgtop/cgtop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/budget.h"
#include "capture/ptrace/backend.h"
#include "tools/process_name.h"

#define RATE_MAX_HZ      1000u
#define DEFAULT_RATE_MHZ 49000u
#define DEFAULT_OVERHEAD (3 * BUDGET_UNIT)
/* bytes; kept of each thread, so it bounds memory */
#define DEFAULT_STACK  (UINT32_C(1) << 20)
#define STACK_MAX      (UINT64_C(8) << 20) /* several of them fit in a record */
#define WINDOW_MAX_S   600u
#define DELAY_MAX_S    60u
#define DEFAULT_WINDOW UINT64_C(10000000000)
#define DEFAULT_DELAY  UINT64_C(1000000000)
#define NS_PER_MILLI   UINT64_C(1000000)

/* Reads a positive decimal number in thousandths; further digits are ignored. */
static bool parse_thousandths(const char *text, uint64_t max, uint64_t *out)
{
    const char *digit = text;
    uint64_t value = 0, unit = 100;

    for (; *digit >= '0' && *digit <= '9' && value <= max; digit++)
        value = value * 10 + (uint64_t)(*digit - '0');
    value *= 1000;
    if (*digit == '.')
        for (digit++; *digit >= '0' && *digit <= '9'; digit++, unit /= 10)
            value += unit * (uint64_t)(*digit - '0');
    *out = value;
    return !*digit && value > 0 && value <= max * 1000;
}

static int set_pid(const struct option_use *use)
{
    struct cgtop_options *options = use->options;
    const char *text = use->argument;
    char *end;
    long value;

    if (options->capture.pid)
        return options_refuse(use->table, "one process can be shown");
    if (!*text || text[strspn(text, "0123456789")])
        return process_by_name(use, &options->capture.pid);
    errno = 0;
    value = strtol(text, &end, 10);
    if (errno || value <= 0 || value > INT32_MAX)
        return options_refuse(use->table, "%s: no number of a process: %s", use->given, text);
    options->capture.pid = (pid_t)value;
    return -1;
}

static int set_rate(const struct option_use *use)
{
    struct cgtop_options *options = use->options;
    uint64_t value;

    if (!parse_thousandths(use->argument, RATE_MAX_HZ, &value))
        return options_refuse(use->table, "%s takes 0.001 to %u Hz, not %s", use->given,
                              RATE_MAX_HZ, use->argument);
    options->capture.rate_mhz = (uint32_t)value;
    return -1;
}

static int set_overhead(const struct option_use *use)
{
    struct cgtop_options *options = use->options;
    uint64_t value;

    if (!parse_thousandths(use->argument, 100, &value))
        return options_refuse(use->table, "%s takes a percentage, at most 100, not %s", use->given,
                              use->argument);
    options->capture.overhead = (uint32_t)(value * BUDGET_UNIT / 1000);
    return -1;
}

/* Reads seconds; sets nanoseconds. */
static int set_seconds(const struct option_use *use, uint64_t max, uint64_t min_ms, uint64_t *out)
{
    uint64_t value;

    if (!parse_thousandths(use->argument, max, &value) || value < min_ms)
        return options_refuse(use->table, "%s takes %g to %u seconds, not %s", use->given,
                              (double)min_ms / 1000, (unsigned)max, use->argument);
    *out = value * NS_PER_MILLI;
    return -1;
}

static int set_window(const struct option_use *use)
{
    struct cgtop_options *options = use->options;

    return set_seconds(use, WINDOW_MAX_S, 1000, &options->window_ns);
}

static int set_delay(const struct option_use *use)
{
    struct cgtop_options *options = use->options;

    return set_seconds(use, DELAY_MAX_S, 100, &options->delay_ns);
}

static int set_stack_size(const struct option_use *use)
{
    struct cgtop_options *options = use->options;
    uint64_t value;

    if (!use->argument[0] || strspn(use->argument, "0123456789kKM") != strlen(use->argument))
        return options_refuse(use->table, "%s takes 1 to 8M bytes, not %s", use->given,
                              use->argument);
    value = strtoull(use->argument, NULL, 10);
    if (strpbrk(use->argument, "kK"))
        value <<= 10;
    else if (strchr(use->argument, 'M'))
        value <<= 20;
    if (value == 0 || value > STACK_MAX)
        return options_refuse(use->table, "%s takes 1 to 8M bytes, not %s", use->given,
                              use->argument);
    options->capture.stack_size = (uint32_t)value;
    options->capture.stack_size_given = true;
    return -1;
}

static int add_debug_dir(const struct option_use *use)
{
    struct cgtop_options *options = use->options;
    struct stat st;

    if (options->debug_dir_count == DEBUG_DIRS_MAX)
        return options_refuse(use->table, "too many directories: %s", use->argument);
    if (stat(use->argument, &st) != 0 || !S_ISDIR(st.st_mode))
        return options_refuse(use->table, "--debug-dir: no such directory: %s", use->argument);
    options->debug_dirs[options->debug_dir_count++] = use->argument;
    return -1;
}

static const char *weight_choice(size_t i)
{
    static const char *const names[] = {"samples", "wall", "cpu", "offcpu", NULL}; /* weight_kind */

    return names[i];
}

#define FLAG(member)                                                                               \
    .apply = option_set_flag, .field = OPTION_FIELD(bool, struct cgtop_options, member)

static const struct option_spec specs[] = {
    {"pid", 'p', OPTION_PROCESS, "PID", "the process to look at, by its number or name",
     .apply = set_pid},
    {"freq", 'F', OPTION_TEXT, "HZ", "samples per second and thread (default 49)",
     .apply = set_rate},
    {"window", 'w', OPTION_TEXT, "S", "show what was in the last S seconds (default 10)",
     .apply = set_window},
    {"delay", 'd', OPTION_TEXT, "S", "show it anew every S seconds (default 1)",
     .apply = set_delay},
    {"weight", 0, OPTION_CHOICE, "WHAT", "samples, wall, cpu, offcpu (default: cpu, if it ran)",
     .apply = option_set_choice, .choices = weight_choice,
     .field = OPTION_FIELD(enum weight_kind, struct cgtop_options, weight),
     .given = OPTION_FIELD(bool, struct cgtop_options, weight_given)},
    {"overhead", 0, OPTION_TEXT, "P",
     "cost the process P % of its time at most, by a lower rate (default 3)",
     .apply = set_overhead},
    {"stack-size", 's', OPTION_TEXT, "N", "copy at most N bytes of a stack (default 1M; k, M)",
     .apply = set_stack_size},
    {"debug-dir", 0, OPTION_DIRECTORY, "DIR",
     "separate debug files (default /usr/lib/debug); repeatable", .apply = add_debug_dir},
    {"no-cache", 0, OPTION_FLAG, NULL, "keep nothing in files between runs", FLAG(no_cache)},
    {"no-sandbox", 0, OPTION_FLAG, NULL, "do not confine the process", FLAG(no_sandbox),
     .joins = true, .no_short_form = true},
    {"verbose", 'v', OPTION_FLAG, NULL, "tell what the kernel lacks of the sandbox", FLAG(verbose)},
    OPTION_ROWS_AT_END(.line = "")};

static const struct option_table table = {
    .program = "cgtop",
    .built = CG_BUILT,
    .head = "Usage: cgtop -p PID [options]\n"
            "Shows live what a process does: its functions, who calls whom, its threads.\n"
            "\n",
    .tail = "\n"
            "Keys: 1 2 3 or Tab what is shown, / filter, s sort, m weight, space freeze,\n"
            "w write a snapshot for cgunwind, h help, q quit. The process goes on unharmed.\n",
    .specs = specs,
    .count = sizeof(specs) / sizeof(specs[0]),
    .column = 22,
};

int options_parse(struct cgtop_options *options, int argc, char **argv)
{
    int operand, result;

    *options = (struct cgtop_options){.window_ns = DEFAULT_WINDOW, .delay_ns = DEFAULT_DELAY};
    options->capture.backend = &ptrace_backend;
    options->capture.rate_mhz = DEFAULT_RATE_MHZ;
    options->capture.overhead = DEFAULT_OVERHEAD;
    options->capture.stack_size = DEFAULT_STACK;
    result = options_read(&table, options, argc, argv, &operand);
    if (result >= 0)
        return result;
    if (operand < argc)
        return options_refuse(&table, "what is %s? the process is given with -p", argv[operand]);
    if (!options->capture.pid)
        return options_refuse(&table, "which process? give -p PID");
    return -1;
}
