/* SPDX-License-Identifier: MIT */
/*
 * The command line of cgunwind, and what its files have in common: options.c parses,
 * options_check.c checks, read.c reads the inputs, ram.c those of --ram, main.c lets src/output
 * write, notes.c prints warnings, trace.c handles traces of calls.
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
#include "symbol/module_set.h"
#include "threads/waits/wait.h"
#include "tools/options.h"
#include "tools/sandbox_options.h"
#include "unwind/unwinder.h"
#include "variables/variables.h"

#define PATHS_MAX        256
#define RAM_FILES_MAX    64
#define DEFAULT_SNAPSHOT "snap.bin" /* default output of cgsnap, and input of cgunwind */

enum colour_when { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct cgunwind_options {
    const char *elf_files[PATHS_MAX];
    const char *debug_dirs[PATHS_MAX];
    const char *perf_maps[PATHS_MAX];
    size_t perf_map_count;
    struct module_options modules;
    struct unwinder_options unwinder;
    const struct output_format *format; /* format of the output; NULL: not chosen yet */
    const char *output;
    struct view_options view;
    struct callgraph_options graph;
    struct graph_filter filter;
    struct dot_options dot;
    bool by_thread, by_process, cluster_given;
    bool by_given, weight_given, to_given, nodes_given, fraction_given, method_given;
    /* --from and --to, in ns from the first sample on; to_ns 0: to the end */
    uint64_t from_ns, to_ns;
    const char *diff_base; /* path of the snapshot to compare with; NULL: none */
    unsigned render_seconds;
    unsigned jobs; /* number of threads that read files, at least 1 */
    bool inlines, stats, verbose, quiet, force, info, no_cache;
    char **snapshots;
    int snapshot_count;
    char *default_snapshots[1],
        default_snapshot[sizeof(DEFAULT_SNAPSHOT)]; /* the `snapshots` if none is given */
    enum colour_when colour;
    bool no_pager;
    uint64_t load_bias; /* for a trace of calls: load bias of the program */
    bool load_bias_given;
    bool variables; /* print the variables of each frame, as `variable` says */
    struct variables_options variable;
    struct splits *splits; /* --split and --where; owned; NULL: none */
    uint32_t split_values;
    struct {
        const char *path; /* the file; owned */
        uint64_t addr;
    } ram[RAM_FILES_MAX]; /* files of a board's memory, in place of snapshots */
    size_t ram_count;
    const char *regs;       /* path of the file with the board's registers; NULL: none */
    char *ram_snapshots[1]; /* the one entry of `snapshots` that stands for all files of `ram` */
    const char *debuginfod; /* URLs of servers; NULL: those of the environment */
    struct sandbox_options sandbox;
};

/*
 * Fills *options from the command line; most texts are borrowed from `argv`. Returns -1: go on;
 * else end with this exit status, as all messages have been printed. Call options_deinit in either
 * case.
 */
int options_parse(struct cgunwind_options *options, int argc, char **argv);
void options_deinit(struct cgunwind_options *options);

/*
 * options.c: prints on standard error that the command line is wrong: `what` and `which`, without a
 * blank in between. Returns false always.
 */
bool usage_error(const char *what, const char *which);

/*
 * options_check.c: sets *out to the output format called `name` (static storage). False: there is
 * none, and an error was printed.
 */
bool options_choose_format(const char *name, const struct output_format **out);

/*
 * Makes DEFAULT_SNAPSHOT the only input. False: that file does not exist, and `options` keeps its
 * inputs.
 */
bool options_use_default(struct cgunwind_options *options);

/*
 * Checks that the options go together, chooses the format, and fills in the options that were not
 * given. Returns -1: go on; else the exit status, as options_parse.
 */
int options_check(struct cgunwind_options *options);

/*
 * Returns the name of an option or format that was given and that cannot be used with traces of
 * calls; NULL: there is none.
 */
const char *options_refused_by_trace(const struct cgunwind_options *options);

/*
 * Returns the name of an option or format that was given and that cannot be used with pprof
 * profiles, which have sums of samples only; NULL: there is none.
 */
const char *options_refused_by_profile(const struct cgunwind_options *options);

/*
 * trace.c: checks the options before the trace `name` is read, and sets *arch to its program's.
 * UNSUPPORTED: other inputs, or options that a trace cannot have, were given, or not exactly one
 * --elf file; else fails as elf_image_open for the program. `diag` says why.
 */
enum status trace_check(const struct cgunwind_options *options, const char *name,
                        const struct arch **arch, struct diag *diag);

/*
 * Reads the trace of the first --elf file's program from `input` into `profile` and *trace.
 * NOT_FOUND: the trace has no call, or the ELF file is missing; else fails as calltrace_read.
 * `diag` says why.
 */
enum status trace_load(const struct cgunwind_options *options, struct source_input *input,
                       struct module_set *modules, struct profile *profile, struct calltrace *trace,
                       struct diag *diag);

/*
 * Warns of lines of the trace `name` that were left out, of exits and entries that do not match, of
 * calls that are not shown, and if no address is in the program's code.
 */
void trace_warn(const struct cgunwind_options *options, const char *name,
                const struct calltrace *trace);

/* Writes the title, "app: calls in trace.txt, at most 5 deep", to `text` of `size` bytes. */
void trace_title(const struct cgunwind_options *options, const char *name,
                 const struct calltrace *trace, char *text, size_t size);

/* Writes the trace's numbers for --stats to `out`. Fails as text_finish: writing failed. */
enum status trace_print(const struct calltrace *trace, FILE *out);

/* Prints `diag` as an error on standard error; returns 1. */
int fail(const struct diag *diag);

/*
 * notes.c: prints `diag` as a warning on standard error. With --quiet neither warn nor the
 * functions warn_... below print anything.
 */
void warn(const struct cgunwind_options *options, const struct diag *diag);

/*
 * Warns of modules' files that were refused or read only in part, of missing ones (without
 * --verbose of the first, and how many more there are), of missing split files that warn_variables
 * has not told of, of --elf files that match no module, and if code cannot be decoded. `variables`
 * NULL: warn_variables has told of none.
 */
void warn_modules(const struct cgunwind_options *options, const struct module_set *modules,
                  const struct variables *variables);

/*
 * Warns that no sample passes the filters, as an empty output would look like an idle process.
 * `shown`: some sample passes, so that nothing is to be said.
 */
void warn_empty(const struct cgunwind_options *options, bool shown);

/*
 * Warns of each --split and --where whose value is known in no frame, or is not known in 1 % of the
 * frames or more.
 */
void warn_splits(const struct cgunwind_options *options);

/* Warns if some or all variables are not shown, and says why. `variables` NULL: does nothing. */
void warn_variables(const struct cgunwind_options *options, const struct variables *variables);

/*
 * Warns of a C library whose locks are not known (waits_strange_library). `waits` NULL: does
 * nothing.
 */
void warn_waits(const struct cgunwind_options *options, const struct waits *waits);

/* Warns if --by line was given and no source line is known, so that functions are shown instead. */
void warn_no_lines(const struct cgunwind_options *options, const struct view *view);

/*
 * Checks that --kallsyms could be used for the kernel. OK also without --kallsyms. NOT_FOUND: it
 * could not; `diag` says why.
 */
enum status refuse_kallsyms(const struct cgunwind_options *options,
                            const struct module_set *modules, struct diag *diag);

#endif
