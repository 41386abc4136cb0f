/* SPDX-License-Identifier: MIT */
/*
 * A format of cgunwind is one constant `struct output_format`, in the file that writes it.
 *
 * To add one:
 *   1. Write src/output/NAME.c (or src/output/threads/NAME.c) with the writer, and at its end
 *
 *          const struct output_format output_format_NAME = {
 *              .name = "NAME",
 *              .suffixes = {".suffix"},
 *              .help = "what it is, in a few words",
 *              .begins = "^its first word",
 *              .needs = NEEDS_VIEW | NEEDS_LINES,
 *              .honours = HONOURS_SAMPLES | HONOURS_TRIMMING,
 *              .finish = finish,
 *          };
 *
 *   2. Add X(NAME) to format_list.h.
 *   3. Name it in docs/man/cgunwind.1 (--format and FORMATS).
 *
 * tests/system/documented.py fails if the format is missing from the list, the man page or the
 * shells' completions. docs/dev/adding-a-format.md goes through an example.
 *
 * run.h calls a format's functions in this order. All may be NULL, but for either `sample` or
 * `finish`. A format keeps its data in `state`.
 *
 *     begin                         the first input has told the architecture
 *     input, first                  for each input; its first sample
 *     process, thread, sample ...   as they are read; threads and samples that pass the filter
 *     check, finish                 everything is read
 *     end                           in any case
 */
#ifndef OUTPUT_FORMAT_H
#define OUTPUT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "arch/arch.h"
#include "base/diag.h"
#include "base/map.h"
#include "base/out_file.h"
#include "base/status.h"
#include "confine/opener.h"
#include "graph/callgraph.h"
#include "graph/calltrace.h"
#include "graph/caveats.h"
#include "graph/filter.h"
#include "graph/ingest_sinks.h"
#include "graph/names.h"
#include "graph/profile.h"
#include "graph/quality.h"
#include "graph/view.h"
#include "output/format_list.h"
#include "snapshot/import/source.h"
#include "snapshot/reader.h"
#include "threads/history.h"
#include "variables/variables.h"

/* Bits of output_format.needs: input that a format needs, and its form. */
enum output_needs {
    NEEDS_LINES = 1 << 0,  /* files and lines of frames: reading them costs more than all names */
    NEEDS_STREAM = 1 << 1, /* output.file is open from `begin` on: written while samples are read */
    NEEDS_VIEW = 1 << 2,   /* output.view: the whole profile, as the options choose */
    NEEDS_HISTORY = 1 << 3, /* output.history: what each thread did when, and what it waited for */
    NEEDS_TIDS = 1 << 4,    /* the profile keeps threads of one name apart */
    NEEDS_ONE_INPUT = 1 << 5, /* there must be only one input; more are refused */
    /* With --by-thread the profile's threads get labels, but no nodes of their own in the view. */
    NEEDS_PLAIN_CHAINS = 1 << 6,
    /* `sample` and `tick` are called for all samples, also those that do not pass the filter. */
    NEEDS_ALL_SAMPLES = 1 << 7,
};

/*
 * The options that only some formats honour, in the order in which they are refused. Every format
 * honours the others (--thread, --from, --method ...).
 */
enum output_option {
    OPTION_BY,
    OPTION_BY_THREAD,
    OPTION_CLUSTER,
    OPTION_LABEL_CALLS,
    OPTION_SEQUENCE,
    OPTION_HIDE,
    OPTION_DIFF_BASE,
    OPTION_INVERT,
    OPTION_RELATIVE,
    OPTION_FOCUS,
    OPTION_IGNORE,
    OPTION_MODULE,
    OPTION_STATE,
    OPTION_WEIGHT,
    OPTION_WEIGHT_OFFCPU,
    OPTION_FRACTIONS,
    OPTION_NODES,
    OPTION_VARIABLES,
    OPTION_WHERE,
};
#define OPTION_COUNT (OPTION_WHERE + 1)

#define HONOURS(option) (1u << OPTION_##option)

