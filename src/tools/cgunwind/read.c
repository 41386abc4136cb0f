/* SPDX-License-Identifier: MIT */
/* cgunwind's inputs: snapshots, cores, perf.data, traces of calls, profiles; files and streams. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "graph/pprof/load.h"
#include "graph/told_labels.h"
#include "base/plural.h"
#include "output/run.h"
#include "boards/dump/source.h"
#include "snapshot/tcp.h"
#include "tools/cgunwind/info.h"
#include "tools/cgunwind/perf_maps.h"
#include "tools/cgunwind/session.h"
#include "tools/progress.h"

/* Says whether the output needs files and lines: reading them costs more than all names. */
static bool needs_lines(const struct cgunwind_options *o)
{
    return (o->format->needs & NEEDS_LINES) || o->view.by == GRAPH_BY_LINE ||
           o->filter.set[FILTER_FOCUS] || o->filter.set[FILTER_IGNORE] ||
           o->filter.set[FILTER_HIDE];
}

static enum status tell_progress(void *context, const struct ingest_sample *sample)
{
    const struct session *s = context;

    progress_set(sample->input_size, s->input_bytes);
    progress_count(s->ingest.samples, "samples");
    return STATUS_OK;
}

/* Connects the consumers of samples: the profile, and those that the output needs. */
static void connect_sinks(struct session *s)
{
    s->ingest.modules = s->modules;
    s->ingest.unwinder = s->unwinder;
    ingest_sinks_add(&s->ingest.sinks, ingest_profile_sink(s->ingest.profile));
    if (output_needs_history(&s->output))
        ingest_sinks_add(&s->ingest.sinks, history_sink(&s->history));
    ingest_sinks_add(&s->ingest.sinks, output_sink(&s->output));
    ingest_sinks_add(&s->ingest.sinks, (struct ingest_sink){.sample = tell_progress, .context = s});
}

/* Loads the names of --perf-map. */
static enum status load_perf_maps(struct session *s, struct diag *diag)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < s->options->perf_map_count && status == STATUS_OK; i++)
        status = perf_map_load(s->options->perf_maps[i], s->modules, &s->jit_maps, diag);
    s->ingest.jit.given = &s->jit_maps;
    return status;
}

static enum status begin_output(struct session *s)
{
    s->output.arch = s->arch;
    s->output.names = s->names;
    s->output.profile = s->ingest.profile;
    s->output.history = &s->history;
    s->output.title = s->ingest.title.text;
    s->output.base_title = s->ingest.base_title.text;
    s->output.programs = &s->ingest.title;
    return output_begin(&s->output);
}

static enum status create_names(struct session *s)
{
    const struct names_source source = told_source(s->told);

    return names_create_from(&source, &s->names);
}

/* Prepares for variables, if they are asked for. */
static enum status begin_variables(struct session *s)
{
    const struct cgunwind_options *o = s->options;
    enum status status;

    if (!o->variables && !o->splits)
        return STATUS_OK;
    status = variables_create(s->modules, s->unwinder, &o->variable, &s->variables);
    if (status != STATUS_OK)
        return status;
    if (o->splits)
        splits_begin(o->splits, s->names, s->variables);
    s->ingest.wants_regs = true;
    s->ingest.splits = o->splits;
    s->output.variables = o->variables ? s->variables : NULL;
    return STATUS_OK;
}

/* Opens everything that depends on the architecture, which the first input tells. */
static enum status session_open(struct session *s, const struct arch *arch)
{
    struct cgunwind_options *o = s->options;
    enum status status;

    s->arch = arch;
    o->modules.arch = arch;
    o->modules.cache = o->unwinder.cache = s->cache;
    o->modules.fetcher = s->fetcher;
    o->modules.offers = s->offers;
    o->modules.live = s->live;
    status = module_set_create(&o->modules, &s->modules);
    if (status == STATUS_OK)
        status = symbolizer_create(s->modules, needs_lines(o), o->inlines, &s->symbolizer);
    if (status == STATUS_OK)
        status = unwinder_create(arch, s->modules, &o->unwinder, &s->unwinder);
    if (status == STATUS_OK)
        status = told_create(s->symbolizer, s->unwinder, &s->told);
    if (status == STATUS_OK)
        status = create_names(s);
    if (status == STATUS_OK)
        status = begin_variables(s);
    if (status == STATUS_OK)
        status = profile_create(&s->ingest.profile);
    if (status == STATUS_OK && (o->format->needs & NEEDS_HISTORY))
        status = waits_create(arch, s->modules, s->names, &s->waits);
    if (status == STATUS_OK && s->waits && o->variables)
        waits_set_variables(s->waits, s->variables);
    history_init(&s->history, s->waits, arch);
    if (status == STATUS_OK)
        status = begin_output(s);
    if (status == STATUS_OK)
        connect_sinks(s);
    return status;
}

