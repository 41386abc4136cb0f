/* SPDX-License-Identifier: MIT */
#include "output/render_child.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <graphviz/graphviz_version.h>
#include <graphviz/gvc.h>

#include "base/library.h"
#include "base/write_all.h"
#include "confine/confine.h"

static _Noreturn void fail(int message, const char *what, const char *why)
{
    (void)!write_all(message, what, strlen(what));
    if (why && write_all(message, ": ", 2))
        (void)!write_all(message, why, strlen(why));
    _exit(RENDER_CHILD_FAILED);
}

/*
 * The child has only its pipes: no input, no output, no connection to the opener. Standard streams
 * are /dev/null, so that Graphviz's warnings go nowhere; opened to read, as a confined process may
 * not open it otherwise.
 */
static void open_null(void)
{
    int null;

    do
        null = open("/dev/null", O_RDONLY);
    while (null >= 0 && null < STDERR_FILENO);
}

static struct graphviz { /* functions of gvc.h and cgraph.h */
    __typeof__(gvContext) *context;
    __typeof__(gvLayout) *layout;
    __typeof__(gvRenderData) *render_data;
    __typeof__(agmemread) *read;
    __typeof__(agseterr) *set_errors;
    __typeof__(aglasterr) *last_error;
    __typeof__(gvcVersion) *version;
    __typeof__(agfstnode) *first_node;
    __typeof__(agnxtnode) *next_node;
} graphviz;

/* Loads Graphviz only now: it and its dependencies would slow down every start. */
static void load(int message)
{
    static const struct library_function in_gvc[] = {
        LIBRARY_FUNCTION(graphviz.context, gvContext),
        LIBRARY_FUNCTION(graphviz.layout, gvLayout),
        LIBRARY_FUNCTION(graphviz.render_data, gvRenderData),
        LIBRARY_FUNCTION(graphviz.version, gvcVersion),
    };
    static const struct library_function in_cgraph[] = {
        LIBRARY_FUNCTION(graphviz.read, agmemread),
        LIBRARY_FUNCTION(graphviz.set_errors, agseterr),
        LIBRARY_FUNCTION(graphviz.last_error, aglasterr),
        LIBRARY_FUNCTION(graphviz.first_node, agfstnode),
        LIBRARY_FUNCTION(graphviz.next_node, agnxtnode),
    };
    char problem[LIBRARY_PROBLEM_MAX];

    if (library_load(CG_GVC_SONAME, in_gvc, sizeof(in_gvc) / sizeof(in_gvc[0]), problem) !=
            STATUS_OK ||
        library_load(CG_CGRAPH_SONAME, in_cgraph, sizeof(in_cgraph) / sizeof(in_cgraph[0]),
                     problem) != STATUS_OK)
        fail(message, "Graphviz cannot be loaded", problem);
}

/* Confines the child to fonts, plugins and their configuration, before it reads the graph. */
static bool confine_drawing(void)
{
    struct readable readable = {0};
    struct confinement confinement = {.readable = &readable};
    struct diag missing;
    Dl_info library;
    enum status status = readable_add_system(&readable);

    if (status == STATUS_OK)
        status = readable_add_fonts(&readable);
    if (status == STATUS_OK && dladdr((void *)(uintptr_t)graphviz.context, &library) != 0)
        status = readable_add_with_directory(&readable, library.dli_fname); /* plugins lie beside */
    if (status == STATUS_OK)
        confine(&confinement, &missing);
    readable_deinit(&readable);
    return status == STATUS_OK;
}

#define LINE_SPREAD 0.2 /* at most, of the font's size, between two lines of a label */
#define LINE_EDGE   2.0 /* points between text and box, at least */

/* Spreads the lines of a label over the free height of its box. */
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
 * Graphviz puts lines so close that an underscore touches the next line, and has no attribute for
 * that. The lines' places are in structures of its headers, which differ between versions: they
 * stay as they are if the library's version is not that of the headers.
 */
static void spread_lines(GVC_t *gvc, graph_t *graph)
{
    const char *version = graphviz.version(gvc);

    if (!version || strcmp(version, PACKAGE_VERSION) != 0)
        return;
    for (node_t *node = graphviz.first_node(graph); node; node = graphviz.next_node(graph, node))
        spread_label(ND_label(node), ND_ht(node));
}

/* The library may be installed without the package that configures its plugins (dot -c). */
static _Noreturn void fail_layout(int fd, const char *why)
{
    if (why && strstr(why, "not recognized"))
        fail(fd, "Graphviz's plugins are not there: install the package graphviz", NULL);
    fail(fd, "Graphviz cannot lay out the graph", why);
}

/* The type of gvRenderData's size: unsigned, from Graphviz 13 on size_t. */
typedef int render_wide(GVC_t *gvc, graph_t *graph, const char *format, char **data, size_t *size);
typedef __typeof__(*_Generic(&gvRenderData, render_wide *: (size_t *)0, default: (unsigned *)0))
    picture_size;

static _Noreturn void draw(const char *dot, const struct render_options *options, int out, int fd)
{
    char *picture = NULL;
    picture_size size = 0;
    GVC_t *gvc;
    graph_t *graph;

    open_null();
    load(fd);
    graphviz.set_errors(AGMAX);
    if (options->confined && !confine_drawing())
        fail(fd, status_name(STATUS_NO_MEMORY), NULL);
    gvc = graphviz.context();
    graph = graphviz.read(dot);
    if (!gvc || !graph)
        fail(fd, "Graphviz does not read the graph", graphviz.last_error());
    if (graphviz.layout(gvc, graph, "dot") != 0)
        fail_layout(fd, graphviz.last_error());
    spread_lines(gvc, graph);
    if (graphviz.render_data(gvc, graph, render_format_name(options->format), &picture, &size) !=
            0 ||
        !picture || !size)
        fail(fd, "Graphviz cannot draw the graph", graphviz.last_error());
    _exit(write_all(out, picture, size) ? 0 : RENDER_CHILD_FAILED);
}

bool render_has_library(void)
{
    return true;
}

enum status render_library_start(struct render_child *child, const char *dot,
                                 const struct render_options *options, struct diag *diag)
{
    int picture, message;
    enum status status = render_pipes(child, &picture, &message, diag);

    if (status != STATUS_OK)
        return status;
    child->pid = render_child_fork((const int[]){picture, message}, 2);
    if (child->pid == 0)
        draw(dot, options, picture, message);
    return render_child_begun(child, picture, message, diag);
}
