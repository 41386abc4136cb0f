/* SPDX-License-Identifier: MIT */
#include "tools/cgsnap/cgsnap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/budget.h"
#include "boards/gdb/backend.h"
#include "capture/ptrace/backend.h"
#include "capture/target/pointees.h"
#include "snapshot/tcp.h"
#include "tools/options.h"
#include "tools/process_name.h"

#define RATE_MAX_HZ      20000
#define DEFAULT_OUTPUT   "snap.bin"
#define DEFAULT_RATE_MHZ 99000u
#define DEFAULT_OVERHEAD (3 * BUDGET_UNIT)
#define DEFAULT_HALTS    (5 * BUDGET_UNIT)
#define DEFAULT_STACK    (UINT32_C(8) << 20)

static bool parse_whole(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    unsigned long long value;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end || errno || !value || value > max)
        return false;
    *out = value;
    return true;
}

/*
 * Reads a positive decimal number in thousandths, and sets *end behind it. Digits behind the third
 * decimal place are ignored.
 */
static bool parse_number(const char *text, uint64_t max, uint64_t *out, const char **end)
{
    const char *digit = text;
    uint64_t value = 0;

    for (; *digit >= '0' && *digit <= '9' && value <= max; digit++)
        value = value * 10 + (uint64_t)(*digit - '0');
    value *= 1000;
    if (*digit == '.') {
        uint64_t unit = 100;

        for (digit++; *digit >= '0' && *digit <= '9'; digit++, unit /= 10)
            value += unit * (uint64_t)(*digit - '0');
    }
    *end = digit;
    *out = value;
    return value > 0 && value <= max * 1000;
}

static bool parse_thousandths(const char *text, uint64_t max, uint64_t *out)
{
    const char *end;

    return parse_number(text, max, out, &end) && !*end;
}

#define DURATION_MAX 1000000000u /* seconds */

/* Whether the unit is microseconds: durations are in milliseconds, but other tools take these. */
static bool is_micro(const char *suffix)
{
    return strcmp(suffix, "us") == 0 || strcmp(suffix, "µs") == 0;
}

/* Reads a duration in milliseconds; a number without unit is seconds. */
static bool parse_duration(const char *text, uint64_t *out)
{
    static const struct {
        char suffix[3];
        uint16_t factor, divisor;
    } units[] = {{"", 1, 1}, {"s", 1, 1}, {"ms", 1, 1000}, {"m", 60, 1}, {"h", 3600, 1}};
    const char *end;

    if (!parse_number(text, DURATION_MAX, out, &end))
        return false;
    if (is_micro(end)) {
        *out /= 1000;
        end = "ms";
    }
    for (unsigned i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(end, units[i].suffix) == 0) {
            *out = *out * units[i].factor / units[i].divisor;
            return *out > 0 && *out <= DURATION_MAX * UINT64_C(1000);
        }
    return false;
}

/* Reads a size in bytes, with an optional k or M. */
static bool parse_size(const char *text, uint64_t max, uint64_t *out)
{
    char *end;
    unsigned long long value;
    unsigned shift = 0;

    errno = 0;
    value = strtoull(text, &end, 10);
    if (*end == 'k' || *end == 'K')
        shift = 10;
    else if (*end == 'm' || *end == 'M')
        shift = 20;
    if (shift)
        end++;
    if (text[0] < '0' || text[0] > '9' || *end || errno || !value || value > max >> shift)
        return false;
    *out = value << shift;
    return true;
}

/* Returns where the next process's number goes, in the order on the command line. */
static pid_t *next_pid(struct settings *set)
{
    if (set->capture.pid)
        return &set->more_pids[set->capture.more_count++];
    return &set->capture.pid;
}

/* A name may begin with a digit, too. */
static bool is_name(const char *text)
{
    return !*text || text[strspn(text, "0123456789")];
}

