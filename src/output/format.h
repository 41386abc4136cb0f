/* SPDX-License-Identifier: MIT */
/*
 * What a format of cgunwind is: one constant `struct output_format`, in the file that writes it.
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
 * A file that is not in the list, and a list, man page or completion without the format, fail
 * tests/system/documented.py. docs/dev/adding-a-format.md goes through an example.
 *
 * A run of a format, by run.h: `begin`, once the first input has told the architecture; `input` and
 * `first` for each; `process`, `thread` and `sample` for what passes the filter, as it is read;
 * when all is read `check`, then `finish`; in any case `end`. All may be NULL, but either `sample`
 * or `finish` is there. What a format remembers is in `state`.
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
#include "graph/ingest.h"
#include "graph/names.h"
#include "graph/profile.h"
#include "graph/quality.h"
#include "graph/view.h"
#include "output/format_list.h"
#include "snapshot/import/source.h"
#include "snapshot/reader.h"
#include "threads/history.h"
#include "variables/variables.h"

/* What has to be done for a format before or while it is written. */
enum output_needs {
    NEEDS_LINES = 1 << 0,   /* files and lines of frames: to read them costs more than all names */
    NEEDS_STREAM = 1 << 1,  /* it writes while samples are read: `file` is open from begin on */
    NEEDS_VIEW = 1 << 2,    /* the whole profile, as the options choose: `view` */
    NEEDS_HISTORY = 1 << 3, /* what each thread did when, and what it waited for: `history` */
    NEEDS_TIDS = 1 << 4,    /* threads of one name apart in the profile */
    NEEDS_ONE_INPUT = 1 << 5,
    /* With --by-thread the profile's threads get labels, but no nodes of their own in the view. */
    NEEDS_PLAIN_CHAINS = 1 << 6,
    /* `sample` and `tick` get those that do not pass the filter, too: what passes, the view says */
    NEEDS_ALL_SAMPLES = 1 << 7,
};

/*
 * The options that not every format honours, in the order in which they are refused. All others
 * (--thread, --from, --method …) every format honours.
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

/* What chooses and weighs samples: for formats of samples, not for those of threads. */
#define HONOURS_SAMPLES                                                                            \
    (HONOURS(FOCUS) | HONOURS(IGNORE) | HONOURS(MODULE) | HONOURS(STATE) | HONOURS(WEIGHT) |       \
     HONOURS(WEIGHT_OFFCPU) | HONOURS(WHERE))
/* What is left out when there is much; a format of samples that leaves out nothing ignores it. */
#define HONOURS_TRIMMING (HONOURS(FRACTIONS) | HONOURS(NODES))

/* What a format has of a trace of calls, which has no samples. */
enum output_calls {
    CALLS_NONE,  /* nothing: it is refused */
    CALLS_PATHS, /* by which ways functions were called */
    CALLS_GRAPH, /* who called whom; nothing is trimmed unless it is asked for */
};

/*
 * What becomes of the DOT text that a format of graphs writes (picture.h). DRAWN_WITHIN: it is
 * drawn as a part of what the format writes itself, and never left as text.
 */
enum output_drawing { DRAWN_NOT, DRAWN_SVG, DRAWN_PNG, DRAWN_PDF, DRAWN_WITHIN };

/* Who reads it. */
enum output_medium {
    MEDIUM_DATA,   /* programs: a text that is not cut and has no colours */
    MEDIUM_TEXT,   /* people: on a terminal lines are cut and coloured (screen.h) */
    MEDIUM_BINARY, /* programs: no text, which a terminal does not take */
};

struct dot_options;
struct output;

#define FORMAT_SUFFIXES_MAX 2
/* Of texts about threads: a title, then how many there are. */
#define OUTPUT_BEGINS_THREADS "^([^\n]*\n)?[0-9]+ threads?[ ,]"

struct output_format {
    const char *name;
    /* Of a file's name, with the dot; of two formats that match, the longer suffix counts. */
    const char *suffixes[FORMAT_SUFFIXES_MAX + 1]; /* NULL-terminated; may be empty */
    const char *file_name; /* files of this name, "NAME" or "NAME.…", are of it; NULL: none */
    const char *help;      /* what it is: at most 60 characters, no full stop */
    /*
     * How its outputs begin: an extended regular expression, which all of them match, and few other
     * files. What is neither empty nor begins as one of the formats is overwritten with --force
     * only.
     */
    const char *begins;
    unsigned needs;   /* of enum output_needs */
    unsigned honours; /* HONOURS(option) of enum output_option */
    enum output_calls calls;
    enum output_drawing drawing;
    enum output_medium medium;
    bool takes_sums;   /* it can do without samples and history: with what a profile (pprof) has */
    size_t state_size; /* bytes of `state`, zeroed before begin; 0: none */

