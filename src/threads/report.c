/* SPDX-License-Identifier: MIT */
#include "threads/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/label.h"
#include "base/plural.h"
#include "base/text.h"
#include "graph/amount.h"
#include "threads/chain_ends.h"
#include "threads/chain_words.h"
#include "threads/report_text.h"
#include "threads/runtime.h"

#define NAMES_MAX 3 /* names that are listed where they have no pattern */

static enum status count_shown(struct report *report, const struct graph_filter *filter)
{
    const struct history *history = report->history;
    const struct hierarchy *tree = report->hierarchy;
    bool *seen;

    report->shown = calloc(history->thread_count + 1, sizeof(*report->shown));
    report->node_shown = calloc(tree->count + 1, sizeof(*report->node_shown));
    report->node_kept = calloc(tree->count + 1, sizeof(*report->node_kept));
    seen = calloc(report->identities->count + 1, sizeof(*seen));
    if (!report->shown || !report->node_shown || !report->node_kept || !seen) {
        free(seen);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < history->thread_count; i++) {
        uint32_t identity = report->identities->of_thread[i];
        const struct history_thread *thread = &history->threads[i];

        report->shown[i] = !filter || graph_filter_thread(filter, thread->tid, thread->name);
        report->node_shown[tree->of_thread[i]] += report->shown[i];
        report->shown_count += report->shown[i];
        report->shown_identities += report->shown[i] && !seen[identity];
        seen[identity] |= report->shown[i];
    }
    free(seen);
    for (size_t i = tree->count; i-- > 0;) {
        uint32_t parent = tree->nodes[i].parent;

        report->node_kept[i] |= report->node_shown[i] > 0;
        if (report->node_kept[i] && parent != HIERARCHY_NONE)
            report->node_kept[parent] = true;
    }
    return STATUS_OK;
}

enum status report_prepare(struct report *report, const struct graph_filter *filter)
{
    enum status status = identities_create(report->history, report->profile, &report->identities);

    if (status == STATUS_OK)
        status = hierarchy_create(report->history, report->identities, &report->hierarchy);
    for (size_t i = 0; i < report->profile->frame_count; i++)
        report->has_c_library |= runtime_is_c_library(report->profile->frames[i].module);
    return status == STATUS_OK ? count_shown(report, filter) : status;
}

void report_deinit(struct report *report)
{
    hierarchy_destroy(report->hierarchy);
    identities_destroy(report->identities);
    free(report->shown);
    free(report->node_shown);
    free(report->node_kept);
}

void report_put_counts(const struct report *report, FILE *out)
{
    fprintf(out, "%" PRIu32 " thread%s of %" PRIu32 " %s", report->shown_count,
            plural(report->shown_count), report->shown_identities,
            report->shown_identities == 1 ? "identity" : "identities");
    if (report->shown_count < report->history->thread_count)
        fprintf(out, " (of %zu thread%s)", report->history->thread_count,
                plural(report->history->thread_count));
}

void report_put_cpu(uint64_t cpu_ns, bool at_least, size_t width, FILE *out)
{
    char number[AMOUNT_TEXT_MAX];
    const char *mark = at_least ? "≥ " : "";
    size_t wide;

    amount_weight(number, WEIGHT_CPU, cpu_ns);
    wide = report_text_width(mark) + report_text_width(number);
    fprintf(out, "%*s%s%s", (int)(width > wide ? width - wide : 0), "", mark, number);
}

static char *function_name(const struct report *report, uint32_t function)
{
    char *name = label_line(names_function(report->profile->names, function)->name);

    /* Without the symbol's version. */
    if (name)
        name[strcspn(name, "@")] = '\0';
    return name;
}

struct frames_line { /* a line of names that is being written */
    const char *margin;
    size_t begin, at, width;
    bool first;
    FILE *out;
};

