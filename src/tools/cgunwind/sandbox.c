/* SPDX-License-Identifier: MIT */
/* Prepares and confines the process before the first byte of an input is read. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "confine/call_filter.h"
#include "confine/confine.h"
#include "output/picture.h"
#include "snapshot/import/bundle.h"
#include "snapshot/import/gunzip.h"
#include "snapshot/import/source.h"
#include "snapshot/import/spool.h"
#include "snapshot/tcp.h"
#include "symbol/offers.h"
#include "tools/cgunwind/session.h"

bool session_is_tcp(const char *path)
{
    return strncmp(path, TCP_LISTEN_PREFIX, strlen(TCP_LISTEN_PREFIX)) == 0;
}

/* Returns the i-th input; the baseline is the last one. */
static const char *input_path(const struct cgunwind_options *o, int i)
{
    return i < o->snapshot_count ? o->snapshots[i] : o->diff_base;
}

static int input_count(const struct cgunwind_options *o)
{
    return o->snapshot_count + (o->diff_base != NULL);
}

/* Says whether the input may be a stream, which has to be kept in a file if it is a core. */
static bool may_be_stream(const char *path)
{
    struct stat st;

    return strcmp(path, "-") == 0 || session_is_tcp(path) ||
           (stat(path, &st) == 0 && !S_ISREG(st.st_mode));
}

/* Reads the first bytes of a file that is no stream; 0: there are none, or it is one. */
static size_t read_head(const char *path, uint8_t head[SOURCE_HEAD_MAX])
{
    const int fd = may_be_stream(path) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const ssize_t n = fd >= 0 ? pread(fd, head, SOURCE_HEAD_MAX, 0) : 0;

    if (fd >= 0)
        close(fd);
    return n > 0 ? (size_t)n : 0;
}

/* Says whether an importer may get the input as a stream: so is what gzip has compressed. */
static bool may_need_spool(const char *path)
{
    uint8_t head[SOURCE_HEAD_MAX];

    return may_be_stream(path) || gunzip_begins(head, read_head(path, head));
}

/* Says whether the input may bring files along: a stream, or a file whose first bytes say so. */
static bool may_bring_files(const char *path)
{
    uint8_t head[SOURCE_HEAD_MAX];

    return may_need_spool(path) || bundle_is_promised(head, read_head(path, head));
}

static size_t count_inputs(const struct cgunwind_options *o, bool (*is)(const char *path))
{
    size_t count = 0;

    for (int i = 0; i < input_count(o); i++)
        count += is(input_path(o, i));
    return count;
}

/* Creates unnamed files for streams and bundled files: a confined process cannot. */
static enum status open_rooms(struct session *s)
{
    const struct cgunwind_options *o = s->options;
    const size_t count = o->sandbox.off ? 0 : count_inputs(o, may_need_spool);

    if (count && !(s->spools = calloc(count, sizeof(*s->spools))))
        return STATUS_NO_MEMORY;
    for (; s->spool_count < count; s->spool_count++)
        s->spools[s->spool_count] = spool_open();
    if (!count_inputs(o, may_bring_files))
        return STATUS_OK;
    s->has_room = true;
    s->room = spool_open();
    s->offers = offers_create(s->room);
    return s->offers ? STATUS_OK : STATUS_NO_MEMORY;
}

static bool begin_opener(struct session *s)
{
    const struct cgunwind_options *o = s->options;

    s->opener.replaces[OUTPUT_ITSELF] = s->output.replaces;
    if (o->output && strcmp(o->output, "-") != 0 && !s->output.file)
        s->opener.paths[OUTPUT_ITSELF] = o->output;
    if (o->format->drawing != DRAWN_NOT && o->format->drawing != DRAWN_WITHIN) {
        picture_text_path(o->output, s->text_path);
        s->opener.paths[OUTPUT_PICTURE_TEXT] = s->text_path;
        s->opener.replaces[OUTPUT_PICTURE_TEXT] = o->output ? s->output.replaces : NULL;
    }
    s->output.opener = &s->opener;
    return (!s->opener.paths[OUTPUT_ITSELF] && !s->opener.paths[OUTPUT_PICTURE_TEXT]) ||
           opener_begin(&s->opener) == STATUS_OK;
}

/* Opens the cache, if it can be opened: without one everything is computed anew. */
static enum status begin_cache(struct session *s)
{
    const struct cgunwind_options *o = s->options;
    struct diag why;
    enum status status = o->no_cache || o->info ? STATUS_OK : cache_open(&s->cache, &why);

