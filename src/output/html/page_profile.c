/* SPDX-License-Identifier: MIT */
#include "output/html/page_profile.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/map.h"
#include "base/sort.h"
#include "base/text.h"
#include "unwind/row/trust.h"

uint32_t *page_profile_order(const struct page_chains *chains)
{
    struct sort_item *items = calloc(chains->count + 1, sizeof(*items));
    uint32_t *order = calloc(chains->count + 1, sizeof(*order));
    enum status status = items && order ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 0; i < chains->count && status == STATUS_OK; i++)
        items[i] =
            (struct sort_item){.key = chains->preorder[chains->list[i].node], .id = (uint32_t)i};
    if (status == STATUS_OK)
        status = sort_items(items, chains->count);
    for (size_t i = 0; i < chains->count && status == STATUS_OK; i++)
        items[i].key = UINT64_MAX - chains->list[items[i].id].entries;
    if (status == STATUS_OK)
        status = sort_items(items, chains->count);
    for (size_t i = 0; i < chains->count && status == STATUS_OK; i++)
        order[items[i].id] = (uint32_t)i;
    free(items);
    if (status == STATUS_OK)
        return order;
    free(order);
    return NULL;
}

static void append(struct json_line *line, json_t *array, json_t *value)
{
    if (!value || json_array_append_new(array, value) != 0)
        line->failed = true;
}

/* Lists of functions that are being made. */
struct function_lists {
    json_t *names, *modules;
    struct json_line labels, whole;
    size_t count;
};

static void put_at(struct json_line *object, size_t place, json_t *value)
{
    char key[24];

    snprintf(key, sizeof(key), "%zu", place);
    json_line_put(object, key, value);
}

static void append_function(struct function_lists *lists, const char *name, const char *label,
                            uint32_t module, struct json_line *head)
{
    append(head, lists->names, json_of_text(name));
    append(head, lists->modules, json_integer(module));
    if (strcmp(label, name) != 0)
        put_at(&lists->labels, lists->count, json_of_text(label));
    lists->count++;
}

/* Numbers of functions in the page's lists, by label and module. */
struct function_numbers {
    struct pool labels;
    struct map places;
};

/* Points `*out` at the number of the function, `initial` if it had none. NO_MEMORY. */
static enum status number_function(struct function_numbers *numbers, const char *label,
                                   uint32_t module, size_t initial, const uint64_t **out)
{
    uint32_t id;

    if (pool_intern(&numbers->labels, label, &id) != STATUS_OK)
        return STATUS_NO_MEMORY;
    *out = map_put(&numbers->places, (uint64_t)id << 32 | module, initial);
    return *out ? STATUS_OK : STATUS_NO_MEMORY;
}

/* Puts the number of the whole function of a part, adding it to the lists if it is not there. */
static enum status put_whole(const struct page_chains *chains, size_t part,
                             struct function_numbers *numbers, struct function_lists *lists,
                             struct json_line *head)
{
    const struct view_node *node = &chains->view->nodes[chains->functions[part]];
    const uint32_t module = page_chains_module(chains, node->module);
    const uint64_t *place = NULL;
    enum status status = number_function(numbers, node->whole_label, module, lists->count, &place);

    if (status != STATUS_OK)
        return status;
    put_at(&lists->whole, part, json_of_number(*place));
    if (*place == lists->count)
        append_function(lists, node->whole_name, node->whole_label, module, head);
    return STATUS_OK;
}

static bool has_parts(const struct page_chains *chains)
{
    for (size_t i = 0; i < chains->function_count; i++)
        if (chains->view->nodes[chains->functions[i]].whole_label)
            return true;
    return false;
}

/* Puts the whole functions of those that are parts. */
static enum status put_divided(const struct page_chains *chains, struct function_lists *lists,
                               struct json_line *head)
{
    struct function_numbers numbers = {.labels = {.texts = NULL}};
    const uint64_t *place = NULL;
    enum status status = STATUS_OK;

    if (!has_parts(chains))
        return STATUS_OK;
    for (size_t i = 0; i < chains->function_count && status == STATUS_OK; i++) {
        const struct view_node *node = &chains->view->nodes[chains->functions[i]];

        if (!node->whole_label)
            status = number_function(&numbers, node->label,
                                     page_chains_module(chains, node->module), i, &place);
    }
    for (size_t i = 0; i < chains->function_count && status == STATUS_OK; i++)
        if (chains->view->nodes[chains->functions[i]].whole_label)
            status = put_whole(chains, i, &numbers, lists, head);
    pool_deinit(&numbers.labels);
    map_deinit(&numbers.places);
    return status;
}

static enum status put_functions(const struct page_chains *chains, struct json_line *head)
{
    const struct view *view = chains->view;
    struct json_line functions = json_line_begin(NULL);
    struct function_lists lists = {.names = json_array(),
                                   .modules = json_array(),
                                   .labels = json_line_begin(NULL),
                                   .whole = json_line_begin(NULL)};
    enum status status;

