/* SPDX-License-Identifier: MIT */
/* Finds the format, and checks the other options against it. */
#include "tools/cgunwind/cgunwind.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "output/formats.h"
#include "snapshot/tcp.h"
#include "symbol/kallsyms.h"

bool options_choose_format(const char *name, const struct output_format **out)
{
    const char *nearest;
    char what[128];

    *out = format_of_name(name);
    if (*out)
        return true;
    nearest = options_nearest_word(format_name, name);
    if (!nearest)
        return usage_error("no such format: ", name);
    snprintf(what, sizeof(what), "no such format: %.64s; did you mean %s?", name, nearest);
    return usage_error(what, "");
}

bool options_use_default(struct cgunwind_options *o)
{
    strcpy(o->default_snapshot, DEFAULT_SNAPSHOT);
    o->default_snapshots[0] = o->default_snapshot;
    if (access(o->default_snapshot, F_OK) != 0)
        return false;
    o->snapshots = o->default_snapshots;
    o->snapshot_count = 1;
    return true;
}

/* Chooses the format by the output's suffix; refuses a suffix that no format has. */
static bool choose_by_output(struct cgunwind_options *o)
{
    char suffixes[FORMAT_SUFFIXES_TEXT], what[FORMAT_SUFFIXES_TEXT + 80];

    o->format = o->output ? format_of_path(o->output) : output_formats[0];
    if (o->format)
        return true;
    snprintf(what, sizeof(what), "--format, or a suffix of%s, has to choose the format of ",
             format_suffixes(suffixes, sizeof(suffixes)));
    return usage_error(what, o->output);
}

/* Says whether both the baseline and an input are standard input, which can be read only once. */
static bool base_is_snapshot(const struct cgunwind_options *o)
{
    if (!o->diff_base || strcmp(o->diff_base, "-") != 0)
        return false;
    for (int i = 0; i < o->snapshot_count; i++)
        if (strcmp(o->snapshots[i], "-") == 0)
            return true;
    return false;
}

/* Returns the mask (1 << enum output_option) of the given options that not all formats honour. */
static unsigned options_given(const struct cgunwind_options *o)
{
    const bool given[OPTION_COUNT] = {
        [OPTION_BY] = o->by_given,
        [OPTION_BY_THREAD] = o->by_thread || o->by_process,
        [OPTION_CLUSTER] = o->cluster_given,
        [OPTION_LABEL_CALLS] = o->dot.label_calls,
        [OPTION_SEQUENCE] = o->dot.sequence,
        [OPTION_HIDE] = o->filter.set[FILTER_HIDE],
        [OPTION_DIFF_BASE] = o->diff_base != NULL,
        [OPTION_INVERT] = o->view.inverted,
        [OPTION_RELATIVE] = o->view.relative,
        [OPTION_FOCUS] = o->filter.set[FILTER_FOCUS],
        [OPTION_IGNORE] = o->filter.set[FILTER_IGNORE],
        [OPTION_MODULE] = o->filter.set[FILTER_MODULE],
        [OPTION_STATE] = o->filter.has_states,
        [OPTION_WEIGHT] = o->weight_given,
        [OPTION_WEIGHT_OFFCPU] = o->weight_given && o->view.weight == WEIGHT_OFFCPU,
        [OPTION_FRACTIONS] = o->fraction_given,
        [OPTION_NODES] = o->nodes_given,
        [OPTION_VARIABLES] = o->variables,
        [OPTION_WHERE] = o->splits && splits_all(o->splits),
    };
    unsigned set = 0;

    for (unsigned i = 0; i < OPTION_COUNT; i++)
        set |= (unsigned)given[i] << i;
    return set;
}

static bool honours_options(const struct cgunwind_options *o)
{
    const unsigned refused = options_given(o) & ~o->format->honours;
    char what[80];

    for (unsigned i = 0; i < OPTION_COUNT; i++)
        if (refused >> i & 1) {
            snprintf(what, sizeof(what), "%s does not honour ", o->format->name);
            return usage_error(what, i == OPTION_BY_THREAD && o->by_process
                                         ? "--by-process"
                                         : format_option_name((enum output_option)i));
        }
    return true;
}

