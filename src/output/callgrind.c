/* SPDX-License-Identifier: MIT */
#include "output/callgrind.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "output/format.h"

#define NOBODY UINT32_MAX

/*
 * Returns the name of a node of the view: 2 * node for its first occurrence on a chain, 2 * node +
 * 1 for all others.
 */
static uint32_t name_of(uint32_t node, uint32_t occurrence)
{
    return 2 * node + (occurrence > 1);
}

static bool is_first(uint32_t name)
{
    return name % 2 == 0;
}

/* The cost of a line of a function: its own, or that of calls to another function. */
struct cost {
    uint32_t from, to;   /* names; to is NOBODY: the line's own cost */
    uint32_t line, rank; /* rank: the place of `from` among all functions */
    const char *file;    /* one pointer for each file; NULL: not known */
    struct weights weights;
};

struct on_path {
    uint32_t name;
    const struct view_step *step;
};

struct callgrind_level {
    uint32_t trie_node;
    size_t depth; /* of the path before it */
};

struct callgrind_writer {
    const struct view *view;
    FILE *out;
    struct weights *self,
        *below;            /* by trie node: weights of chains that end there; there or below */
    uint32_t *occurrences; /* by the view's node, on the path */
    struct on_path *path;
    size_t depth, path_cap;
    struct callgrind_level *levels;
    size_t level_count, level_cap;
    struct cost *costs;
    size_t cost_count, cost_cap;
    struct index cost_index;
    uint32_t *rank;             /* by the view's node: its place in the output */
    const char **home;          /* by the view's node: the file it is written to be in */
    bool *named;                /* by name: its text was written */
    struct pool objects, files; /* in the order in which they were written */
};

static void add_weights(struct weights *sum, const struct weights *more)
{
    for (size_t i = 0; i < WEIGHT_COUNT; i++)
        sum->value[i] = weight_add(sum->value[i], more->value[i]);
}

static enum status add_cost(struct callgrind_writer *w, const struct cost *want,
                            const struct weights *weights)
{
    uint64_t hash = keyed_words(keyed_words(want->from, want->to),
                                (uint64_t)(uintptr_t)want->file ^ (uint64_t)want->line << 40);
    struct index_probe probe = index_find(&w->cost_index, hash);
    uint32_t id;

    while (index_next(&probe, &id)) {
        struct cost *known = &w->costs[id];

        if (known->from == want->from && known->to == want->to && known->line == want->line &&
            known->file == want->file) {
            add_weights(&known->weights, weights);
            return STATUS_OK;
        }
    }
    if (vec_reserve(&w->costs, &w->cost_cap, w->cost_count + 1, sizeof(*w->costs)) != STATUS_OK ||
        index_add(&w->cost_index, hash, (uint32_t)w->cost_count) != STATUS_OK)
        return STATUS_NO_MEMORY;
    w->costs[w->cost_count] = *want;
    w->costs[w->cost_count++].weights = *weights;
    return STATUS_OK;
}

static bool is_zero(const struct weights *weights)
{
    for (size_t i = 0; i < WEIGHT_COUNT; i++)
        if (weights->value[i])
            return false;
    return true;
}

/* Goes from the path's end into a step of `trie_node`. */
static enum status enter_step(struct callgrind_writer *w, const struct view_step *step,
                              uint32_t trie_node)
{
    uint32_t occurrence = ++w->occurrences[step->node];
    struct on_path here = {.name = name_of(step->node, occurrence), .step = step};
    enum status status = vec_reserve(&w->path, &w->path_cap, w->depth + 1, sizeof(*w->path));

    /*
     * Each name is called once on a chain; and what a first occurrence calls is never left out, or
     * its function would lack that cost.
     */
    if (status == STATUS_OK && w->depth > 0 &&
        (occurrence <= 2 || is_first(w->path[w->depth - 1].name))) {
        const struct on_path *caller = &w->path[w->depth - 1];
        struct cost cost = {.from = caller->name,
                            .to = here.name,
                            .line = caller->step->line,
                            .file = caller->step->file};

        status = add_cost(w, &cost, &w->below[trie_node]);
    }
    if (status == STATUS_OK)
        w->path[w->depth++] = here;
    return status;
}