    for (size_t i = 0; i < chains->function_count; i++) {
        const struct view_node *node = &view->nodes[chains->functions[i]];

        append_function(&lists, node->name, node->label, page_chains_module(chains, node->module),
                        head);
    }
    status = put_divided(chains, &lists, head);
    head->failed |= lists.labels.failed || lists.whole.failed;
    json_line_put(&functions, "name", lists.names);
    json_line_put(&functions, "module", lists.modules);
    json_line_put(&functions, "label", lists.labels.json);
    if (lists.whole.json && json_object_size(lists.whole.json))
        json_line_put(&functions, "whole", lists.whole.json);
    else
        json_decref(lists.whole.json);
    head->failed |= functions.failed;
    json_line_put(head, "functions", functions.json);
    return status;
}

static void put_modules(const struct page_chains *chains, struct json_line *head)
{
    json_t *list = json_array();

    for (size_t i = 0; i < chains->module_count; i++) {
        struct json_line module = json_line_begin(NULL);

        json_line_put(&module, "path", json_of_text(chains->modules[i]));
        json_line_put(&module, "name", json_of_text(text_basename(chains->modules[i])));
        head->failed |= module.failed;
        append(head, list, module.json);
    }
    json_line_put(head, "modules", list);
}

static void put_files(const struct page_chains *chains, struct json_line *head)
{
    json_t *list = json_array();

    for (size_t i = 0; i < chains->file_count; i++)
        append(head, list, json_of_text(chains->files[i]));
    json_line_put(head, "files", list);
}

static void put_names(struct json_line *head)
{
    json_t *trusts = json_array(), *stops = json_array(), *complete = json_array();

    for (enum trust trust = 0; trust < TRUST_COUNT; trust++)
        append(head, trusts, json_string(trust_name(trust)));
    for (enum stop_reason stop = 0; stop < STOP_COUNT; stop++)
        append(head, stops, json_string(stop_reason_name(stop)));
    for (enum stop_reason stop = 0; stop < STOP_COUNT; stop++)
        if (stop_is_start(stop))
            append(head, complete, json_integer(stop));
    json_line_put(head, "trusts", trusts);
    json_line_put(head, "stops", stops);
    json_line_put(head, "complete_stops", complete);
}

static void put_frames(const struct page_chains *chains, struct page_columns *columns)
{
    struct page_column *function = page_columns_add(columns, "frame.function", COLUMN_VARINT);
    struct page_column *file = page_columns_add(columns, "frame.file", COLUMN_VARINT);
    struct page_column *line = page_columns_add(columns, "frame.line", COLUMN_VARINT);
    struct page_column *trust = page_columns_add(columns, "frame.trust", COLUMN_U8);
    struct page_column *flags = page_columns_add(columns, "frame.flags", COLUMN_U8);

    for (size_t i = 0; i < chains->frame_count; i++) {
        page_column_put(function, chains->frames[i].function);
        page_column_put(file, chains->frames[i].file);
        page_column_put(line, chains->frames[i].line);
        page_column_put(trust, chains->frames[i].trust);
        page_column_put(flags, chains->frames[i].flags);
    }
}

/* depth of a node = depth of the node before + 1 - up */
static enum status put_trie(const struct page_chains *chains, struct page_columns *columns)
{
    const struct trie *trie = &chains->trie;
    struct page_column *up = page_columns_add(columns, "trie.up", COLUMN_VARINT);
    struct page_column *frame = page_columns_add(columns, "trie.frame", COLUMN_VARINT);
    uint32_t *at = calloc(trie->len, sizeof(*at)), *depth = calloc(trie->len, sizeof(*depth));

    if (!at || !depth) {
        free(at);
        free(depth);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 1; i < trie->len; i++) {
        at[chains->preorder[i]] = (uint32_t)i;
        depth[i] = depth[trie->nodes[i].parent] + 1;
    }
    for (size_t i = 1; i < trie->len; i++) {
        page_column_put(up, depth[at[i - 1]] + 1 - depth[at[i]]);
        page_column_put(frame, trie->nodes[at[i]].key);
    }
    free(at);
    free(depth);
    return STATUS_OK;
}

static enum status put_chains(const struct page_chains *chains, const uint32_t *order,
                              struct page_columns *columns)
{
    struct page_column *leaf = page_columns_add(columns, "chain.leaf", COLUMN_VARINT);
    struct page_column *stop = page_columns_add(columns, "chain.stop", COLUMN_U8);
    uint32_t *at = calloc(chains->count + 1, sizeof(*at));

    if (!at)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < chains->count; i++)
        at[order[i]] = (uint32_t)i;
    for (size_t i = 0; i < chains->count; i++) {
        const struct page_chain *chain = &chains->list[at[i]];

        page_column_put(leaf, chains->preorder[chain->node]);
        page_column_put(stop, chain->stop);
    }
    free(at);
    return STATUS_OK;
}

enum status page_profile_write(const struct page_chains *chains, const uint32_t *order,
                               struct json_line *head, struct page_columns *columns)
{
    enum status status;

    put_names(head);
    put_modules(chains, head);
    put_files(chains, head);
    status = put_functions(chains, head);
    if (status != STATUS_OK)
        return status;
    put_frames(chains, columns);
    status = put_trie(chains, columns);
    return status == STATUS_OK ? put_chains(chains, order, columns) : status;
}
