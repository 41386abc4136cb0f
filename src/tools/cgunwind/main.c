/* SPDX-License-Identifier: MIT */
/* cgunwind: from snapshots to call chains and graphs. Wiring. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mapped.h"
#include "base/out_file.h"
#include "base/plural.h"
#include "base/shortage.h"
#include "base/text.h"
#include "graph/amount.h"
#include "graph/quality.h"
#include "graph/rowless_report.h"
#include "output/formats.h"
#include "output/run.h"
#include "tools/cgunwind/session.h"
#include "tools/progress.h"

int fail(const struct diag *diag)
{
    char line[1024];

    progress_pause();
    fprintf(stderr, "cgunwind: %s\n", diag_format(diag, line, sizeof(line)));
    return 1;
}

const char *session_output_name(const struct session *s)
{
    return s->output.file == stdout || !s->options->output ? "standard output" : s->options->output;
}

static FILE *open_file(struct session *s, struct diag *diag)
{
    const struct cgunwind_options *o = s->options;

    if (!o->output || strcmp(o->output, "-") == 0) {
        FILE *file = terminal_stream(&s->terminal, &s->output.caveats);

        if (!file)
            diag_set(diag, NULL, "%s", status_name(STATUS_NO_MEMORY));
        return file;
    }
    return s->opener.pid ? opener_open(&s->opener, OUTPUT_ITSELF, diag)
                         : out_file_stream(o->output, s->output.replaces, diag);
}

/* Opens the output. If it is a terminal, ends the progress line. */
static FILE *open_output(struct session *s, struct diag *diag)
{
    FILE *file = open_file(s, diag);

    s->is_at_terminal = file && isatty(fileno(file));
    if (s->is_at_terminal)
        progress_end();
    return file;
}

/* Finds the names of all frames. Formats that stream have done so for each sample. */
static enum status find_names(struct session *s)
{
    enum status status = STATUS_OK;

    if (s->ingest.splits)
        splits_settle(s->ingest.splits);
    /* Names that profiles bring need no files. */
    if (s->options->jobs > 1 && !s->has_profiles && !(s->options->format->needs & NEEDS_STREAM))
        status = profile_prepare(s->ingest.profile, s->symbolizer, s->options->jobs);
    return status == STATUS_OK ? profile_resolve(s->ingest.profile, s->names) : status;
}

/* Sets the part of the capture that the history covers. */
static void set_window(struct session *s)
{
    struct diag note;

    s->history.window = (struct window){
        .from_ns = s->options->from_ns,
        .to_ns = s->options->to_ns,
        .whole_ns = s->options->snapshot_count == 1 ? s->ingest.window.span_ns : 0,
    };
    if (history_is_cut(&s->history, &note))
        warn(s->options, &note);
}

static enum status write_output(struct session *s, const struct quality *quality, struct diag *diag)
{
    struct output *o = &s->output;
    enum status status;

    o->arch = s->arch_known ? s->arch : NULL;
    o->start_ns = s->ingest.start_ns;
    o->duration_ns = s->ingest.duration_ns;
    o->period_ns = s->ingest.period_ns;
    o->summary = s->ingest.has_summary ? &s->ingest.summary : NULL;
    o->quality = quality;
    if (o->format->needs & NEEDS_HISTORY)
        set_window(s);
    status = output_prepare(o, diag);
    /* Opened only now: the file keeps its content if nothing can be written. */
    if (status == STATUS_OK && !o->file) {
        status = refuse_kallsyms(s->options, s->modules, diag);
        if (status == STATUS_OK && !(o->file = open_output(s, diag)))
            status = STATUS_IO;
    }
    return status == STATUS_OK ? output_finish(o, diag) : status;
}

static enum status put_stats(struct session *s, const struct quality *quality, FILE *out)
{
    enum status status;

    if (s->output.trace)
        return trace_print(&s->trace, out);
    status = quality_print(quality, out);
    return status == STATUS_OK ? rowless_report(s->modules, out) : status;
}

/*
 * Prints the statistics to standard error. They are made in memory first: what writes them flushes
 * its stream, but messages may have to wait (terminal.h).
 */