/* Options that choose and weigh samples: for formats of samples, not for those of threads. */
#define HONOURS_SAMPLES                                                                            \
    (HONOURS(FOCUS) | HONOURS(IGNORE) | HONOURS(MODULE) | HONOURS(STATE) | HONOURS(WEIGHT) |       \
     HONOURS(WEIGHT_OFFCPU) | HONOURS(WHERE))
/* Options that leave out what is light; a format of samples that shows everything ignores them. */
#define HONOURS_TRIMMING (HONOURS(FRACTIONS) | HONOURS(NODES))

/* The contents of a format for a trace of calls, which has no samples. */
enum output_calls {
    CALLS_NONE,  /* none: the trace is refused */
    CALLS_PATHS, /* the paths by which functions were called */
    CALLS_GRAPH, /* who called whom; trimmed only on request */
};

/*
 * The picture that is drawn (picture.h) from the DOT text of a format of graphs. DRAWN_NOT: none,
 * or the output is the DOT text. DRAWN_WITHIN: a part of the format's own output; the DOT text is
 * never left in a file.
 */
enum output_drawing { DRAWN_NOT, DRAWN_SVG, DRAWN_PNG, DRAWN_PDF, DRAWN_WITHIN };

/* The readers of the output, which decide its form. */
enum output_medium {
    MEDIUM_DATA,   /* programs: text that is not cut and has no colours */
    MEDIUM_TEXT,   /* people: on a terminal lines are cut and coloured (screen.h) */
    MEDIUM_BINARY, /* programs: not text, so not written to a terminal */
};

struct dot_options;
struct output;

#define FORMAT_SUFFIXES_MAX 2
/* output_format.begins for texts about threads: a title, then the number of threads. */
#define OUTPUT_BEGINS_THREADS "^([^\n]*\n)?[0-9]+ threads?[ ,]"

struct output_format {
    const char *name;
    /* Suffixes of files, with the dot; if those of two formats match, the longer one counts. */
    const char *suffixes[FORMAT_SUFFIXES_MAX + 1]; /* the list ends with NULL, and may be empty */
    const char *file_name; /* files "NAME" and "NAME.…" are of this format; NULL: none */
    const char *help;      /* at most 60 characters, no full stop */
    /*
     * Extended regular expression that matches the beginning of each output of the format, and of
     * few other files. A file that is neither empty nor matched by some format's expression is
     * overwritten only with --force.
     */
    const char *begins;
    unsigned needs;   /* bits of enum output_needs */
    unsigned honours; /* HONOURS(option) of each option that the format honours */
    enum output_calls calls;
    enum output_drawing drawing;
    enum output_medium medium;
    bool takes_sums;   /* accepts a profile (pprof) as input, which has no samples and no history */
    size_t state_size; /* bytes of output.state, zeroed before `begin`; 0: none */

    enum status (*begin)(struct output *output);
    /* Called when an input begins: output->kind, clock_offset and trace are the input's. */
    enum status (*input)(struct output *output, const char *name);
    /* Takes the time of an input's first sample, filtered or not: --from is counted from it. */
    enum status (*first)(struct output *output, uint64_t time_ns);
    enum status (*process)(struct output *output, const struct snap_process *process);
    enum status (*thread)(struct output *output, const struct snap_thread *thread);
    enum status (*sample)(struct output *output, const struct ingest_sample *sample);
    /* Takes a TICK. A format that has `tick` has `sample`, too. */
    enum status (*tick)(struct output *output, const struct ingest_sample *tick);
    /* Takes CPU time of a sample that was given before, or without a sample: struct ingest_cpu. */
    enum status (*cpu)(struct output *output, const struct ingest_cpu *cpu);
    /*
     * Refuses input that the format cannot show: UNSUPPORTED with `diag` filled. Called before the
     * output file is opened, so that a refusal leaves the file as it is.
     */
    enum status (*check)(const struct output *output, struct diag *diag);
    /* Writes the output, or with NEEDS_STREAM its rest, to `file`. A failure may fill `diag`. */
    enum status (*finish)(struct output *output, struct diag *diag);
    void (*end)(struct output *output); /* frees the contents of output->state */
};

