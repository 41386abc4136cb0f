/* SPDX-License-Identifier: MIT */
#include "tools/cgunwind/cgunwind.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/workers.h"
#include "graph/thread_state.h"
#include "output/formats.h"
#include "output/render.h"

static const struct option_table table;

bool usage_error(const char *what, const char *which)
{
    options_refuse(&table, "%s%s", what, which);
    return false;
}

/* The result of an option's function: -1 if right, else EXIT_USAGE, after a message. */
static int go_on_if(bool right)
{
    return right ? -1 : EXIT_USAGE;
}

static const char *method_name(size_t i)
{
    return TRUST_DEBUG_FRAME + i < TRUST_COUNT ? trust_name((enum trust)(TRUST_DEBUG_FRAME + i))
                                               : NULL;
}

static const char *by_name(size_t i)
{
    static const char *const names[] = {"function", "line", "module", NULL}; /* enum graph_by */

    return names[i];
}

static const char *weight_name(size_t i)
{
    static const char *const names[] = {"samples", "wall", "cpu", "offcpu", NULL}; /* weight_kind */

    return names[i];
}

static const char *cluster_name(size_t i)
{
    static const char *const names[] = {"thread", "module", "file", "none", NULL};

    return names[i];
}

/* Returns the names of states; "blocked" stands for all but the first two of these. */
static const char *state_name(size_t i)
{
    static const char states[] = "RQSDTtZXIP";

    if (i == 2)
        return "blocked";
    if (i > 2)
        i--;
    return i + 1 < sizeof(states) ? thread_state_name(states[i]) : NULL;
}

static bool parse_methods(const char *list, struct unwinder_options *out)
{
    out->method_count = 0;
    while (*list) {
        size_t len = strcspn(list, ",");
        size_t trust;

        for (trust = TRUST_DEBUG_FRAME; trust < TRUST_COUNT; trust++) {
            const char *name = trust_name((enum trust)trust);

            if (strlen(name) == len && strncmp(name, list, len) == 0)
                break;
        }
        if (trust == TRUST_COUNT || out->method_count == TRUST_COUNT)
            return usage_error("no such list of methods: ", list);
        out->methods[out->method_count++] = (enum trust)trust;
        list += len + (list[len] == ',');
    }
    return out->method_count > 0 || usage_error("an empty list of methods", "");
}

/* Reads a count of at least `least`. Returns -1, or the exit status, after a message. */
static int parse_count(const struct option_use *use, uint32_t least, uint32_t *out)
{
    const char *text = use->argument;
    char *end, wanted[48];
    unsigned long value;

    errno = 0;
    value = strtoul(text, &end, 10);
    if (errno || end == text || *end || value < least || value > UINT32_MAX || strchr(text, '-')) {
        snprintf(wanted, sizeof(wanted), "%" PRIu32 " to %" PRIu32, least, UINT32_MAX);
        return options_refuse_value(use, wanted);
    }
    *out = (uint32_t)value;
    return -1;
}

/* Reads a hexadecimal number, as in /proc/PID/maps, with or without "0x". */
static int parse_address(const struct option_use *use, uint64_t *out)
{
    const char *text = use->argument;
    const char *digits = strncmp(text, "0x", 2) == 0 ? text + 2 : text;
    size_t count = strspn(digits, "0123456789abcdefABCDEF");

    if (count == 0 || digits[count] || count > 16)
        return options_refuse_value(use, "a hexadecimal number of 64 bits");
    *out = strtoull(digits, NULL, 16);
    return -1;
}

static int parse_fraction(const struct option_use *use, double *out)
{
    char *end;

    *out = strtod(use->argument, &end);
    if (end == use->argument || *end || !(*out >= 0 && *out <= 1))
        return options_refuse_value(use, "a fraction from 0 to 1");
    return -1;
}

#define TIME_MAX_NS 1e18

/* Reads a time in seconds, or with a unit; sets nanoseconds. */
static int parse_time(const struct option_use *use, uint64_t *out)
{
    static const struct {
        const char *suffix;
        double ns;
    } units[] = {{"", 1e9},   {"s", 1e9}, {"ms", 1e6}, {"us", 1e3},
                 {"µs", 1e3}, {"ns", 1},  {"m", 60e9}, {"h", 3600e9}};
    const char *text = use->argument;
    size_t digits = strspn(text, "0123456789.");
    char *end;
    double value = strtod(text, &end);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (digits == 0 || end != text + digits || strcmp(end, units[i].suffix) != 0)
            continue;
        value *= units[i].ns;
        if (!(value <= TIME_MAX_NS))
            break;
        *out = (uint64_t)(value + 0.5);
        return -1;
    }
    return options_refuse_value(use, "0 to 10^9 s, as 2, 2s, 500ms, 80us, 9ns, 1.5m or 1h");
}

