/* cgunwind: from snapshots to call chains and graphs. Options and wiring only. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/mapped.h"
#include "cgunwind.h"
#include "graph/by_thread.h"
#include "graph/callgraph.h"
#include "graph/callgrind.h"
#include "graph/chains.h"
#include "graph/dot.h"
#include "graph/folded.h"
#include "graph/ingest.h"
#include "graph/json.h"
#include "graph/perf_script.h"
#include "graph/pprof.h"
#include "graph/quality.h"
#include "graph/text.h"
#include "graph/tree.h"
#include "snapshot/tcp.h"

int fail(const struct diag *diag)
{
    char line[1024];

    fprintf(stderr, "cgunwind: %s\n", diag_format(diag, line, sizeof(line)));
    return 1;
}

static uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct session {
    struct options *options;
    struct module_set *modules;
    struct symbolizer *symbolizer;
    struct unwinder *unwinder;
    struct names *names;
    struct ingest ingest;
    const struct arch *arch;
    FILE *out;
    enum source_kind kind, base_kind; /* of what was read last; base_kind: for --diff-base */
    bool cut_short, shown;            /* shown: some sample passed the filters */
    bool left_out;                    /* of a format that streams: a sample did not pass */
    bool weighs;                      /* of a format that streams: one of them has a weight */
    uint64_t symbolize_ns;
    struct chains_out chains;
    struct json_out json;
    struct perf_script perf_script;
    struct history history; /* of a format that tells of threads */
    struct waits *waits;
    uint64_t clock_offset;
    bool is_trace;
    struct calltrace trace;
};

static enum status sink_process(void *context, const struct snap_process *process)
{
    struct session *s = context;

    return s->options->format == JSON
               ? json_out_snapshot(&s->json, process, s->arch, s->clock_offset)
               : STATUS_OK;
}

static enum status sink_thread(void *context, const struct snap_thread *thread)
{
    struct session *s = context;

    return s->options->format == JSON &&
                   graph_filter_thread(&s->options->filter, thread->tid, thread->name)
               ? json_out_thread(&s->json, thread)
               : STATUS_OK;
}

static enum status write_sample(struct session *s, const struct ingest_sample *given)
{
    const struct snap_sample *sample = given->sample;
    const struct chain *chain = given->chain;
    bool passes = graph_filter_thread(&s->options->filter, sample->tid, given->thread_name);
    enum status status = STATUS_OK;

    passes = passes && graph_filter_state(&s->options->filter, sample->state);
    if (passes)
        status = graph_filter_chain(&s->options->filter, s->names, chain, &passes);
    s->left_out |= !passes;
    if (status != STATUS_OK || !passes)
        return status;
    s->shown = true;
    s->weighs |= given->weights->value[s->options->view.weight] > 0;
    if (s->options->format == JSON)
        return json_out_sample(&s->json, sample, chain);
    if (s->options->format == PERF_SCRIPT)
        return perf_script_sample(&s->perf_script, given->thread_name, sample, chain,
                                  given->weights);
    return chains_sample(&s->chains, given->thread_name, sample, chain);
}

static enum status sink_sample(void *context, const struct ingest_sample *given)
{
    struct session *s = context;
    uint64_t start_ns = now_ns();
    enum status status = write_sample(s, given);

    s->symbolize_ns += now_ns() - start_ns;
    return status;
}

/* Do files and lines matter to what is printed? To read them costs more than all names. */
static bool needs_lines(const struct options *o)
{
    return (o->format != TREE && o->format != FOLDED) || o->view.by == GRAPH_BY_LINE ||
           o->filter.set[FILTER_FOCUS] || o->filter.set[FILTER_IGNORE] ||
           o->filter.set[FILTER_HIDE];
}

/* What depends on the architecture, which the first snapshot tells. */
static enum status session_open(struct session *s, const struct arch *arch)
{
    struct options *o = s->options;
    enum status status;

