/* SPDX-License-Identifier: MIT */
#include "threads/tally.h"

#include <stdlib.h>

#include "base/vec.h"

#define PLACES_MAX 32 /* functions inlined at one address that are counted */

static bool is_blocked(enum timeline_state state)
{
    return state >= TIMELINE_LOCK && state <= TIMELINE_STOPPED;
}

uint64_t tally_blocked(const struct tally *tally)
{
    uint64_t sum = 0;

    for (enum timeline_state state = 0; state < TIMELINE_STATE_COUNT; state++)
        if (is_blocked(state))
            sum = weight_add(sum, tally->by_state[state]);
    return sum;
}

/* Adds an amount to the kind of wait. */
static void add_wait(const struct history *history, uint32_t wait, enum timeline_state state,
                     uint64_t amount, struct tally *out)
{
    uint64_t *sum = wait != WAIT_NONE && history->waits
                        ? &out->by_kind[history->waits->list[wait].kind]
                    : state == TIMELINE_BLOCKED ? &out->by_kind[WAIT_UNKNOWN]
                                                : &out->kindless[state];

    if (is_blocked(state))
        *sum = weight_add(*sum, amount);
}

static void add_times(const struct timeline *timeline, uint32_t thread, struct tally *out)
{
    const struct history *history = timeline->history;
    const uint32_t process = history->threads[thread].process;
    const struct timeline part =
        timeline_of_process(timeline, process, history_zero_ns(history, process));
    struct timeline_cursor cursor;
    struct timeline_piece piece;

    if (!history->threads[thread].span_count)
        return;
    timeline_begin(&part, thread, &cursor);
    while (timeline_next(&cursor, &piece)) {
        out->total = weight_add(out->total, piece.end_ns - piece.start_ns);
        timeline_add_states(&piece, out->by_state);
        add_wait(history, piece.wait, piece.state, timeline_waited_ns(&piece), out);
    }
}

static void add_samples(const struct timeline *timeline, uint32_t thread, struct tally *out)
{
    const struct history_thread *found = &timeline->history->threads[thread];

    for (size_t i = 0; i < found->span_count; i++) {
        const struct span *span = &found->spans[i];
        const enum timeline_state state = timeline_span_state(timeline, span);

        out->total = weight_add(out->total, span->samples);
        out->by_state[state] = weight_add(out->by_state[state], span->samples);
        add_wait(timeline->history, span->wait, state, span->samples, out);
    }
}

/* Returns the CPU time that the thread had used when it was first sampled. */
static uint64_t cpu_before(const struct history_thread *thread)
{
    uint64_t before_ns = thread->span_count ? thread->spans[0].cpu_before_ns : 0;

    return before_ns < thread->cpu_ns ? before_ns : thread->cpu_ns;
}

bool tally_is_cpu_known(const struct history_thread *thread)
{
    return thread->samples && (!thread->cpu_unknown || cpu_before(thread));
}

void tally_threads(const struct timeline *timeline, const uint32_t *threads, size_t count,
                   struct tally *out)
{
    *out = (struct tally){0};
    for (size_t i = 0; i < count; i++) {
        const struct history_thread *thread = &timeline->history->threads[threads[i]];

        out->samples = weight_add(out->samples, thread->samples);
        out->cpu_ns = weight_add(out->cpu_ns, thread->cpu_ns);
        out->unsampled += !tally_is_cpu_known(thread);
        add_times(timeline, threads[i], out);
    }
    out->by_samples = out->total == 0;
    for (size_t i = 0; i < count && out->by_samples; i++)
        add_samples(timeline, threads[i], out);
}

struct tally_functions {
    const struct profile *profile; /* borrowed */
    uint32_t *again;  /* by node: a bit for each place whose function is also further out */
    uint64_t *weight; /* by node; 0 between calls */
    uint64_t *own;    /* by node: weight of the chains that end there; 0 between calls */
    bool *touched;    /* by node; false between calls */
    uint32_t *nodes;  /* those that are touched */
    size_t node_count, node_cap;
    uint64_t *self, *total; /* by function; 0 between calls */
    struct tally_function *list;
    size_t list_count, list_cap;
};

static const struct places *places_of(const struct profile *profile, uint32_t node)
{
    return profile->places[profile->trie.nodes[node].key];
}

/* Visits all nodes depth first; `on_path`: how often each function is on the path to the node. */
static void find_again(struct tally_functions *t, uint32_t *first, const uint32_t *next,
                       uint32_t *on_path)
{
    const struct profile *profile = t->profile;
    uint32_t node = TRIE_ROOT;

    for (;;) {
        uint32_t child = first[node];

        if (child != TRIE_NONE) {
            const struct places *places = places_of(profile, child);

            first[node] = next[child];
            for (uint32_t i = places->count; i-- > 0;)
                if (on_path[places->list[i].function]++ && i < PLACES_MAX)
                    t->again[child] |= UINT32_C(1) << i;
            node = child;
        } else if (node != TRIE_ROOT) {
            const struct places *places = places_of(profile, node);

            for (uint32_t i = 0; i < places->count; i++)
                on_path[places->list[i].function]--;
            node = profile->trie.nodes[node].parent;
        } else {
            return;
        }
    }
}

