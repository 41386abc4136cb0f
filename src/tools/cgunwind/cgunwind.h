/*
 * The command line of cgunwind: options.c reads it, read.c the inputs, cgunwind.c
 * writes what is asked for, threads.c, waits.c and picture.c some of it,
 * notes.c tells what came of it; trace.c has what is of traces of calls only.
 */
#ifndef TOOLS_CGUNWIND_CGUNWIND_H
#define TOOLS_CGUNWIND_CGUNWIND_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "graph/callgraph.h"
#include "graph/calltrace.h"
#include "graph/filter.h"
#include "graph/view.h"
#include "output/dot.h"
#include "output/json.h"
#include "snapshot/import/source.h"
#include "symbol/module.h"
#include "threads/history.h"
#include "tools/options.h"
#include "unwind/unwinder.h"

#define PATHS_MAX 256

enum format {
    TREE,
    CHAINS,
    FOLDED,
    DOT,
    SVG,
    PNG,
    PDF,
    JSON,
    PPROF,
    CALLGRIND,
    PERF_SCRIPT,
    THREADS,
    THREADS_JSON,
    THREADS_DOT,
    THREADS_SVG,
    WAITS,
    WAITS_DOT,
    WAITS_SVG,
    TIMELINE_SVG,
    CHROME,
    STATS,
    NO_FORMAT
};

struct cgunwind_options {
    const char *elf_files[PATHS_MAX];
    const char *debug_dirs[PATHS_MAX];
    struct module_options modules;
    struct unwinder_options unwinder;
    enum format format;
    const char *output;
    struct view_options view;
    struct callgraph_options graph;
    struct graph_filter filter;
    struct dot_options dot;
    bool by_thread, cluster_given;
    bool by_given, to_given, nodes_given, fraction_given, method_given;
    uint64_t from_ns, to_ns; /* to_ns 0: to the end */
    const char *diff_base;   /* NULL: nothing to compare with */
    unsigned render_seconds;
    unsigned jobs; /* threads to read files on, at least 1 */
    bool inlines, stats, verbose, quiet;
    char **snapshots;
    int snapshot_count;
    uint64_t load_bias; /* of a trace of calls */
    bool load_bias_given;
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
bool options_choose_format(const char *name, enum format *out);

/* The names of all formats; NULL behind the last. */
const char *format_name(size_t i);

/* What can be said when all options are known. -1: go on; else the exit status. */
int options_check(struct cgunwind_options *options);

/* Written sample by sample, as they are read; the others from the whole profile. */
bool format_streams(enum format format);

/* Written from a history of the threads (threads.c). */
bool format_tells_threads(enum format format);

/* What such a format is made from; all borrowed. */
struct threads_facts {
    const struct cgunwind_options *options;
    const struct history *history;
    const struct profile *profile; /* resolved */
    struct names *names;
    const char *title;
    const struct snap_summary *summary; /* NULL: none */
    bool is_core;                       /* one moment, all threads at once */
    bool is_perf;                       /* samples of threads that ran, and of no others */
    uint64_t clock_offset;              /* the epoch minus the snapshot's clock, ns; 0: not known */
};

/* What fills the history, which has to be there as long as the sink. */
struct ingest_sink threads_sink(struct history *history);

/* Gives the profile's threads the names of their identities for labels, once it is resolved. */
MUST_CHECK enum status threads_label(const struct history *history, struct profile *profile);

/* UNSUPPORTED with `diag` filled: the format can show nothing of that. To be asked first. */
MUST_CHECK enum status threads_check(const struct threads_facts *facts, struct diag *diag);
MUST_CHECK enum status threads_write(const struct threads_facts *facts, FILE *out,
                                     struct diag *diag);

/* waits.c: those that tell who waits for whom. */
MUST_CHECK enum status waits_write(const struct threads_facts *facts, FILE *out, struct diag *diag);

/* Writes a graph as DOT text. */
typedef enum status picture_dot(const void *context, FILE *out);

/*
 * The graph in the form that the format asks for: the DOT text itself, or a picture. Where the
 * layout fails (UNSUPPORTED) the text is left in a file beside, and `diag` says in which.
 */
MUST_CHECK enum status picture_write(const struct cgunwind_options *options, picture_dot *dot,
                                     const void *context, FILE *out, struct diag *diag);

/* The option or format that was given and is not for traces of calls; NULL: none. */
const char *options_refused_by_trace(const struct cgunwind_options *options);

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

/* *shown: some call passed the filters. */
enum status trace_json(const struct cgunwind_options *options, const struct profile *profile,
                       const struct calltrace *trace, struct json_out *out, bool *shown);

/* For --stats. */
enum status trace_print(const struct calltrace *trace, FILE *out);

/* Prints the line; returns 1. */
int fail(const struct diag *diag);

/* notes.c: lines on standard error, which --quiet leaves out. */
void warn(const struct cgunwind_options *options, const struct diag *diag);

/* Files that were refused, are missing or were not read to the end, --elf files that served nothing. */
void warn_modules(const struct cgunwind_options *options, const struct module_set *modules);

/* An empty output that is not told of looks like an idle process. `shown`: some sample passed. */
void warn_empty(const struct cgunwind_options *options, bool shown);

/* --by line where no line is known shows functions, as without it. */
void warn_no_lines(const struct cgunwind_options *options, const struct view *view);

/*
 * Fills `diag` with that `what` ("the samples") have no such time, as a graph of them would be
 * empty, and where `is_all`, they are all of one file, with why. NOT_FOUND.
 */
enum status refuse_weight(enum weight_kind weight, enum source_kind kind, bool is_all,
                          const char *what, struct diag *diag);

/* Whether a --kallsyms that was given serves the kernel: NOT_FOUND with `diag` filled. */
enum status refuse_kallsyms(const struct cgunwind_options *options,
                            const struct module_set *modules, struct diag *diag);

#endif
