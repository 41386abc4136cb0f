/* SPDX-License-Identifier: MIT */
#include "output/html/page_chains.h"

#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/vec.h"

void page_chains_deinit(struct page_chains *chains)
{
    free(chains->frames);
    trie_deinit(&chains->trie);
    free(chains->preorder);
    free(chains->list);
    free(chains->of_chain);
    free(chains->functions);
    free(chains->modules);
    free(chains->files);
    free(chains->function_of);
    free(chains->frame_of);
    map_deinit(&chains->module_of);
    map_deinit(&chains->file_of);
    index_deinit(&chains->frame_index);
    index_deinit(&chains->index);
    *chains = (struct page_chains){.view = NULL};
}

/* Returns an array of PAGE_NONE; NULL: out of memory. */
static uint32_t *make_none(size_t count)
{
    uint32_t *list = malloc((count + 1) * sizeof(*list));

    if (list)
        memset(list, 0xff, (count + 1) * sizeof(*list));
    return list;
}

/* Sets *out to the place of a text in a list, adding a new one. */
static enum status find_text(const char ***list, size_t *count, size_t *cap, struct map *places,
                             const char *text, uint32_t *out)
{
    uint64_t *place = map_put(places, (uintptr_t)text, *count);

    if (!place || vec_reserve(list, cap, *count + 1, sizeof(**list)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *out = (uint32_t)*place;
    if (*place == *count)
        (*list)[(*count)++] = text;
    return STATUS_OK;
}

static enum status find_function(struct page_chains *chains, uint32_t node, uint32_t *out)
{
    uint32_t module;

    *out = chains->function_of[node];
    if (*out != PAGE_NONE)
        return STATUS_OK;
    if (vec_reserve(&chains->functions, &chains->function_cap, chains->function_count + 1,
                    sizeof(*chains->functions)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *out = chains->function_of[node] = (uint32_t)chains->function_count;
    chains->functions[chains->function_count++] = node;
    return find_text(&chains->modules, &chains->module_count, &chains->module_cap,
                     &chains->module_of, chains->view->nodes[node].module, &module);
}

uint32_t page_chains_module(const struct page_chains *chains, const char *path)
{
    const uint64_t *place = map_get(&chains->module_of, (uintptr_t)path);

    return place ? (uint32_t)*place : PAGE_NONE;
}

static enum status intern_frame(struct page_chains *chains, const struct page_frame *frame,
                                uint32_t *out)
{
    const uint64_t how = (uint64_t)frame->line << 16 | (uint64_t)frame->trust << 8 | frame->flags;
    uint64_t hash = keyed_words((uint64_t)frame->function << 32 | frame->file, how);
    struct index_probe probe = index_find(&chains->frame_index, hash);

    while (index_next(&probe, out)) {
        const struct page_frame *known = &chains->frames[*out];

        if (known->function == frame->function && known->file == frame->file &&
            known->line == frame->line && known->trust == frame->trust &&
            known->flags == frame->flags)
            return STATUS_OK;
    }
    *out = (uint32_t)chains->frame_count;
    if (vec_reserve(&chains->frames, &chains->frame_cap, chains->frame_count + 1,
                    sizeof(*chains->frames)) != STATUS_OK ||
        index_add(&chains->frame_index, hash, *out) != STATUS_OK)
        return STATUS_NO_MEMORY;
    chains->frames[chains->frame_count++] = *frame;
    return STATUS_OK;
}

/* Sets *out to the page's frame of a step of the profile's frame `id`. */
static enum status find_frame(struct page_chains *chains, uint32_t id, uint32_t number,
                              uint32_t *out)
{
    const struct view *view = chains->view;
    const struct view_step *step = &view->steps[number];
    const struct view_range *range = &view->frames[id];
    const bool is_innermost = number + 1 == range->first + range->count;
    struct page_frame frame = {.line = step->line,
                               .trust = (uint8_t)view->profile->frames[id].trust};
    enum status status;

    *out = chains->frame_of[number];
    if (*out != PAGE_NONE)
        return STATUS_OK;
    if (step->is_inline)
        frame.flags |= PAGE_FRAME_INLINED;
    if (!is_innermost || view->profile->frames[id].is_call)
        frame.flags |= PAGE_FRAME_CALLS;
    status = find_function(chains, step->node, &frame.function);
    if (status == STATUS_OK && step->file) {
        status = find_text(&chains->files, &chains->file_count, &chains->file_cap, &chains->file_of,
                           step->file, &frame.file);
        frame.file++;
    }
    if (status == STATUS_OK)
        status = intern_frame(chains, &frame, out);
    chains->frame_of[number] = *out;
    return status;
}

/* Moves *node inwards by the steps of a frame of the profile. */
static enum status step_frame(struct page_chains *chains, uint32_t id, uint32_t *node)
{
    const struct view_range range = chains->view->frames[id];
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < range.count && status == STATUS_OK; i++) {
        uint32_t frame;

        status = find_frame(chains, id, range.first + i, &frame);
        if (status == STATUS_OK)
            status = trie_step(&chains->trie, *node, frame, node);
    }
    return status;
}

/* Sets *out to the page's chain, one for all equal chains of the profile. */
static enum status intern_chain(struct page_chains *chains, uint32_t node, enum stop_reason stop,
                                uint32_t *out)
{
    uint64_t hash = keyed_words(node, stop);
    struct index_probe probe = index_find(&chains->index, hash);

    while (index_next(&probe, out))
        if (chains->list[*out].node == node && chains->list[*out].stop == stop)
            return STATUS_OK;
    *out = (uint32_t)chains->count;
    if (vec_reserve(&chains->list, &chains->cap, chains->count + 1, sizeof(*chains->list)) !=
            STATUS_OK ||
        index_add(&chains->index, hash, *out) != STATUS_OK)
        return STATUS_NO_MEMORY;
    chains->list[chains->count++] = (struct page_chain){.node = node, .stop = stop};
    return STATUS_OK;
}

/* Sets place[] to 0 for the nodes of the profile on shown chains; before it is PAGE_NONE. */
static void mark_used(const struct profile *profile, const bool *is_used, uint32_t *place)
{
    for (size_t i = 0; i < profile->chain_count; i++)
        for (uint32_t node = profile->chains[i].leaf;
             is_used[i] && node != TRIE_ROOT && place[node] == PAGE_NONE;
             node = profile->trie.nodes[node].parent)
            place[node] = 0;
}

/* Parents have lower numbers than their children, so that one loop builds the trie. */
static enum status build(struct page_chains *chains, const bool *is_used, uint32_t *place)
{
    const struct profile *profile = chains->view->profile;
    enum status status = STATUS_OK;

    mark_used(profile, is_used, place);
    place[TRIE_ROOT] = TRIE_ROOT;
    for (size_t i = 1; i < profile->trie.len && status == STATUS_OK; i++) {
        if (place[i] == PAGE_NONE)
            continue;
        place[i] = place[profile->trie.nodes[i].parent];
        status = step_frame(chains, profile->trie.nodes[i].key, &place[i]);
    }
    for (size_t i = 0; i < profile->chain_count && status == STATUS_OK; i++)
        if (is_used[i])
            status = intern_chain(chains, place[profile->chains[i].leaf], profile->chains[i].stop,
                                  &chains->of_chain[i]);
    return status;
}

/*
 * Sets preorder from the sizes of subtrees: each node tells its children where theirs begin.
 * Siblings keep the order in which they were made.
 */
static enum status number_nodes(struct page_chains *chains)
{
    const struct trie_node *nodes = chains->trie.nodes;
    uint32_t *size = calloc(chains->trie.len, sizeof(*size));
    uint32_t *next = calloc(chains->trie.len, sizeof(*next));

    chains->preorder = calloc(chains->trie.len, sizeof(*chains->preorder));
    if (!size || !next || !chains->preorder) {
        free(size);
        free(next);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = chains->trie.len; i-- > 1;) {
        size[i]++;
        size[nodes[i].parent] += size[i];
    }
    next[TRIE_ROOT] = 1;
    for (size_t i = 1; i < chains->trie.len; i++) {
        chains->preorder[i] = next[nodes[i].parent];
        next[nodes[i].parent] += size[i];
        next[i] = chains->preorder[i] + 1;
    }
    free(size);
    free(next);
    return STATUS_OK;
}

enum status page_chains_init(struct page_chains *chains, const struct view *view,
                             const bool *is_used)
{
    uint32_t *place = make_none(view->profile->trie.len);
    enum status status = trie_init(&chains->trie);

    chains->view = view;
    chains->of_chain = make_none(view->profile->chain_count);
    chains->function_of = make_none(view->node_count);
    chains->frame_of = make_none(view->step_count);
    if (!place || !chains->of_chain || !chains->function_of || !chains->frame_of)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = build(chains, is_used, place);
    free(place);
    return status == STATUS_OK ? number_nodes(chains) : status;
}
