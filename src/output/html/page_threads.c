/* SPDX-License-Identifier: MIT */
#include "output/html/page_threads.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/plural.h"
#include "base/sort.h"
#include "base/text.h"
#include "output/html/page_text.h"

void page_threads_deinit(struct page_threads *threads)
{
    free(threads->list);
    free(threads->source);
    *threads = (struct page_threads){.list = NULL};
}

/* Returns, by source, its samples plus 1; 0: it has no entry. */
static uint64_t *count_samples(const struct page_entries *entries, size_t source_count)
{
    uint64_t *samples = calloc(source_count + 1, sizeof(*samples));

    for (size_t i = 0; samples && i < entries->log->count; i++) {
        const struct log_entry *entry = &entries->log->list[i];

        samples[entry->thread] += entry->weight[WEIGHT_SAMPLES] + !samples[entry->thread];
    }
    return samples;
}

static void add(struct page_threads *threads, const struct page_thread *thread, uint32_t source)
{
    threads->source[source] = (uint32_t)threads->count;
    threads->list[threads->count++] = *thread;
}

static void list_all(struct page_threads *threads, const struct output *o,
                     const struct report *report, const uint64_t *samples)
{
    for (size_t i = 0; report && i < report->history->thread_count; i++) {
        const uint32_t thread = report->hierarchy->order[i];
        const uint32_t source = page_source_of_history(thread);

        if (report->shown[thread] || samples[source])
            add(threads,
                &(struct page_thread){.history = thread,
                                      .samples = samples[source] - (samples[source] > 0)},
                source);
    }
    for (uint32_t i = 0; i < o->profile->thread_count; i++) {
        const uint32_t source = page_source_of_profile(i);

        if (samples[source])
            add(threads,
                &(struct page_thread){.history = PAGE_NONE,
                                      .profile = i,
                                      .samples = samples[source] - 1},
                source);
    }
}

/* Makes the threads with the fewest samples one; the others keep their order. */
static enum status join_rest(struct page_threads *threads)
{
    struct sort_item *items;
    uint32_t *moved;
    size_t kept = 0;
    enum status status;

    if (threads->count <= PAGE_THREADS_MAX)
        return STATUS_OK;
    items = malloc(threads->count * sizeof(*items));
    moved = calloc(threads->count, sizeof(*moved));
    status = items && moved ? STATUS_OK : STATUS_NO_MEMORY;
    for (size_t i = 0; i < threads->count && status == STATUS_OK; i++)
        items[i] =
            (struct sort_item){.key = UINT64_MAX - threads->list[i].samples, .id = (uint32_t)i};
    if (status == STATUS_OK)
        status = sort_items(items, threads->count);
    for (size_t i = PAGE_THREADS_MAX - 1; i < threads->count && status == STATUS_OK; i++)
        moved[items[i].id] = PAGE_THREADS_MAX - 1;
    for (size_t i = 0; i < threads->count && status == STATUS_OK; i++) {
        if (moved[i]) {
            threads->rest_samples += threads->list[i].samples;
            continue;
        }
        moved[i] = (uint32_t)kept;
        threads->list[kept++] = threads->list[i];
    }
    for (size_t i = 0; i < threads->source_count && status == STATUS_OK; i++)
        if (threads->source[i] != PAGE_NONE)
            threads->source[i] = moved[threads->source[i]];
    if (status == STATUS_OK) {
        threads->rest = threads->count - kept;
        threads->count = kept;
    }
    free(items);
    free(moved);
    return status;
}

enum status page_threads_init(struct page_threads *threads, const struct output *o,
                              const struct report *report, const struct page_entries *entries)
{
    const size_t of_history = report ? report->history->thread_count : 0;
    const size_t most =
        of_history > o->profile->thread_count ? of_history : o->profile->thread_count;
    uint64_t *samples;
    enum status status = STATUS_NO_MEMORY;

    *threads = (struct page_threads){.source_count = 2 * most};
    threads->list = calloc(of_history + o->profile->thread_count + 1, sizeof(*threads->list));
    threads->source = malloc((threads->source_count + 1) * sizeof(*threads->source));
    samples = count_samples(entries, threads->source_count);
    if (threads->list && threads->source && samples) {
        memset(threads->source, 0xff, (threads->source_count + 1) * sizeof(*threads->source));
        list_all(threads, o, report, samples);
        status = join_rest(threads);
    }
    free(samples);
    return status;
}

uint32_t page_threads_of(const struct page_threads *threads, uint32_t thread)
{
    uint32_t number = PAGE_NONE;

    if (thread < threads->source_count / 2)
        number = threads->source[page_source_of_history(thread)];
    return number < threads->count ? number : PAGE_NONE;
}

/* Numbers the nodes of the page's threads, and those above; PAGE_NONE: not there. */
static uint32_t *number_nodes(const struct page_threads *threads, const struct hierarchy *tree)
{
    uint32_t *number = calloc(tree->count + 1, sizeof(*number)), next = 0;

    if (!number)
        return NULL;
    for (size_t i = 0; i < threads->count; i++)
        if (threads->list[i].history != PAGE_NONE)
            number[tree->of_thread[threads->list[i].history]] = 1;
    for (size_t i = tree->count; i-- > 0;)
        if (number[i] && tree->nodes[i].parent != HIERARCHY_NONE)
            number[tree->nodes[i].parent] = 1;
    for (size_t i = 0; i < tree->count; i++)
        number[i] = number[i] ? next++ : PAGE_NONE;
    return number;
}

