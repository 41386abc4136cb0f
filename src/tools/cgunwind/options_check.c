/* Which format is asked for, and whether it honours the other options. */
#include "tools/cgunwind/cgunwind.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "snapshot/tcp.h"
#include "symbol/kallsyms.h"

/* Which of the options that change what is shown a format honours; graph: those of a picture. */
static const struct {
    const char *name, *suffix; /* suffix: may be NULL */
    bool streams, by, hide, diff, threads, graph;
    bool one;        /* of one snapshot only */
    bool calls;      /* there is one of traces of calls */
    bool weighs_all; /* shows samples, wall and CPU time at once */
} formats[] = {
    [TREE] = {"tree", ".txt", .by = true, .hide = true, .diff = true, .calls = true},
    [CHAINS] = {"chains", ".chains", .streams = true},
    [FOLDED] = {"folded", ".folded", .by = true, .hide = true, .diff = true, .calls = true},
    [DOT] = {"dot", ".dot", .by = true, .hide = true, .diff = true, .graph = true, .calls = true},
    [SVG] = {"svg", ".svg", .by = true, .hide = true, .diff = true, .graph = true, .calls = true},
    [PNG] = {"png", ".png", .by = true, .hide = true, .diff = true, .graph = true, .calls = true},
    [PDF] = {"pdf", ".pdf", .by = true, .hide = true, .diff = true, .graph = true, .calls = true},
    [JSON] = {"json", ".json", .streams = true, .calls = true},
    [PPROF] = {.name = "pprof", .suffix = ".pb.gz", .weighs_all = true},
    [CALLGRIND] = {"callgrind", ".callgrind", .hide = true, .weighs_all = true},
    [PERF_SCRIPT] = {"perf-script", NULL, .streams = true},
    [THREADS] = {"threads", NULL, .threads = true},
    [THREADS_JSON] = {"threads-json", NULL, .threads = true},
    [THREADS_DOT] = {"threads-dot", NULL, .threads = true},
    [THREADS_SVG] = {"threads-svg", NULL, .threads = true},
    [WAITS] = {"waits", NULL, .threads = true},
    [WAITS_DOT] = {"waits-dot", NULL, .threads = true},
    [WAITS_SVG] = {"waits-svg", NULL, .threads = true},
    [TIMELINE_SVG] = {"timeline-svg", NULL, .threads = true, .one = true},
    [CHROME] = {"chrome", NULL, .threads = true, .one = true},
    [STATS] = {"stats", NULL, .threads = true},
};

bool options_choose_format(const char *name, enum format *out)
{
    for (size_t i = 0; i < NO_FORMAT; i++)
        if (strcmp(name, formats[i].name) == 0) {
            *out = (enum format)i;
            return true;
        }
    return usage_error("no such format: ", name);
}

const char *format_name(size_t i)
{
    return i < NO_FORMAT ? formats[i].name : NULL;
}

bool format_streams(enum format format)
{
    return formats[format].streams;
}

bool format_tells_threads(enum format format)
{
    return formats[format].threads;
}

/* False where nothing would be left before it, too. */
static bool ends_in(const char *name, const char *suffix)
{
    size_t length = strlen(name), end = strlen(suffix);

    return length > end && strcmp(name + length - end, suffix) == 0;
}

/* As callgrind itself names its files: callgrind.out, callgrind.out.123. */
static bool is_callgrind_out(const char *name)
{
    static const char start[] = "callgrind.out";
    const char *rest = name + strlen(start);

    return strncmp(name, start, strlen(start)) == 0 && (*rest == '\0' || *rest == '.');
}

/*
 * A name without a suffix asks for nothing special; one with a suffix that no format has must not
 * be given something else.
 */
static bool format_of_suffix(const char *path, enum format *out)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char what[160] = "--format, or a suffix of";

    *out = is_callgrind_out(name) ? CALLGRIND : TREE;
    if (*out == CALLGRIND || !name[0] || !strchr(name + 1, '.'))
        return true;
    for (size_t i = 0; i < NO_FORMAT; i++) {
        if (!formats[i].suffix)
            continue;
        if (ends_in(name, formats[i].suffix)) {
            *out = (enum format)i;
            return true;
        }
        strcat(strcat(what, " "), formats[i].suffix);
    }
    return usage_error(strcat(what, ", has to choose the format of "), path);
}

/* Standard input can be read once only. */
static bool base_is_snapshot(const struct cgunwind_options *o)
{
    if (!o->diff_base || strcmp(o->diff_base, "-") != 0)
        return false;
    for (int i = 0; i < o->snapshot_count; i++)
        if (strcmp(o->snapshots[i], "-") == 0)
            return true;
    return false;
}

static int refuse_option(const struct cgunwind_options *o, const char *option)
{
    char what[80];

    snprintf(what, sizeof(what), "%s does not honour ", formats[o->format].name);
    usage_error(what, option);
    return EXIT_USAGE;
}

