/* SPDX-License-Identifier: MIT */
#include "output/html/page_entries.h"

#include <stdlib.h>
#include <string.h>

#include "graph/thread_state.h"
#include "threads/history.h"

#define UNIT_FEW_ENTRIES  30000 /* up to this many entries have exact times */
#define UNIT_MANY_ENTRIES 300000

static const char STATES[] = "RQSDTtZXxIP"; /* snapshot/event.h */

void page_entries_deinit(struct page_entries *entries)
{
    sample_log_deinit(&entries->base);
    free(entries->is_used);
    entries->is_used = NULL;
}

unsigned page_state_index(char state)
{
    const char *found = state ? strchr(STATES, state) : NULL;

    return found ? (unsigned)(found - STATES) + 1 : 0;
}

static void add_weights(struct weights *sum, const struct weights *weights)
{
    for (size_t i = 0; i < WEIGHT_COUNT; i++)
        sum->value[i] = weight_add(sum->value[i], weights->value[i]);
}

static void sum_up(struct page_entries *entries, const struct view *view)
{
    for (size_t i = 0; i < view->profile->cell_count; i++) {
        const struct profile_cell *cell = &view->profile->cells[i];

        add_weights(cell->is_base ? &entries->base_totals : &entries->totals, &cell->weights);
        if (!view->cell_shown[i])
            continue;
        add_weights(cell->is_base ? &entries->base_shown : &entries->shown, &cell->weights);
        entries->is_used[cell->chain] = true;
    }
}

/* Keeps the log's entries that the view shows, in place. */
static void take_log(struct page_entries *entries, const struct view *view)
{
    const struct profile *profile = view->profile;
    struct sample_log *log = entries->log;
    size_t kept = 0;

    for (size_t i = 0; i < log->count; i++) {
        struct log_entry entry = log->list[i];
        const uint32_t cell = entry.cell;

        if (!view->cell_shown[cell])
            continue;
        entry.cell = profile->cells[cell].chain;
        entry.state = page_state_index(profile->cells[cell].state);
        log->list[kept++] = entry;
    }
    log->count = kept;
}

static struct log_entry entry_of(const struct profile_cell *cell, bool is_calls)
{
    struct log_entry entry = {.cell = cell->chain, .state = page_state_index(cell->state)};

    for (size_t i = 0; i < LOG_WEIGHTS; i++)
        entry.weight[i] = cell->weights.value[i];
    if (is_calls)
        entry.weight[0] = cell->weights.value[WEIGHT_CALLS];
    return entry;
}

/* Returns the source of the profile's thread: the last thread of the history that was it. */
static uint32_t source_of(const struct history *history, uint32_t thread)
{
    if (history && thread < history->profile_thread_count && history->by_profile_thread[thread])
        return page_source_of_history(history->by_profile_thread[thread] - 1);
    return page_source_of_profile(thread);
}

/* Appends the profile's shown cells, of the samples or of the baseline, as entries. */
static enum status take_cells(struct page_entries *entries, const struct output *o, bool is_base,
                              struct sample_log *out)
{
    const struct profile *profile = o->view->profile;
    enum status status = STATUS_OK;

    for (size_t i = 0; i < profile->cell_count && status == STATUS_OK; i++) {
        const struct profile_cell *cell = &profile->cells[i];
        struct log_entry entry = entry_of(cell, entries->is_calls);

        if (cell->is_base != is_base || !o->view->cell_shown[i])
            continue;
        if (!is_base)
            entry.thread = source_of(o->history, cell->thread);
        status = sample_log_append(out, &entry);
    }
    return status;
}

/* Chooses a round width for buckets, of which there are at most PAGE_BUCKETS_MAX. */
static void choose_buckets(struct page_entries *entries, uint64_t first_ns, uint64_t last_ns)
{
    uint64_t width_ns = entries->log->width_ns;

    for (unsigned i = 0; last_ns / width_ns - first_ns / width_ns >= PAGE_BUCKETS_MAX; i++)
        width_ns = i % 3 == 1 ? width_ns / 2 * 5 : width_ns * 2;
    entries->bucket_ns = width_ns;
    entries->from_ns = first_ns / width_ns * width_ns;
    entries->buckets = last_ns / width_ns - first_ns / width_ns + 1;
}

/* Returns the last sample's time since the earliest one: pieces of time end there. */
static uint64_t end_of_pieces(const struct history *history)
{
    uint64_t end_ns = 0;

    for (uint32_t i = 0; i < history->process_count; i++) {
        const uint64_t ns = history_since_zero(history, i, history_last_ns(history, i));

        end_ns = ns > end_ns ? ns : end_ns;
    }
    return end_ns;
}

/* Finds the time of all samples, which does not depend on the filter. */
static void find_times(struct page_entries *entries, const struct output *o)
{
    const struct sample_log *log = entries->log;
    uint64_t first = UINT64_MAX, last = 0;

    entries->has_time = log->count > 0 && o->history && history_has_times(o->history);
    for (size_t i = 0; i < log->count && entries->has_time; i++) {
        first = log->list[i].slot < first ? log->list[i].slot : first;
        last = log->list[i].slot > last ? log->list[i].slot : last;
    }
    if (entries->has_time) {
        const uint64_t last_ns = last * log->width_ns, end_ns = end_of_pieces(o->history);

        choose_buckets(entries, first * log->width_ns, end_ns > last_ns ? end_ns : last_ns);
    }
}