static void put_name(struct frames_line *line, const char *name)
{
    size_t wide = report_text_width(name) + 3;

    if (!line->first && line->at + wide > line->width) {
        fprintf(line->out, "\n%s← ", line->margin);
        line->at = line->begin;
    } else if (!line->first) {
        fputs(" ← ", line->out);
    }
    fputs(name, line->out);
    line->at += wide;
    line->first = false;
}

static enum status put_word(const struct report *report, const struct chain_word *word,
                            struct frames_line *line)
{
    char *name = word->name ? NULL : function_name(report, word->place->function);

    if (!word->name && !name)
        return STATUS_NO_MEMORY;
    put_name(line, word->name ? word->name : name);
    free(name);
    return STATUS_OK;
}

static void put_left_out(const struct chain_words *words, size_t from, struct frames_line *line)
{
    char text[32];
    size_t more = 0;

    for (size_t i = from; i < words->count; i++)
        more += words->list[i].count;
    snprintf(text, sizeof(text), "… %zu more", more);
    put_name(line, text);
}

enum status report_put_frames(const struct report *report, const uint32_t *frames, size_t count,
                              const struct report_layout *layout, FILE *out)
{
    struct frames_line line = {.margin = layout->margin,
                               .begin = report_text_width(layout->margin),
                               .width = layout->width,
                               .first = true,
                               .out = out};
    struct chain_words words = {.profile = report->profile};
    enum status status = STATUS_OK;
    size_t shown = 0;

    line.at = layout->first ? layout->first : line.begin;
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = chain_words_add(&words, frames[i], 0);
    if (layout->brief && status == STATUS_OK)
        status = chain_words_shorten(&words);
    for (; shown < words.count && shown < layout->words_max && status == STATUS_OK; shown++)
        status = put_word(report, &words.list[shown], &line);
    if (shown < words.count && status == STATUS_OK)
        put_left_out(&words, shown, &line);
    chain_words_deinit(&words);
    return status;
}

enum status report_put_site(const struct report *report, uint32_t frame, FILE *out)
{
    const struct place *place = chain_ends_place(report->profile, frame);
    enum status status = STATUS_OK;
    char *name;

    if (!place)
        place = &report->profile->places[frame]->list[0];
    name = function_name(report, place->function);
    if (!name)
        return STATUS_NO_MEMORY;
    fputs(name, out);
    free(name);
    if (place->file) {
        fputs(", ", out);
        status = text_put_clean(text_basename(place->file), out);
        if (place->line)
            fprintf(out, ":%" PRIu32, place->line);
    }
    return status;
}

bool report_is_runtime(const struct report *report, const struct function *function)
{
    return runtime_is_c_library(function->module) ||
           (function->has_name &&
            (strcmp(function->name, "_start") == 0 ||
             (!report->has_c_library && runtime_is_c_function(function->name))));
}

/* Whether a frame is left out at the ends of a chain. */
static bool is_around(const struct report *report, uint32_t frame)
{
    return report_is_runtime(report, chain_ends_function(report->profile, frame));
}

/*
 * Returns the node of the outermost of the C library's frames inside the creation site:
 * pthread_create or fork. Without names: of the site's callee.
 */
static uint32_t find_creator(const struct report *report, const struct identity *identity)
{
    const struct trie *trie = &report->profile->trie;
    uint32_t leaf = report->profile->chains[identity->creation_chain].leaf, last = TRIE_ROOT;

    for (uint32_t node = leaf; node != TRIE_ROOT && is_around(report, trie->nodes[node].key);
         node = trie->nodes[node].parent)
        last = node;
    if (last != TRIE_ROOT || identity->site_frame == IDENTITY_NONE)
        return last;
    for (uint32_t node = leaf; node != TRIE_ROOT && trie->nodes[node].key != identity->site_frame;
         node = trie->nodes[node].parent)
        last = node;
    return last;
}

/* Whether the outermost frame is the entry of a stripped program, which calls the C library. */
static bool is_entry(const struct report *report, uint32_t node, uint32_t inner)
{
    return report->profile->trie.nodes[node].parent == TRIE_ROOT && inner != IDENTITY_NONE &&
           runtime_is_c_library(report->profile->frames[inner].module);
}