static enum status print_stats(struct session *s, const struct quality *quality)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    enum status status, closed;

    if (!out)
        return STATUS_NO_MEMORY;
    status = put_stats(s, quality, out);
    closed = text_close(out, &text);
    if (status == STATUS_OK)
        status = closed;
    if (status == STATUS_OK && fputs(text, stderr) == EOF)
        status = STATUS_IO;
    free(text);
    return status;
}

static enum status write_results(struct session *s, struct diag *diag)
{
    uint64_t start_ns = clock_now_ns();
    struct quality quality;
    enum status status;

    progress_turn_to("finding names");
    status = find_names(s);
    progress_turn_to("writing");
    s->symbolize_ns += clock_now_ns() - start_ns;
    if (status == STATUS_OK)
        status = quality_fill(&quality, s->ingest.profile);
    if (status != STATUS_OK)
        return status;
    quality.modules = s->modules;
    quality.unwind_ns = s->ingest.unwind_ns;
    quality.symbolize_ns = s->symbolize_ns + s->output.symbolize_ns;
    quality.cut_short = s->cut_short;
    quality_count(&quality, &s->ingest);
    quality.has_capture = s->ingest.has_summary;
    quality.capture = s->ingest.summary;
    status = write_output(s, &quality, diag);
    s->output.quality = NULL;
    if (status == STATUS_OK && s->output.view)
        warn_no_lines(s->options, s->output.view);
    if (status != STATUS_OK || !s->options->stats)
        return status;
    progress_end();
    return print_stats(s, &quality);
}

/* Says whether the output is one of the inputs, which would be lost. */
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
    FILE *out = s->output.file;
    bool bad = out && (fflush(out) != 0 || ferror(out));

    if (out && out != stdout && fclose(out) != 0)
        bad = true;
    if (!bad || result != 0 || terminal_is_left(&s->terminal))
        return result;
    diag_set(&diag, session_output_name(s), "cannot write: %s", strerror(errno));
    return fail(&diag);
}

static void explain_no_samples(const struct session *s, const char *name, struct diag *diag)
{
    char span[AMOUNT_TEXT_MAX];

    if (s->ingest.window.samples_outside == 0)
        diag_set(diag, name, "holds no samples");
    else
        diag_set(diag, name,
                 "has no samples of the time that --from and --to ask for; it is %s long",
                 amount_weight(span, WEIGHT_WALL, s->ingest.window.span_ns));
}

/*
 * Reads the baseline, after the other inputs; data about the process and its files remain theirs.
 * Sets *has_base if some sample was read, whatever the status.
 */
static enum status read_base(struct session *s, bool *has_base, struct diag *diag)
{
    const struct ingest before = s->ingest;
    const enum source_kind kind = s->output.kind;
    enum status status;

    profile_weigh_base(s->ingest.profile, true);
    if (s->options->format->needs & NEEDS_HISTORY)
        ingest_sinks_remove(&s->ingest.sinks, &s->history); /* it covers the capture only */
    status = session_read(s, s->options->diff_base, diag);
    s->output.base_kind = s->output.kind;
    s->output.kind = kind;
    s->ingest.has_summary = before.has_summary;
    s->ingest.summary = before.summary;
    s->ingest.start_ns = before.start_ns;
    s->output.base_duration_ns = s->ingest.duration_ns - before.duration_ns;
    s->ingest.duration_ns = before.duration_ns;
    *has_base = s->ingest.samples > before.samples;
    if (status != STATUS_OK || *has_base)
        return status;
    explain_no_samples(s, s->options->diff_base, diag);
    return STATUS_NOT_FOUND;
}

