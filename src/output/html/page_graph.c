/* SPDX-License-Identifier: MIT */
#include "output/html/page_graph.h"

#include <stdlib.h>

#include "base/text.h"
#include "output/dot.h"
#include "output/render.h"

/* Returns the functions' numbers, by the view's node. The caller frees it. */
static uint32_t *number_functions(const struct page_chains *chains)
{
    uint32_t *ids = malloc((chains->view->node_count + 1) * sizeof(*ids));

    for (size_t i = 0; ids && i < chains->view->node_count; i++)
        ids[i] = PAGE_NONE;
    for (size_t i = 0; ids && i < chains->function_count; i++)
        ids[chains->functions[i]] = (uint32_t)i;
    return ids;
}

/* *text is malloc'ed. */
static enum status make_dot(const struct output *o, const uint32_t *ids, char **text)
{
    struct dot_options how = *o->dot;
    struct callgraph *graph = NULL;
    enum status status = dot_graph_create(o->view, o->trimming, &how, &graph);
    FILE *memory = NULL;
    size_t size;

    how.title = o->title;
    how.caveats = o->caveats;
    how.ids = ids;
    if (status == STATUS_OK && !(memory = open_memstream(text, &size)))
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = dot_write(graph, &how, memory);
    if (memory && text_close(memory, text) != STATUS_OK)
        status = STATUS_NO_MEMORY;
    callgraph_destroy(graph);
    return status;
}

static enum status draw(const struct output *o, const char *dot, char **picture, size_t *size,
                        struct diag *problem)
{
    const struct render_options options = {.format = RENDER_SVG,
                                           .seconds = o->render_seconds,
                                           .confined = o->confined,
                                           .renderer = o->renderer};
    FILE *memory = open_memstream(picture, size);
    enum status status = memory ? render_dot(dot, &options, memory, problem) : STATUS_NO_MEMORY;

    if (memory && text_close(memory, picture) != STATUS_OK)
        status = STATUS_NO_MEMORY;
    return status;
}

enum status page_graph_write(const struct output *o, const struct page_chains *chains,
                             struct json_line *head, struct page_columns *columns,
                             struct diag *diag)
{
    char *dot = NULL, *picture = NULL;
    struct diag problem = {.has_off = false};
    char why[sizeof(struct diag)];
    size_t size = 0;
    uint32_t *ids = number_functions(chains);
    enum status status = ids ? make_dot(o, ids, &dot) : STATUS_NO_MEMORY;

    if (status == STATUS_OK)
        status = draw(o, dot, &picture, &size, &problem);
    if (status == STATUS_OK) {
        page_column_put_text(page_columns_add(columns, "svg", COLUMN_TEXT), picture, size);
    } else if (status == STATUS_UNSUPPORTED || status == STATUS_NOT_FOUND) {
        json_line_put(head, "svg_problem", json_of_text(diag_format(&problem, why, sizeof(why))));
        status = STATUS_OK;
    } else if (status == STATUS_IO) {
        *diag = problem;
    }
    free(ids);
    free(dot);
    free(picture);
    return status;
}