static int add_path(const char **paths, size_t *count, const char *path)
{
    if (*count == PATHS_MAX)
        return go_on_if(usage_error("too many files given at ", path));
    paths[(*count)++] = path;
    return -1;
}

static int add_elf_file(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    return add_path(o->elf_files, &o->modules.elf_file_count, use->argument);
}

/* Refuses a directory that does not exist. */
static int check_directory(const struct option_use *use)
{
    struct stat st;

    if (stat(use->argument, &st) == 0 && S_ISDIR(st.st_mode))
        return -1;
    return options_refuse(use->table, "%s: no such directory: %s", use->given, use->argument);
}

static int add_debug_dir(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;
    int result = check_directory(use);

    return result >= 0 ? result
                       : add_path(o->debug_dirs, &o->modules.debug_dir_count, use->argument);
}

static int add_perf_map(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    return add_path(o->perf_maps, &o->perf_map_count, use->argument);
}

static int set_sysroot(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    o->modules.sysroot = use->argument;
    return check_directory(use);
}

static int set_format(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    return go_on_if(options_choose_format(use->argument, &o->format));
}

static int set_methods(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    o->method_given = true;
    return go_on_if(parse_methods(use->argument, &o->unwinder));
}

static int set_cluster(const struct option_use *use)
{
    static const enum graph_cluster clusters[] = {CLUSTER_THREAD, CLUSTER_MODULE, CLUSTER_FILE,
                                                  CLUSTER_NONE}; /* as cluster_name */
    struct cgunwind_options *o = use->options;
    int choice = option_find_choice(use);

    if (choice < 0)
        return EXIT_USAGE;
    o->dot.cluster = clusters[choice];
    o->cluster_given = true;
    return -1;
}

static int set_load_bias(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    o->load_bias_given = true;
    return parse_address(use, &o->load_bias);
}

/* Takes FILE@ADDR; divided at the last '@', as a path may have others. */
static int add_ram(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;
    const char *at = strrchr(use->argument, '@');
    struct option_use address = *use;
    uint64_t addr = 0;
    char *path;

    if (!at || at == use->argument)
        return options_refuse_value(use, "FILE@ADDR, the address of the file's first byte");
    address.argument = at + 1;
    if (parse_address(&address, &addr) >= 0)
        return EXIT_USAGE;
    if (o->ram_count == RAM_FILES_MAX)
        return go_on_if(usage_error("too many files given at ", use->argument));
    path = strndup(use->argument, (size_t)(at - use->argument));
    if (!path) {
        struct diag diag;

        diag_set(&diag, NULL, "%s", status_name(STATUS_NO_MEMORY));
        return fail(&diag);
    }
    o->ram[o->ram_count].path = path;
    o->ram[o->ram_count++].addr = addr;
    return -1;
}

/* Makes --ram and --regs the input, in place of a snapshot. */
static bool use_ram(struct cgunwind_options *o)
{
    if (!o->regs || !o->ram_count)
        return usage_error(o->regs ? "--regs goes with " : "--ram goes with ",
                           o->regs ? "--ram FILE@ADDR" : "--regs FILE");
    if (o->snapshot_count)
        return usage_error("--ram goes without snapshots, as ", o->snapshots[0]);
    o->ram_snapshots[0] = (char *)o->regs;
    o->snapshots = o->ram_snapshots;
    o->snapshot_count = 1;
    return true;
}

static int set_filter(const struct option_use *use, enum filter_kind kind)
{
    struct cgunwind_options *o = use->options;
    struct diag diag;
    enum status status = graph_filter_set(&o->filter, kind, use->argument, &diag);

    if (status == STATUS_OK)
        return -1;
    return status == STATUS_NO_MEMORY ? fail(&diag) : go_on_if(usage_error("", diag.what));
}

static int set_focus(const struct option_use *use)
{
    return set_filter(use, FILTER_FOCUS);
}

static int set_ignore(const struct option_use *use)
{
    return set_filter(use, FILTER_IGNORE);
}

static int set_hide(const struct option_use *use)
{
    return set_filter(use, FILTER_HIDE);
}

static int set_module(const struct option_use *use)
{
    return set_filter(use, FILTER_MODULE);
}

static int set_thread(const struct option_use *use)
{
    return set_filter(use, FILTER_THREAD);
}