static enum status prepare(struct tally_functions *t)
{
    size_t nodes = t->profile->trie.len, functions = names_function_count(t->profile->names) + 1;
    uint32_t *first = NULL, *next = NULL, *on_path = calloc(functions, sizeof(*on_path));
    enum status status = trie_children(&t->profile->trie, &first, &next);

    t->again = calloc(nodes, sizeof(*t->again));
    t->weight = calloc(nodes, sizeof(*t->weight));
    t->own = calloc(nodes, sizeof(*t->own));
    t->touched = calloc(nodes, sizeof(*t->touched));
    t->self = calloc(functions, sizeof(*t->self));
    t->total = calloc(functions, sizeof(*t->total));
    if (!on_path || !t->again || !t->weight || !t->own || !t->touched || !t->self || !t->total)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        find_again(t, first, next, on_path);
    free(first);
    free(next);
    free(on_path);
    return status;
}

enum status tally_functions_create(const struct profile *profile, struct tally_functions **out)
{
    struct tally_functions *t = calloc(1, sizeof(*t));
    enum status status = STATUS_NO_MEMORY;

    if (t) {
        t->profile = profile;
        status = prepare(t);
    }
    if (status == STATUS_OK)
        *out = t;
    else
        tally_functions_destroy(t);
    return status;
}

void tally_functions_destroy(struct tally_functions *t)
{
    if (!t)
        return;
    free(t->again);
    free(t->weight);
    free(t->own);
    free(t->touched);
    free(t->nodes);
    free(t->self);
    free(t->total);
    free(t->list);
    free(t);
}

/* Adds samples at the end of a chain, and notes the nodes on the way. */
static enum status add_chain(struct tally_functions *t, uint32_t chain, uint64_t samples)
{
    uint32_t node = t->profile->chains[chain].leaf;

    t->own[node] += samples;
    t->weight[node] += samples;
    for (; node != TRIE_ROOT && !t->touched[node]; node = t->profile->trie.nodes[node].parent) {
        if (vec_reserve(&t->nodes, &t->node_cap, t->node_count + 1, sizeof(*t->nodes)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        t->touched[node] = true;
        t->nodes[t->node_count++] = node;
    }
    return STATUS_OK;
}

static int inner_first(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return x > y ? -1 : x < y;
}

static enum status add_function(struct tally_functions *t, uint32_t function, uint64_t self,
                                uint64_t total)
{
    if (t->self[function] == 0 && t->total[function] == 0) {
        if (vec_reserve(&t->list, &t->list_cap, t->list_count + 1, sizeof(*t->list)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        t->list[t->list_count++].function = function;
    }
    t->self[function] += self;
    t->total[function] += total;
    return STATUS_OK;
}

/* Adds a node's weight to its functions and to its parent, which is taken later. */
static enum status take_node(struct tally_functions *t, uint32_t node)
{
    const struct places *places = places_of(t->profile, node);
    uint32_t parent = t->profile->trie.nodes[node].parent;
    uint64_t weight = t->weight[node];
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < places->count && i < PLACES_MAX && status == STATUS_OK; i++) {
        bool counts = !(t->again[node] >> i & 1);
        uint64_t self = i == 0 ? t->own[node] : 0;

        if (counts || self)
            status = add_function(t, places->list[i].function, self, counts ? weight : 0);
    }
    t->weight[parent] += weight;
    return status;
}

static int heaviest_first(const void *a, const void *b)
{
    const struct tally_function *x = a, *y = b;

    if (x->self != y->self)
        return x->self > y->self ? -1 : 1;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

static void forget(struct tally_functions *t)
{
    for (size_t i = 0; i < t->node_count; i++) {
        t->weight[t->nodes[i]] = t->own[t->nodes[i]] = 0;
        t->touched[t->nodes[i]] = false;
    }
    t->weight[TRIE_ROOT] = t->own[TRIE_ROOT] = 0;
    for (size_t i = 0; i < t->list_count; i++)
        t->self[t->list[i].function] = t->total[t->list[i].function] = 0;
    t->node_count = 0;
}

enum status tally_functions_of(struct tally_functions *t, const struct history *history,
                               const uint32_t *threads, size_t count,
                               const struct tally_function **out, size_t *out_count)
{
    enum status status = STATUS_OK;

    t->list_count = 0;
    for (size_t i = 0; i < count; i++) {
        const struct history_thread *thread = &history->threads[threads[i]];

        for (size_t j = 0; j < thread->span_count && status == STATUS_OK; j++)
            status = add_chain(t, thread->spans[j].chain, thread->spans[j].samples);
    }
    if (t->node_count)
        qsort(t->nodes, t->node_count, sizeof(*t->nodes), inner_first);
    for (size_t i = 0; i < t->node_count && status == STATUS_OK; i++)
        status = take_node(t, t->nodes[i]);
    for (size_t i = 0; i < t->list_count; i++) {
        t->list[i].self = t->self[t->list[i].function];
        t->list[i].total = t->total[t->list[i].function];
    }
    forget(t);
    if (t->list_count)
        qsort(t->list, t->list_count, sizeof(*t->list), heaviest_first);
    *out = t->list;
    *out_count = t->list_count;
    return status;
}