static void put_history_thread(const struct output_timeline *made, uint32_t index,
                               struct json_line *line)
{
    const struct history *history = made->report.history;
    const struct history_thread *thread = &history->threads[index];

    json_line_put(line, "pid", json_of_number(thread->pid));
    json_line_put(line, "tid", json_of_number(thread->tid));
    page_put_text(line, "name", thread->name);
    page_put_taken(line, "text", timeline_thread_text(made->timeline, index));
    if (thread->is_main)
        json_line_put(line, "main", json_true());
    if (!made->report.is_core && !thread->found_running)
        json_line_put(line, "begin_ns",
                      json_of_number(
                          history_since_zero(history, thread->process, thread->found_ns)));
    if (thread->end_ns)
        json_line_put(line, "end_ns",
                      json_of_number(history_since_zero(history, thread->process, thread->end_ns)));
    page_put_number(line, "cpu_ns", thread->cpu_ns);
    page_put_number(line, "stack_used", thread->stack_used);
    page_put_number(line, "stack_mapped", thread->stack_mapped);
    page_put_number(line, "depth", thread->depth);
}

static void put_profile_thread(const struct profile_thread *thread, struct json_line *line)
{
    char *name = text_clean(thread->name[0] ? thread->name : "thread", TEXT_REPLACE_CONTROLS);
    char *text = NULL;

    page_put_number(line, "pid", thread->pid);
    page_put_number(line, "tid", thread->tid);
    page_put_text(line, "name", thread->name);
    if (name && thread->tid && asprintf(&text, "%s (%" PRIu32 ")", name, thread->tid) < 0)
        text = NULL;
    else if (name && !thread->tid)
        text = strdup(name);
    page_put_taken(line, "text", text);
    free(name);
}

static void put_rest(const struct page_threads *threads, struct json_line *head, json_t *list)
{
    struct json_line line = json_line_begin(NULL);
    char text[48];

    snprintf(text, sizeof(text), "%zu more thread%s", threads->rest, plural(threads->rest));
    json_line_put(&line, "text", json_string(text));
    json_line_put(&line, "more", json_of_number(threads->rest));
    json_line_put(&line, "samples", json_of_number(threads->rest_samples));
    page_append_line(head, list, &line);
}

static void put_threads(const struct page_threads *threads, const struct output *o,
                        const struct output_timeline *made, const uint32_t *node_number,
                        struct json_line *head)
{
    json_t *list = json_array();

    for (size_t i = 0; i < threads->count; i++) {
        const struct page_thread *thread = &threads->list[i];
        struct json_line line = json_line_begin(NULL);

        if (thread->history != PAGE_NONE) {
            put_history_thread(made, thread->history, &line);
            json_line_put(&line, "node",
                          json_integer(
                              node_number[made->report.hierarchy->of_thread[thread->history]]));
        } else {
            put_profile_thread(&o->profile->threads[thread->profile], &line);
        }
        json_line_put(&line, "samples", json_of_number(thread->samples));
        page_append_line(head, list, &line);
    }
    if (threads->rest)
        put_rest(threads, head, list);
    json_line_put(head, "threads", list);
}

static char *site_text(const struct report *report, uint32_t frame)
{
    char *text = NULL;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    enum status status = memory ? report_put_site(report, frame, memory) : STATUS_NO_MEMORY;

    if (memory && text_close(memory, &text) != STATUS_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        return text;
    free(text);
    return NULL;
}

static void put_node(const struct report *report, const struct wait_words *words, uint32_t index,
                     const uint32_t *number, struct json_line *line)
{
    const struct hierarchy_node *node = &report->hierarchy->nodes[index];
    const struct identity *identity = &report->identities->list[node->identity];

    json_line_put(line, "parent",
                  json_integer(node->parent == HIERARCHY_NONE ? -1
                                                              : (json_int_t)number[node->parent]));
    json_line_put(line, "pid", json_of_number(report->history->processes[node->process].pid));
    page_put_text(line, "exe", report->history->processes[node->process].exe);
    json_line_put(line, "label", json_of_text(identity_label(identity)));
    json_line_put(line, "name", json_of_text(identity->name));
    json_line_put(line, "hash", json_string(identity->hash));
    json_line_put(line, "count", json_of_number(report->node_shown[index]));
    if (identity->is_main)
        json_line_put(line, "main", json_true());
    json_line_put(line, "creation_seen", json_boolean(identity->creation_known));
    if (identity->site_frame != IDENTITY_NONE)
        page_put_taken(line, "site", site_text(report, identity->site_frame));
    if (identity->creation_known)
        page_put_chain(line, "chain", words, identity->creation_chain);
}

static void put_hierarchy(const struct report *report, const struct wait_words *words,
                          const uint32_t *number, struct json_line *head)
{
    json_t *list = json_array();

    for (uint32_t i = 0; i < report->hierarchy->count; i++) {
        struct json_line line = json_line_begin(NULL);

        if (number[i] != PAGE_NONE) {
            put_node(report, words, i, number, &line);
            page_append_line(head, list, &line);
        } else {
            json_decref(line.json);
        }
    }
    json_line_put(head, "hierarchy", list);
}

enum status page_threads_write(const struct page_threads *threads, const struct output *o,
                               const struct output_timeline *made, const struct wait_words *words,
                               struct json_line *head)
{
    uint32_t *number = NULL;

    if (made && !(number = number_nodes(threads, made->report.hierarchy)))
        return STATUS_NO_MEMORY;
    put_threads(threads, o, made, number, head);
    if (made)
        put_hierarchy(&made->report, words, number, head);
    free(number);
    return STATUS_OK;
}