void session_close(struct session *s)
{
    ingest_deinit(&s->ingest);
    jit_maps_deinit(&s->jit_maps);
    output_end(&s->output);
    history_deinit(&s->history);
    waits_destroy(s->waits);
    profile_destroy(s->ingest.profile);
    names_destroy(s->names);
    variables_destroy(s->variables);
    told_destroy(s->told);
    if (s->unwinder)
        unwinder_keep(s->unwinder);
    unwinder_destroy(s->unwinder);
    symbolizer_destroy(s->symbolizer);
    module_set_destroy(s->modules);
}

/* Describes the input, for --info; only modules are needed. */
static enum status tell_source(struct session *s, struct snap_source *source, const char *name,
                               struct diag *diag)
{
    enum status status = STATUS_OK;

    /* Modules are of one architecture. */
    if (s->arch != source->arch) {
        module_set_destroy(s->modules);
        s->modules = NULL;
        s->arch = source->arch;
        s->options->modules.arch = source->arch;
        s->options->modules.offers = s->offers;
        s->options->modules.live = s->live;
        status = module_set_create(&s->options->modules, &s->modules);
    }
    if (status != STATUS_OK) {
        diag_set(diag, name, "%s", status_name(status));
        return status;
    }
    return info_print(source, name, s->modules, stdout, diag);
}

static enum status tell_input(struct session *s, const char *name, struct diag *diag)
{
    enum status status = output_input(&s->output, name);

    if (status != STATUS_OK)
        diag_set(diag, name, "%s", status_name(status));
    return status;
}

/* Opens the session with the first input; the others have to be of its architecture. */
static enum status open_for(struct session *s, const struct arch *arch, const char *name,
                            struct diag *diag)
{
    enum status status;

    if (!s->arch) {
        status = session_open(s, arch);
        if (status != STATUS_OK)
            diag_set(diag, name, "%s", status_name(status));
        else
            status = load_perf_maps(s, diag);
        if (status != STATUS_OK)
            return status;
    }
    if (s->arch != arch) {
        diag_set(diag, name, "is of %s, the snapshots before of %s", arch->name,
                 s->arch_known ? s->arch->name : "others");
        if (!s->arch_known)
            diag_hint(diag, "give it before the profiles");
        return STATUS_UNSUPPORTED;
    }
    s->arch_known = true;
    return STATUS_OK;
}

/* The same for a profile, whose `arch` may be NULL: nothing in it depends on the architecture. */
static enum status open_for_profile(struct session *s, const struct arch *arch, const char *name,
                                    struct diag *diag)
{
    const bool is_known = s->arch_known || arch;
    enum status status;

    if (arch && s->arch && !s->arch_known)
        s->arch = arch;
    status = open_for(s, arch ? arch : s->arch ? s->arch : arch_get((enum arch_id)0), name, diag);
    s->arch_known = is_known;
    return status;
}

static enum status run_source(struct session *s, struct snap_source *source, const char *name,
                              struct diag *diag)
{
    enum status status;

