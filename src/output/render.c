/* SPDX-License-Identifier: MIT */
#include "output/render.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <graphviz/graphviz_version.h>
#include <graphviz/gvc.h>

#include "base/child.h"
#include "base/text.h"
#include "base/vec.h"
#include "base/write_all.h"
#include "confine/confine.h"
#include "output/svg_fit.h"

#define RENDER_SIZE_MAX (UINT64_C(1) << 30) /* bytes of a picture */

/* How the child ends: with a picture, or with a message, in the pipe. */
enum child_end { CHILD_PICTURE = 0, CHILD_MESSAGE = 1 };

struct buffer {
    char *bytes;
    size_t size, cap;
};

static const char *format_name(enum render_format format)
{
    switch (format) {
    case RENDER_SVG:
        return "svg";
    case RENDER_PNG:
        return "png";
    case RENDER_PDF:
        return "pdf";
    }
    return "svg";
}

static void send_all(int fd, const char *bytes, size_t size)
{
    if (!write_all(fd, bytes, size))
        _exit(CHILD_MESSAGE);
}

static _Noreturn void fail(int fd, const char *what, const char *why)
{
    send_all(fd, what, strlen(what));
    if (why) {
        send_all(fd, ": ", 2);
        send_all(fd, why, strcspn(why, "\n"));
    }
    _exit(CHILD_MESSAGE);
}

/* The library is there, but who configures its plugins (dot -c) may not be. */
static _Noreturn void fail_layout(int fd, const char *why)
{
    if (why && strstr(why, "not recognized"))
        fail(fd, "Graphviz's plugins are not there: install the package graphviz", NULL);
    fail(fd, "Graphviz cannot lay out the graph", why);
}

/*
 * Nothing stays open but the pipe: no input, no output, and not the way to who opens outputs.
 * Graphviz prints warnings; what matters of them comes back through the pipe. To write to what was
 * opened to read fails, and a confined process may not open it otherwise.
 */
static void keep_only(int fd)
{
    int null;

    child_begin(&fd, 1);
    do
        null = open("/dev/null", O_RDONLY);
    while (null >= 0 && null < STDERR_FILENO);
}

struct graphviz { /* each as in gvc.h and cgraph.h */
    __typeof__(gvContext) *context;
    __typeof__(gvLayout) *layout;
    __typeof__(gvRenderData) *render_data;
    __typeof__(agmemread) *read;
    __typeof__(agseterr) *set_errors;
    __typeof__(aglasterr) *last_error;
    __typeof__(gvcVersion) *version;
    __typeof__(agfstnode) *first_node;
    __typeof__(agnxtnode) *next_node;
};

/* Loaded here: all that it brings along would make every start longer, with or without pictures. */
static bool load(struct graphviz *graphviz)
{
    void *gvc = dlopen(CG_GVC_SONAME, RTLD_NOW | RTLD_LOCAL);
    void *cgraph = gvc ? dlopen(CG_CGRAPH_SONAME, RTLD_NOW | RTLD_LOCAL) : NULL;

    return cgraph && (*(void **)&graphviz->context = dlsym(gvc, "gvContext")) &&
           (*(void **)&graphviz->layout = dlsym(gvc, "gvLayout")) &&
           (*(void **)&graphviz->render_data = dlsym(gvc, "gvRenderData")) &&
           (*(void **)&graphviz->version = dlsym(gvc, "gvcVersion")) &&
           (*(void **)&graphviz->first_node = dlsym(cgraph, "agfstnode")) &&
           (*(void **)&graphviz->next_node = dlsym(cgraph, "agnxtnode")) &&
           (*(void **)&graphviz->read = dlsym(cgraph, "agmemread")) &&
           (*(void **)&graphviz->set_errors = dlsym(cgraph, "agseterr")) &&
           (*(void **)&graphviz->last_error = dlsym(cgraph, "aglasterr"));
}

