/* SPDX-License-Identifier: MIT */
#include "threads/identity.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "threads/chain_ends.h"
#include "threads/identity_label.h"
#include "threads/identity_name.h"
#include "threads/runtime.h"

/* First words of hashes, so that those of different things differ. */
enum { HASH_CREATION = 1, HASH_FORK, HASH_MAIN, HASH_START, HASH_NAME };

struct start { /* a thread's start routine, from its samples */
    uint32_t frame, named;
    bool inferred;
    bool partial;  /* shared by many functions, and the one that it calls was not seen */
    uint64_t hash; /* of the routine's start, and of a shared one's callee; 0: not known */
};

struct identity_builder {
    const struct history *history;
    const struct profile *profile;
    struct chain_ends ends;
    struct start *starts; /* by thread */
    uint64_t *votes;      /* by function of the profile's names */
    struct map by_key;    /* key -> index of an identity */
    struct map
        by_chain; /* hash of a creation chain -> hash of its only start routine; 0: several */
    struct identities *out;
    size_t cap;
};

static const struct chain_end *end_of(const struct identity_builder *b, uint32_t chain)
{
    return &b->ends.list[b->profile->chains[chain].leaf];
}

/* Returns the function of a span's chain to count; `within`: the start routine it must have. */
typedef uint32_t function_of_span(const struct identity_builder *b, const struct span *span,
                                  uint32_t within);

static uint32_t start_function(const struct identity_builder *b, const struct span *span,
                               uint32_t within)
{
    const struct profile_chain *chain = &b->profile->chains[span->chain];
    uint32_t frame = b->ends.list[chain->leaf].start;

    (void)within;
    if (!chain_ends_is_complete(chain->stop) || frame == CHAIN_ENDS_NONE)
        return IDENTITY_NONE;
    return chain_ends_function_id(b->profile, frame);
}

static uint32_t named_function(const struct identity_builder *b, const struct span *span,
                               uint32_t within)
{
    uint32_t frame = end_of(b, span->chain)->named;
    const struct place *place;

    if (start_function(b, span, IDENTITY_NONE) != within || frame == CHAIN_ENDS_NONE)
        return IDENTITY_NONE;
    place = chain_ends_place(b->profile, frame);
    return place ? place->function : IDENTITY_NONE;
}

/* Returns the function that most samples of the thread have, of equals the first; or NONE. */
static uint32_t elect(struct identity_builder *b, const struct history_thread *thread,
                      function_of_span *function_of, uint32_t within)
{
    uint32_t best = IDENTITY_NONE;

    for (size_t i = 0; i < thread->span_count; i++) {
        uint32_t function = function_of(b, &thread->spans[i], within);

        if (function != IDENTITY_NONE)
            b->votes[function] += thread->spans[i].samples;
    }
    for (size_t i = 0; i < thread->span_count; i++) {
        uint32_t function = function_of(b, &thread->spans[i], within);

        if (function != IDENTITY_NONE &&
            (best == IDENTITY_NONE || b->votes[function] > b->votes[best]))
            best = function;
    }
    for (size_t i = 0; i < thread->span_count; i++) {
        uint32_t function = function_of(b, &thread->spans[i], within);

        if (function != IDENTITY_NONE)
            b->votes[function] = 0;
    }
    return best;
}

static uint64_t hash_start(const struct function *function)
{
    uint64_t hash;

    if (function->has_start)
        hash = chain_ends_hash(HASH_START, function->module, function->start_vaddr);
    else if (function->has_name)
        hash = hash_words(HASH_START, hash_text(function->name));
    else
        return 0;
    return hash ? hash : 1;
}

/* Hashes a start routine; a shared one together with the function that it calls, if known. */
static void hash_routine(const struct identity_builder *b, uint32_t routine, uint32_t named,
                         struct start *start)
{
    const struct function *function = names_function(b->profile->names, routine);

    start->hash = hash_start(function);
    if (!runtime_is_shared_start(function->name))
        return;
    start->partial = named == IDENTITY_NONE;
    if (!start->partial)
        start->hash = hash_words(start->hash, hash_start(names_function(b->profile->names, named)));
}