    s->output.kind = source->kind;
    s->output.clock_offset = source->clock_offset;
    status = open_for(s, source->arch, name, diag);
    if (status != STATUS_OK)
        return status;
    told_ask_files(s->told);
    if (source->kind == SOURCE_CORE && (s->options->from_ns || s->options->to_ns)) {
        diag_set(diag, name, "is a core, which is one moment: it has no --from and --to");
        return STATUS_UNSUPPORTED;
    }
    s->history.one_moment = source->kind == SOURCE_CORE;
    status = tell_input(s, name, diag);
    if (status == STATUS_OK)
        status = ingest_run(&s->ingest, source, diag);
    history_end(&s->history);
    for (size_t i = 0; i < source->note_count; i++)
        warn(s->options, &source->notes[i]);
    if (s->ingest.jit.files.problem.what[0]) {
        warn(s->options, &s->ingest.jit.files.problem);
        s->ingest.jit.files.problem.what[0] = '\0';
    }
    if (s->ingest.mappings_left_out > 0) {
        struct diag note;

        diag_set(&note, name, "%" PRIu64 " mapping%s %s left out: a process has more than %d",
                 s->ingest.mappings_left_out, plural(s->ingest.mappings_left_out),
                 plural_was(s->ingest.mappings_left_out), INGEST_MAPPINGS_MAX);
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

/* Reads a trace of calls, in place of samples; it fills the profile, too. */
static enum status run_trace(struct session *s, struct source_input *input, struct diag *diag)
{
    struct cgunwind_options *o = s->options;
    const struct arch *arch;
    enum status status = trace_check(o, input->name, &arch, diag);

    if (status != STATUS_OK)
        return status;
    o->inlines = false; /* an entry's address has no inlined frames */
    o->view.weight = WEIGHT_CALLS;
    /* Nodes with few calls may lead to all others, so none are trimmed. */
    if (!o->fraction_given && o->format->calls != CALLS_PATHS)
        o->graph.node_fraction = o->graph.edge_fraction = 0;
    status = session_open(s, arch);
    if (status != STATUS_OK) {
        diag_set(diag, input->name, "%s", status_name(status));
        return status;
    }
    s->arch_known = true;
    told_ask_files(s->told);
    s->output.trace = &s->trace;
    s->output.elf_file = o->elf_files[0];
    status = tell_input(s, input->name, diag);
    if (status != STATUS_OK)
        return status;
    status = trace_load(o, input, s->modules, s->ingest.profile, &s->trace, diag);
    s->ingest.samples = s->trace.calls;
    trace_title(o, input->name, &s->trace, s->ingest.title.text, sizeof(s->ingest.title.text));
    if (s->trace.lines)
        trace_warn(o, input->name, &s->trace);
    return status;
}

static enum status load_profile(struct session *s, const struct pprof_tables *tables,
                                struct diag *diag)
{
    const struct arch *arch;
    struct pprof_found found;
    enum status status = pprof_arch(tables, &arch, diag);

    if (status == STATUS_OK && !arch && s->options->stats) {
        diag_set(diag, tables->name,
                 "is another program's profile, which tells nothing for --stats");
        return STATUS_UNSUPPORTED;
    }
    if (status == STATUS_OK)
        status = open_for_profile(s, arch, tables->name, diag);
    if (status == STATUS_OK)
        status = tell_input(s, tables->name, diag);
    if (status != STATUS_OK)
        return status;
    status = pprof_load(tables, &s->ingest, s->told, &found, diag);
    if (status == STATUS_NO_MEMORY)
        diag_set(diag, tables->name, "%s", status_name(status));
    names_divide(s->names, told_labels_label, told_labels(s->told));
    s->cut_short |= found.cut_short;
    if (status == STATUS_OK && found.note.what[0])
        warn(s->options, &found.note);
    return status;
}

/* Reads a pprof profile: sums of samples that have been unwound. */
static enum status run_profile(struct session *s, struct source_input *input, struct diag *diag)
{
    const char *refused = options_refused_by_profile(s->options);
    struct pprof_tables tables = {0};
    uint8_t *bytes;
    size_t size;
    enum status status;

    if (refused) {
        diag_set(diag, input->name, "is a profile (pprof), which holds sums of samples: no %s",
                 refused);
        diag_hint(diag, "give the snapshots that it was made of");
        return STATUS_UNSUPPORTED;
    }
    s->output.kind = SOURCE_PROFILE;
    s->has_profiles = true;
    status = source_read_all(input, PPROF_SIZE_MAX, &bytes, &size, diag);
    if (status != STATUS_OK)
        return status;
    status = pprof_tables_read(&tables, input->name, bytes, size, diag);
    if (status == STATUS_OK)
        status = load_profile(s, &tables, diag);
    else if (status == STATUS_NO_MEMORY)
        diag_set(diag, input->name, "%s", status_name(status));
    pprof_tables_deinit(&tables);
    free(bytes);
    return status;
}

static const char *trace_only(const struct cgunwind_options *o)
{
    return o->load_bias_given ? "--load-bias" : o->dot.sequence ? "--sequence" : NULL;
}

static enum status read_source(struct session *s, struct snap_source *source, const char *name,
                               struct diag *diag)
{
    return s->options->info ? tell_source(s, source, name, diag)
                            : run_source(s, source, name, diag);
}

/* Reads an input of any kind, and closes it. */
static enum status run_input(struct session *s, struct source_input *input, struct diag *diag)
{
    struct snap_source *source = NULL;
    enum status status;

    if (calltrace_begins(input->head, input->head_len) && !s->options->info) {
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
    if (pprof_begins(input->head, input->head_len) ||
        (input->gunzip && !source_input_is_known(input))) {
        status = run_profile(s, input, diag);
        source_input_close(input);
        return status;
    }
    status = snap_source_open_input(input, &source, diag);
    if (status == STATUS_OK &&
        (status = rtos_source_wrap(&source, s->options->elf_files,
                                   s->options->modules.elf_file_count, 0)) != STATUS_OK)
        diag_set(diag, input->name, "%s", status_name(status));
    if (status == STATUS_OK && (status = session_take_bundle(s, source)) != STATUS_OK)
        diag_set(diag, input->name, "%s", status_name(status));
    if (status == STATUS_OK)
        status = read_source(s, source, input->name, diag);
    snap_source_close(source);
    return status;
}

/* Reads the files of --ram. */
static enum status run_ram(struct session *s, struct diag *diag)
{
    struct snap_source *source = NULL;
    enum status status = session_open_ram(s, &source, diag);

    if (status == STATUS_OK &&
        (status = rtos_source_wrap(&source, s->options->elf_files,
                                   s->options->modules.elf_file_count, 0)) != STATUS_OK)
        diag_set(diag, s->options->regs, "%s", status_name(status));
    if (status == STATUS_OK)
        status = read_source(s, source, s->options->regs, diag);
    snap_source_close(source);
    return status;
}

static enum status accept_snapshot(struct session *s, int *fd, struct diag *diag)
{
    if (!s->options->quiet) {
        progress_pause();
        fprintf(stderr, "cgunwind: waiting for a snapshot at TCP port %u\n",
                acceptor_next(&s->acceptor)->port);
    }
    return acceptor_take(&s->acceptor, fd, diag);
}

static volatile sig_atomic_t stream_fd = -1; /* the connection that is read; -1: none */
static int ended_fd = -1;                    /* the reading end of a pipe without writer */
static struct sigaction after_stream;        /* the handler to restore; zero: the default */

/* Replaces the connection by an ended pipe, whose end the restarted read finds (SA_RESTART). */
static void end_stream(int signal)
{
    dup2(ended_fd, stream_fd);
    sigaction(signal, &after_stream, NULL);
}

/*
 * Catches Ctrl-C while a stream is read. On standard input its sender ends then; a connection is
 * ended here. What has arrived is used. A second Ctrl-C acts as before.
 */
static void await_interrupt(int connection)
{
    struct sigaction action = {.sa_handler = end_stream, .sa_flags = SA_RESTART}, before;
    int ends[2];

    if (ended_fd < 0 && pipe2(ends, O_CLOEXEC) == 0) {
        ended_fd = ends[0];
        close(ends[1]);
    }
    stream_fd = connection;
    if (sigaction(SIGINT, &action, &before) == 0 && before.sa_handler != end_stream &&
        before.sa_handler != SIG_IGN)
        after_stream = before;
}

enum status session_read(struct session *s, const char *path, struct diag *diag)
{
    bool is_stdin = strcmp(path, "-") == 0;
    bool is_tcp = session_is_tcp(path);
    const char *name = is_stdin ? "standard input" : path;
    int fd = is_stdin                            ? STDIN_FILENO
             : is_tcp || session_is_ram(s, path) ? -1
                                                 : open(path, O_RDONLY | O_CLOEXEC);
    struct source_input *input;
    enum status status;

    if (session_is_ram(s, path))
        return run_ram(s, diag);
    if (is_tcp && (status = accept_snapshot(s, &fd, diag)) != STATUS_OK)
        return status;
    if (fd < 0) {
        diag_set(diag, path, "%s", strerror(errno));
        return STATUS_IO;
    }
    if ((is_stdin || is_tcp) && !isatty(fd))
        await_interrupt(is_tcp ? fd : -1);
    status = source_input_open(fd, name, &input, diag);
    if (status == STATUS_OK) {
        if (!input->is_seekable && s->spools_used < s->spool_count) {
            input->has_spool = true;
            input->spool_fd = s->spools[s->spools_used++];
        }
        errno = 0;
        status = run_input(s, input, diag);
        /* A format that streams may have failed to write. */
        if (status == STATUS_IO && s->output.file && ferror(s->output.file))
            diag_set(diag, session_output_name(s), "cannot write: %s",
                     strerror(errno ? errno : EIO));
    }
    stream_fd = -1;
    if (!is_stdin)
        close(fd);
    return status;
}