static int set_pid(const struct option_use *use)
{
    struct settings *set = use->options;
    uint64_t value;

    if (set->capture.more_count == PIDS_MAX)
        return options_refuse(use->table, "too many processes: those of a cgroup are captured "
                                          "with --cgroup, descendants with --children");
    if (is_name(use->argument))
        return process_by_name(use, next_pid(set));
    if (!parse_whole(use->argument, INT32_MAX, &value))
        return options_refuse_value(use, "the number of a process, or its name");
    *next_pid(set) = (pid_t)value;
    return -1;
}

static int set_rate(const struct option_use *use)
{
    struct settings *set = use->options;
    uint64_t value;

    if (!parse_thousandths(use->argument, RATE_MAX_HZ, &value))
        return options_refuse_value(use, "0.001 to 20000 Hz");
    set->capture.rate_mhz = (uint32_t)value;
    return -1;
}

static int set_overhead(const struct option_use *use)
{
    struct settings *set = use->options;
    uint64_t value;

    if (!parse_thousandths(use->argument, BUDGET_ALL / BUDGET_UNIT, &value))
        return options_refuse_value(use, "0.001 to 100 %");
    set->capture.overhead = (uint32_t)value;
    return -1;
}

static int set_clock(const struct option_use *use)
{
    static const char *const names[] = {[CAPTURE_CLOCK_AUTO] = "auto",
                                        [CAPTURE_CLOCK_PTRACE] = "ptrace",
                                        [CAPTURE_CLOCK_PERF] = "perf"};
    struct settings *set = use->options;

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(use->argument, names[i]) == 0) {
            set->capture.clock = (enum capture_clock)i;
            return -1;
        }
    return options_refuse_value(use, "auto, ptrace or perf");
}

static int set_duration(const struct option_use *use)
{
    struct settings *set = use->options;
    uint64_t value;

    if (!parse_duration(use->argument, &value))
        return options_refuse_value(use, "0.001 s to 10^9 s, as 30, 500ms, 2m or 1h");
    set->capture.duration_ns = value * 1000000;
    return -1;
}

static int set_count(const struct option_use *use)
{
    struct settings *set = use->options;

    return parse_whole(use->argument, UINT64_MAX, &set->capture.round_count)
               ? -1
               : options_refuse_value(use, "a number from 1 on");
}

static int set_output(const struct option_use *use)
{
    return use->argument[0] ? option_set_text(use) : options_refuse_value(use, "a file");
}

static int set_cgroup(const struct option_use *use)
{
    return use->argument[0]
               ? option_set_text(use)
               : options_refuse_value(use, "the path of a cgroup below /sys/fs/cgroup");
}

static int set_stack_size(const struct option_use *use)
{
    struct settings *set = use->options;
    uint64_t value;

    if (!parse_size(use->argument, SNAP_STACK_MAX, &value))
        return options_refuse_value(use, "1 to 16M bytes");
    set->capture.stack_size = (uint32_t)value;
    set->capture.stack_size_given = true;
    return -1;
}

static int add_tid(const struct option_use *use)
{
    struct settings *set = use->options;
    uint64_t value;

    if (set->capture.tid_count == TIDS_MAX || !parse_whole(use->argument, INT32_MAX, &value))
        return options_refuse_value(use, "the number of a thread, at most 1024 times");
    set->tids[set->capture.tid_count++] = (pid_t)value;
    return -1;
}

/* Takes N or N,BUDGET; bytes. */
static int set_pointees(const struct option_use *use)
{
    struct settings *set = use->options;
    const size_t length = strcspn(use->argument, ",");
    uint64_t size, budget = POINTEES_BUDGET_DEFAULT;
    char text[16];

    if (length < sizeof(text)) {
        memcpy(text, use->argument, length);
        text[length] = '\0';
        if (parse_size(text, POINTEES_SIZE_MAX, &size) &&
            (!use->argument[length] ||
             parse_size(use->argument + length + 1, SNAP_POINTEES_MAX, &budget)) &&
            size <= budget) {
            set->capture.pointees = (uint32_t)size;
            set->capture.pointees_budget = (uint32_t)budget;
            return -1;
        }
    }
    return options_refuse_value(use,
                                "1 to 4k bytes, and behind a comma those of a sample, up to 64k");
}