    s->arch = arch;
    o->modules.arch = arch;
    status = module_set_create(&o->modules, &s->modules);
    if (status == STATUS_OK)
        status = symbolizer_create(s->modules, needs_lines(o), o->inlines, &s->symbolizer);
    if (status == STATUS_OK)
        status = unwinder_create(arch, s->modules, &o->unwinder, &s->unwinder);
    if (status == STATUS_OK)
        status = names_create(s->symbolizer, s->unwinder, &s->names);
    if (status == STATUS_OK)
        status = profile_create(&s->ingest.profile);
    if (status == STATUS_OK && format_tells_threads(o->format)) {
        status = waits_create(arch, s->modules, s->names, &s->waits);
    }
    history_init(&s->history, s->waits, arch);
    s->ingest.modules = s->modules;
    s->ingest.unwinder = s->unwinder;
    s->chains =
        (struct chains_out){.file = s->out, .names = s->names, .word_size = arch->word_size};
    s->json = (struct json_out){.file = s->out, .names = s->names};
    s->perf_script =
        (struct perf_script){.file = s->out, .names = s->names, .weight = o->view.weight};
    return status;
}

static void session_close(struct session *s)
{
    ingest_deinit(&s->ingest);
    json_out_deinit(&s->json);
    perf_script_deinit(&s->perf_script);
    history_deinit(&s->history);
    waits_destroy(s->waits);
    profile_destroy(s->ingest.profile);
    names_destroy(s->names);
    unwinder_destroy(s->unwinder);
    symbolizer_destroy(s->symbolizer);
    module_set_destroy(s->modules);
}

static enum status run_source(struct session *s, struct snap_source *source, const char *name,
                              struct diag *diag)
{
    enum status status = STATUS_OK;

    s->kind = source->kind;
    s->clock_offset = source->clock_offset;
    if (!s->arch)
        status = session_open(s, source->arch);
    if (status != STATUS_OK) {
        diag_set(diag, name, "%s", status_name(status));
        return status;
    }
    if (s->arch != source->arch) {
        diag_set(diag, name, "is of %s, the snapshots before of %s", source->arch->name,
                 s->arch->name);
        return STATUS_UNSUPPORTED;
    }
    if (source->kind == SOURCE_CORE && (s->options->from_ns || s->options->to_ns)) {
        diag_set(diag, name, "is a core, which is one moment: it has no --from and --to");
        return STATUS_UNSUPPORTED;
    }
    s->history.one_moment = source->kind == SOURCE_CORE;
    status = ingest_run(&s->ingest, source, diag);
    history_end(&s->history);
    for (size_t i = 0; i < source->note_count; i++)
        warn(s->options, &source->notes[i]);
    if (s->ingest.mappings_left_out > 0) {
        struct diag note;

        diag_set(&note, name, "%" PRIu64 " mappings were left out: a process has more than %d",
                 s->ingest.mappings_left_out, INGEST_MAPPINGS_MAX);
        warn(s->options, &note);
        s->ingest.mappings_left_out = 0;
    }
    if (status == STATUS_OK && source->cut_short) {
        struct diag note;

        s->cut_short = true;
        diag_set_at(&note, name, source->cut_off, "the %s is cut short",
                    source->kind == SOURCE_CORE ? "core" : "snapshot");
        diag_hint(&note, source->kind == SOURCE_CORE ? "what is there was used"
                                                     : "all records before were used");
        warn(s->options, &note);
    }
    return status;
}

/* Instead of samples; all that follows finds a profile. */
static enum status run_trace(struct session *s, struct source_input *input, struct diag *diag)
{
    struct options *o = s->options;
    const struct arch *arch;
    enum status status = trace_check(o, input->name, &arch, diag);

    if (status != STATUS_OK)
        return status;
    o->inlines = false; /* at its entry a function has not been inlined into */
    o->view.weight = WEIGHT_CALLS;
    if (!o->fraction_given && o->format != TREE) /* what is called once may call all the rest */
        o->graph.node_fraction = o->graph.edge_fraction = 0;
    status = session_open(s, arch);
    if (status != STATUS_OK) {
        diag_set(diag, input->name, "%s", status_name(status));
        return status;
    }
    s->is_trace = true;
    status = trace_load(o, input, s->modules, s->ingest.profile, &s->trace, diag);
    s->ingest.samples = s->trace.calls;
    trace_title(o, input->name, &s->trace, s->ingest.title.text, sizeof(s->ingest.title.text));
    if (s->trace.lines)
        trace_warn(o, input->name, &s->trace);
    return status;
}

