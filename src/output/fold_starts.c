/* SPDX-License-Identifier: MIT */
#include "output/fold_starts.h"

#include <stdlib.h>
#include <string.h>

#include "threads/runtime.h"

/* Names by line are followed by a place: "f (x.c:12)". */
static bool is_start(const struct view *view, uint32_t id)
{
    const struct view_node *node = &view->nodes[id];
    const char *place = view->by == GRAPH_BY_LINE ? strstr(node->name, " (") : NULL;
    const size_t length = place ? (size_t)(place - node->name) : strlen(node->name);

    return view->by != GRAPH_BY_MODULE && !node->is_thread &&
           runtime_is_start(node->name, length, node->module);
}

/* Whether only threads are above the node's children, which may be left out then. */
static bool is_top(const struct view *view, const struct trie *trie, uint32_t node)
{
    return node == TRIE_ROOT || view->nodes[trie->nodes[node].key].is_thread;
}

/* Copies nodes parents first, without those to leave out. `place`: a node's in the copy. */
static enum status copy(const struct view *view, const struct fold *from, uint32_t *place,
                        struct fold *to)
{
    to->self[TRIE_ROOT] = from->self[TRIE_ROOT]; /* weight of chains without a frame */
    to->base_self[TRIE_ROOT] = from->base_self[TRIE_ROOT];
    for (uint32_t i = 1; i < from->trie.len; i++) {
        const uint32_t key = from->trie.nodes[i].key;
        const uint32_t above = place[from->trie.nodes[i].parent];
        const bool goes = is_top(view, &to->trie, above) && is_start(view, key);
        uint32_t at = above;

        if (!goes || from->self[i] || from->base_self[i]) {
            enum status status = trie_step(&to->trie, above, key, &at);

            if (status != STATUS_OK)
                return status;
        }
        to->self[at] = weight_add(to->self[at], from->self[i]);
        to->base_self[at] = weight_add(to->base_self[at], from->base_self[i]);
        place[i] = goes ? above : at;
    }
    return STATUS_OK;
}

enum status fold_leave_out_starts(const struct view *view, struct fold **fold)
{
    const struct fold *from = *fold;
    struct fold *to = calloc(1, sizeof(*to));
    uint32_t *place = calloc(from->trie.len, sizeof(*place)); /* the root's is the root, 0 */
    enum status status = to && place ? trie_init(&to->trie) : STATUS_NO_MEMORY;

    if (status == STATUS_OK) {
        to->view = view;
        to->self = calloc(from->trie.len, sizeof(*to->self));
        to->base_self = calloc(from->trie.len, sizeof(*to->base_self));
        status = to->self && to->base_self ? copy(view, from, place, to) : STATUS_NO_MEMORY;
    }
    if (status == STATUS_OK)
        status = fold_complete(to);
    free(place);
    if (status != STATUS_OK) {
        fold_destroy(to);
        return status;
    }
    fold_destroy(*fold);
    *fold = to;
    return STATUS_OK;
}
