/* SPDX-License-Identifier: MIT */
#include "output/hottest.h"

#include <stdlib.h>

#include "base/label.h"
#include "graph/amount.h"
#include "graph/callgraph.h"

/* Fills `hottest` with the nodes with the most self weight, greatest first; returns how many. */
static size_t choose(const struct callgraph *graph, size_t hottest[HOTTEST_MAX])
{
    size_t count = 0;

    for (size_t i = 0; i < graph->node_count; i++) {
        size_t at = count;

        /* Equals keep the graph's order, which does not depend on that of samples. */
        while (at > 0 && graph->nodes[hottest[at - 1]].self < graph->nodes[i].self)
            at--;
        if (at == HOTTEST_MAX || graph->nodes[i].self == 0)
            continue;
        count += count < HOTTEST_MAX;
        for (size_t k = count - 1; k > at; k--)
            hottest[k] = hottest[k - 1];
        hottest[at] = i;
    }
    return count;
}

static enum status put(const struct view *view, const struct callgraph_node *node, bool is_first,
                       FILE *out)
{
    char share[AMOUNT_TEXT_MAX];
    char *label = label_line(view->nodes[node->view_node].label);

    if (!label)
        return STATUS_NO_MEMORY;
    fprintf(out, "%s%s %s", is_first ? "most in itself: " : ", ", label,
            amount_percent(share, node->self, view->total));
    free(label);
    return STATUS_OK;
}

enum status hottest_write(const struct view *view, FILE *out)
{
    struct callgraph *graph = NULL;
    size_t hottest[HOTTEST_MAX], count;
    enum status status;

    if (view->compare || view->has_calls || view->inverted)
        return STATUS_OK;
    status = callgraph_create_nodes(view, &graph);
    count = status == STATUS_OK && graph->node_count > 1 ? choose(graph, hottest) : 0;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = put(view, &graph->nodes[hottest[i]], i == 0, out);
    if (count)
        fputc('\n', out);
    callgraph_destroy(graph);
    return status;
}