    if (status != STATUS_NOT_FOUND)
        return status;
    if (o->verbose)
        warn(o, &why);
    return STATUS_OK;
}

/* Reports what is waited for; runs in the helper. */
static void tell_slow(const char *kind, const char *build_id, uint64_t done, uint64_t of)
{
    char amount[64] = "";

    if (of)
        snprintf(amount, sizeof(amount), ": %" PRIu64 " of %" PRIu64 " MiB", done >> 20, of >> 20);
    else if (done)
        snprintf(amount, sizeof(amount), ": %" PRIu64 " MiB", done >> 20);
    fprintf(stderr, "cgunwind: waiting for the %s with build-id %s from debuginfod%s\n", kind,
            build_id, amount);
}

/*
 * Starts the helper that asks debuginfod servers. If they come from $DEBUGINFOD_URLS, not from the
 * command line, and cannot be asked, goes on without.
 */
static enum status begin_fetcher(struct session *s, struct diag *diag)
{
    const struct cgunwind_options *o = s->options;
    struct diag why = {.has_off = false};
    enum status status =
        fetcher_begin(o->debuginfod, o->quiet ? NULL : tell_slow, &s->fetcher, &why);

    if (status == STATUS_OK || status == STATUS_NOT_FOUND || status == STATUS_NO_MEMORY)
        return status == STATUS_NOT_FOUND ? STATUS_OK : status;
    if (o->debuginfod) {
        *diag = why;
        return status;
    }
    if (o->verbose)
        warn(o, &why);
    return STATUS_OK;
}

static enum status add_inputs(struct readable *readable, const struct cgunwind_options *o)
{
    enum status status = STATUS_OK;

    for (int i = 0; status == STATUS_OK && i < input_count(o); i++)
        status = readable_add(readable, input_path(o, i));
    for (size_t i = 0; status == STATUS_OK && i < o->ram_count; i++)
        status = readable_add(readable, o->ram[i].path);
    for (size_t i = 0; status == STATUS_OK && i < o->modules.elf_file_count; i++)
        status = readable_add_with_directory(readable, o->elf_files[i]);
    for (size_t i = 0; status == STATUS_OK && i < o->modules.debug_dir_count; i++)
        status = readable_add(readable, o->debug_dirs[i]);
    for (size_t i = 0; status == STATUS_OK && i < o->perf_map_count; i++)
        status = readable_add(readable, o->perf_maps[i]);
    if (status == STATUS_OK && o->modules.kallsyms)
        status = readable_add(readable, o->modules.kallsyms);
    return status;
}

/* Adds the places of modules' files: anywhere without --sysroot, as a snapshot names them. */
static enum status add_modules(struct readable *readable, const struct cgunwind_options *o)
{
    enum status status;

    if (!o->modules.sysroot)
        return readable_add(readable, "/");
    status = readable_add(readable, o->modules.sysroot);
    if (status == STATUS_OK)
        status = readable_add_in_home(readable, ".debug"); /* perf's cache */
    if (status == STATUS_OK)
        status = readable_add_system(readable);
    if (status == STATUS_OK && o->format->drawing != DRAWN_NOT)
        status = readable_add_fonts(readable);
    return status;
}

/*
 * Opens a path below /proc early, and returns a path of our own to the same file: a confined
 * process cannot follow another process's links there. Returns `path` itself if it is none, or
 * cannot be opened, which is reported later.
 */
static const char *reach(struct session *s, const char *path)
{
    const size_t i = s->reached_count;
    int fd;

    if (!path || strncmp(path, "/proc/", 6) != 0 || i == REACHED_MAX)
        return path;
    fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return path;
    s->reached_count++;
    s->reached[i].fd = fd;
    snprintf(s->reached[i].path, sizeof(s->reached[i].path), "/proc/self/fd/%d", fd);
    return s->reached[i].path;
}

static void reach_files(struct session *s)
{
    struct cgunwind_options *o = s->options;

    o->modules.sysroot = reach(s, o->modules.sysroot);
    for (size_t i = 0; i < o->modules.elf_file_count; i++)
        o->elf_files[i] = reach(s, o->elf_files[i]);
    for (size_t i = 0; i < o->modules.debug_dir_count; i++)
        o->debug_dirs[i] = reach(s, o->debug_dirs[i]);
}

/*
 * Starts the helper that reads files of running processes, unless there is a sysroot, outside of
 * which no files are looked for. Without it such files are not found.
 */
