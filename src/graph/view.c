/* SPDX-License-Identifier: MIT */
#include "graph/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "graph/clone_match.h"
#include "graph/splits.h"

/* Each bit says what a path, a frame or a function matches. */
enum match {
    MATCH_FOCUS = 1 << FILTER_FOCUS,
    MATCH_IGNORE = 1 << FILTER_IGNORE,
    MATCH_HIDE = 1 << FILTER_HIDE,
    MATCH_MODULE = 1 << FILTER_MODULE,
    MATCH_VISIBLE = 1 << FILTER_COUNT, /* the path has a frame that is not hidden */
    MATCH_KNOWN = 1 << (FILTER_COUNT + 1),
    /* and the bits above: conditions of --where, in turn */
    MATCH_CONDITION = 1 << (FILTER_COUNT + 2),
};

struct node_key {
    uint32_t function; /* canonical; UINT32_MAX by module */
    uint32_t line;
    const struct module *module;
    const char *file; /* by line only; of the view's paths */
    uint32_t thread;  /* as in profile_frame */
    bool is_thread;
};

/* State while a view is made. */
struct view_builder {
    struct view *view;
    const struct graph_filter *filter;
    struct clone_match clones; /* empty without a comparison */
    uint8_t *function_match;   /* by function */
    uint16_t *frame_match;     /* by frame */
    struct node_key *keys;     /* by node */
    size_t key_cap;
    uint32_t *function_node; /* by function: 1 + its node without line and thread; 0: none yet */
    struct index node_index; /* of the other nodes */
    struct index file_index; /* from a raw file name's address to files[] */
    struct builder_file {
        const char *raw, *clean;
        uint8_t match;
    } * files;
    size_t file_count, file_cap;
};

static enum status intern_path(struct view *view, const char *text, const char **out)
{
    char *clean = text_clean(text, TEXT_REPLACE_CONTROLS);
    enum status status;
    uint32_t id;

    if (!clean)
        return STATUS_NO_MEMORY;
    status = pool_intern(&view->paths, clean, &id);
    free(clean);
    if (status == STATUS_OK)
        *out = view->paths.texts[id];
    return status;
}

static enum status keep_name(struct view *view, const char *text, const char **out)
{
    char *clean = text_clean(text, TEXT_REPLACE_CONTROLS);

    *out = clean ? arena_join(&view->names, clean, strlen(clean), "") : NULL;
    free(clean);
    return *out ? STATUS_OK : STATUS_NO_MEMORY;
}

static uint8_t match_text(const struct graph_filter *filter, const char *text)
{
    unsigned match = 0;

    if (!filter)
        return 0;
    for (enum filter_kind kind = FILTER_FOCUS; kind <= FILTER_HIDE; kind++)
        if (graph_filter_text(filter, kind, text))
            match |= 1U << kind;
    return (uint8_t)match;
}

/* Finds the cleaned name and the matches of a source file, computed once. */
static enum status find_file(struct view_builder *b, const char *raw,
                             const struct builder_file **out)
{
    uint64_t hash = keyed_words((uintptr_t)raw, 0);
    struct index_probe probe = index_find(&b->file_index, hash);
    enum status status;
    uint32_t id;

    while (index_next(&probe, &id)) {
        if (b->files[id].raw == raw) {
            *out = &b->files[id];
            return STATUS_OK;
        }
    }
    id = (uint32_t)b->file_count;
    if (vec_reserve(&b->files, &b->file_cap, b->file_count + 1, sizeof(*b->files)) != STATUS_OK ||
        index_add(&b->file_index, hash, id) != STATUS_OK)
        return STATUS_NO_MEMORY;
    b->files[id] = (struct builder_file){.raw = raw, .match = match_text(b->filter, raw)};
    status = intern_path(b->view, raw, &b->files[id].clean);
    if (status != STATUS_OK)
        return status;
    *out = &b->files[b->file_count++];
    return STATUS_OK;
}

/* Returns what the function's name and its module's path match, computed once. */
static uint8_t match_function(struct view_builder *b, uint32_t function)
{
    const struct function *f = names_function(b->view->profile->names, function);
    uint8_t *match = &b->function_match[function];

    if (!b->filter || *match)
        return *match;
    *match = MATCH_KNOWN | match_text(b->filter, f->name);
    if (f->module) {
        *match |= match_text(b->filter, f->module->file.path);
        if (graph_filter_text(b->filter, FILTER_MODULE, f->module->file.path))
            *match |= MATCH_MODULE;
    }
    return *match;
}

static enum status name_thread(struct view_builder *b, const struct node_key *key,
                               struct view_node *node)
{
    enum status status =
        intern_path(b->view, b->view->profile->labels.texts[key->thread - 1], &node->thread);