static int set_states(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;
    struct diag diag;

    if (graph_filter_set_states(&o->filter, use->argument, &diag) == STATUS_OK)
        return -1;
    return go_on_if(usage_error("--state: ", diag.what));
}

static int set_from(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    return parse_time(use, &o->from_ns);
}

static int set_to(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    o->to_given = true;
    return parse_time(use, &o->to_ns);
}

static int set_nodes(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    o->nodes_given = true;
    return parse_count(use, 0, &o->graph.nodes);
}

static int set_node_fraction(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    o->fraction_given = true;
    return parse_fraction(use, &o->graph.node_fraction);
}

static int set_edge_fraction(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    o->fraction_given = true;
    return parse_fraction(use, &o->graph.edge_fraction);
}

static int set_layout_time(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    return parse_count(use, 0, &o->render_seconds);
}

static int set_jobs(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    return parse_count(use, 1, &o->jobs);
}

static int leave_out_inlines(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    o->inlines = false;
    return -1;
}

static const char *variables_name(size_t i)
{
    static const char *const names[] = {"all", "args", NULL};

    return names[i];
}

static int set_variables(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;
    int choice = use->argument ? option_find_choice(use) : 0;

    if (choice < 0)
        return EXIT_USAGE;
    o->variables = true;
    o->variable.parameters_only = choice == 1;
    return -1;
}

static int add_split(const struct option_use *use,
                     enum status (*add)(struct splits *splits, const char *text, struct diag *diag))
{
    struct cgunwind_options *o = use->options;
    struct diag diag;
    enum status status = STATUS_OK;

    diag_set(&diag, NULL, "%s", status_name(STATUS_NO_MEMORY));
    if (!o->splits)
        status = splits_create(&o->splits);
    if (status == STATUS_OK)
        status = add(o->splits, use->argument, &diag);
    if (status == STATUS_OK)
        return -1;
    return status == STATUS_NO_MEMORY ? fail(&diag)
                                      : options_refuse(use->table, "%s: %s", use->given, diag.what);
}

static int set_split(const struct option_use *use)
{
    return add_split(use, splits_add);
}

static int set_split_values(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    return parse_count(use, 1, &o->split_values);
}

static int set_where(const struct option_use *use)
{
    return add_split(use, splits_add_condition);
}

static int set_diff_base(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    o->diff_base = use->argument;
    o->view.compare = true;
    return -1;
}

static const char *colour_name(size_t i)
{
    static const char *const names[] = {"auto", "always", "never", NULL}; /* enum colour_when */

    return names[i];
}

static int set_colour(const struct option_use *use)
{
    struct cgunwind_options *o = use->options;

    o->colour = COLOUR_ALWAYS;
    return use->argument ? option_set_choice(use) : -1;
}

/* The offset of a field, for setters. */
#define FIELD(type, member) OPTION_FIELD(type, struct cgunwind_options, member)
#define SET_FLAG(member)    .apply = option_set_flag, .field = FIELD(bool, member)
#define SET_TEXT(member)    .apply = option_set_text, .field = FIELD(const char *, member)
#define SET_CHOICE(type, member, names)                                                            \
    .apply = option_set_choice, .choices = (names), .field = FIELD(type, member)