void report_creation_chain(const struct report *report, const struct identity *identity,
                           struct report_chain *out)
{
    const struct trie *trie = &report->profile->trie;
    const struct profile_chain *chain = &report->profile->chains[identity->creation_chain];
    uint32_t node = find_creator(report, identity), inner = IDENTITY_NONE;
    size_t keep = 0;

    *out =
        (struct report_chain){.stop = chain->stop, .complete = chain_ends_is_complete(chain->stop)};
    for (node = node == TRIE_ROOT ? chain->leaf : node; node != TRIE_ROOT;
         node = trie->nodes[node].parent) {
        uint32_t frame = trie->nodes[node].key;

        if (out->count == REPORT_CHAIN_MAX) {
            out->left_out++;
            continue;
        }
        out->frames[out->count++] = frame;
        if (keep == 0 || !(is_around(report, frame) || is_entry(report, node, inner)))
            keep = out->count;
        inner = frame;
    }
    if (!out->left_out)
        out->count = keep;
}

/* Returns where the digits at the end of the name begin. */
static size_t digits_at(const char *name)
{
    size_t length = strlen(name);

    while (length && name[length - 1] >= '0' && name[length - 1] <= '9')
        length--;
    return length;
}

struct name_range {
    const char *least, *most; /* if names differ only in the number at their end */
    bool numbered, same;
};

static int compare_numbers(const char *a, const char *b)
{
    size_t la, lb;

    a += digits_at(a);
    b += digits_at(b);
    a += strspn(a, "0");
    b += strspn(b, "0");
    la = strlen(a);
    lb = strlen(b);
    return la != lb ? (la < lb ? -1 : 1) : strcmp(a, b);
}

static void widen(struct name_range *range, const char *name)
{
    size_t stem = digits_at(name);

    if (!range->least) {
        *range = (struct name_range){name, name, name[stem] != '\0', true};
        return;
    }
    range->same &= strcmp(range->least, name) == 0;
    range->numbered &=
        name[stem] && digits_at(range->least) == stem && strncmp(range->least, name, stem) == 0;
    if (!range->numbered)
        return;
    if (compare_numbers(name, range->least) < 0)
        range->least = name;
    if (compare_numbers(name, range->most) > 0)
        range->most = name;
}

/* Writes the first few of names without a pattern, and how many more there are. */
static enum status put_some(const struct report *report, const struct hierarchy_node *node,
                            FILE *out)
{
    enum status status = STATUS_OK;
    struct pool pool;

    pool_init(&pool);
    for (uint32_t i = 0; i < node->count && status == STATUS_OK; i++) {
        uint32_t thread = report->hierarchy->order[node->first + i], id;
        size_t before = pool.len;

        if (!report->shown[thread])
            continue;
        status = pool_intern(&pool, report->history->threads[thread].name, &id);
        if (status != STATUS_OK || pool.len == before || pool.len > NAMES_MAX)
            continue;
        fputs(before ? ", " : "", out);
        status = text_put_clean(report->history->threads[thread].name, out);
    }
    if (pool.len > NAMES_MAX)
        fprintf(out, " and %zu more names", pool.len - NAMES_MAX);
    pool_deinit(&pool);
    return status;
}

bool report_names_are_first(const struct identity *identity)
{
    return identity->label && !identity->is_main;
}

enum status report_put_names(const struct report *report, const struct hierarchy_node *node,
                             FILE *out)
{
    struct name_range range = {0};
    enum status status;

    for (uint32_t i = 0; i < node->count; i++) {
        uint32_t thread = report->hierarchy->order[node->first + i];

        if (report->shown[thread])
            widen(&range, report->history->threads[thread].name);
    }
    if (!range.least)
        return STATUS_OK;
    if (!range.same && !range.numbered)
        return put_some(report, node, out);
    status = text_put_clean(range.least, out);
    if (status == STATUS_OK && !range.same) {
        fputs(" … ", out);
        status = text_put_clean(range.most, out);
    }
    return status;
}
