/* SPDX-License-Identifier: MIT */
/*
 * The command line of cgunwind, and what its files share: options.c parses, options_check.c checks,
 * read.c reads the inputs, ram.c those of --ram, main.c has src/output write, notes.c prints
 * warnings, trace.c handles traces of calls.
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
    unsigned jobs; /* threads that read files; at least 1 */
    bool inlines, stats, verbose, quiet, force, info, no_cache;
    char **snapshots;
    int snapshot_count;
    char *default_snapshots[1],
        default_snapshot[sizeof(DEFAULT_SNAPSHOT)]; /* used if none is given */
    enum colour_when colour;
    bool no_pager;
    uint64_t load_bias; /* for traces of calls */
    bool load_bias_given;
    bool variables; /* print the variables of each frame, as `variable` says */
    struct variables_options variable;
    struct splits *splits; /* owned; NULL: none */
    uint32_t split_values;
    struct {
        const char *path; /* owned */
        uint64_t addr;
    } ram[RAM_FILES_MAX]; /* files of a board's memory, in place of snapshots */
    size_t ram_count;
    const char *regs;       /* file with the board's registers; NULL: none */
    char *ram_snapshots[1]; /* stands for all of them in `snapshots` */
    const char *debuginfod; /* servers; NULL: those of the environment */
    struct sandbox_options sandbox;
};

/*
 * Fills `options` from the command line. Returns -1: go on; else the exit status: all messages have
 * been printed. Call options_deinit in any case.
 */
int options_parse(struct cgunwind_options *options, int argc, char **argv);
void options_deinit(struct cgunwind_options *options);

/* options.c: prints that the command line is wrong: `what`, followed by `which`. Returns false. */
bool usage_error(const char *what, const char *which);

/* options_check.c: finds the format of that name. False: there is none, which is reported. */
bool options_choose_format(const char *name, const struct output_format **out);

/* Makes cgsnap's default output the input. False: there is no such file. */
bool options_use_default(struct cgunwind_options *options);

/*
 * Checks the options together, chooses the format, and completes them. Returns -1: go on; else the
 * exit status, as options_parse.
 */
int options_check(struct cgunwind_options *options);

/* Returns an option or format that was given and that traces of calls do not have; NULL: none. */
const char *options_refused_by_trace(const struct cgunwind_options *options);

/* The same for pprof profiles, which have sums of samples only. */
const char *options_refused_by_profile(const struct cgunwind_options *options);

/*
 * trace.c: checks what can be checked before a trace is read, and sets *arch to its program's.
 * UNSUPPORTED, or as elf_image_open for the program, with `diag` filled.
 */
enum status trace_check(const struct cgunwind_options *options, const char *name,
                        const struct arch **arch, struct diag *diag);

/*
 * Reads the trace, as calltrace_read, for the first --elf file. NOT_FOUND: it has no call, or the
 * file is missing; `diag` says which.
 */
enum status trace_load(const struct cgunwind_options *options, struct source_input *input,
                       struct module_set *modules, struct profile *profile, struct calltrace *trace,
                       struct diag *diag);

/* Warns of lines that were not read, that do not match, and of calls that are not shown. */
void trace_warn(const struct cgunwind_options *options, const char *name,
                const struct calltrace *trace);

/* Writes the title, "app: calls in trace.txt, at most 5 deep". */
void trace_title(const struct cgunwind_options *options, const char *name,
                 const struct calltrace *trace, char *text, size_t size);

/* Writes the trace's numbers, for --stats. */
enum status trace_print(const struct calltrace *trace, FILE *out);

/* Prints `diag` as an error on standard error; returns 1. */
int fail(const struct diag *diag);

/* notes.c: warnings on standard error, none with --quiet. warn prints `diag`. */
void warn(const struct cgunwind_options *options, const struct diag *diag);

/*
 * Warns of modules' files that were refused, are missing or were not wholly read, of --elf files
 * that match no module, and if code cannot be decoded.
 */
void warn_modules(const struct cgunwind_options *options, const struct module_set *modules);

/*
 * Warns that no sample passes the filters: an empty output would look like an idle process.
 * `shown`: some sample has passed.
 */
void warn_empty(const struct cgunwind_options *options, bool shown);

/* Warns of each --split and --where whose value was found in no frame, or not in many. */
void warn_splits(const struct cgunwind_options *options);

/* Warns of why variables are not shown, or not all. `variables` may be NULL. */
void warn_variables(const struct cgunwind_options *options, const struct variables *variables);

/* Warns of a C library whose locks are not known. `waits` may be NULL. */
void warn_waits(const struct cgunwind_options *options, const struct waits *waits);

/* Warns if --by line was given and no line is known, so that functions are shown. */
void warn_no_lines(const struct cgunwind_options *options, const struct view *view);

/* Checks that --kallsyms, if given, matches the kernel. NOT_FOUND: it does not; `diag` says why. */
enum status refuse_kallsyms(const struct cgunwind_options *options,
                            const struct module_set *modules, struct diag *diag);

#endif