static const char *trace_only(const struct options *o)
{
    return o->load_bias_given ? "--load-bias" : o->dot.sequence ? "--sequence" : NULL;
}

/* What is at hand; `input` ends here. */
static enum status run_input(struct session *s, struct source_input *input, struct diag *diag)
{
    struct snap_source *source = NULL;
    enum status status;

    if (calltrace_begins(input->head, input->head_len)) {
        status = run_trace(s, input, diag);
        source_input_close(input);
        return status;
    }
    if (trace_only(s->options)) {
        diag_set(diag, input->name, "is no trace of calls, which %s is for",
                 trace_only(s->options));
        source_input_close(input);
        return STATUS_UNSUPPORTED;
    }
    status = snap_source_open_input(input, &source, diag);
    if (status == STATUS_OK)
        status = run_source(s, source, input->name, diag);
    snap_source_close(source);
    return status;
}

static const char *output_name(const struct session *s)
{
    return s->out == stdout || !s->options->output ? "standard output" : s->options->output;
}

static enum status accept_snapshot(const struct session *s, const char *name, int *fd,
                                   struct diag *diag)
{
    uint16_t port;
    int listener;
    enum status status = tcp_listen(name, &listener, &port, diag);

    if (status != STATUS_OK)
        return status;
    if (!s->options->quiet)
        fprintf(stderr, "cgunwind: waiting for a snapshot at TCP port %u\n", port);
    return tcp_accept(listener, name, fd, diag);
}

static int stream_fd = -1;

static void end_stream(int signal)
{
    (void)signal;
    shutdown(stream_fd, SHUT_RD);
}

/*
 * While a stream is read Ctrl-C is for its sender, which ends it; a connection is ended here. What
 * has arrived is made use of. The second Ctrl-C ends all.
 */
static void await_interrupt(int fd)
{
    struct sigaction action = {.sa_handler = end_stream,
                               .sa_flags = (int)(SA_RESTART | SA_RESETHAND)};

    stream_fd = fd;
    sigaction(SIGINT, &action, NULL);
}

static enum status read_snapshot(struct session *s, const char *path, struct diag *diag)
{
    bool is_stdin = strcmp(path, "-") == 0;
    bool is_tcp = strncmp(path, TCP_LISTEN_PREFIX, strlen(TCP_LISTEN_PREFIX)) == 0;
    const char *name = is_stdin ? "standard input" : path;
    int fd = is_stdin ? STDIN_FILENO : is_tcp ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    struct source_input *input;
    enum status status;

    if (is_tcp && (status = accept_snapshot(s, path, &fd, diag)) != STATUS_OK)
        return status;
    if (fd < 0) {
        diag_set(diag, path, "%s", strerror(errno));
        return STATUS_IO;
    }
    if ((is_stdin || is_tcp) && !isatty(fd))
        await_interrupt(fd);
    status = source_input_open(fd, name, &input, diag);
    if (status == STATUS_OK) {
        errno = 0;
        status = run_input(s, input, diag);
        /* A format that streams could not be written. */
        if (status == STATUS_IO && s->out && ferror(s->out))
            diag_set(diag, output_name(s), "cannot write: %s", strerror(errno ? errno : EIO));
    }
    if (!is_stdin)
        close(fd);
    return status;
}

struct styled_graph {
    const struct callgraph *graph;
    const struct dot_options *how;
};

static enum status graph_dot(const void *context, FILE *out)
{
    const struct styled_graph *given = context;

    return dot_write(given->graph, given->how, out);
}

static enum status write_graph(struct session *s, const struct view *view, struct diag *diag)
{
    struct dot_options how = s->options->dot;
    struct styled_graph given = {.how = &how};
    struct callgraph *graph = NULL;
    enum status status = callgraph_create(view, &s->options->graph, &graph);

