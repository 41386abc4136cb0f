#include "tools/cgunwind/cgunwind.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/workers.h"
#include "output/formats.h"
#include "output/render.h"

#define HELP_INDENT 26 /* of what stands beside an option */
#define HELP_WIDTH  100

static const char usage[] =
    "Usage: cgunwind [OPTION]... SNAPSHOT...\n"
    "Chains and graphs of snapshots, cores, perf.data, traces of calls ('-': stdin, "
    "tcp-listen:PORT)\n"
    "\n"
    "  -e, --elf FILE          the ELF file of a module (by build-id, else by name) or of a trace\n"
    "      --load-bias ADDR    of a trace: subtracted from its addresses to get those in the file\n"
    "      --sysroot DIR, --debug-dir DIR   the target's files; debug files (/usr/lib/debug)\n"
    "      --kallsyms FILE     the target's /proc/kallsyms, for names of kernel frames\n"
    "  -f, --format F          ";
static const char usage_after_formats[] =
    "\n"
    "  -o, --output FILE       write there; the suffix chooses the format when -f is absent\n"
    "      --method LIST       row sources in order: debug_frame,eh_frame,exidx,prologue,fp,lr; "
    "scan\n"
    "      --by WHAT, --weight WHAT   function, line, module; samples, wall, cpu, offcpu\n"
    "      --focus RE, --ignore RE, --hide RE, --module RE, --thread RE|TID   as in pprof; only "
    "these\n"
    "      --state LIST        only samples that are running, blocked, sleeping, disk-sleep ...\n"
    "      --from T, --to T    only those of this time, in seconds since the first sample\n"
    "      --by-thread, --label-calls, --sequence   threads apart; lines, first calls at edges\n"
    "      --cluster WHAT      what is framed in the graph: thread, module (default), file or "
    "none\n"
    "      --nodes N, --node-fraction F, --edge-fraction F   trim the graph (80, 0.005, 0.001)\n"
    "      --layout-time S     give up the layout after S seconds (30) and keep the DOT text\n"
    "      --diff-base FILE    what changed against this snapshot: tree, folded, dot, svg, png, "
    "pdf\n"
    "      --no-inline, --stats   leave out inlined functions; the quality report, on stderr\n"
    "  -j, --jobs N            threads to find names with (default: one a core)\n"
    "  -v, --verbose  -q, --quiet  -h, --help  -V, --version\n";

enum {
    OPT_SYSROOT = 256,
    OPT_DEBUG_DIR,
    OPT_KALLSYMS,
    OPT_METHOD,
    OPT_BY,
    OPT_BY_THREAD,
    OPT_CLUSTER,
    OPT_LABEL_CALLS,
    OPT_SEQUENCE,
    OPT_LOAD_BIAS,
    OPT_WEIGHT,
    OPT_FOCUS,
    OPT_IGNORE,
    OPT_HIDE,
    OPT_THREAD,
    OPT_STATE,
    OPT_FROM,
    OPT_TO,
    OPT_MODULE,
    OPT_NODES,
    OPT_NODE_FRACTION,
    OPT_EDGE_FRACTION,
    OPT_LAYOUT_TIME,
    OPT_NO_INLINE,
    OPT_DIFF_BASE,
    OPT_STATS,
};

static const struct option long_options[] = {
    {"elf", required_argument, NULL, 'e'},
    {"sysroot", required_argument, NULL, OPT_SYSROOT},
    {"debug-dir", required_argument, NULL, OPT_DEBUG_DIR},
    {"kallsyms", required_argument, NULL, OPT_KALLSYMS},
    {"format", required_argument, NULL, 'f'},
    {"output", required_argument, NULL, 'o'},
    {"method", required_argument, NULL, OPT_METHOD},
    {"by", required_argument, NULL, OPT_BY},
    {"by-thread", no_argument, NULL, OPT_BY_THREAD},
    {"cluster", required_argument, NULL, OPT_CLUSTER},
    {"label-calls", no_argument, NULL, OPT_LABEL_CALLS},
    {"sequence", no_argument, NULL, OPT_SEQUENCE},
    {"load-bias", required_argument, NULL, OPT_LOAD_BIAS},
    {"weight", required_argument, NULL, OPT_WEIGHT},
    {"focus", required_argument, NULL, OPT_FOCUS},
    {"ignore", required_argument, NULL, OPT_IGNORE},
    {"hide", required_argument, NULL, OPT_HIDE},
    {"thread", required_argument, NULL, OPT_THREAD},
    {"state", required_argument, NULL, OPT_STATE},
    {"from", required_argument, NULL, OPT_FROM},
    {"to", required_argument, NULL, OPT_TO},
    {"module", required_argument, NULL, OPT_MODULE},
    {"nodes", required_argument, NULL, OPT_NODES},
    {"node-fraction", required_argument, NULL, OPT_NODE_FRACTION},
    {"edge-fraction", required_argument, NULL, OPT_EDGE_FRACTION},
    {"layout-time", required_argument, NULL, OPT_LAYOUT_TIME},
    {"no-inline", no_argument, NULL, OPT_NO_INLINE},
    {"diff-base", required_argument, NULL, OPT_DIFF_BASE},
    {"stats", no_argument, NULL, OPT_STATS},
    {"jobs", required_argument, NULL, 'j'},
    {"verbose", no_argument, NULL, 'v'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {0},
};

bool usage_error(const char *what, const char *which)
{
    struct diag diag;
    char line[1024];

    diag_set(&diag, NULL, "%s%s", what, which); /* control characters are made harmless */
    fprintf(stderr, "cgunwind: %s; try --help\n", diag_format(&diag, line, sizeof(line)));
    return false;
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

/* `option` for the message, with what it takes. */
static bool parse_choice(const char *text, const char *const *names, size_t count,
                         const char *option, int *out)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, names[i]) == 0) {
            *out = (int)i;
            return true;
        }
    return usage_error(option, text);
}