/* Ignores a failed write if the user has quit the pager. Failures to read are still reported. */
static void forgive_reader(const struct session *s, enum status *status)
{
    if (*status == STATUS_IO && s->output.file && ferror(s->output.file) &&
        terminal_is_left(&s->terminal))
        *status = STATUS_OK;
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
    /* Compared with an empty baseline, everything would look new. */
    if (s->ingest.samples > 0 && (has_base || !s->options->diff_base) &&
        !(s->output.file && ferror(s->output.file))) {
        status = write_results(s, &diag);
        if (status == STATUS_OK)
            warn_empty(s->options, s->output.shown);
        if (status == STATUS_OK)
            warn_splits(s->options);
        if (status == STATUS_OK)
            warn_variables(s->options, s->variables);
        if (status == STATUS_OK)
            warn_waits(s->options, s->waits);
        if (status == STATUS_OK) /* formats that stream have written without names */
            status = refuse_kallsyms(s->options, s->modules, &diag);
    }
    warn_modules(s->options, s->modules, s->variables);
    forgive_reader(s, &read_status);
    forgive_reader(s, &status);
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
    if (read_status == STATUS_OK && status == STATUS_OK && shortage_told(&diag))
        return fail(&diag);
    if (s->output.repeats_omitted) {
        diag_set(&diag, session_output_name(s),
                 "%" PRIu64 " sample%s of threads that did not run %s left out: too many chains "
                 "for a snapshot of %" PRIu64 " bytes",
                 s->output.repeats_omitted, plural(s->output.repeats_omitted),
                 s->output.repeats_omitted == 1 ? "is" : "are", s->ingest.input_size);
        diag_hint(&diag, "formats that sum up, such as tree and folded, have them all");
        return fail(&diag);
    }
    return read_status != STATUS_OK || status != STATUS_OK;
}

/* Runs --info; returns the exit status. */
static int tell(struct session *s)
{
    struct diag diag = {0};
    int result = 0;

    terminal_hold(&s->terminal);
    for (int i = 0; i < s->options->snapshot_count; i++) {
        if (i > 0)
            putchar('\n');
        if (session_read(s, s->options->snapshots[i], &diag) != STATUS_OK)
            result = fail(&diag);
    }
    return result;
}

static struct output output_of(const struct session *s)
{
    const struct cgunwind_options *o = s->options;

    return (struct output){.format = o->format,
                           .replaces = o->force ? out_file_replaces_all : format_is_like,
                           .path = o->output,
                           .input = o->snapshots[0],
                           .one_input = o->snapshot_count == 1,
                           .filter = &o->filter,
                           .view_options = &o->view,
                           .trimming = &o->graph,
                           .fraction_given = o->fraction_given,
                           .dot = &o->dot,
                           .by_thread = o->by_thread,
                           .chosen = o->weight_given || o->filter.has_states ||
                                     o->filter.set[FILTER_FOCUS],
                           .weight_given = o->weight_given,
                           .by_process = o->by_process,
                           .verbose = o->verbose,
                           .on_terminal = s->terminal.is_there,
                           .columns = s->terminal.columns,
                           .render_seconds = o->render_seconds};
}

static int run_session(struct session *s)
{
    const struct cgunwind_options *o = s->options;
    struct diag diag;

    if (terminal_begin(&s->terminal, o, &diag) != STATUS_OK)
        return fail(&diag);
    s->output = output_of(s);
    s->ingest.by_tid = o->filter.has_tid || (o->format->needs & NEEDS_TIDS) || o->by_thread;
    s->ingest.window.from_ns = o->from_ns;
    s->ingest.window.to_ns = o->to_ns;
    if (output_is_input(o)) {
        diag_set(&diag, o->output, "is one of the snapshots; give another --output");
        return fail(&diag);
    }
    if ((o->format->needs & NEEDS_STREAM) && !(s->output.file = open_output(s, &diag)))
        return fail(&diag);
    if (session_confine(s, &diag) != STATUS_OK)
        return finish_output(s, fail(&diag));
    if (!o->quiet && !s->is_at_terminal)
        progress_begin("cgunwind", "reading");
    return finish_output(s, o->info ? tell(s) : run(s));
}

/*
 * Opens /dev/null for closed standard files, so that no other file gets their descriptors.
 * Read-only: writing to them remains an error.
 */
static void fill_standard_files(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    struct cgunwind_options options;
    struct session session = {.options = &options};
    struct diag diag;
    int result;

    fill_standard_files();
    result = options_parse(&options, argc, argv);
    mapped_guard();
    signal(SIGXFSZ, SIG_IGN); /* writes beyond RLIMIT_FSIZE fail with EFBIG */
    if (result < 0) {
        result = run_session(&session);
        progress_end();
        session_close(&session);
        session_close_early(&session);
        if (terminal_end(&session.terminal, &diag) != STATUS_OK)
            result = fail(&diag);
    }
    options_deinit(&options);
    return result;
}