/*
 * Finds the start routine that most samples have: before and after it a thread is elsewhere, as in
 * destructors of thread-local variables.
 */
static void find_start(struct identity_builder *b, uint32_t index)
{
    const struct history_thread *thread = &b->history->threads[index];
    struct start *start = &b->starts[index];
    uint32_t best = elect(b, thread, start_function, IDENTITY_NONE);
    uint32_t named = IDENTITY_NONE;

    *start = (struct start){.frame = IDENTITY_NONE, .named = IDENTITY_NONE};
    if (best != IDENTITY_NONE) {
        named = elect(b, thread, named_function, best);
        hash_routine(b, best, named, start);
    }
    for (size_t i = 0; best != IDENTITY_NONE && i < thread->span_count; i++) {
        const struct span *span = &thread->spans[i];
        const struct chain_end *end = end_of(b, span->chain);

        if (start->frame == IDENTITY_NONE && start_function(b, span, IDENTITY_NONE) == best) {
            start->frame = end->start;
            start->inferred = end->inferred;
        }
        if (start->named == IDENTITY_NONE && named != IDENTITY_NONE &&
            named_function(b, span, best) == named)
            start->named = end->named;
    }
}

/* Returns 0 if the creation was not seen, or its chain has no frame of the program. */
static uint64_t creation_hash(const struct identity_builder *b, const struct history_thread *thread)
{
    return thread->creation_chain == HISTORY_NONE ? 0 : end_of(b, thread->creation_chain)->hash;
}

/* Finds the threads' start routines, and those of each creation chain. */
static enum status find_starts(struct identity_builder *b)
{
    for (uint32_t i = 0; i < b->history->thread_count; i++) {
        uint64_t chain = creation_hash(b, &b->history->threads[i]);
        uint64_t *known;

        find_start(b, i);
        if (!chain || !b->starts[i].hash || b->starts[i].partial || b->history->threads[i].is_main)
            continue;
        known = map_put(&b->by_chain, chain, b->starts[i].hash);
        if (!known)
            return STATUS_NO_MEMORY;
        if (*known != b->starts[i].hash)
            *known = 0;
    }
    return STATUS_OK;
}

static uint64_t identity_key(const struct identity_builder *b, uint32_t index)
{
    const struct history_thread *thread = &b->history->threads[index];
    const struct history_process *process = &b->history->processes[thread->process];
    uint64_t chain = creation_hash(b, thread), start = b->starts[index].hash;
    const uint64_t *only;

    if (thread->is_cpu)
        return hash_words(HASH_NAME, hash_text(thread->name));
    if (chain && thread->is_main)
        return hash_words(HASH_FORK, chain);
    if (thread->is_main)
        return hash_words(HASH_MAIN, hash_text(profile_program_file(b->profile, process->exe)));
    if (!chain)
        return start ? start : hash_words(HASH_NAME, hash_text(thread->name));
    only = start && !b->starts[index].partial ? NULL : map_get(&b->by_chain, chain);
    return hash_words(hash_words(HASH_CREATION, chain), only && *only ? *only : start);
}

static enum status add_identity(struct identity_builder *b, uint32_t index, uint64_t key)
{
    const struct history_thread *thread = &b->history->threads[index];
    bool known = creation_hash(b, thread) != 0;
    struct identity *identity;