/* Before it looks at the graph: fonts, plugins and their configuration are all that it needs. */
static bool confine_drawing(const struct graphviz *graphviz)
{
    struct readable readable = {0};
    struct confinement confinement = {.readable = &readable};
    struct diag missing;
    Dl_info library;
    enum status status = readable_add_system(&readable);

    if (status == STATUS_OK)
        status = readable_add_fonts(&readable);
    if (status == STATUS_OK && dladdr((void *)(uintptr_t)graphviz->context, &library) != 0)
        status = readable_add_with_directory(&readable, library.dli_fname); /* plugins lie beside */
    if (status == STATUS_OK)
        confine(&confinement, &missing);
    readable_deinit(&readable);
    return status == STATUS_OK;
}

#define LINE_SPREAD 0.2 /* of the font's size, between two lines of a label, at most */
#define LINE_EDGE   2.0 /* points between text and box, at least */

/* What a label's box has left is put between its lines. */
static void spread_label(textlabel_t *label, double box_height)
{
    const size_t count = label && !label->html ? (size_t)label->u.txt.nspans : 0;
    double extra;

    if (count < 2)
        return;
    extra = (box_height - label->dimen.y - 2 * LINE_EDGE) / (double)(count - 1);
    if (extra > LINE_SPREAD * label->fontsize)
        extra = LINE_SPREAD * label->fontsize;
    if (extra <= 0)
        return;
    for (size_t i = 0; i < count; i++)
        label->u.txt.span[i].size.y += extra;
    label->dimen.y += extra * (double)(count - 1);
}

/*
 * Graphviz puts lines so close that an underscore touches the next one, and has no attribute for
 * that. Where they are is in structures that its headers show, but that other versions have
 * otherwise: lines stay close where the library is not the headers' own.
 */
static void spread_lines(const struct graphviz *graphviz, GVC_t *gvc, graph_t *graph)
{
    const char *version = graphviz->version(gvc);

    if (!version || strcmp(version, PACKAGE_VERSION) != 0)
        return;
    for (node_t *node = graphviz->first_node(graph); node; node = graphviz->next_node(graph, node))
        spread_label(ND_label(node), ND_ht(node));
}

/* A size of what gvRenderData makes: an unsigned, and from Graphviz 13 on a size_t. */
typedef int render_wide(GVC_t *gvc, graph_t *graph, const char *format, char **data, size_t *size);
typedef __typeof__(*_Generic(&gvRenderData, render_wide *: (size_t *)0, default: (unsigned *)0))
    picture_size;

static _Noreturn void child(const char *dot, const struct render_options *options, int fd)
{
    struct rlimit no_core = {0};
    struct graphviz graphviz;
    char *picture = NULL;
    picture_size size = 0;
    GVC_t *gvc;
    graph_t *graph;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_CORE, &no_core);
    keep_only(fd);
    if (!load(&graphviz))
        fail(fd, "Graphviz cannot be loaded", dlerror());
    graphviz.set_errors(AGMAX);
    if (options->confined && !confine_drawing(&graphviz))
        fail(fd, status_name(STATUS_NO_MEMORY), NULL);
    gvc = graphviz.context();
    graph = graphviz.read(dot);
    if (!gvc || !graph)
        fail(fd, "Graphviz does not read the graph", graphviz.last_error());
    if (graphviz.layout(gvc, graph, "dot") != 0)
        fail_layout(fd, graphviz.last_error());
    spread_lines(&graphviz, gvc, graph);
    if (graphviz.render_data(gvc, graph, format_name(options->format), &picture, &size) != 0 ||
        !picture || !size)
        fail(fd, "Graphviz cannot draw the graph", graphviz.last_error());
    send_all(fd, picture, size);
    _exit(CHILD_PICTURE);
}

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads to the pipe's end. END: the time is over. */
static enum status collect(int fd, unsigned seconds, struct buffer *buffer)
{
    int64_t deadline = now_ms() + (int64_t)seconds * 1000;