#if CAPTURE_BOARDS
/* Says whether the text is a command, a path, or ends with a port. */
static bool is_stub(const char *text)
{
    const char *colon = strrchr(text, ':');

    return text[0] == '|' || strchr(text, '/') ||
           (colon && colon[1] && colon[1 + strspn(colon + 1, "0123456789")] == '\0');
}

static int set_gdb(const struct option_use *use)
{
    struct settings *set = use->options;

    set->capture.backend = &gdb_backend;
    return is_stub(use->argument)
               ? option_set_text(use)
               : options_refuse_value(use, "HOST:PORT, :PORT, a device, or '| COMMAND'");
}

static int set_halt_budget(const struct option_use *use)
{
    struct settings *set = use->options;
    uint64_t value;

    if (!parse_thousandths(use->argument, BUDGET_ALL / BUDGET_UNIT, &value))
        return options_refuse_value(use, "0.001 to 100 %");
    set->capture.halt_budget = (uint32_t)value;
    return -1;
}

static int add_firmware(const struct option_use *use)
{
    struct settings *set = use->options;

    if (!use->argument[0] || set->capture.firmware_count == FIRMWARE_MAX)
        return options_refuse_value(use, "an ELF file, at most 64 times");
    set->firmware[set->capture.firmware_count++].path = use->argument;
    return -1;
}

/* Sets the load bias of the last -e FILE. May be negative. */
static int set_load_bias(const struct option_use *use)
{
    struct settings *set = use->options;
    const bool is_negative = use->argument[0] == '-';
    const char *digits = use->argument + is_negative;
    unsigned long long value;
    char *end;

    if (!set->capture.firmware_count)
        return options_refuse(use->table, "--load-bias goes behind -e FILE");
    errno = 0;
    value = strtoull(digits, &end, 0);
    if (digits[0] < '0' || digits[0] > '9' || *end || errno || value > INT64_MAX)
        return options_refuse_value(use, "a number of bytes, as 0x8000");
    set->firmware[set->capture.firmware_count - 1].bias =
        is_negative ? -(int64_t)value : (int64_t)value;
    return -1;
}
#endif

#if CAPTURE_BUNDLES
#define WITH_CODE_LINE "write code that stacks refer to; the ELF files: for other hosts"
#else
#define WITH_CODE_LINE NULL
#endif

#if CAPTURE_BOARDS
#define OR_GDB        ", or --gdb TARGET"
#define JOINS_MORE    true /* so that --help has 24 lines */
#define OVERHEAD_LINE "at most P % of its time (3), by a lower rate; perf, ptrace or auto"
#define ON_CPU_LINE   "not threads that did not run; children of fork, too"
#else
#define OR_GDB        ""
#define JOINS_MORE    false
#define OVERHEAD_LINE NULL
#define ON_CPU_LINE   NULL
#endif

#define FLAG(member) .apply = option_set_flag, .field = OPTION_FIELD(bool, struct settings, member)
#define TEXT(member) .field = OPTION_FIELD(const char *, struct settings, member)

