/* SPDX-License-Identifier: MIT */
#include "output/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/keyed_hash.h"

static int compare_steps(const void *a, const void *b)
{
    const struct view_step *sa = a;
    const struct view_step *sb = b;

    if (sa->node != sb->node)
        return sa->node < sb->node ? -1 : 1;
    if (!sa->file || !sb->file)
        return !sb->file - !sa->file;
    return strcmp(sa->file, sb->file);
}

/* Returns, by the view's node, the file that most of its steps have. The caller frees it. */
static const char **find_files(const struct view *view)
{
    const char **files = calloc(view->node_count + 1, sizeof(*files));
    struct view_step *steps = malloc((view->step_count + 1) * sizeof(*steps));
    size_t run = 0;
    size_t longest = 0;

    if (!files || !steps) {
        free(files);
        free(steps);
        return NULL;
    }
    if (view->step_count)
        memcpy(steps, view->steps, view->step_count * sizeof(*steps));
    qsort(steps, view->step_count, sizeof(*steps), compare_steps);
    for (size_t i = 0; i < view->step_count; i++) {
        bool same_node = i > 0 && steps[i - 1].node == steps[i].node;

        longest = same_node ? longest : 0;
        run = same_node && steps[i - 1].file == steps[i].file ? run + 1 : 1;
        if (!steps[i].file || run <= longest)
            continue;
        longest = run;
        files[steps[i].node] = steps[i].file;
    }
    free(steps);
    return files;
}

enum status cluster_names(const struct callgraph *graph, enum graph_cluster cluster,
                          const char **names)
{
    const struct view *view = graph->view;
    const char **files = cluster == CLUSTER_FILE ? find_files(view) : NULL;

    if (cluster == CLUSTER_FILE && !files)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < graph->node_count; i++) {
        uint32_t id = graph->nodes[i].view_node;
        const struct view_node *node = &view->nodes[id];

        names[i] = NULL;
        if (cluster == CLUSTER_THREAD)
            names[i] = node->thread;
        else if (node->is_thread || view->by == GRAPH_BY_MODULE)
            continue;
        else if (cluster == CLUSTER_MODULE)
            names[i] = node->module;
        else if (cluster == CLUSTER_FILE)
            names[i] = files[id];
    }
    free(files);
    return STATUS_OK;
}

static uint32_t frame_of(uint32_t *frames, uint32_t node)
{
    while (frames[node] != node) {
        frames[node] = frames[frames[node]];
        node = frames[node];
    }
    return node;
}

/* Joins two frames; the one with the later first node becomes part of the other. */
static void join(uint32_t *frames, uint32_t a, uint32_t b)
{
    a = frame_of(frames, a);
    b = frame_of(frames, b);
    if (a < b)
        frames[b] = a;
    else
        frames[a] = b;
}

static enum status join_namesakes(const char *const *names, size_t count, uint32_t *frames)
{
    struct index index = {0};
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < count && status == STATUS_OK; i++) {
        uint64_t hash = keyed_words((uintptr_t)names[i], 0);
        struct index_probe probe = index_find(&index, hash);
        bool found = false;
        uint32_t id;

        while (names[i] && !found && index_next(&probe, &id))
            found = names[id] == names[i];
        if (found)
            join(frames, id, i);
        else if (names[i])
            status = index_add(&index, hash, i);
    }
    index_deinit(&index);
    return status;
}

enum status cluster_frames(const struct callgraph *graph, enum graph_cluster cluster,
                           const char *const *names, uint32_t *frames)
{
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < graph->node_count; i++)
        frames[i] = i;
    if (cluster != CLUSTER_MODULE)
        status = join_namesakes(names, graph->node_count, frames);
    for (size_t i = 0; i < graph->edge_count && cluster == CLUSTER_MODULE; i++) {
        const struct callgraph_edge *edge = &graph->edges[i];

        if (names[edge->from] && names[edge->from] == names[edge->to])
            join(frames, edge->from, edge->to);
    }
    for (uint32_t i = 0; i < graph->node_count; i++)
        frames[i] = frame_of(frames, i);
    return status;
}