/* What chooses or weighs samples, and not threads or times, was given; or NULL. */
static const char *chosen_samples(const struct cgunwind_options *o)
{
    static const char *const names[FILTER_COUNT] = {
        [FILTER_FOCUS] = "--focus", [FILTER_IGNORE] = "--ignore", [FILTER_MODULE] = "--module"};

    for (size_t i = 0; i < FILTER_COUNT; i++)
        if (names[i] && o->filter.set[i])
            return names[i];
    if (o->filter.has_states)
        return "--state";
    return o->view.weight != WEIGHT_SAMPLES ? "--weight" : NULL;
}

/* What thins a picture out was given and there is nothing of that kind in the format; or NULL. */
static const char *thinned(const struct cgunwind_options *o)
{
    const bool has_nodes = o->format == THREADS_DOT || o->format == THREADS_SVG ||
                           o->format == WAITS_DOT || o->format == WAITS_SVG;

    if (!formats[o->format].threads)
        return NULL;
    if (o->fraction_given)
        return "--node-fraction and --edge-fraction";
    return o->nodes_given && !has_nodes ? "--nodes" : NULL;
}

/* Part of what was asked for would look like all of it. */
static const char *missing_input(const struct cgunwind_options *o)
{
    for (int i = 0; i < o->snapshot_count; i++) {
        const char *path = o->snapshots[i];

        if (strcmp(path, "-") != 0 &&
            strncmp(path, TCP_LISTEN_PREFIX, strlen(TCP_LISTEN_PREFIX)) != 0 &&
            access(path, F_OK) != 0)
            return path;
    }
    for (size_t i = 0; i < o->modules.elf_file_count; i++)
        if (access(o->elf_files[i], R_OK) != 0)
            return o->elf_files[i];
    return NULL;
}

/* What can be told when all options are known. */
int options_check(struct cgunwind_options *o)
{
    const char *missing;
    struct diag diag;

    if (o->format == NO_FORMAT && !o->output)
        o->format = TREE;
    if (o->format == NO_FORMAT && !format_of_suffix(o->output, &o->format))
        return EXIT_USAGE;
    if (o->by_given && !formats[o->format].by)
        return refuse_option(o, "--by");
    if (o->by_thread && !formats[o->format].by)
        return refuse_option(o, "--by-thread");
    if (o->cluster_given && !formats[o->format].graph)
        return refuse_option(o, "--cluster");
    if (o->dot.label_calls && !formats[o->format].graph)
        return refuse_option(o, "--label-calls");
    if (o->dot.sequence && o->format != JSON && !formats[o->format].graph)
        return refuse_option(o, "--sequence");
    if (o->by_thread && !o->cluster_given)
        o->dot.cluster = CLUSTER_THREAD;
    o->by_thread |= o->dot.cluster == CLUSTER_THREAD;
    if (o->filter.set[FILTER_HIDE] && !formats[o->format].hide)
        return refuse_option(o, "--hide");
    if (o->diff_base && !formats[o->format].diff)
        return refuse_option(o, "--diff-base");
    if (o->snapshot_count > 1 && formats[o->format].one) {
        usage_error("only one snapshot can be shown as ", formats[o->format].name);
        return EXIT_USAGE;
    }
    if (o->view.weight == WEIGHT_OFFCPU && formats[o->format].weighs_all)
        return refuse_option(o, "--weight offcpu");
    if (o->to_given && o->from_ns >= o->to_ns) {
        usage_error("--from has to be before --to", "");
        return EXIT_USAGE;
    }
    if (formats[o->format].threads && chosen_samples(o))
        return refuse_option(o, chosen_samples(o));
    if (thinned(o))
        return refuse_option(o, thinned(o));
    if (base_is_snapshot(o)) {
        usage_error("standard input cannot be both snapshot and --diff-base", "");
        return EXIT_USAGE;
    }
    missing = missing_input(o);
    if (missing) {
        diag_set(&diag, missing, "%s", strerror(errno));
        return fail(&diag);
    }
    diag_set(&diag, o->modules.kallsyms, "%s", status_name(STATUS_NO_MEMORY));
    if (o->modules.kallsyms && kallsyms_check(o->modules.kallsyms, &diag) != STATUS_OK)
        return fail(&diag);
    return -1;
}

const char *options_refused_by_trace(const struct cgunwind_options *o)
{
    const struct {
        bool given;
        const char *what;
    } options[] = {
        {!formats[o->format].calls, formats[o->format].name},
        {o->view.weight != WEIGHT_SAMPLES, "--weight"},
        {o->by_thread, "--by-thread"},
        {o->filter.set[FILTER_THREAD] || o->filter.has_tid, "--thread"},
        {o->filter.set[FILTER_HIDE], "--hide"},
        {o->filter.has_states, "--state"},
        {o->from_ns > 0, "--from"},
        {o->to_given, "--to"},
        {o->diff_base != NULL, "--diff-base"},
        {o->method_given, "--method"},
        {o->modules.kallsyms != NULL, "--kallsyms"},
    };

    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if (options[i].given)
            return options[i].what;
    return NULL;
}