    if (vec_reserve(&b->out->list, &b->cap, b->out->count + 1, sizeof(*identity)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    identity = &b->out->list[b->out->count++];
    *identity = (struct identity){
        .is_main = thread->is_main,
        .creation_known = known,
        .creation_chain = known ? thread->creation_chain : IDENTITY_NONE,
        .site_frame = known ? end_of(b, thread->creation_chain)->site : IDENTITY_NONE,
        .start_frame = IDENTITY_NONE,
        .named_frame = IDENTITY_NONE,
        .first_thread = index,
    };
    snprintf(identity->hash, sizeof(identity->hash), "%08" PRIx32, (uint32_t)(key >> 32));
    return STATUS_OK;
}

/* A start routine with an inlined closure may call different functions: none is its name then. */
static void take_named(const struct identity_builder *b, struct identity *identity, uint32_t frame)
{
    const struct profile *profile = b->profile;

    if (frame == IDENTITY_NONE || identity->named_differ)
        return;
    if (identity->named_frame == IDENTITY_NONE) {
        identity->named_frame = frame;
    } else if (strcmp(chain_ends_name(profile, identity->named_frame),
                      chain_ends_name(profile, frame)) != 0) {
        identity->named_frame = IDENTITY_NONE;
        identity->named_differ = true;
    }
}

static enum status assign(struct identity_builder *b, uint32_t index)
{
    const struct start *start = &b->starts[index];
    uint64_t key = identity_key(b, index);
    uint64_t *known = map_put(&b->by_key, key, b->out->count);
    struct identity *identity;

    if (!known || (*known == b->out->count && add_identity(b, index, key) != STATUS_OK))
        return STATUS_NO_MEMORY;
    b->out->of_thread[index] = (uint32_t)*known;
    identity = &b->out->list[*known];
    identity->thread_count++;
    /* A first thread begins in the kernel's and the loader's code. */
    if (!identity->is_main && identity->start_frame == IDENTITY_NONE) {
        identity->start_frame = start->frame;
        identity->start_inferred = start->inferred;
    }
    if (!identity->is_main)
        take_named(b, identity, start->named);
    return STATUS_OK;
}

static enum status build(struct identity_builder *b)
{
    enum status status = chain_ends_create(b->history, b->profile, &b->ends);

    if (status == STATUS_OK)
        status = find_starts(b);
    for (uint32_t i = 0; status == STATUS_OK && i < b->history->thread_count; i++)
        status = assign(b, i);
    if (status == STATUS_OK)
        status = identity_names_set(b->history, b->profile, &b->ends, b->out);
    if (status == STATUS_OK)
        status = identity_labels_set(b->history, b->out);
    return status;
}

enum status identities_create(const struct history *history, const struct profile *profile,
                              struct identities **out)
{
    struct identity_builder b = {.history = history, .profile = profile};
    enum status status = STATUS_NO_MEMORY;

    b.out = calloc(1, sizeof(*b.out));
    b.starts = calloc(history->thread_count + 1, sizeof(*b.starts));
    b.votes = calloc(names_function_count(profile->names) + 1, sizeof(*b.votes));
    if (b.out) {
        b.out->of_thread = calloc(history->thread_count + 1, sizeof(*b.out->of_thread));
        b.out->thread_labels = calloc(history->thread_count + 1, sizeof(*b.out->thread_labels));
        b.out->thread_count = history->thread_count;
    }
    if (b.starts && b.votes && b.out && b.out->of_thread && b.out->thread_labels)
        status = build(&b);
    chain_ends_deinit(&b.ends);
    free(b.starts);
    free(b.votes);
    map_deinit(&b.by_key);
    map_deinit(&b.by_chain);
    if (status == STATUS_OK)
        *out = b.out;
    else
        identities_destroy(b.out);
    return status;
}

const char *identity_label(const struct identity *identity)
{
    return identity->label ? identity->label : identity->name;
}

const char *identity_thread_label(const struct identities *identities, uint32_t thread)
{
    const char *own = identities->thread_labels[thread];

    return own ? own : identity_label(&identities->list[identities->of_thread[thread]]);
}

void identities_destroy(struct identities *identities)
{
    if (!identities)
        return;
    for (size_t i = 0; i < identities->count; i++) {
        free(identities->list[i].name);
        free(identities->list[i].label);
    }
    for (size_t i = 0; identities->thread_labels && i < identities->thread_count; i++)
        free(identities->thread_labels[i]);
    free(identities->list);
    free(identities->of_thread);
    free(identities->thread_labels);
    free(identities);
}

enum status identities_label_threads(const struct history *history, struct profile *profile)
{
    struct identities *identities = NULL;
    enum status status = identities_create(history, profile, &identities);

    for (size_t i = 0; i < history->profile_thread_count && status == STATUS_OK; i++) {
        uint32_t thread = history->by_profile_thread[i];

        if (thread)
            status = profile_label_thread(profile, (uint32_t)i,
                                          identity_thread_label(identities, thread - 1));
    }
    identities_destroy(identities);
    return status;
}