    if (status != STATUS_OK)
        return status;
    how.title = s->ingest.title.text;
    given.graph = graph;
    status = picture_write(s->options, graph_dot, &given, s->out, diag);
    callgraph_destroy(graph);
    return status;
}

static enum status write_pprof(struct session *s, const struct view *view)
{
    struct pprof_facts facts = {.title = s->ingest.title.text,
                                .start_ns = s->ingest.start_ns,
                                .duration_ns = s->ingest.duration_ns};
    uint64_t rate_mhz = s->ingest.has_summary ? s->ingest.summary.rate_asked_mhz : 0;

    if (rate_mhz)
        facts.period_ns = UINT64_C(1000000000000) / rate_mhz;
    return pprof_write(view, s->names, &facts, s->out);
}

static FILE *open_output(const struct options *o, struct diag *diag)
{
    FILE *file;

    if (!o->output || strcmp(o->output, "-") == 0)
        return stdout;
    file = fopen(o->output, "w");
    if (!file)
        diag_set(diag, o->output, "%s", strerror(errno));
    return file;
}

static bool shows_samples(const struct view *view)
{
    const struct profile *profile = view->profile;

    for (size_t i = 0; i < profile->cell_count; i++)
        if (view->cell_shown[i] && !profile->cells[i].is_base)
            return true;
    return false;
}

static enum status check_weight(const struct session *s, const struct view *view, struct diag *diag)
{
    const enum weight_kind weight = s->options->view.weight;

    /* What went idle since weighs nothing, and that is what one wants to see. */
    if (view->compare)
        return view->base_total > 0
                   ? STATUS_OK
                   : refuse_weight(weight, s->base_kind, true, "the samples of --diff-base", diag);
    if (view->total == 0)
        return refuse_weight(weight, s->kind, s->options->snapshot_count == 1, "the samples", diag);
    return view->shown > 0 || !s->shown
               ? STATUS_OK
               : refuse_weight(weight, s->kind, false, "the samples that pass", diag);
}

static enum status write_format(struct session *s, const struct view *view, struct diag *diag)
{
    const struct options *o = s->options;

    if (o->format == TREE)
        return tree_write(view, o->graph.node_fraction, s->ingest.title.text, s->out);
    if (o->format == FOLDED)
        return folded_write(view, s->out);
    if (o->format == CALLGRIND)
        return callgrind_write(view, s->ingest.title.text, s->out);
    if (o->format == PPROF)
        return write_pprof(s, view);
    return write_graph(s, view, diag);
}

static enum status write_view(struct session *s, struct diag *diag)
{
    struct options *o = s->options;
    struct profile *by_thread = NULL;
    struct view *view = NULL;
    enum status status = STATUS_OK;

    if (o->by_thread)
        status = threads_label(&s->history, s->ingest.profile);
    if (status == STATUS_OK && o->by_thread && o->format != FOLDED) /* which begins with threads */
        status = profile_by_thread(s->ingest.profile, &by_thread);
    if (status == STATUS_OK)
        status = view_create(by_thread ? by_thread : s->ingest.profile, &o->view, &view);
    if (status != STATUS_OK) {
        profile_destroy(by_thread);
        return status;
    }
    s->shown = shows_samples(view);
    status = check_weight(s, view, diag);
    if (status == STATUS_OK)
        status = refuse_kallsyms(o, s->modules, diag);
    /* Only now: what was in the file stays when there is nothing to put there. */
    if (status == STATUS_OK && !(s->out = open_output(o, diag)))
        status = STATUS_IO;
    if (status == STATUS_OK)
        status = write_format(s, view, diag);
    if (status == STATUS_OK)
        warn_no_lines(o, view);
    view_destroy(view);
    profile_destroy(by_thread);
    return status;
}

static bool shows_threads(const struct session *s)
{
    for (size_t i = 0; i < s->history.thread_count; i++)
        if (graph_filter_thread(&s->options->filter, s->history.threads[i].tid,
                                s->history.threads[i].name))
            return true;
    return false;
}