static enum status enter(struct callgrind_writer *w, uint32_t trie_node)
{
    struct view_range range = w->view->frames[w->view->profile->trie.nodes[trie_node].key];
    enum status status =
        vec_reserve(&w->levels, &w->level_cap, w->level_count + 1, sizeof(*w->levels));

    if (status != STATUS_OK)
        return status;
    w->levels[w->level_count++] =
        (struct callgrind_level){.trie_node = trie_node, .depth = w->depth};
    for (uint32_t i = 0; i < range.count && status == STATUS_OK; i++)
        status = enter_step(w, &w->view->steps[range.first + i], trie_node);
    if (status == STATUS_OK && w->depth > 0 && !is_zero(&w->self[trie_node])) {
        const struct on_path *top = &w->path[w->depth - 1];
        struct cost cost = {.from = top->name,
                            .to = NOBODY,
                            .line = top->step->line,
                            .file = top->step->file};

        status = add_cost(w, &cost, &w->self[trie_node]);
    }
    return status;
}

static uint32_t leave(struct callgrind_writer *w)
{
    struct callgrind_level level = w->levels[--w->level_count];

    while (w->depth > level.depth)
        w->occurrences[w->path[--w->depth].step->node]--;
    return level.trie_node;
}

/* Depth first, without recursion: a chain may be 65,536 deep. */
static enum status visit_all(struct callgrind_writer *w, const uint32_t *first,
                             const uint32_t *next)
{
    uint32_t node = first[TRIE_ROOT];

    for (;;) {
        while (node != TRIE_NONE && is_zero(&w->below[node]))
            node = next[node];
        if (node != TRIE_NONE) {
            enum status status = enter(w, node);

            if (status != STATUS_OK)
                return status;
            node = first[node];
        } else if (w->level_count) {
            node = next[leave(w)];
        } else {
            return STATUS_OK;
        }
    }
}

static enum status collect(struct callgrind_writer *w)
{
    const struct profile *profile = w->view->profile;
    const struct trie *trie = &profile->trie;
    uint32_t *first = NULL;
    uint32_t *next = NULL;
    enum status status;

    for (size_t i = 0; i < profile->cell_count; i++)
        if (w->view->cell_shown[i])
            add_weights(&w->self[profile->chains[profile->cells[i].chain].leaf],
                        &profile->cells[i].weights);
    for (size_t i = trie->len; i-- > 0;) {
        add_weights(&w->below[i], &w->self[i]);
        if (i != TRIE_ROOT)
            add_weights(&w->below[trie->nodes[i].parent], &w->below[i]);
    }
    status = trie_children(trie, &first, &next);
    if (status == STATUS_OK)
        status = visit_all(w, first, next);
    free(first);
    free(next);
    return status;
}

/* By name; NULL, not known, comes last. */
static int compare_files(const char *a, const char *b)
{
    if (!a || !b)
        return a ? -1 : b != NULL;
    return strcmp(a, b);
}

static int compare_nodes(const void *a, const void *b, void *context)
{
    uint32_t na = *(const uint32_t *)a;
    uint32_t nb = *(const uint32_t *)b;
    int order = view_compare_nodes(context, na, nb);

    return order ? order : (na > nb) - (na < nb);
}

/* Function by function, lines of the home file first, then by file and line, then by callee. */
static int compare_costs(const void *a, const void *b, void *context)
{
    const struct callgrind_writer *w = context;
    const struct cost *ca = a;
    const struct cost *cb = b;
    const char *home = w->home[ca->from / 2];
    int order = (ca->rank > cb->rank) - (ca->rank < cb->rank);

    if (order)
        return order;
    if (ca->file != cb->file && (ca->file == home || cb->file == home))
        return ca->file == home ? -1 : 1;
    order = compare_files(ca->file, cb->file);
    if (order)
        return order;
    if (ca->line != cb->line)
        return ca->line < cb->line ? -1 : 1;
    if (ca->to == cb->to)
        return 0;
    if (ca->to == NOBODY || cb->to == NOBODY)
        return ca->to == NOBODY ? -1 : 1;
    if (ca->to / 2 != cb->to / 2)
        return w->rank[ca->to / 2] < w->rank[cb->to / 2] ? -1 : 1;
    return ca->to < cb->to ? -1 : 1;
}

