/* SPDX-License-Identifier: MIT */
/* The formats that are a call graph: as DOT, and drawn. */
#include "output/dot.h"
#include "output/format.h"
#include "output/picture.h"

struct styled_graph {
    const struct callgraph *graph;
    const struct dot_options *how;
};

static enum status write_styled(const void *context, FILE *out)
{
    const struct styled_graph *given = context;

    return dot_write(given->graph, given->how, out);
}

static enum status finish(struct output *o, struct diag *diag)
{
    struct dot_options how = *o->dot;
    struct callgraph *graph = NULL;
    enum status status = dot_graph_create(o->view, o->trimming, &how, &graph);

    if (status != STATUS_OK)
        return status;
    how.title = o->title;
    how.caveats = o->caveats;
    status = picture_write(o, write_styled, &(struct styled_graph){graph, &how}, diag);
    callgraph_destroy(graph);
    return status;
}

#define DOT_HONOURS                                                                                \
    (HONOURS_SAMPLES | HONOURS_TRIMMING | HONOURS(BY) | HONOURS(BY_THREAD) | HONOURS(CLUSTER) |    \
     HONOURS(LABEL_CALLS) | HONOURS(SEQUENCE) | HONOURS(HIDE) | HONOURS(DIFF_BASE) |               \
     HONOURS(RELATIVE))

const struct output_format output_format_dot = {
    .name = "dot",
    .suffixes = {".dot"},
    .help = "the call graph as text for Graphviz",
    .begins = "^digraph ",
    .needs = NEEDS_VIEW | NEEDS_LINES,
    .honours = DOT_HONOURS,
    .calls = CALLS_GRAPH,
    .finish = finish,
};

const struct output_format output_format_svg = {
    .name = "svg",
    .suffixes = {".svg"},
    .help = "the call graph, drawn as SVG",
    .begins = "^<(\\?xml|svg) ",
    .needs = NEEDS_VIEW | NEEDS_LINES,
    .honours = DOT_HONOURS,
    .calls = CALLS_GRAPH,
    .drawing = DRAWN_SVG,
    .finish = finish,
};

const struct output_format output_format_png = {
    .name = "png",
    .suffixes = {".png"},
    .help = "the call graph, drawn as PNG",
    .begins = "^.PNG",
    .needs = NEEDS_VIEW | NEEDS_LINES,
    .honours = DOT_HONOURS,
    .calls = CALLS_GRAPH,
    .drawing = DRAWN_PNG,
    .medium = MEDIUM_BINARY,
    .finish = finish,
};

const struct output_format output_format_pdf = {
    .name = "pdf",
    .suffixes = {".pdf"},
    .help = "the call graph, drawn as PDF",
    .begins = "^%PDF-",
    .needs = NEEDS_VIEW | NEEDS_LINES,
    .honours = DOT_HONOURS,
    .calls = CALLS_GRAPH,
    .drawing = DRAWN_PDF,
    .medium = MEDIUM_BINARY,
    .finish = finish,
};
