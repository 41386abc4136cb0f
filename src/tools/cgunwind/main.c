/* cgunwind: from snapshots to call chains and graphs. What is written, and wiring. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/mapped.h"
#include "graph/amount.h"
#include "graph/by_thread.h"
#include "graph/callgraph.h"
#include "graph/quality.h"
#include "output/callgrind.h"
#include "output/dot.h"
#include "output/folded.h"
#include "output/pprof.h"
#include "output/tree.h"
#include "tools/cgunwind/session.h"

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

const char *session_output_name(const struct session *s)
{
    return s->out == stdout || !s->options->output ? "standard output" : s->options->output;
}

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

static FILE *open_output(const struct cgunwind_options *o, struct diag *diag)
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
    const struct cgunwind_options *o = s->options;

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
    struct cgunwind_options *o = s->options;
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

    s->history.window = (struct window){
        .from_ns = s->options->from_ns,
        .to_ns = s->options->to_ns,
        .whole_ns = s->options->snapshot_count == 1 ? s->ingest.span_ns : 0,
    };
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
    struct cgunwind_options *o = s->options;
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
static bool output_is_input(const struct cgunwind_options *o)
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
    diag_set(&diag, session_output_name(s), "cannot write: %s", strerror(errno));
    return fail(&diag);
}

static void explain_no_samples(const struct session *s, const char *name, struct diag *diag)
{
    char span[AMOUNT_TEXT_MAX];

    if (s->ingest.samples_outside == 0)
        diag_set(diag, name, "holds no samples");
    else
        diag_set(diag, name,
                 "has no samples of the time that --from and --to ask for; it is %s long",
                 amount_weight(span, WEIGHT_WALL, s->ingest.span_ns));
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
    status = session_read(s, s->options->diff_base, diag);
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
        read_status = session_read(s, s->options->snapshots[i], &read_diag);
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
            diag_set(&diag, session_output_name(s), "%s",
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
static bool needs_history(const struct cgunwind_options *o)
{
    return format_tells_threads(o->format) || o->by_thread;
}

int main(int argc, char **argv)
{
    struct cgunwind_options options;
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