static enum status begin_live(struct session *s)
{
    const struct cgunwind_options *o = s->options;
    enum status status = o->modules.sysroot ? STATUS_NOT_FOUND : live_begin(&s->live);

    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

/* Returns the bytes in all inputs; 0: one is not a regular file, so that the size is not known. */
static uint64_t size_of_inputs(const struct cgunwind_options *o)
{
    uint64_t sum = 0;
    struct stat st;

    for (int i = 0; i < input_count(o); i++) {
        if (session_is_tcp(input_path(o, i)) || stat(input_path(o, i), &st) != 0 ||
            !S_ISREG(st.st_mode))
            return 0;
        sum += (uint64_t)st.st_size;
    }
    return sum;
}

static enum status listen_early(struct session *s, struct diag *diag)
{
    const struct cgunwind_options *o = s->options;
    enum status status = STATUS_OK;

    for (int i = 0; status == STATUS_OK && i < input_count(o); i++)
        if (session_is_tcp(input_path(o, i)))
            status = acceptor_add(&s->acceptor, input_path(o, i), diag);
    if (status == STATUS_OK && (status = acceptor_begin(&s->acceptor)) != STATUS_OK)
        diag_set(diag, NULL, "cannot start a process to accept connections: %s", strerror(errno));
    return status;
}

static unsigned calls_needed(const struct session *s)
{
    const struct cgunwind_options *o = s->options;
    const bool has_children = o->format->drawing != DRAWN_NOT || o->variables || o->splits;

    return (has_children ? CALLS_DRAWING : 0u) |
           (s->opener.pid || s->live || s->acceptor.count ? CALLS_FILES : 0u) |
           (s->cache || s->fetcher || s->live ? CALLS_SEND : 0u);
}

static enum status confine_session(struct session *s)
{
    const struct cgunwind_options *o = s->options;
    struct readable readable = {0};
    struct confinement confinement = {.readable = &readable,
                                      .reads_all_users = true,
                                      .calls = calls_needed(s)};
    struct diag missing;
    enum status status = add_inputs(&readable, o);

    if (status == STATUS_OK)
        status = add_modules(&readable, o);
    if (status == STATUS_OK && s->cache)
        status = readable_add(&readable, cache_directory(s->cache));
    if (status == STATUS_OK && s->fetcher)
        status = readable_add(&readable, fetcher_directory(s->fetcher));
    if (status == STATUS_OK) {
        confine(&confinement, &missing);
        if (missing.what[0] && o->verbose)
            warn(o, &missing);
        s->output.confined = true;
    }
    readable_deinit(&readable);
    return status;
}

enum status session_confine(struct session *s, struct diag *diag)
{
    const struct cgunwind_options *o = s->options;
    enum status status;

    if (o->sandbox.memory && !confine_memory(o->sandbox.memory)) {
        diag_set(diag, NULL, "--memory: %s", strerror(errno));
        return STATUS_IO;
    }
    diag_set(diag, NULL, "%s", status_name(STATUS_NO_MEMORY));
    s->input_bytes = size_of_inputs(o);
    if (!o->sandbox.off && !begin_opener(s)) {
        diag_set(diag, NULL, "cannot start a process to open files: %s", strerror(errno));
        return STATUS_IO;
    }
    status = begin_cache(s);
    if (status == STATUS_OK)
        status = begin_fetcher(s, diag);
    if (status == STATUS_OK)
        status = begin_live(s);
    if (status == STATUS_OK)
        status = listen_early(s, diag);
    if (status == STATUS_OK)
        status = picture_begin(o->format->drawing, !o->sandbox.off, &s->output.renderer, diag);
    if (status == STATUS_OK)
        status = open_rooms(s);
    if (o->sandbox.off || status != STATUS_OK)
        return status;
    reach_files(s);
    return confine_session(s);
}

void session_close_early(struct session *s)
{
    for (size_t i = 0; i < s->spool_count; i++)
        if (s->spools[i] >= 0)
            close(s->spools[i]);
    free(s->spools);
    session_close_bundles(s);
    if (s->has_room && s->room >= 0)
        close(s->room);
    acceptor_end(&s->acceptor);
    for (size_t i = 0; i < s->reached_count; i++)
        close(s->reached[i].fd);
    render_end(s->output.renderer);
    opener_end(&s->opener);
    cache_close(s->cache);
    fetcher_end(s->fetcher);
    live_end(s->live);
}