/* Returns the first input that does not exist; NULL: all do. A part would look like all. */
static const char *missing_input(const struct cgunwind_options *o)
{
    for (int i = 0; i < o->snapshot_count; i++) {
        const char *path = o->snapshots[i];

        if (strcmp(path, "-") != 0 &&
            strncmp(path, TCP_LISTEN_PREFIX, strlen(TCP_LISTEN_PREFIX)) != 0 &&
            access(path, F_OK) != 0)
            return path;
    }
    for (size_t i = 0; i < o->ram_count; i++)
        if (access(o->ram[i].path, R_OK) != 0)
            return o->ram[i].path;
    for (size_t i = 0; i < o->modules.elf_file_count; i++)
        if (access(o->elf_files[i], R_OK) != 0)
            return o->elf_files[i];
    return NULL;
}

int options_check(struct cgunwind_options *o)
{
    const char *missing;
    struct diag diag;

    if (o->info && (o->format || o->output || o->diff_base)) {
        usage_error("--info goes without ", o->format   ? "--format"
                                            : o->output ? "--output"
                                                        : "--diff-base");
        return EXIT_USAGE;
    }
    if ((!o->format && !choose_by_output(o)) || !honours_options(o))
        return EXIT_USAGE;
    if (o->by_process && o->by_thread) {
        usage_error("--by-process goes without ", "--by-thread");
        return EXIT_USAGE;
    }
    if (o->by_process && o->diff_base) {
        usage_error("--by-process goes without ", "--diff-base: no process is in both");
        return EXIT_USAGE;
    }
    o->by_thread |= o->by_process;
    if (o->by_thread && !o->cluster_given)
        o->dot.cluster = CLUSTER_THREAD;
    o->by_thread |= o->dot.cluster == CLUSTER_THREAD;
    if (o->snapshot_count > 1 && (o->format->needs & NEEDS_ONE_INPUT)) {
        usage_error("only one snapshot can be shown as ", o->format->name);
        return EXIT_USAGE;
    }
    if (o->to_given && o->from_ns >= o->to_ns) {
        usage_error("--from has to be before --to", "");
        return EXIT_USAGE;
    }
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

struct refused_option {
    bool given;
    const char *what;
};

static const char *first_given(const struct refused_option *options, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (options[i].given)
            return options[i].what;
    return NULL;
}

const char *options_refused_by_trace(const struct cgunwind_options *o)
{
    const struct refused_option options[] = {
        {o->format->calls == CALLS_NONE, o->format->name},
        {o->weight_given, "--weight"},
        {o->by_thread, o->by_process ? "--by-process" : "--by-thread"},
        {o->filter.set[FILTER_THREAD] || o->filter.has_tid, "--thread"},
        {o->filter.set[FILTER_HIDE], "--hide"},
        {o->filter.has_states, "--state"},
        {o->from_ns > 0, "--from"},
        {o->to_given, "--to"},
        {o->diff_base != NULL, "--diff-base"},
        {o->variables, "--variables"},
        {o->splits != NULL, "--split and --where"},
        {o->method_given, "--method"},
        {o->modules.kallsyms != NULL, "--kallsyms"},
    };

    return first_given(options, sizeof(options) / sizeof(options[0]));
}

const char *options_refused_by_profile(const struct cgunwind_options *o)
{
    const bool is_of_samples =
        !o->format->takes_sums && (o->format->sample || (o->format->needs & NEEDS_HISTORY));
    const struct refused_option options[] = {
        {o->info, "--info"},
        {is_of_samples, o->format->name},
        {o->by_thread, o->by_process ? "--by-process" : "--by-thread"},
        {o->from_ns > 0, "--from"},
        {o->to_given, "--to"},
        {o->variables, "--variables"},
        {o->splits != NULL, "--split and --where"},
        {o->method_given, "--method"},
        {!o->inlines, "--no-inline"},
    };

    return first_given(options, sizeof(options) / sizeof(options[0]));
}