static bool parse_count(const char *text, uint32_t *out)
{
    char *end;
    unsigned long value;

    errno = 0;
    value = strtoul(text, &end, 10);
    if (errno || end == text || *end || value > UINT32_MAX || strchr(text, '-'))
        return usage_error("not a count: ", text);
    *out = (uint32_t)value;
    return true;
}

/* Hexadecimal, as in /proc/PID/maps; "0x" may stand before it. */
static bool parse_address(const char *text, uint64_t *out)
{
    const char *digits = strncmp(text, "0x", 2) == 0 ? text + 2 : text;
    size_t count = strspn(digits, "0123456789abcdefABCDEF");

    if (count == 0 || digits[count] || count > 16)
        return usage_error("not an address: ", text);
    *out = strtoull(digits, NULL, 16);
    return true;
}

static bool parse_fraction(const char *text, double *out)
{
    char *end;

    *out = strtod(text, &end);
    if (end == text || *end || !(*out >= 0 && *out <= 1))
        return usage_error("not a fraction between 0 and 1: ", text);
    return true;
}

/* Seconds, or with a suffix s, ms, us or ns; to nanoseconds. */
static bool parse_time(const char *text, uint64_t *out)
{
    static const struct {
        const char *suffix;
        double ns;
    } units[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    size_t digits = strspn(text, "0123456789.");
    char *end;
    double value = strtod(text, &end);

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (digits == 0 || end != text + digits || strcmp(end, units[i].suffix) != 0)
            continue;
        value = value * units[i].ns + 0.5;
        if (value >= 0x1p63)
            break;
        *out = (uint64_t)value;
        return true;
    }
    return usage_error("not a time in seconds: ", text);
}

static bool add_path(const char **paths, size_t *count, const char *path)
{
    if (*count == PATHS_MAX)
        return usage_error("too many files given at ", path);
    paths[(*count)++] = path;
    return true;
}

/* A directory that is not there would be searched in vain. */
static bool check_directory(const char *option, const char *path)
{
    struct stat st;

    return (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) || usage_error(option, path);
}

static bool set_filter(struct cgunwind_options *o, enum filter_kind kind, const char *pattern)
{
    struct diag diag;

    if (graph_filter_set(&o->filter, kind, pattern, &diag) == STATUS_OK)
        return true;
    return usage_error("", diag.what);
}

static bool set_states(struct cgunwind_options *o, const char *list)
{
    struct diag diag;

    if (graph_filter_set_states(&o->filter, list, &diag) == STATUS_OK)
        return true;
    return usage_error("--state: ", diag.what);
}