static enum status sort_costs(struct callgrind_writer *w)
{
    size_t count = w->view->node_count;
    uint32_t *order = calloc(count + 1, sizeof(*order));
    bool *has_home = calloc(count + 1, sizeof(*has_home));

    if (!order || !has_home) {
        free(order);
        free(has_home);
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, count, sizeof(*order), compare_nodes, (void *)(uintptr_t)w->view);
    for (size_t i = 0; i < count; i++)
        w->rank[order[i]] = (uint32_t)i;
    for (size_t i = 0; i < w->cost_count; i++) {
        struct cost *cost = &w->costs[i];
        uint32_t node = cost->from / 2;

        cost->rank = 2 * w->rank[node] + cost->from % 2;
        if (!has_home[node] || compare_files(cost->file, w->home[node]) < 0)
            w->home[node] = cost->file;
        has_home[node] = true;
    }
    if (w->cost_count)
        qsort_r(w->costs, w->cost_count, sizeof(*w->costs), compare_costs, w);
    free(order);
    free(has_home);
    return STATUS_OK;
}

/* "KEY=(7) text", and from the second time on "KEY=(7)". */
static enum status put_text(struct callgrind_writer *w, struct pool *pool, const char *key,
                            const char *text)
{
    size_t before = pool->len;
    uint32_t id;
    enum status status = pool_intern(pool, text ? text : "???", &id);

    if (status != STATUS_OK)
        return status;
    fprintf(w->out, "%s=(%" PRIu32 ")", key, id + 1);
    if (pool->len > before)
        fprintf(w->out, " %s", pool->texts[id]);
    fputc('\n', w->out);
    return STATUS_OK;
}

/* Object, file and function; `keys` are those of a function, or of what it calls. */
static enum status put_function(struct callgrind_writer *w, const char *const keys[3],
                                uint32_t name)
{
    const struct view_node *node = &w->view->nodes[name / 2];
    enum status status = put_text(w, &w->objects, keys[0], node->module);

    if (status == STATUS_OK)
        status = put_text(w, &w->files, keys[1], w->home[name / 2]);
    /* Numbers go by rank, not by the order of input: the same samples give the same text. */
    fprintf(w->out, "%s=(%" PRIu32 ")", keys[2], 2 * w->rank[name / 2] + name % 2 + 1);
    if (!w->named[name])
        fprintf(w->out, " %s%s", node->label, name % 2 ? "'2" : "");
    w->named[name] = true;
    fputc('\n', w->out);
    return status;
}

static const struct event {
    enum weight_kind weight;
    const char *name, *help;
} EVENTS[] = {{WEIGHT_SAMPLES, "Samples", "Samples"},
              {WEIGHT_WALL, "Wall", "Wall time (ns)"},
              {WEIGHT_CPU, "Cpu", "CPU time (ns)"}};
#define EVENT_COUNT (sizeof(EVENTS) / sizeof(EVENTS[0]))

/* The view's weight first: readers show the first. */
static const struct event *event_at(const struct callgrind_writer *w, size_t i)
{
    size_t first = 0;

    while (first < EVENT_COUNT - 1 && EVENTS[first].weight != w->view->weight)
        first++;
    if (EVENTS[first].weight != w->view->weight)
        first = 0;
    return &EVENTS[i == 0 ? first : i <= first ? i - 1 : i];
}

static void put_weights(struct callgrind_writer *w, const struct weights *weights)
{
    for (size_t i = 0; i < EVENT_COUNT; i++)
        fprintf(w->out, " %" PRIu64, weights->value[event_at(w, i)->weight]);
    fputc('\n', w->out);
}

