/* SPDX-License-Identifier: MIT */
#include "output/html/page_values.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "base/vec.h"
#include "output/html/page_text.h"

/* The frames of a chain, or lists of a moment. */
struct number_list {
    uint32_t *list; /* owned */
    size_t count, cap;
};

static enum status append(struct number_list *numbers, uint32_t number)
{
    if (vec_reserve(&numbers->list, &numbers->cap, numbers->count + 1, sizeof(*numbers->list)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    numbers->list[numbers->count++] = number;
    return STATUS_OK;
}

/* Lists the keys from a node of a trie up to the root. */
static enum status list_keys(const struct trie *trie, uint32_t node, struct number_list *keys)
{
    enum status status = STATUS_OK;

    keys->count = 0;
    for (; node != TRIE_ROOT && status == STATUS_OK; node = trie->nodes[node].parent)
        status = append(keys, trie->nodes[node].key);
    return status;
}

/* Scratch memory for show_moment. */
struct moment_walk {
    const struct view *view;
    struct value_log *log;
    struct trie shown; /* moments of the functions that the view shows */
    struct number_list frames, lists;
};

static void walk_deinit(struct moment_walk *walk)
{
    trie_deinit(&walk->shown);
    free(walk->frames.list);
    free(walk->lists.list);
}

/*
 * Sets *out to the moment with only the lists of functions that the view shows, from one with lists
 * of all functions of a chain. TRIE_NONE: it is not of the chain.
 */
static enum status show_moment(struct moment_walk *walk, uint32_t chain, uint32_t moment,
                               uint32_t *out)
{
    const struct profile *profile = walk->view->profile;
    enum status status = list_keys(&profile->trie, profile->chains[chain].leaf, &walk->frames);
    size_t outside; /* lists that are left: the outermost is the last */

    if (status == STATUS_OK)
        status = list_keys(&walk->log->table.moments, moment, &walk->lists);
    outside = walk->lists.count;
    *out = TRIE_ROOT;
    for (size_t i = walk->frames.count; i-- > 0 && status == STATUS_OK;) {
        const uint32_t frame = walk->frames.list[i];
        const struct view_range *range = &walk->view->frames[frame];
        const uint32_t count = profile->places[frame]->count;

        if (outside < count) {
            *out = TRIE_NONE;
            return STATUS_OK;
        }
        outside -= count;
        for (uint32_t j = 0; j < range->count && status == STATUS_OK; j++) {
            const uint32_t place = walk->view->steps[range->first + j].place;

            status = trie_step(&walk->shown, *out, walk->lists.list[outside + place], out);
        }
    }
    if (outside != 0)
        *out = TRIE_NONE;
    return status;
}

static bool is_shown(const struct page_values *values, const struct value_run *run)
{
    const struct page_threads *threads = values->threads;

    return values->chains->view->cell_shown[run->cell] && run->thread < threads->source_count &&
           threads->source[run->thread] != PAGE_NONE && run->from_ns >= values->entries->from_ns;
}

/* Keeps the runs that the view shows, with the page's numbers. */
static enum status place_runs(const struct page_values *values, struct moment_walk *walk)
{
    const struct page_entries *entries = values->entries;
    const struct view *view = values->chains->view;
    struct value_log *log = values->log;
    size_t kept = 0;

    for (size_t i = 0; i < log->count; i++) {
        struct value_run run = log->runs[i];
        uint32_t chain;
        enum status status;

        if (!is_shown(values, &run))
            continue;
        chain = view->profile->cells[run.cell].chain;
        status = show_moment(walk, chain, run.moment, &run.moment);
        if (status != STATUS_OK)
            return status;
        if (run.moment == TRIE_NONE)
            continue;
        run.thread = values->threads->source[run.thread];
        run.cell = values->order[values->chains->of_chain[chain]];
        run.from_ns = (run.from_ns - entries->from_ns) / entries->bucket_ns;
        run.to_ns = (run.to_ns - entries->from_ns) / entries->bucket_ns;
        log->runs[kept++] = run;
    }
    log->count = kept;
    trie_deinit(&log->table.moments);
    log->table.moments = walk->shown;
    walk->shown = (struct trie){.nodes = NULL};
    return STATUS_OK;
}

/* Sorts runs by thread; those of one thread stay in the order of time. */
static enum status sort_runs(struct value_log *log)
{
    struct sort_item *items = calloc(log->count + 1, sizeof(*items));
    struct value_run *sorted = calloc(log->count + 1, sizeof(*sorted));
    enum status status = items && sorted ? STATUS_OK : STATUS_NO_MEMORY;

    for (size_t i = 0; i < log->count && status == STATUS_OK; i++)
        items[i] = (struct sort_item){.key = log->runs[i].thread, .id = (uint32_t)i};
    if (status == STATUS_OK)
        status = sort_items(items, log->count);
    for (size_t i = 0; i < log->count && status == STATUS_OK; i++)
        sorted[i] = log->runs[items[i].id];
    free(items);
    if (status != STATUS_OK) {
        free(sorted);
        return status;
    }
    free(log->runs);
    log->runs = sorted;
    log->cap = log->count + 1;
    return STATUS_OK;
}

/* The last run of a chain. */
struct covered {
    uint32_t thread; /* 1 + its number; 0: of none */
    size_t run;      /* its place */
};

/* Whether a run of the same chain continues one, with the same values and no gap. */
static bool joins(const struct value_run *run, const struct value_run *next)
{
    return run->moment == next->moment && next->from_ns <= run->to_ns + 1;
}

/* Keeps only the first sample's values for each thread, bucket and chain, and joins runs. */
static enum status trim_runs(const struct page_values *values)
{
    struct covered *covered = calloc(values->chains->count + 1, sizeof(*covered));
    struct value_log *log = values->log;
    size_t kept = 0;

    if (!covered)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < log->count; i++) {
        struct value_run run = log->runs[i];
        struct covered *of = &covered[run.cell];
        struct value_run *last = of->thread == run.thread + 1 ? &log->runs[of->run] : NULL;

        if (last && joins(last, &run)) {
            last->to_ns = run.to_ns > last->to_ns ? run.to_ns : last->to_ns;
            continue;
        }
        if (last && run.from_ns <= last->to_ns)
            run.from_ns = last->to_ns + 1;
        if (run.from_ns > run.to_ns)
            continue;
        *of = (struct covered){.thread = run.thread + 1, .run = kept};
        log->runs[kept++] = run;
    }
    log->count = kept;
    free(covered);
    return STATUS_OK;
}

/* Returns about the bytes in the page: texts, and numbers as varints. */
static uint64_t page_bytes(const struct value_log *log)
{
    const struct value_table *table = &log->table;

    return table->texts.bytes + table->texts.len * 3 + table->value_count * 8 +
           table->member_count * 3 + table->list_count + table->moments.len * 4 + log->count * 7;
}

static void put_table(const struct value_table *table, struct page_columns *columns)
{
    struct page_column *name = page_columns_add(columns, "value.name", COLUMN_VARINT);
    struct page_column *type = page_columns_add(columns, "value.type", COLUMN_VARINT);
    struct page_column *text = page_columns_add(columns, "value.text", COLUMN_VARINT);
    struct page_column *state = page_columns_add(columns, "value.state", COLUMN_U8);
    struct page_column *local = page_columns_add(columns, "value.local", COLUMN_U8);
    struct page_column *size = page_columns_add(columns, "list.size", COLUMN_VARINT);
    struct page_column *member = page_columns_add(columns, "list.value", COLUMN_VARINT);
    struct page_column *outside = page_columns_add(columns, "moment.outside", COLUMN_VARINT);
    struct page_column *list = page_columns_add(columns, "moment.list", COLUMN_VARINT);

    for (size_t i = 0; i < table->value_count; i++) {
        page_column_put(name, table->values[i].name);
        page_column_put(type, table->values[i].type);
        page_column_put(text, table->values[i].text);
        page_column_put(state, table->values[i].state);
        page_column_put(local, table->values[i].kind == VARIABLE_LOCAL);
    }
    for (size_t i = 0; i < table->list_count; i++) {
        page_column_put(size, table->lists[i].count);
        for (uint32_t j = 0; j < table->lists[i].count; j++)
            page_column_put(member, table->members[table->lists[i].first + j]);
    }
    for (size_t i = 1; i < table->moments.len; i++) {
        page_column_put(outside, i - table->moments.nodes[i].parent);
        page_column_put(list, table->moments.nodes[i].key);
    }
}

static void put_runs(const struct value_log *log, size_t thread_count, struct page_columns *columns)
{
    struct page_column *counts = page_columns_add(columns, "thread.runs", COLUMN_VARINT);
    struct page_column *from = page_columns_add(columns, "run.from", COLUMN_ZIGZAG);
    struct page_column *more = page_columns_add(columns, "run.more", COLUMN_VARINT);
    struct page_column *chain = page_columns_add(columns, "run.chain", COLUMN_VARINT);
    struct page_column *moment = page_columns_add(columns, "run.moment", COLUMN_VARINT);
    size_t at = 0;

    for (size_t thread = 0; thread < thread_count; thread++) {
        const size_t first = at;
        uint64_t before = 0;

        for (; at < log->count && log->runs[at].thread == thread; at++) {
            const struct value_run *run = &log->runs[at];

            page_column_put_signed(from, (int64_t)(run->from_ns - before));
            before = run->from_ns;
            page_column_put(more, run->to_ns - run->from_ns);
            page_column_put(chain, run->cell);
            page_column_put(moment, run->moment);
        }
        page_column_put(counts, at - first);
    }
}

static void put_head(const struct value_log *log, uint64_t every, struct json_line *head)
{
    const struct pool *texts = &log->table.texts;
    struct json_line values = json_line_begin(NULL);
    json_t *list = json_array(), *states = json_array();

    for (size_t i = 0; i < texts->len; i++)
        page_append(head, list, json_of_text(texts->texts[i]));
    for (unsigned state = 0; state < VALUE_STATE_COUNT; state++)
        page_append(head, states, json_string(value_state_name((enum value_state)state)));
    json_line_put(&values, "texts", list);
    json_line_put(&values, "states", states);
    if (log->is_full)
        json_line_put(&values, "cut", json_true());
    if (every > 1)
        json_line_put(&values, "every", json_of_number(every));
    page_put_line(head, "values", &values);
}

enum status page_values_write(const struct page_values *values, struct json_line *head,
                              struct page_columns *columns)
{
    struct moment_walk walk = {.view = values->chains->view, .log = values->log};
    uint64_t every = values->log->step;
    enum status status = trie_init(&walk.shown);

    if (status == STATUS_OK)
        status = place_runs(values, &walk);
    walk_deinit(&walk);
    if (status == STATUS_OK)
        status = sort_runs(values->log);
    if (status == STATUS_OK)
        status = trim_runs(values);
    if (status == STATUS_OK)
        status = value_log_settle(values->log);
    if (status == STATUS_OK)
        status = value_log_shrink(values->log, PAGE_VALUES_BYTES, page_bytes);
    if (status != STATUS_OK)
        return status;
    every *= values->log->step;
    put_head(values->log, every, head);
    put_table(&values->log->table, columns);
    put_runs(values->log, page_threads_count(values->threads), columns);
    return STATUS_OK;
}