static const struct option_spec specs[] = {
    {"pid", 'p', OPTION_PROCESS, "PID",
     "the process to capture, by its number or name; may be repeated", .apply = set_pid},
    {"children", 0, OPTION_FLAG, NULL, "the descendants as well, those of later, too",
     FLAG(capture.children), .line = "descendants, too; all of a container or unit"},
    {"cgroup", 0, OPTION_TEXT, "PATH", "all processes in this cgroup, those of later, too",
     .apply = set_cgroup, TEXT(capture.cgroup), .joins = true},
    {"freq", 'F', OPTION_TEXT, "HZ", "samples per second and thread (default 99)",
     .apply = set_rate, .alias_letter = 'r', .alias = "rate"},
    {"duration", 'd', OPTION_TEXT, "S", "stop after S seconds, or 500ms, 2m, 1h",
     .apply = set_duration},
    {"count", 'n', OPTION_TEXT, "N", "stop after N rounds (1: where is it now?)",
     .apply = set_count},
    {"output", 'o', OPTION_FILE, "FILE",
     "default snap.bin; '-' is standard output; tcp:HOST:PORT connects", .apply = set_output,
     TEXT(output)},
    {"overhead", 0, OPTION_TEXT, "P",
     "cost the process P % of its time at most, by a lower rate (default 3)", .apply = set_overhead,
     .line = OVERHEAD_LINE},
    {"clock", 0, OPTION_TEXT, "C", "what tells of CPU time: perf, ptrace or auto (default)",
     .apply = set_clock, .joins = JOINS_MORE},
    {"force", 0, OPTION_FLAG, NULL, "overwrite FILE whatever it holds; an old snapshot, too",
     FLAG(force)},
    {"stack-size", 's', OPTION_TEXT, "N",
     "copy at most N bytes of a stack (default 8M, at most 16M; k, M)", .apply = set_stack_size},
    {"tid", 't', OPTION_THREAD, "TID", "only this thread; may be repeated", .apply = add_tid},
    {"together", 0, OPTION_FLAG, NULL, "stop all threads, then copy (default: each by itself)",
     FLAG(capture.together)},
    {"on-cpu", 0, OPTION_FLAG, NULL, "leave out threads that did not run since the last round",
     FLAG(capture.on_cpu), .line = ON_CPU_LINE},
    {"follow-forks", 0, OPTION_FLAG, NULL, "capture the children of fork and vfork, too",
     FLAG(capture.follow_forks), .joins = JOINS_MORE},
    {"with-code", 0, OPTION_FLAG, NULL, "write the code that stacks refer to, too",
     FLAG(capture.with_code), .line = WITH_CODE_LINE},
#if CAPTURE_BUNDLES
    {"bundle", 0, OPTION_FLAG, NULL, "write the ELF and debug files that are needed, too",
     FLAG(capture.bundle), .joins = true},
#endif
    {"no-jit", 0, OPTION_FLAG, NULL, "leave out code and names of what was made at run time",
     FLAG(capture.no_jit), .line = "no code made at run time; N bytes of what stacks point to"},
    {"pointees", 0, OPTION_TEXT, "N[,B]",
     "copy N bytes at each address in registers and the top of the stack, B of a sample",
     .apply = set_pointees, .joins = true},
#if CAPTURE_BOARDS
    {"gdb", 0, OPTION_TEXT, "TARGET", "a board or program behind a gdb stub: HOST:PORT, a device",
     .apply = set_gdb, TEXT(capture.gdb),
     .line = "HOST:PORT, device, '| COMMAND': a gdb stub; halted P % (5)"},
    {"halt-budget", 0, OPTION_TEXT, "P", "halt it for P % of the time at most (default 5)",
     .apply = set_halt_budget, .joins = true},
    {"elf", 'e', OPTION_FILE, "FILE", "the firmware that it runs; may be repeated",
     .apply = add_firmware, .line = "its firmware; where that was loaded, if it was moved"},
    {"load-bias", 0, OPTION_TEXT, "N", "how far FILE was loaded behind its own addresses",
     .apply = set_load_bias, .joins = true},
#endif
    {"quiet", 'q', OPTION_FLAG, NULL, "no line at the end", FLAG(quiet),
     .line = "no line at the end; another: how long single pauses were"},
    {"verbose", 'v', OPTION_FLAG, NULL, "another line: how long single pauses were", FLAG(verbose),
     .joins = true},
    OPTION_ROWS_AT_END(.line = "")};

static const struct option_table table = {
    .program = "cgsnap",
    .built = CG_BUILT,
    .head = "Usage: cgsnap -p PID [options]            capture a running process\n"
            "       cgsnap [options] -- COMMAND [ARG…] start one and capture it from its first "
            "instruction\n"
            "\n",
    .tail = "\n"
            "Then: cgunwind snap.bin; or stream: cgsnap -p PID -o - | ssh HOST cgunwind -\n"
            "Ends at Ctrl-C, a limit, or the process's end; the process goes on unharmed.\n",
    .specs = specs,
    .count = sizeof(specs) / sizeof(specs[0]),
    .column = 22,
    .takes_a_command = true,
};

