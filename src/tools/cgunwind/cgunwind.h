/* SPDX-License-Identifier: MIT */
/*
 * The command line of cgunwind: options.c reads it, options_check.c checks it, read.c reads the
 * inputs, ram.c those of --ram, main.c has src/output write what is asked for, notes.c tells what
 * came of it; trace.c has what is of traces of calls only.
 */
#ifndef TOOLS_CGUNWIND_CGUNWIND_H
#define TOOLS_CGUNWIND_CGUNWIND_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "graph/callgraph.h"
#include "graph/calltrace.h"
#include "graph/filter.h"
#include "graph/splits.h"
#include "graph/view.h"
#include "output/dot.h"
#include "output/format.h"
#include "snapshot/import/source.h"
#include "symbol/module.h"
#include "threads/waits/wait.h"
#include "tools/options.h"
#include "tools/sandbox_options.h"
#include "unwind/unwinder.h"
#include "variables/variables.h"

#define PATHS_MAX        256
#define RAM_FILES_MAX    64
#define DEFAULT_SNAPSHOT "snap.bin" /* cgsnap's, too */

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct cgunwind_options {
    const char *elf_files[PATHS_MAX];
    const char *debug_dirs[PATHS_MAX];
    const char *perf_maps[PATHS_MAX];
    size_t perf_map_count;
    struct module_options modules;
    struct unwinder_options unwinder;
    const struct output_format *format; /* NULL: not chosen yet */
    const char *output;
    struct view_options view;
    struct callgraph_options graph;
    struct graph_filter filter;
    struct dot_options dot;
    bool by_thread, by_process, cluster_given;
    bool by_given, weight_given, to_given, nodes_given, fraction_given, method_given;
    uint64_t from_ns, to_ns; /* to_ns 0: to the end */
    const char *diff_base;   /* NULL: nothing to compare with */
    unsigned render_seconds;
    unsigned jobs; /* threads to read files on, at least 1 */
    bool inlines, stats, verbose, quiet, force, info, no_cache;
    char **snapshots;
    int snapshot_count;
    char *default_snapshots[1],
        default_snapshot[sizeof(DEFAULT_SNAPSHOT)]; /* where none is given */
    enum colour_when colour;
    bool no_pager;
    uint64_t load_bias; /* of a trace of calls */
    bool load_bias_given;
    bool variables; /* told of each frame; `variable` says how */
    struct variables_options variable;
    struct splits *splits; /* owned; NULL: none */
    uint32_t split_values;
    struct {
        const char *path; /* owned */
        uint64_t addr;
    } ram[RAM_FILES_MAX]; /* of a board's memory, in place of snapshots */
    size_t ram_count;
    const char *regs;       /* the file with its registers; NULL: not given */
    char *ram_snapshots[1]; /* which stands for all of them */
    const char *debuginfod; /* servers; NULL: those of the environment */
    struct sandbox_options sandbox;
};

/*
 * Sets `options` anew. -1: go on; else the exit status, with everything said. To be ended in any
 * case.
 */
int options_parse(struct cgunwind_options *options, int argc, char **argv);
void options_deinit(struct cgunwind_options *options);

/* options.c: says that the command line is wrong in `what` and `which`; returns false. */
bool usage_error(const char *what, const char *which);

/* options_check.c: the format of that name; false: there is none, which is said. */
bool options_choose_format(const char *name, const struct output_format **out);

/* The snapshot that cgsnap writes where it is not told otherwise; false: it is not there. */
bool options_use_default(struct cgunwind_options *options);

/* What can be said when all options are known. -1: go on; else the exit status. */
int options_check(struct cgunwind_options *options);

/* The option or format that was given and is not for traces of calls; NULL: none. */
const char *options_refused_by_trace(const struct cgunwind_options *options);

/* The same for pprof profiles, which hold sums of samples. */
const char *options_refused_by_profile(const struct cgunwind_options *options);

/*
 * trace.c. Checks what can be checked before a trace is read: UNSUPPORTED with `diag`
 * filled, else *arch becomes that of its program.
 */
enum status trace_check(const struct cgunwind_options *options, const char *name,
                        const struct arch **arch, struct diag *diag);

/* As calltrace_read; NOT_FOUND with `diag` filled: there is no call in it. */
enum status trace_load(const struct cgunwind_options *options, struct source_input *input,
                       struct module_set *modules, struct profile *profile, struct calltrace *trace,
                       struct diag *diag);

/* Tells what of it was not read, does not match, or is not shown. */
void trace_warn(const struct cgunwind_options *options, const char *name,
                const struct calltrace *trace);

/* "app: calls in trace.txt, at most 5 deep" */
void trace_title(const struct cgunwind_options *options, const char *name,
                 const struct calltrace *trace, char *text, size_t size);

/* For --stats. */
enum status trace_print(const struct calltrace *trace, FILE *out);

/* Prints the line; returns 1. */
int fail(const struct diag *diag);

/* notes.c: lines on standard error, which --quiet leaves out. */
void warn(const struct cgunwind_options *options, const struct diag *diag);

/* Files that were refused, are missing or were not read to the end, --elf files that served
 * nothing. */
void warn_modules(const struct cgunwind_options *options, const struct module_set *modules);

/* An empty output that is not told of looks like an idle process. `shown`: some sample passed. */
void warn_empty(const struct cgunwind_options *options, bool shown);

/* Each --split and --where that found nothing. */
void warn_splits(const struct cgunwind_options *options);

/* Why variables are not told, or not all; `variables` is NULL: none are asked for. */
void warn_variables(const struct cgunwind_options *options, const struct variables *variables);

/* A C library whose locks are not known; `waits` is NULL: nobody asks for them. */
void warn_waits(const struct cgunwind_options *options, const struct waits *waits);

/* --by line where no line is known shows functions, as without it. */
void warn_no_lines(const struct cgunwind_options *options, const struct view *view);

/* Whether a --kallsyms that was given serves the kernel: NOT_FOUND with `diag` filled. */
enum status refuse_kallsyms(const struct cgunwind_options *options,
                            const struct module_set *modules, struct diag *diag);

#endif