enum status page_entries_take(struct page_entries *entries, const struct output *o,
                              struct sample_log *log, bool has_sums)
{
    enum status status = STATUS_OK;

    *entries = (struct page_entries){.log = log, .is_calls = o->view->has_calls};
    entries->is_used = calloc(o->view->profile->chain_count + 1, sizeof(*entries->is_used));
    if (!entries->is_used)
        return STATUS_NO_MEMORY;
    sum_up(entries, o->view);
    if (log->count && !has_sums) {
        find_times(entries, o);
        take_log(entries, o->view);
    } else {
        log->count = 0;
        status = take_cells(entries, o, false, log);
    }
    return status == STATUS_OK ? take_cells(entries, o, true, &entries->base) : status;
}

static void choose_unit(struct page_entries *entries)
{
    const size_t count = entries->log->count + entries->base.count;

    entries->unit_ns = count <= UNIT_FEW_ENTRIES ? 1 : count <= UNIT_MANY_ENTRIES ? 1000 : 10000;
}

enum status page_entries_place(struct page_entries *entries, const uint32_t *thread_of,
                               struct page_chains *chains)
{
    struct sample_log *log = entries->log;
    enum status status;

    for (size_t i = 0; i < log->count; i++) {
        struct log_entry *entry = &log->list[i];
        const uint64_t time_ns = entry->slot * log->width_ns;

        entry->thread = thread_of[entry->thread];
        entry->cell = chains->of_chain[entry->cell];
        entry->slot =
            entries->has_time ? (uint32_t)((time_ns - entries->from_ns) / entries->bucket_ns) : 0;
    }
    for (size_t i = 0; i < entries->base.count; i++)
        entries->base.list[i].cell = chains->of_chain[entries->base.list[i].cell];
    status = sample_log_join(log);
    if (status == STATUS_OK)
        status = sample_log_join(&entries->base);
    for (size_t i = 0; i < log->count && status == STATUS_OK; i++)
        chains->list[log->list[i].cell].entries++;
    choose_unit(entries);
    return status;
}

static bool has_weight(const struct page_entries *entries, enum weight_kind kind)
{
    return entries->totals.value[kind] || entries->base_totals.value[kind];
}

static void put_sums(struct json_line *head, const char *key, const struct page_entries *entries,
                     const struct weights *sums)
{
    static const char *const names[] = {"samples", "wall", "cpu", "offcpu", "calls"};
    struct json_line object = json_line_begin(NULL);

    for (enum weight_kind kind = 0; kind < WEIGHT_COUNT; kind++)
        if (has_weight(entries, kind))
            json_line_put(&object, names[kind], json_of_number(sums->value[kind]));
    head->failed |= object.failed;
    json_line_put(head, key, object.json);
}

static void put_weights(const struct page_entries *entries, struct json_line *head)
{
    static const char *const names[] = {"samples", "wall", "cpu", "offcpu", "calls"};
    json_t *list = json_array();

    for (enum weight_kind kind = 0; kind < WEIGHT_COUNT; kind++)
        if (has_weight(entries, kind) &&
            (!list || json_array_append_new(list, json_string(names[kind])) != 0))
            head->failed = true;
    json_line_put(head, "weights", list);
    put_sums(head, "totals", entries, &entries->totals);
    put_sums(head, "shown", entries, &entries->shown);
    if (!entries->base.count && !entries->base_totals.value[WEIGHT_SAMPLES])
        return;
    put_sums(head, "base_totals", entries, &entries->base_totals);
    put_sums(head, "base_shown", entries, &entries->base_shown);
}

static void put_state(json_t *list, char state, struct json_line *head)
{
    struct json_line object = json_line_begin(NULL);
    const char letter[2] = {state, '\0'};
    const char *name = thread_state_name(state);

    if (state)
        json_line_put(&object, "letter", json_string(letter));
    json_line_put(&object, "name", json_string(name ? name : "not known"));
    json_line_put(&object, "runs", json_boolean(snap_state_is_runnable(state)));
    if (object.failed || json_array_append_new(list, object.json) != 0)
        head->failed = true;
}

static void put_states(struct json_line *head)
{
    json_t *list = json_array();

    put_state(list, 0, head);
    for (const char *state = STATES; *state; state++)
        put_state(list, *state, head);
    json_line_put(head, "states", list);
}

static void put_time(const struct page_entries *entries, struct json_line *head)
{
    struct json_line time = json_line_begin(NULL);

    json_line_put(&time, "bucket_ns", json_of_number(entries->bucket_ns));
    json_line_put(&time, "buckets", json_of_number(entries->buckets));
    if (entries->from_ns)
        json_line_put(&time, "from_ns", json_of_number(entries->from_ns));
    head->failed |= time.failed;
    json_line_put(head, "time", time.json);
}