static const struct option_spec specs[] = {
    {"elf", 'e', OPTION_FILE, "FILE",
     "the ELF file of a module (by build-id, else by name) or of a trace", .apply = add_elf_file},
    {"load-bias", 0, OPTION_TEXT, "ADDR",
     "of a trace: subtracted from its addresses to get those in the file", .apply = set_load_bias,
     .line = "of a trace; a board's memory, its registers"},
    {"ram", 0, OPTION_TEXT, "FILE@ADDR", "memory of a board, for its snapshot, with --regs",
     .apply = add_ram, .joins = true, .no_short_form = true},
    {"regs", 0, OPTION_FILE, "FILE", "its registers, as gdb's info registers prints them",
     SET_TEXT(regs), .joins = true, .no_short_form = true},
    {"sysroot", 0, OPTION_DIRECTORY, "DIR", "the target's files", .apply = set_sysroot,
     .line = "the target's files; debug files; servers"},
    {"debug-dir", 0, OPTION_DIRECTORY, "DIR", "debug files (/usr/lib/debug)",
     .apply = add_debug_dir, .joins = true},
    {"debuginfod", 0, OPTION_TEXT, "URLS", "servers of files by build-id", SET_TEXT(debuginfod),
     .joins = true},
    {"kallsyms", 0, OPTION_FILE, "FILE", "the target's /proc/kallsyms, for names of kernel frames",
     SET_TEXT(modules.kallsyms), .line = "names of the kernel; of code made at run time"},
    {"perf-map", 0, OPTION_FILE, "FILE",
     "names of code made at run time: perf-PID.map, jit-PID.dump", .apply = add_perf_map,
     .joins = true},
    {"format", 'f', OPTION_CHOICE, "F", "what is written", .apply = set_format,
     .choices = format_name, .line = "@"},
    {"output", 'o', OPTION_FILE, "FILE",
     "write there; the suffix chooses the format when -f is absent", SET_TEXT(output)},
    {"method", 0, OPTION_LIST, "LIST",
     "row sources: debug_frame,eh_frame,exidx,gopclntab,prologue,fp,lr; scan", .apply = set_methods,
     .choices = method_name},
    {"by", 0, OPTION_CHOICE, "WHAT", "function, line, module",
     SET_CHOICE(enum graph_by, view.by, by_name), .given = FIELD(bool, by_given)},
    {"weight", 0, OPTION_CHOICE, "WHAT", "samples, wall, cpu, offcpu",
     SET_CHOICE(enum weight_kind, view.weight, weight_name), .given = FIELD(bool, weight_given),
     .joins = true},
    {"focus", 0, OPTION_TEXT, "RE", "only chains with a function like this", .apply = set_focus,
     .line = "as in pprof; only these"},
    {"ignore", 0, OPTION_TEXT, "RE", "no chains with a function like this", .apply = set_ignore,
     .joins = true},
    {"hide", 0, OPTION_TEXT, "RE", "leave out functions like this", .apply = set_hide,
     .joins = true},
    {"module", 0, OPTION_TEXT, "RE", "only chains with a module like this", .apply = set_module,
     .joins = true},
    {"thread", 0, OPTION_TEXT, "RE|TID", "only these threads", .apply = set_thread, .joins = true},
    {"state", 0, OPTION_LIST, "LIST",
     "only samples that are running, blocked, sleeping, disk-sleep ...", .apply = set_states,
     .choices = state_name, .line = "running, blocked, sleeping ...; seconds since the first"},
    {"from", 0, OPTION_TEXT, "T", "leave out what was before, in seconds", .apply = set_from,
     .joins = true},
    {"to", 0, OPTION_TEXT, "T", "leave out what was from then on, in seconds", .apply = set_to,
     .joins = true},
    {"variables", 0, OPTION_CHOICE, "[=WHAT]", "the variables of frames, or their arguments (args)",
     .apply = set_variables, .choices = variables_name, .no_short_form = true,
     .line = "what frames hold"},
    {"raw", 0, OPTION_FLAG, NULL, "containers by their members", SET_FLAG(variable.style.raw),
     .joins = true, .no_short_form = true},
    {"split", 0, OPTION_TEXT, "F:V", "divide function F by its variable V", .apply = set_split,
     .joins = true, .no_short_form = true},
    {"split-values", 0, OPTION_TEXT, "N", "more distinct numbers than N (20) are told in ranges",
     .apply = set_split_values, .joins = true, .no_short_form = true},
    {"where", 0, OPTION_TEXT, "F:V==X", "only samples in which that holds", .apply = set_where,
     .joins = true, .no_short_form = true},
    {"by-thread", 0, OPTION_FLAG, NULL, "keep threads apart", SET_FLAG(by_thread),
     .line = "apart; lines, first calls at edges"},
    {"by-process", 0, OPTION_FLAG, NULL, "keep processes apart", SET_FLAG(by_process),
     .joins = true},
    {"label-calls", 0, OPTION_FLAG, NULL, "the lines of calls at edges", SET_FLAG(dot.label_calls),
     .joins = true},
    {"sequence", 0, OPTION_FLAG, NULL, "the first calls at edges, in order", SET_FLAG(dot.sequence),
     .joins = true},
    {"cluster", 0, OPTION_CHOICE, "WHAT",
     "what is framed in the graph: thread, module (default), file or none", .apply = set_cluster,
     .choices = cluster_name},
    {"nodes", 0, OPTION_TEXT, "N", "at most so many nodes", .apply = set_nodes,
     .line = "trim the graph (80, 0.005, 0.001)"},
    {"node-fraction", 0, OPTION_TEXT, "F", "no nodes of a smaller part of the weight",
     .apply = set_node_fraction, .joins = true},
    {"edge-fraction", 0, OPTION_TEXT, "F", "no edges of a smaller part of the weight",
     .apply = set_edge_fraction, .joins = true},
    {"layout-time", 0, OPTION_TEXT, "S",
     "give up the layout after S seconds (30) and keep the DOT text", .apply = set_layout_time,
     .line = "seconds for a layout (30); auto, always, never"},
    {"color", 0, OPTION_CHOICE, "[=WHEN]", "colours: on a terminal, always or never",
     .apply = set_colour, .choices = colour_name, .field = FIELD(enum colour_when, colour),
     .joins = true, .no_short_form = true},
    {"no-pager", 0, OPTION_FLAG, NULL, "no pager on a terminal", SET_FLAG(no_pager), .joins = true,
     .no_short_form = true},
    {"diff-base", 0, OPTION_FILE, "FILE",
     "what changed against this snapshot, in trees, graphs, top, flame, folded, html",
     .apply = set_diff_base, .line = "what changed; callers below; shares of what is shown"},
    {"invert", 0, OPTION_FLAG, NULL, "callees first, their callers below", SET_FLAG(view.inverted),
     .joins = true, .no_short_form = true},
    {"relative", 0, OPTION_FLAG, NULL, "shares of what the filters leave", SET_FLAG(view.relative),
     .joins = true, .no_short_form = true},
    {"no-inline", 0, OPTION_FLAG, NULL, "leave out inlined functions", .apply = leave_out_inlines,
     .line = "no inlined functions; how good it is; what the input is"},
    {"stats", 0, OPTION_FLAG, NULL, "the quality report, on stderr", SET_FLAG(stats),
     .joins = true},
    {"info", 0, OPTION_FLAG, NULL, "what the input is of, and which files are found",
     SET_FLAG(info), .joins = true, .no_short_form = true},
    {"jobs", 'j', OPTION_TEXT, "N", "threads to find names with (default: one a core)",
     .apply = set_jobs, .line = "threads (one a core); at most so much memory; all anew"},
    {"memory", 0, OPTION_TEXT, "SIZE", "fail rather than use more memory: 2G, 512M",
     .apply = option_set_bytes, .field = FIELD(uint64_t, sandbox.memory), .joins = true,
     .no_short_form = true},
    {"no-cache", 0, OPTION_FLAG, NULL, "neither use nor keep what is dear to find out",
     SET_FLAG(no_cache), .joins = true, .no_short_form = true},
    {"verbose", 'v', OPTION_FLAG, NULL, "warn of modules whose file was not found, too",
     SET_FLAG(verbose), .line = ""},
    {"quiet", 'q', OPTION_FLAG, NULL, "no warnings", SET_FLAG(quiet), .joins = true},
    {"force", 0, OPTION_FLAG, NULL, "overwrite with -o what is no earlier output", SET_FLAG(force),
     .joins = true, .no_short_form = true},
    {"no-sandbox", 0, OPTION_FLAG, NULL, "do not confine the process", SET_FLAG(sandbox.off),
     .joins = true, .no_short_form = true},
    OPTION_ROWS_AT_END(.joins = true)};