static enum status write_threads(struct session *s, struct diag *diag)
{
    const struct threads_facts facts = {
        .options = s->options,
        .history = &s->history,
        .profile = s->ingest.profile,
        .names = s->names,
        .title = s->ingest.title.text,
        .summary = s->ingest.has_summary ? &s->ingest.summary : NULL,
        .is_core = s->kind == SOURCE_CORE,
        .is_perf = s->kind == SOURCE_PERF,
        .clock_offset = s->clock_offset,
    };

    enum status status = threads_check(&facts, diag);
    struct diag note;

    s->shown = shows_threads(s);
    if (history_is_cut(&s->history, &note))
        warn(s->options, &note);
    if (status == STATUS_OK)
        status = refuse_kallsyms(s->options, s->modules, diag);
    /* Only now: what was in the file stays when there is nothing to put there. */
    if (status == STATUS_OK && !(s->out = open_output(s->options, diag)))
        status = STATUS_IO;
    return status == STATUS_OK ? threads_write(&facts, s->out, diag) : status;
}

/* Formats that stream have found theirs, sample by sample. */
static enum status find_names(struct session *s)
{
    enum status status = STATUS_OK;

    if (s->options->jobs > 1 && !format_streams(s->options->format))
        status = profile_prepare(s->ingest.profile, s->symbolizer, s->options->jobs);
    return status == STATUS_OK ? profile_resolve(s->ingest.profile, s->names) : status;
}

static enum status write_results(struct session *s, struct diag *diag)
{
    struct options *o = s->options;
    uint64_t start_ns = now_ns();
    struct quality quality;
    enum status status = find_names(s);

    s->symbolize_ns += now_ns() - start_ns;
    if (status == STATUS_OK && format_tells_threads(o->format))
        status = write_threads(s, diag);
    else if (status == STATUS_OK && !format_streams(o->format))
        status = write_view(s, diag);
    else if (status == STATUS_OK && o->format == PERF_SCRIPT && s->shown && !s->weighs)
        status =
            refuse_weight(s->options->view.weight, s->kind,
                          s->options->snapshot_count == 1 && !s->left_out, "the samples", diag);
    if (status == STATUS_OK)
        status = quality_fill(&quality, s->ingest.profile);
    if (status != STATUS_OK)
        return status;
    if (s->is_trace) {
        if (o->format == JSON)
            status = trace_json(o, s->ingest.profile, &s->trace, &s->json, &s->shown);
        return status == STATUS_OK && o->stats ? trace_print(&s->trace, stderr) : status;
    }
    quality.modules = s->modules;
    quality.unwind_ns = s->ingest.unwind_ns;
    quality.symbolize_ns = s->symbolize_ns;
    quality.cut_short = s->cut_short;
    quality.lost = s->ingest.lost;
    quality.has_capture = s->ingest.has_summary;
    quality.capture = s->ingest.summary;
    if (o->format == JSON)
        status = json_out_summary(&s->json, &quality);
    if (status == STATUS_OK && o->stats)
        status = quality_print(&quality, stderr);
    return status;
}

/* Writing over a snapshot that is about to be read would lose it. */
static bool output_is_input(const struct options *o)
{
    struct stat out, in;

    if (!o->output || stat(o->output, &out) != 0 || !S_ISREG(out.st_mode))
        return false;
    if (o->diff_base && stat(o->diff_base, &in) == 0 && in.st_dev == out.st_dev &&
        in.st_ino == out.st_ino)
        return true;
    for (int i = 0; i < o->snapshot_count; i++)
        if (stat(o->snapshots[i], &in) == 0 && in.st_dev == out.st_dev && in.st_ino == out.st_ino)
            return true;
    return false;
}

static int finish_output(struct session *s, int result)
{
    struct diag diag;
    bool bad = s->out && (fflush(s->out) != 0 || ferror(s->out));

    if (s->out && s->out != stdout && fclose(s->out) != 0)
        bad = true;
    if (!bad || result != 0)
        return result;
    diag_set(&diag, output_name(s), "cannot write: %s", strerror(errno));
    return fail(&diag);
}