    if (status != STATUS_OK || !key->is_thread)
        return status;
    node->is_thread = true;
    node->name = node->label = node->thread;
    return intern_path(b->view, b->view->profile->by_process ? "[process]" : "[thread]",
                       &node->module);
}

/* Makes a function's name, by line with the line, and its label, with the start for namesakes. */
static enum status name_function(struct view_builder *b, const struct node_key *key, uint32_t id,
                                 const char **name_out, const char **label_out)
{
    const struct names *names = b->view->profile->names;
    const struct function *function = names_function(names, id);
    char *name = NULL, *label = NULL;
    enum status status;
    int n;

    if (key->file)
        n = asprintf(&name, "%s (%s:%" PRIu32 ")", function->name, text_basename(key->file),
                     key->line);
    else
        n = asprintf(&name, "%s", function->name);
    if (n < 0)
        return STATUS_NO_MEMORY;
    status = keep_name(b->view, name, name_out);
    free(name);
    *label_out = *name_out;
    if (status != STATUS_OK || !names_ambiguous(names, id))
        return status;
    if (asprintf(&label, "%s@0x%" PRIx64, *name_out, function->start_vaddr) < 0)
        return STATUS_NO_MEMORY;
    status = keep_name(b->view, label, label_out);
    free(label);
    return status;
}

/* Names the whole function of a divided one. */
static enum status name_whole(struct view_builder *b, const struct node_key *key,
                              struct view_node *node)
{
    const struct names *names = b->view->profile->names;
    const uint32_t undivided = names_function(names, key->function)->undivided;

    return undivided ? name_function(b, key, names_canonical(names, undivided - 1),
                                     &node->whole_name, &node->whole_label)
                     : STATUS_OK;
}

static enum status name_node(struct view_builder *b, const struct node_key *key,
                             struct view_node *node)
{
    const char *path = key->module ? key->module->file.path : "[unknown]";
    enum status status;

    if (key->function != UINT32_MAX) {
        status = name_function(b, key, key->function, &node->name, &node->label);
        if (status == STATUS_OK)
            status = name_whole(b, key, node);
    } else {
        status = keep_name(b->view, text_basename(path), &node->name);
        node->label = node->name;
    }
    return status == STATUS_OK ? intern_path(b->view, path, &node->module) : status;
}

static uint64_t hash_key(const struct node_key *key)
{
    return keyed_words(keyed_words(key->function, (uint64_t)key->thread << 32 | key->line),
                       (uintptr_t)key->module ^ (uintptr_t)key->file << 1);
}

/* Finds the node of a key that has more than a function. */
static bool find_known(const struct view_builder *b, const struct node_key *key, uint64_t hash,
                       uint32_t *id)
{
    struct index_probe probe = index_find(&b->node_index, hash);

    while (index_next(&probe, id)) {
        const struct node_key *known = &b->keys[*id];

        if (known->function == key->function && known->line == key->line &&
            known->module == key->module && known->file == key->file &&
            known->thread == key->thread && known->is_thread == key->is_thread)
            return true;
    }
    return false;
}

static enum status add_node(struct view_builder *b, const struct node_key *key, uint32_t *id)
{
    struct view *view = b->view;
    struct view_node *node;
    enum status status;