#if CAPTURE_BOARDS
/* check_together for --gdb. */
static int check_stub(const struct settings *set)
{
    const struct capture_options *capture = &set->capture;
    const char *not_with = capture->pid || capture->cgroup || capture->command ? "processes"
                           : capture->on_cpu                                   ? "--on-cpu"
                           : capture->follow_forks                             ? "--follow-forks"
                           : capture->children                                 ? "--children"
                           : capture->bundle                                   ? "--bundle"
                           : capture->pointees                                 ? "--pointees"
                           : capture->clock == CAPTURE_CLOCK_PERF              ? "--clock perf"
                           : capture->overhead != BUDGET_ALL                   ? "--overhead"
                                                                               : NULL;

    if (not_with)
        return options_refuse(&table, "--gdb does not go with %s", not_with);
    return -1;
}
#endif

/* Refuses options that do not go together. Returns -1: none; else the exit status. */
static int check_together(const struct settings *set)
{
    const bool attaches = set->capture.pid || set->capture.cgroup || has_stub(set);

#if CAPTURE_BOARDS
    if (has_stub(set) && check_stub(set) >= 0)
        return EXIT_USAGE;
    if (!has_stub(set) && (set->capture.firmware_count || set->capture.halt_budget))
        return options_refuse(&table, "%s goes with --gdb",
                              set->capture.firmware_count ? "-e" : "--halt-budget");
#endif
    if (attaches == (set->capture.command != NULL))
        return options_refuse(&table, "%s",
                              attaches ? "give either processes or a command, not both"
                                       : "which process? give -p PID or -- COMMAND" OR_GDB);
    if (set->capture.tid_count &&
        (set->capture.more_count || set->capture.children || set->capture.cgroup))
        return options_refuse(&table, "-t goes with one process");
    if (set->capture.command && set->capture.tid_count)
        return options_refuse(&table, "-t goes with -p");
    if (set->capture.command && strcmp(set->output, "-") == 0)
        return options_refuse(
            &table, "-o - goes with -p: the command's output would mix with the snapshot");
    if (strncmp(set->output, TCP_LISTEN_PREFIX, strlen(TCP_LISTEN_PREFIX)) == 0)
        return options_refuse(&table,
                              "cgsnap connects, with -o tcp:HOST:PORT; cgunwind listens, at %s",
                              set->output);
    return -1;
}

/* Sets budgets that were not given. Only halts cost a target behind a stub time. */
static void settle_budgets(struct settings *set)
{
    if (!set->capture.overhead)
        set->capture.overhead = has_stub(set) ? BUDGET_ALL : DEFAULT_OVERHEAD;
#if CAPTURE_BOARDS
    set->capture.firmware = set->firmware;
    if (has_stub(set) && !set->capture.halt_budget)
        set->capture.halt_budget = DEFAULT_HALTS;
#endif
}

int options_parse(struct settings *set, int argc, char **argv)
{
    int operands, result;

    *set = (struct settings){.output = DEFAULT_OUTPUT};
    set->capture.backend = &ptrace_backend;
    set->capture.rate_mhz = DEFAULT_RATE_MHZ;
    set->capture.stack_size = DEFAULT_STACK;
    set->capture.tids = set->tids;
    result = options_read(&table, set, argc, argv, &operands);
    if (result >= 0)
        return result;
    if (operands < argc)
        set->capture.command = argv + operands;
    set->capture.more_pids = set->more_pids;
    set->capture.follow_forks |= set->capture.children || set->capture.cgroup;
    /* perf's ticks have no pointees. */
    if (set->capture.pointees && set->capture.clock == CAPTURE_CLOCK_AUTO)
        set->capture.clock = CAPTURE_CLOCK_PTRACE;
    settle_budgets(set);
    return check_together(set);
}