#define OUTPUT_DECLARE_FORMAT(id) extern const struct output_format output_format_##id;
OUTPUT_FORMATS(OUTPUT_DECLARE_FORMAT)
#undef OUTPUT_DECLARE_FORMAT

/* Indexes of the paths that output.opener opens: the output, and the DOT text beside a picture. */
enum output_path { OUTPUT_ITSELF, OUTPUT_PICTURE_TEXT };

/*
 * The input of a format; all pointers are borrowed. The caller sets the members of the first part
 * before it reads anything, those "with the first input" before `begin`, the others before `check`.
 */
struct output {
    const struct output_format *format;
    const char *path;  /* path of the output (--output); NULL: not given */
    const char *input; /* name of the first input, for messages */
    bool one_input;    /* there is only one input */
    /* Options: */
    const struct graph_filter *filter;
    const struct view_options *view_options;
    const struct callgraph_options *trimming;
    bool fraction_given; /* the user gave node_fraction or edge_fraction of `trimming` */
    const struct dot_options *dot;
    bool by_process; /* with by_thread: all threads of a process count as one thread */
    bool by_thread, verbose;
    bool on_terminal;        /* `file` leads to a terminal */
    size_t columns;          /* width of the terminal, characters; 0: lines are not cut */
    bool chosen;             /* options choose samples or their weight */
    bool weight_given;       /* view_options has the weight; else weight_choice.h chooses it */
    unsigned render_seconds; /* time limit of Graphviz for one layout */
    bool confined;           /* layouts run in a confined process: render.h */
    struct opener *opener;   /* opens the output's files; NULL: the process itself opens them */
    out_file_replaces_fn *replaces; /* which existing files may be overwritten; NULL: none */

    struct renderer *renderer; /* makes layouts (render.h); may be NULL */
    FILE *file;                /* open from `begin` on with NEEDS_STREAM, else from `finish` on */

    /* With the first input: */
    const struct arch *arch; /* the target's; NULL at the end: not known, as in others' profiles */
    struct names *names;
    struct variables *variables;  /* source of the values that frames show; NULL: none are shown */
    struct profile *profile;      /* profile_resolve was called for it before `check` */
    struct history *history;      /* filled with NEEDS_HISTORY or by_thread; else empty */
    const char *title;            /* names of the captured programs (title.h); raw bytes */
    const char *base_title;       /* `title` of --diff-base; "": none, or not known */
    const struct title *programs; /* the programs that `title` names */
    /* With each input; kind and clock_offset: the last input's; base_kind: that of --diff-base. */
    enum source_kind kind, base_kind;
    uint64_t clock_offset; /* the epoch's clock minus the snapshot's, ns; 0: not known */

    /* When everything is read: */
    /* start_ns, duration_ns and period_ns of struct ingest */
    uint64_t start_ns, duration_ns, period_ns;
    uint64_t base_duration_ns;          /* duration_ns of the baseline alone */
    const struct snap_summary *summary; /* NULL: none */
    const struct quality *quality;
    const struct calltrace *trace; /* the trace of calls that was read; NULL: samples were read */
    const char *elf_file;          /* path of the traced program's ELF file, with `trace` */

    /* Set by run.h: */
    void *state;         /* memory of the format, state_size bytes */
    struct view *view;   /* set before `finish`, with NEEDS_VIEW */
    const char *caveats; /* from `finish` on: whole lines for the output's head, by caveats.h */
    bool shown;          /* some sample or thread passed the filter */
    /* The next four only for formats with `sample`: */
    bool left_out;            /* a sample did not pass the filter */
    uint64_t repeat_size;     /* estimated bytes of the repeated samples that were written */
    uint64_t repeats_omitted; /* repeated samples left out, as the output would be too large */
    bool weighs;              /* a sample that passed has the chosen weight */
    uint64_t symbolize_ns;    /* time spent in `sample` and `tick` */
    /* Private: */
    struct view_options with_weight; /* view_options, with the weight that was chosen */
    enum weight_reason reason;
    struct map later;                  /* numbers of samples that passed, with CPU time to come */
    struct profile *by_thread_profile; /* owned; the view's profile; NULL: the view has `profile` */
    char caveats_text[2 * CAVEATS_MAX];
};

#endif