    for (;;) {
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        int64_t left = deadline - now_ms();
        enum status status;
        ssize_t n;

        if (left <= 0)
            return STATUS_END;
        n = poll(&poll_fd, 1, left > 60000 ? 60000 : (int)left);
        if (n == 0 || (n < 0 && errno == EINTR))
            continue;
        if (n < 0)
            return STATUS_IO;
        if (buffer->size >= RENDER_SIZE_MAX)
            return STATUS_UNSUPPORTED;
        status = vec_reserve(&buffer->bytes, &buffer->cap, buffer->size + 65536, 1);
        if (status != STATUS_OK)
            return status;
        n = read(fd, buffer->bytes + buffer->size, buffer->cap - buffer->size - 1);
        if (n == 0)
            return STATUS_OK;
        if (n < 0 && errno != EINTR)
            return STATUS_IO;
        if (n > 0)
            buffer->size += (size_t)n;
    }
}

/* Turns how reading and the child ended into the outcome. */
static enum status judge(enum status collected, int wait_status, unsigned seconds,
                         struct buffer *buffer, struct diag *diag)
{
    if (collected == STATUS_END) {
        diag_set(diag, NULL, "Graphviz did not finish the layout in %u s", seconds);
        diag_hint(diag, "show fewer nodes (--nodes) or use --focus");
        return STATUS_UNSUPPORTED;
    }
    if (collected == STATUS_UNSUPPORTED) {
        diag_set(diag, NULL, "the picture is larger than 1 GiB");
        return STATUS_UNSUPPORTED;
    }
    if (collected != STATUS_OK) {
        diag_set(diag, NULL, "cannot read what Graphviz draws: %s", status_name(collected));
        return collected;
    }
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == CHILD_PICTURE && buffer->size)
        return STATUS_OK;
    if (WIFSIGNALED(wait_status)) {
        diag_set(diag, NULL, "Graphviz crashed (signal %d)", WTERMSIG(wait_status));
    } else {
        buffer->bytes[buffer->size] = '\0';
        diag_set(diag, NULL, "%s", buffer->size ? buffer->bytes : "Graphviz failed");
    }
    return STATUS_UNSUPPORTED;
}

/* An unresponsive layout is killed; should the caller be killed first, the child goes with it. */
static enum status run_child(const char *dot, const struct render_options *options,
                             struct buffer *buffer, struct diag *diag)
{
    enum status status;
    int wait_status = 0;
    int fds[2];
    pid_t pid;

    if (pipe2(fds, O_CLOEXEC) != 0) {
        diag_set(diag, NULL, "cannot make a pipe: %s", strerror(errno));
        return STATUS_IO;
    }
    pid = fork();
    if (pid == 0)
        child(dot, options, fds[1]);
    close(fds[1]);
    if (pid < 0) {
        diag_set(diag, NULL, "cannot start a process for the layout: %s", strerror(errno));
        close(fds[0]);
        return STATUS_IO;
    }
    status = collect(fds[0], options->seconds, buffer);
    if (status != STATUS_OK)
        kill(pid, SIGKILL);
    close(fds[0]);
    while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR)
        ;
    return judge(status, wait_status, options->seconds, buffer, diag);
}

enum status render_dot(const char *dot, const struct render_options *options, FILE *out,
                       struct diag *diag)
{
    struct buffer buffer = {0};
    enum status status = run_child(dot, options, &buffer, diag);

    if (status == STATUS_OK) {
        if (options->format == RENDER_SVG)
            svg_fit(buffer.bytes, buffer.size, out);
        else
            fwrite(buffer.bytes, 1, buffer.size, out);
        status = text_finish(out);
        if (status != STATUS_OK)
            diag_set(diag, NULL, "cannot write the picture: %s", strerror(errno));
    }
    free(buffer.bytes);
    return status;
}