    if (vec_reserve(&view->nodes, &view->node_cap, view->node_count + 1, sizeof(*view->nodes)) !=
            STATUS_OK ||
        vec_reserve(&b->keys, &b->key_cap, view->node_count + 1, sizeof(*b->keys)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *id = (uint32_t)view->node_count++;
    b->keys[*id] = *key;
    node = &view->nodes[*id];
    *node = (struct view_node){.name = NULL};
    status = key->thread ? name_thread(b, key, node) : STATUS_OK;
    return status == STATUS_OK && !key->is_thread ? name_node(b, key, node) : status;
}

static enum status find_node(struct view_builder *b, const struct node_key *key, uint32_t *id)
{
    enum status status;

    if (key->function != UINT32_MAX && !key->file && !key->thread) {
        uint32_t *known = &b->function_node[key->function];

        if (*known) {
            *id = *known - 1;
            return STATUS_OK;
        }
        status = add_node(b, key, id);
        if (status == STATUS_OK)
            *known = *id + 1;
    } else {
        const uint64_t hash = hash_key(key);

        if (find_known(b, key, hash, id))
            return STATUS_OK;
        status = add_node(b, key, id);
        if (status == STATUS_OK)
            status = index_add(&b->node_index, hash, *id);
    }
    return status;
}

/* Adds the step, with the node for `key`. */
static enum status append_step(struct view_builder *b, const struct node_key *key,
                               struct view_step step)
{
    struct view *view = b->view;
    enum status status = find_node(b, key, &step.node);

    if (status == STATUS_OK)
        status =
            vec_reserve(&view->steps, &view->step_cap, view->step_count + 1, sizeof(*view->steps));
    if (status == STATUS_OK)
        view->steps[view->step_count++] = step;
    return status;
}

/* Adds the step of a frame that stands for a thread, which no filter sees. */
static enum status add_thread(struct view_builder *b, uint32_t thread)
{
    struct node_key key = {.function = UINT32_MAX, .thread = thread, .is_thread = true};

    return append_step(b, &key, (struct view_step){0});
}

static enum status add_step(struct view_builder *b, const struct places *places, uint32_t number,
                            const struct profile_frame *frame)
{
    struct view *view = b->view;
    const struct place *place = &places->list[number];
    uint32_t function =
        clone_match_function(&b->clones, names_canonical(view->profile->names, place->function));
    const struct builder_file *file = NULL;
    struct node_key key = {.function = function, .thread = frame->thread};
    struct view_step step = {.line = place->line,
                             .is_site = frame->is_call || !b->view->has_calls,
                             .is_inline = place->is_inline,
                             .place = number};
    enum status status = STATUS_OK;

    key.module = view->compare ? b->clones.module[function]
                               : names_function(view->profile->names, function)->module;
    if (place->file)
        status = find_file(b, place->file, &file);
    if (status != STATUS_OK)
        return status;
    if (file)
        step.file = file->clean;
    if (view->by == GRAPH_BY_MODULE) {
        key.function = UINT32_MAX;
    } else if (view->by == GRAPH_BY_LINE && step.file && place->line) {
        key.file = step.file;
        key.line = place->line;
    }
    return append_step(b, &key, step);
}

static enum status add_frame(struct view_builder *b, uint32_t frame)
{
    struct view *view = b->view;
    const struct profile_frame *what = &view->profile->frames[frame];
    const struct places *places = view->profile->places[frame];
    struct view_range *range = &view->frames[frame];
    unsigned all = 0;

    range->first = (uint32_t)view->step_count;
    if (what->is_thread) {
        range->count = 1;
        return add_thread(b, what->thread);
    }
    for (uint32_t i = places->count; i-- > 0;) {
        const struct place *place = &places->list[i];
        const struct builder_file *file = NULL;
        unsigned match = match_function(b, place->function);
        enum status status = STATUS_OK;

        if (place->file && b->filter)
            status = find_file(b, place->file, &file);
        if (status == STATUS_OK && file)
            match |= file->match;
        all |= match;
        if (status == STATUS_OK && !(match & MATCH_HIDE)) {
            status = add_step(b, places, i, what);
            all |= MATCH_VISIBLE;
        }
        if (status != STATUS_OK || view->step_count > INDEX_ID_MAX)
            return status != STATUS_OK ? status : STATUS_NO_MEMORY;
    }
    range->count = (uint32_t)view->step_count - range->first;
    if (b->filter && b->filter->splits)
        all |= splits_passed(b->filter->splits, what->mark) * MATCH_CONDITION;
    b->frame_match[frame] = (uint16_t)all;
    return STATUS_OK;
}

static bool passes(const struct graph_filter *filter, unsigned path_match)
{
    if (!(path_match & MATCH_VISIBLE))
        return false;
    if (!filter)
        return true;
    if (filter->splits && ~(path_match / MATCH_CONDITION) & splits_all(filter->splits))
        return false;
    return (!filter->set[FILTER_FOCUS] || path_match & MATCH_FOCUS) &&
           (!filter->set[FILTER_MODULE] || path_match & MATCH_MODULE) &&
           !(path_match & MATCH_IGNORE);
}

/* Returns the node of the last call on the path to a trie node; UINT32_MAX: not shown. */
static uint32_t callee_of(const struct view *view, uint32_t trie_node)
{
    struct view_range range = view->frames[view->profile->trie.nodes[trie_node].key];

    return range.count && view->self[trie_node] ? view->steps[range.first + range.count - 1].node
                                                : UINT32_MAX;
}

static void find_first_and_last_call(struct view *view)
{
    const struct profile *profile = view->profile;

    for (uint32_t i = 1; i < profile->trie.len; i++)
        if (profile->first_call[i] == 1)
            view->first_call_node = callee_of(view, i);
    if (profile->last_call != TRIE_ROOT)
        view->last_call_node = callee_of(view, profile->last_call);
}

static uint64_t share_of(uint64_t count, uint64_t part, uint64_t all)
{
    return all ? (uint64_t)((double)count * ((double)part / (double)all)) : count;
}

/* Weighs each chain that passes. A path's matches are its parent's and its last frame's. */
static enum status select_cells(struct view_builder *b)
{
    struct view *view = b->view;
    const struct profile *profile = view->profile;
    const struct trie *trie = &profile->trie;
    uint16_t *path_match = calloc(trie->len, sizeof(*path_match));

    if (!path_match)
        return STATUS_NO_MEMORY;
    for (size_t i = 1; i < trie->len; i++)
        path_match[i] = path_match[trie->nodes[i].parent] | b->frame_match[trie->nodes[i].key];
    for (size_t i = 0; i < profile->cell_count; i++) {
        const struct profile_cell *cell = &profile->cells[i];
        const struct profile_thread *thread = &profile->threads[cell->thread];
        uint32_t leaf = profile->chains[cell->chain].leaf;
        uint64_t weight = cell->weights.value[view->weight];

        uint64_t *all = cell->is_base ? &view->base_all : &view->all;
        uint64_t *shown = cell->is_base ? &view->base_shown : &view->shown;
        uint64_t *self = cell->is_base ? view->base_self : view->self;

        *all = weight_add(*all, weight);
        if (!passes(b->filter, path_match[leaf]) ||
            (b->filter && (!graph_filter_thread(b->filter, thread->tid, thread->name) ||
                           !graph_filter_state(b->filter, cell->state))))
            continue;
        view->cell_shown[i] = true;
        *shown = weight_add(*shown, weight);
        self[leaf] = weight_add(self[leaf], weight);
    }
    free(path_match);
    view->total = view->relative ? view->shown : view->all;
    view->base_total = view->relative ? view->base_shown : view->base_all;
    if (view->relative && view->weight == WEIGHT_CPU) {
        view->carriers = share_of(view->carriers, view->shown, view->all);
        view->base_carriers = share_of(view->base_carriers, view->base_shown, view->base_all);
    }
    if (view->weight == WEIGHT_SAMPLES) {
        view->carriers = view->total;
        view->base_carriers = view->base_total;
    }
    return STATUS_OK;
}

static enum status build(struct view_builder *b)
{
    struct view *view = b->view;
    const struct profile *profile = view->profile;
    enum status status = STATUS_OK;

    view->frames = calloc(profile->frame_count + 1, sizeof(*view->frames));
    view->cell_shown = calloc(profile->cell_count + 1, sizeof(*view->cell_shown));
    view->self = calloc(profile->trie.len, sizeof(*view->self));
    view->base_self = calloc(profile->trie.len, sizeof(*view->base_self));
    b->frame_match = calloc(profile->frame_count + 1, sizeof(*b->frame_match));
    b->function_match = calloc(names_function_count(profile->names) + 1, 1);
    b->function_node = calloc(names_function_count(profile->names) + 1, sizeof(*b->function_node));
    if (!view->frames || !view->cell_shown || !view->self || !view->base_self || !b->frame_match ||
        !b->function_match || !b->function_node)
        return STATUS_NO_MEMORY;
    if (view->compare)
        status = clone_match_init(&b->clones, profile);
    for (size_t i = 0; i < profile->frame_count && status == STATUS_OK; i++)
        status = add_frame(b, (uint32_t)i);
    if (status == STATUS_OK)
        status = select_cells(b);
    if (status == STATUS_OK && view->has_calls)
        find_first_and_last_call(view);
    return status;
}

enum status view_create(const struct profile *profile, const struct view_options *options,
                        struct view **out)
{
    struct view_builder b = {.filter = options->filter, .view = calloc(1, sizeof(*b.view))};
    enum status status;

    if (!b.view)
        return STATUS_NO_MEMORY;
    b.view->profile = profile;
    b.view->by = options->by;
    b.view->weight = options->weight;
    b.view->compare = options->compare;
    b.view->relative = options->relative;
    b.view->inverted = options->inverted;
    if (options->weight == WEIGHT_CPU) {
        b.view->carriers = options->carriers;
        b.view->base_carriers = options->base_carriers;
    }
    b.view->by_thread = profile->labels.len > 0;
    b.view->has_calls = profile->first_call != NULL;
    b.view->first_call_node = b.view->last_call_node = UINT32_MAX;
    status = build(&b);
    clone_match_deinit(&b.clones);
    free(b.function_match);
    free(b.function_node);
    free(b.frame_match);
    free(b.keys);
    free(b.files);
    index_deinit(&b.node_index);
    index_deinit(&b.file_index);
    if (status == STATUS_OK)
        *out = b.view;
    else
        view_destroy(b.view);
    return status;
}

void view_destroy(struct view *view)
{
    if (!view)
        return;
    free(view->nodes);
    free(view->steps);
    free(view->frames);
    free(view->cell_shown);
    free(view->self);
    free(view->base_self);
    pool_deinit(&view->paths);
    arena_deinit(&view->names);
    free(view);
}

int view_compare_nodes(const struct view *view, uint32_t a, uint32_t b)
{
    int order = strcmp(view->nodes[a].label, view->nodes[b].label);

    if (order == 0)
        order = strcmp(view->nodes[a].module, view->nodes[b].module);
    if (order == 0 && view->by_thread)
        order = strcmp(view->nodes[a].thread, view->nodes[b].thread);
    return order;
}