static void explain_no_samples(const struct session *s, const char *name, struct diag *diag)
{
    char span[TEXT_NUMBER_MAX];

    if (s->ingest.samples_outside == 0)
        diag_set(diag, name, "holds no samples");
    else
        diag_set(diag, name,
                 "has no samples of the time that --from and --to ask for; it is %s long",
                 text_weight(span, WEIGHT_WALL, s->ingest.span_ns));
}

/*
 * After the others: what is told of the process and its files is theirs. `has_base`: some sample of
 * the base was read, whatever the status.
 */
static enum status read_base(struct session *s, bool *has_base, struct diag *diag)
{
    const struct ingest before = s->ingest;
    const enum source_kind kind = s->kind;
    enum status status;

    profile_weigh_base(s->ingest.profile, true);
    status = read_snapshot(s, s->options->diff_base, diag);
    s->base_kind = s->kind;
    s->kind = kind;
    s->ingest.has_summary = before.has_summary;
    s->ingest.summary = before.summary;
    *has_base = s->ingest.samples > before.samples;
    if (status != STATUS_OK || *has_base)
        return status;
    explain_no_samples(s, s->options->diff_base, diag);
    return STATUS_NOT_FOUND;
}

static int run(struct session *s)
{
    struct diag diag = {0}, read_diag = {0};
    enum status read_status = STATUS_OK, status = STATUS_OK;
    bool has_base = false;

    for (int i = 0; i < s->options->snapshot_count && read_status == STATUS_OK; i++)
        read_status = read_snapshot(s, s->options->snapshots[i], &read_diag);
    if (!s->ingest.profile)
        return fail(&read_diag);
    if (s->ingest.samples == 0 && read_status == STATUS_OK) {
        explain_no_samples(s, s->options->snapshots[0], &read_diag);
        read_status = STATUS_NOT_FOUND;
    }
    if (s->options->diff_base && read_status == STATUS_OK)
        read_status = read_base(s, &has_base, &read_diag);
    /* Without anything to compare with all would look new. */
    if (s->ingest.samples > 0 && (has_base || !s->options->diff_base) &&
        !(s->out && ferror(s->out))) {
        status = write_results(s, &diag);
        if (status == STATUS_OK)
            warn_empty(s->options, s->shown);
        if (status == STATUS_OK) /* what streams has been written without the names */
            status = refuse_kallsyms(s->options, s->modules, &diag);
    }
    warn_modules(s->options, s->modules);
    if (read_status != STATUS_OK)
        fail(&read_diag);
    if (status != STATUS_OK) {
        if (!diag.what[0])
            diag_set(&diag, output_name(s), "%s",
                     status == STATUS_IO ? strerror(errno) : status_name(status));
        fail(&diag);
    }
    if (mapped_cut()) {
        diag_set(&diag, mapped_cut(), "became shorter while it was read");
        diag_hint(&diag, "what was still there was used");
        return fail(&diag);
    }
    return read_status != STATUS_OK || status != STATUS_OK;
}

/* --by-thread tells threads apart by who they are. */
static bool needs_history(const struct options *o)
{
    return format_tells_threads(o->format) || o->by_thread;
}

int main(int argc, char **argv)
{
    struct options options;
    struct session session = {.options = &options};
    struct ingest_sink sink = {.process = sink_process,
                               .thread = sink_thread,
                               .sample = sink_sample,
                               .context = &session};
    struct diag diag;
    int result = options_parse(&options, argc, argv);

    mapped_guard();
    if (result < 0) {
        bool streams = format_streams(options.format);

        session.ingest.by_tid =
            options.filter.has_tid || options.format == PPROF || options.by_thread;
        if (needs_history(&options))
            sink = threads_sink(&session.history);
        session.ingest.sink = streams || needs_history(&options) ? &sink : NULL;
        session.ingest.from_ns = options.from_ns;
        session.ingest.to_ns = options.to_ns;
        if (output_is_input(&options)) {
            diag_set(&diag, options.output, "is one of the snapshots; give another --output");
            result = fail(&diag);
        } else if (streams && !(session.out = open_output(&options, &diag))) {
            result = fail(&diag);
        } else {
            result = finish_output(&session, run(&session));
        }
        session_close(&session);
    }
    options_deinit(&options);
    return result;
}