/* Columns of entries, or of the baseline's entries. */
struct entry_columns {
    struct page_column *bucket, *chain, *state; /* bucket: NULL without times */
    struct page_column *weight[LOG_WEIGHTS];    /* NULL: no entry has this weight */
    uint64_t unit_ns;
    uint64_t rest_ns[LOG_WEIGHTS]; /* rounded off so far */
};

static void add_columns(const struct page_entries *entries, const char *const names[],
                        struct page_columns *columns, struct entry_columns *out)
{
    const enum column_type types[LOG_WEIGHTS] = {COLUMN_VARINT, COLUMN_VARINT, COLUMN_VARINT,
                                                 COLUMN_ZIGZAG};

    out->unit_ns = entries->unit_ns;
    out->chain = page_columns_add(columns, names[0], COLUMN_VARINT);
    out->state = page_columns_add(columns, names[1], COLUMN_U8);
    if (entries->is_calls)
        out->weight[0] = page_columns_add(columns, names[2 + LOG_WEIGHTS], COLUMN_VARINT);
    for (size_t i = 0; i < LOG_WEIGHTS && !entries->is_calls; i++)
        if (has_weight(entries, (enum weight_kind)i))
            out->weight[i] = page_columns_add(columns, names[2 + i], types[i]);
}

/* Returns a time in units; the rest goes to the next entry. */
static uint64_t round_off(struct entry_columns *out, size_t weight, uint64_t ns)
{
    const uint64_t sum_ns = weight_add(ns, out->rest_ns[weight]);

    out->rest_ns[weight] = sum_ns % out->unit_ns;
    return sum_ns / out->unit_ns;
}

static void put_entry(struct entry_columns *out, const struct log_entry *entry)
{
    const uint64_t wall = round_off(out, WEIGHT_WALL, entry->weight[WEIGHT_WALL]);
    const uint64_t cpu = round_off(out, WEIGHT_CPU, entry->weight[WEIGHT_CPU]);
    const uint64_t offcpu = round_off(out, WEIGHT_OFFCPU, entry->weight[WEIGHT_OFFCPU]);

    page_column_put(out->state, entry->state);
    if (out->weight[WEIGHT_SAMPLES])
        page_column_put(out->weight[WEIGHT_SAMPLES], entry->weight[WEIGHT_SAMPLES]);
    if (out->weight[WEIGHT_WALL])
        page_column_put(out->weight[WEIGHT_WALL], wall);
    if (out->weight[WEIGHT_CPU])
        page_column_put(out->weight[WEIGHT_CPU], cpu);
    if (out->weight[WEIGHT_OFFCPU])
        page_column_put_signed(out->weight[WEIGHT_OFFCPU],
                               (int64_t)(offcpu - (wall > cpu ? wall - cpu : 0)));
}

static void put_entries(const struct page_entries *entries, const uint32_t *order,
                        size_t thread_count, struct page_columns *columns)
{
    static const char *const names[] = {"entry.chain", "entry.state", "entry.samples",
                                        "entry.wall",  "entry.cpu",   "entry.offcpu",
                                        "entry.calls"};
    struct page_column *counts = page_columns_add(columns, "thread.entries", COLUMN_VARINT);
    struct entry_columns out = {.bucket = NULL};
    size_t at = 0;

    if (entries->has_time)
        out.bucket = page_columns_add(columns, "entry.bucket", COLUMN_VARINT);
    add_columns(entries, names, columns, &out);
    for (uint32_t thread = 0; thread < thread_count; thread++) {
        const size_t first = at;
        uint32_t before = 0;

        memset(out.rest_ns, 0, sizeof(out.rest_ns));
        for (; at < entries->log->count && entries->log->list[at].thread == thread; at++) {
            const struct log_entry *entry = &entries->log->list[at];

            if (out.bucket)
                page_column_put(out.bucket, entry->slot - before);
            before = entry->slot;
            page_column_put(out.chain, order[entry->cell]);
            put_entry(&out, entry);
        }
        page_column_put(counts, at - first);
    }
}

static void put_base(const struct page_entries *entries, const uint32_t *order,
                     struct page_columns *columns)
{
    static const char *const names[] = {"base.chain", "base.state",  "base.samples", "base.wall",
                                        "base.cpu",   "base.offcpu", "base.calls"};
    struct entry_columns out = {.bucket = NULL};

    add_columns(entries, names, columns, &out);
    for (size_t i = 0; i < entries->base.count; i++) {
        page_column_put(out.chain, order[entries->base.list[i].cell]);
        put_entry(&out, &entries->base.list[i]);
    }
}

void page_entries_write(const struct page_entries *entries, const uint32_t *order,
                        size_t thread_count, struct json_line *head, struct page_columns *columns)
{
    if (entries->has_time)
        put_time(entries, head);
    json_line_put(head, "unit_ns", json_of_number(entries->unit_ns));
    put_weights(entries, head);
    put_states(head);
    put_entries(entries, order, thread_count, columns);
    if (entries->base.count)
        put_base(entries, order, columns);
}