    enum status (*begin)(struct output *output);
    /* An input, of which `kind`, `clock_offset` and `trace` are set, begins. */
    enum status (*input)(struct output *output, const char *name);
    /* Its first sample, whether that passes the filter or not: what --from is counted from. */
    enum status (*first)(struct output *output, uint64_t time_ns);
    enum status (*process)(struct output *output, const struct snap_process *process);
    enum status (*thread)(struct output *output, const struct snap_thread *thread);
    enum status (*sample)(struct output *output, const struct ingest_sample *sample);
    /* What it has of a TICK, if anything; with `sample` only. */
    enum status (*tick)(struct output *output, const struct ingest_sample *tick);
    /* CPU time of a sample that was given before, or of none; as in struct ingest_sink. */
    enum status (*cpu)(struct output *output, const struct ingest_cpu *cpu);
    /*
     * Whether there can be an output of what was read, asked before the file is opened: what was in
     * the file stays otherwise. UNSUPPORTED with `diag` filled.
     */
    enum status (*check)(const struct output *output, struct diag *diag);
    /* Writes to `file`, all or what remains. A failure may fill `diag`. */
    enum status (*finish)(struct output *output, struct diag *diag);
    void (*end)(struct output *output); /* frees what is in `state` */
};

#define OUTPUT_DECLARE_FORMAT(id) extern const struct output_format output_format_##id;
OUTPUT_FORMATS(OUTPUT_DECLARE_FORMAT)
#undef OUTPUT_DECLARE_FORMAT

/*
 * What a format is made from, all borrowed. The caller sets what is there before something is read,
 * what comes with the first input before `begin`, the rest before `check`.
 */
/* The paths of `opener`. */
enum output_path { OUTPUT_ITSELF, OUTPUT_PICTURE_TEXT };

struct output {
    const struct output_format *format;
    const char *path;  /* --output, for files beside it; NULL: not given */
    const char *input; /* the first of them, for messages */
    bool one_input;    /* there is no other */
    /* What the options choose: */
    const struct graph_filter *filter;
    const struct view_options *view_options;
    const struct callgraph_options *trimming;
    bool fraction_given; /* one of its fractions was asked for, and is not the default */
    const struct dot_options *dot;
    bool by_process; /* with by_thread: all threads of a process are one */
    bool by_thread, verbose;
    bool on_terminal;        /* `file` leads to one, */
    size_t columns;          /* so wide; 0: there is no limit */
    bool chosen;             /* which samples are shown, or how they are weighed, was chosen */
    bool weight_given;       /* by view_options; else weight_choice.h has it */
    unsigned render_seconds; /* at most, for a layout */
    bool confined;           /* layouts are, as in render.h */
    struct opener *opener;   /* of files that are named after `path`; NULL: fopen does */
    out_file_replaces_fn *replaces; /* which existing files */

    struct renderer *renderer; /* of render.h; may be NULL */
    FILE *file;                /* from begin on with NEEDS_STREAM, else before finish */

    /* With the first input: */
    const struct arch *arch; /* NULL at the end: not known, of other programs' profiles */
    struct names *names;
    struct variables *variables;  /* that are told of frames; NULL: none are */
    struct profile *profile;      /* resolved before check */
    struct history *history;      /* with NEEDS_HISTORY or by_thread; else empty */
    const char *title;            /* what was captured; raw */
    const char *base_title;       /* the same of --diff-base; "": nothing, or it is not known */
    const struct title *programs; /* the same, program by program */
    /* With each input, of the last one; base_kind: of --diff-base. */
    enum source_kind kind, base_kind;
    uint64_t clock_offset; /* the epoch minus the snapshot's clock, ns; 0: not known */

    /* When all is read: */
    uint64_t start_ns, duration_ns, period_ns; /* as in struct ingest */
    uint64_t base_duration_ns;                 /* the same of the baseline alone */
    const struct snap_summary *summary;        /* NULL: none */
    const struct quality *quality;
    const struct calltrace *trace; /* NULL: samples were read, and no trace of calls */
    const char *elf_file;          /* of the trace */

    /* Set by run.h: */
    void *state;              /* the format's own */
    struct view *view;        /* from finish on, with NEEDS_VIEW */
    const char *caveats;      /* from finish on: whole lines for the head, by caveats.h */
    bool shown;               /* something passed the filter */
    bool left_out;            /* a sample did not; where the format takes samples */
    uint64_t repeat_size;     /* bytes of repeats, about; where the format takes samples */
    uint64_t repeats_omitted; /* which were too many */
    bool weighs;              /* one that passed has the chosen weight; where it takes samples */
    uint64_t symbolize_ns;    /* spent in `sample` */
    /* Private: */
    struct view_options with_weight; /* view_options, with the weight that was chosen */
    enum weight_reason reason;
    struct map later; /* the numbers of samples that passed, and whose CPU time is told later */
    struct profile *by_thread_profile; /* what the view is of; NULL: `profile` */
    char caveats_text[2 * CAVEATS_MAX];
};

#endif