/* Options with a value or effect of their own; false: a usage error that was reported. */
static bool apply_option(struct cgunwind_options *o, int c)
{
    static const char *const by_names[] = {"function", "line", "module"};
    static const char *const weight_names[] = {"samples", "wall", "cpu", "offcpu"};
    static const char *const cluster_names[] = {"module", "thread", "file", "none"};
    int choice = 0;

    switch (c) {
    case 'e':
        return add_path(o->elf_files, &o->modules.elf_file_count, optarg);
    case OPT_DEBUG_DIR:
        return check_directory("--debug-dir: no such directory: ", optarg) &&
               add_path(o->debug_dirs, &o->modules.debug_dir_count, optarg);
    case OPT_KALLSYMS:
        o->modules.kallsyms = optarg;
        return true;
    case OPT_SYSROOT:
        o->modules.sysroot = optarg;
        return check_directory("--sysroot: no such directory: ", optarg);
    case 'f':
        return options_choose_format(optarg, &o->format);
    case 'o':
        o->output = optarg;
        return true;
    case OPT_METHOD:
        o->method_given = true;
        return parse_methods(optarg, &o->unwinder);
    case OPT_BY:
        if (!parse_choice(optarg, by_names, 3, "--by takes function, line or module, not ",
                          &choice))
            return false;
        o->view.by = (enum graph_by)choice;
        o->by_given = true;
        return true;
    case OPT_BY_THREAD:
        o->by_thread = true;
        return true;
    case OPT_CLUSTER:
        if (!parse_choice(optarg, cluster_names, 4,
                          "--cluster takes thread, module, file or none, not ", &choice))
            return false;
        o->dot.cluster = (enum graph_cluster)choice;
        o->cluster_given = true;
        return true;
    case OPT_LABEL_CALLS:
        o->dot.label_calls = true;
        return true;
    case OPT_SEQUENCE:
        o->dot.sequence = true;
        return true;
    case OPT_LOAD_BIAS:
        o->load_bias_given = true;
        return parse_address(optarg, &o->load_bias);
    case OPT_WEIGHT:
        if (!parse_choice(optarg, weight_names, 4,
                          "--weight takes samples, wall, cpu or offcpu, not ", &choice))
            return false;
        o->view.weight = (enum weight_kind)choice;
        return true;
    case OPT_FOCUS:
        return set_filter(o, FILTER_FOCUS, optarg);
    case OPT_IGNORE:
        return set_filter(o, FILTER_IGNORE, optarg);
    case OPT_HIDE:
        return set_filter(o, FILTER_HIDE, optarg);
    case OPT_THREAD:
        return set_filter(o, FILTER_THREAD, optarg);
    case OPT_STATE:
        return set_states(o, optarg);
    case OPT_FROM:
        return parse_time(optarg, &o->from_ns);
    case OPT_TO:
        o->to_given = true;
        return parse_time(optarg, &o->to_ns);
    case OPT_MODULE:
        return set_filter(o, FILTER_MODULE, optarg);
    case OPT_NODES:
        o->nodes_given = true;
        return parse_count(optarg, &o->graph.nodes);
    case OPT_NODE_FRACTION:
        o->fraction_given = true;
        return parse_fraction(optarg, &o->graph.node_fraction);
    case OPT_EDGE_FRACTION:
        o->fraction_given = true;
        return parse_fraction(optarg, &o->graph.edge_fraction);
    case OPT_LAYOUT_TIME:
        return parse_count(optarg, &o->render_seconds);
    case 'j':
        return parse_count(optarg, &o->jobs) &&
               (o->jobs > 0 || usage_error("not a number of jobs: ", optarg));
    case OPT_NO_INLINE:
        o->inlines = false;
        return true;
    case OPT_DIFF_BASE:
        o->diff_base = optarg;
        o->view.compare = true;
        return true;
    case OPT_STATS:
        o->stats = true;
        return true;
    case 'v':
        o->verbose = true;
        return true;
    case 'q':
        o->quiet = true;
        return true;
    }
    return false;
}

static void print_usage(void)
{
    fputs(usage, stdout);
    format_put_names(stdout, HELP_INDENT, HELP_WIDTH);
    fputs(usage_after_formats, stdout);
}

int options_parse(struct cgunwind_options *o, int argc, char **argv)
{
    int c;

    *o = (struct cgunwind_options){.graph = CALLGRAPH_DEFAULTS,
                                   .render_seconds = RENDER_SECONDS,
                                   .jobs = workers_available(),
                                   .inlines = true};
    while ((c = getopt_long(argc, argv, "e:f:o:j:vqhV", long_options, NULL)) != -1) {
        if (c == 'h' || c == 'V') {
            if (c == 'h')
                print_usage();
            else
                fputs("cgunwind " CG_VERSION "\n", stdout);
            return 0;
        }
        if (!apply_option(o, c))
            return EXIT_USAGE;
    }
    o->snapshots = argv + optind;
    o->snapshot_count = argc - optind;
    if (o->snapshot_count == 0) {
        usage_error("a snapshot is needed", "");
        return EXIT_USAGE;
    }
    o->modules.elf_files = o->elf_files;
    o->modules.debug_dirs = o->debug_dirs;
    o->view.filter = &o->filter;
    return options_check(o);
}

void options_deinit(struct cgunwind_options *o)
{
    graph_filter_deinit(&o->filter);
}