static enum status put_cost(struct callgrind_writer *w, const struct cost *cost,
                            const struct cost *before)
{
    static const char *const keys[] = {"ob", "fl", "fn"};
    static const char *const callee_keys[] = {"cob", "cfi", "cfn"};
    const char *file = before ? before->file : NULL; /* the file that is in effect */
    enum status status = STATUS_OK;

    if (!before || before->from != cost->from) {
        fputc('\n', w->out);
        status = put_function(w, keys, cost->from);
        file = w->home[cost->from / 2];
    }
    if (status == STATUS_OK && cost->file != file)
        status = put_text(w, &w->files, "fi", cost->file);
    if (status == STATUS_OK && cost->to != NOBODY) {
        status = put_function(w, callee_keys, cost->to);
        fprintf(w->out, "calls=%" PRIu64 " 0\n", cost->weights.value[WEIGHT_SAMPLES]);
    }
    fprintf(w->out, "%" PRIu32, cost->line);
    put_weights(w, &cost->weights);
    return status;
}

static enum status put_head(struct callgrind_writer *w, const char *title)
{
    char *clean = text_clean(title ? title : "", TEXT_REPLACE_CONTROLS);

    if (!clean)
        return STATUS_NO_MEMORY;
    fputs("# callgrind format\n"
          "version: 1\n"
          "creator: cgunwind " CG_VERSION "\n",
          w->out);
    if (*clean)
        fprintf(w->out, "cmd: %s\n", clean);
    free(clean);
    fputs("desc: Samples are not calls: \"calls\" are the samples in which a call was seen\n"
          "positions: line\n",
          w->out);
    for (size_t i = 0; i < EVENT_COUNT; i++)
        fprintf(w->out, "event: %s : %s\n", event_at(w, i)->name, event_at(w, i)->help);
    fputs("events:", w->out);
    for (size_t i = 0; i < EVENT_COUNT; i++)
        fprintf(w->out, " %s", event_at(w, i)->name);
    fputs("\nsummary:", w->out);
    put_weights(w, &w->below[TRIE_ROOT]);
    return STATUS_OK;
}

static enum status write_all(struct callgrind_writer *w, const char *title)
{
    const struct cost *before = NULL;
    enum status status = collect(w);

    if (status == STATUS_OK)
        status = sort_costs(w);
    if (status == STATUS_OK)
        status = put_head(w, title);
    for (size_t i = 0; i < w->cost_count && status == STATUS_OK; i++) {
        status = put_cost(w, &w->costs[i], before);
        before = &w->costs[i];
    }
    return status == STATUS_OK ? text_finish(w->out) : status;
}

enum status callgrind_write(const struct view *view, const char *title, FILE *out)
{
    struct callgrind_writer w = {.view = view, .out = out};
    size_t trie_len = view->profile->trie.len;
    enum status status = STATUS_NO_MEMORY;

    assert(view->by == GRAPH_BY_FUNCTION);
    w.self = calloc(trie_len, sizeof(*w.self));
    w.below = calloc(trie_len, sizeof(*w.below));
    w.occurrences = calloc(view->node_count + 1, sizeof(*w.occurrences));
    w.rank = calloc(view->node_count + 1, sizeof(*w.rank));
    w.home = calloc(view->node_count + 1, sizeof(*w.home));
    w.named = calloc(2 * view->node_count + 1, sizeof(*w.named));
    if (w.self && w.below && w.occurrences && w.rank && w.home && w.named)
        status = write_all(&w, title);
    free(w.self);
    free(w.below);
    free(w.occurrences);
    free(w.rank);
    free(w.home);
    free(w.named);
    free(w.path);
    free(w.levels);
    free(w.costs);
    index_deinit(&w.cost_index);
    pool_deinit(&w.objects);
    pool_deinit(&w.files);
    return status;
}

static enum status finish(struct output *o, struct diag *diag)
{
    (void)diag;
    return callgrind_write(o->view, o->title, o->file);
}

const struct output_format output_format_callgrind = {
    .name = "callgrind",
    .suffixes = {".callgrind"},
    .file_name = "callgrind.out",
    .help = "for KCachegrind and callgrind_annotate",
    .begins = "^# callgrind format\n",
    .needs = NEEDS_VIEW | NEEDS_LINES,
    .honours = (HONOURS_SAMPLES & ~HONOURS(WEIGHT_OFFCPU)) | HONOURS_TRIMMING | HONOURS(HIDE),
    .finish = finish,
};
