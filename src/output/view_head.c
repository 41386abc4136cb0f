/* SPDX-License-Identifier: MIT */
#include "output/view_head.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/label.h"
#include "base/text.h"

enum status view_head_write(const struct view *view, const char *title, const char *caveats,
                            FILE *out)
{
    char summary[VIEW_SUMMARY_MAX];

    if (title) {
        char *clean = text_clean(title, TEXT_REPLACE_CONTROLS);

        if (!clean)
            return STATUS_NO_MEMORY;
        fprintf(out, "%s\n", clean);
        free(clean);
    }
    fprintf(out, "%s\n%s", view_summary(view, summary), caveats ? caveats : "");
    if (view->compare && view->carriers && view->base_carriers)
        fputs("~: two captures of one program may differ by as much\n", out);
    return STATUS_OK;
}

void view_head_put_fold(const struct fold *fold, FILE *out)
{
    if (fold->view->inverted)
        fputs("inverted: functions by their own weight, with their callers below\n", out);
    if (fold->cut_depth)
        fprintf(out, "cut: callers more than %" PRIu32 " functions away are left out\n",
                fold->cut_depth);
}

const char *view_head_weights(const struct view *view)
{
    switch (view->weight) {
    case WEIGHT_SAMPLES:
        return "samples";
    case WEIGHT_CALLS:
        return "calls";
    case WEIGHT_WALL:
    case WEIGHT_CPU:
    case WEIGHT_OFFCPU:
        return "time";
    }
    return "";
}

const char *view_head_nodes(const struct view *view)
{
    return view->by == GRAPH_BY_MODULE ? "module" : "function [module]";
}

enum status view_head_put_name(const struct view *view, const struct view_node *node, bool brief,
                               FILE *out)
{
    const char *module = text_basename(node->module);
    char *label = brief ? label_line(node->label) : NULL;

    if (brief && !label)
        return STATUS_NO_MEMORY;
    if ((view->by == GRAPH_BY_MODULE && !node->is_thread) || strcmp(node->label, node->module) == 0)
        fputs(node->module, out);
    else
        fprintf(out, module[0] == '[' ? "%s %s" : "%s [%s]", label ? label : node->label, module);
    free(label);
    return STATUS_OK;
}