static const struct option_table table = {
    .program = "cgunwind",
    .built = CG_BUILT,
    .head = "Usage: cgunwind [OPTION]... [SNAPSHOT...]\n"
            "Chains and graphs of snapshots, cores, perf.data, traces, pprof ('-': stdin, "
            "tcp-listen:PORT)\n"
            "\n",
    .tail = "",
    .specs = specs,
    .count = sizeof(specs) / sizeof(specs[0]),
    .column = 26,
};

int options_parse(struct cgunwind_options *o, int argc, char **argv)
{
    int operands, result;

    *o = (struct cgunwind_options){.graph = CALLGRAPH_DEFAULTS,
                                   .render_seconds = RENDER_SECONDS,
                                   .jobs = workers_available(),
                                   .inlines = true,
                                   .variable.style = VALUE_STYLE_DEFAULT,
                                   .split_values = SPLIT_VALUES};
    result = options_read(&table, o, argc, argv, &operands);
    if (result >= 0)
        return result;
    o->snapshots = argv + operands;
    o->snapshot_count = argc - operands;
    if ((o->ram_count || o->regs) && !use_ram(o))
        return EXIT_USAGE;
    if (o->snapshot_count == 0 && !options_use_default(o))
        return options_refuse(&table, "a snapshot is needed");
    o->modules.elf_files = o->elf_files;
    o->modules.debug_dirs = o->debug_dirs;
    o->view.filter = &o->filter;
    if (o->splits) {
        splits_set_limit(o->splits, o->split_values);
        o->filter.splits = o->splits;
    }
    return options_check(o);
}

void options_deinit(struct cgunwind_options *o)
{
    graph_filter_deinit(&o->filter);
    splits_destroy(o->splits);
    for (size_t i = 0; i < o->ram_count; i++)
        free((char *)o->ram[i].path);
}
