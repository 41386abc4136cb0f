/* SPDX-License-Identifier: MIT */
#include "threads/identity_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/label.h"
#include "base/map.h"
#include "base/text.h"

#define LEVELS_MAX 8  /* callers that may tell two identities apart */
#define STEPS_MAX  64 /* frames of a creation chain to look at */

enum detail { DETAIL_FUNCTION, DETAIL_LINE, DETAIL_OFFSET, DETAIL_HASH };

struct naming {
    const struct history *history;
    const struct profile *profile;
    const struct chain_ends *ends;
    struct identities *identities;
    char **bases; /* by identity: the name without the suffix; owned */
};

/* An inlined lambda without a full name is "operator()" in debug information: names its file. */
static char *start_name(const struct naming *n, uint32_t frame)
{
    const struct place *place = chain_ends_place(n->profile, frame);
    const char *name = chain_ends_name(n->profile, frame);
    char *clean, *text = NULL;

    if (!place || !place->file || strcmp(name, "operator()") != 0)
        return label_line(name);
    clean = text_clean(text_basename(place->file), TEXT_REPLACE_CONTROLS);
    if (!clean || asprintf(&text, "lambda in %s", clean) < 0)
        text = NULL;
    free(clean);
    return text;
}

static char *base_name(const struct naming *n, const struct identity *identity)
{
    const struct history_thread *thread = &n->history->threads[identity->first_thread];
    uint32_t frame =
        identity->named_frame != IDENTITY_NONE ? identity->named_frame : identity->start_frame;

    if (identity->is_main)
        return strdup("main");
    if (thread->is_cpu)
        return text_clean(thread->name, TEXT_REPLACE_CONTROLS);
    if (identity->named_differ)
        return label_line(chain_ends_function(n->profile, identity->start_frame)->name);
    if (frame != IDENTITY_NONE)
        return start_name(n, frame);
    if (identity->creation_known || !thread->name[0])
        return strdup("thread");
    return text_clean(thread->name, TEXT_REPLACE_CONTROLS);
}

/* Returns the program's frame `level` callers outwards from the site, or IDENTITY_NONE. */
static uint32_t creator(const struct naming *n, const struct identity *identity, unsigned level)
{
    const struct trie *trie = &n->profile->trie;
    uint32_t node = n->profile->chains[identity->creation_chain].leaf;
    uint32_t site = n->ends->list[node].site;

    for (unsigned steps = 0; node != TRIE_ROOT && steps < STEPS_MAX; steps++) {
        bool here = trie->nodes[node].key == site;

        if (here && level-- == 0)
            return site;
        node = trie->nodes[node].parent;
        site = n->ends->list[node].site;
    }
    return IDENTITY_NONE;
}

static enum status print_creator(const struct naming *n, uint32_t frame, enum detail detail,
                                 FILE *out)
{
    const struct place *place = chain_ends_place(n->profile, frame);
    const struct function *function = chain_ends_function(n->profile, frame);
    const struct profile_frame *info = &n->profile->frames[frame];
    char *name = label_line(chain_ends_name(n->profile, frame));

    if (!name)
        return STATUS_NO_MEMORY;
    fprintf(out, " via %s", name);
    free(name);
    if (detail == DETAIL_LINE && place && place->line)
        fprintf(out, ":%" PRIu32, place->line);
    else if (detail == DETAIL_OFFSET && function->has_name && function->has_start)
        fprintf(out, "+0x%" PRIx64, info->addr + info->is_call - function->start_vaddr);
    return STATUS_OK;
}

static enum status print_suffix(const struct naming *n, const struct identity *identity,
                                unsigned level, enum detail detail, FILE *out)
{
    const struct history_thread *thread = &n->history->threads[identity->first_thread];
    const char *program = history_process_name(&n->history->processes[thread->process]);
    uint32_t frame = identity->creation_known ? creator(n, identity, level) : IDENTITY_NONE;
    enum status status = STATUS_OK;

    if (frame != IDENTITY_NONE) {
        status = print_creator(n, frame, detail, out);
    } else if (identity->is_main && !identity->creation_known && program[0]) {
        char *clean = text_clean(program, TEXT_REPLACE_CONTROLS);

        if (!clean)
            return STATUS_NO_MEMORY;
        fprintf(out, " of %s", clean);
        free(clean);
    }
    if (detail == DETAIL_HASH)
        fprintf(out, " #%s", identity->hash);
    return status;
}

static enum status make_name(const struct naming *n, uint32_t id, unsigned level,
                             enum detail detail, char **out)
{
    size_t size;
    char *text = NULL;
    FILE *memory = open_memstream(&text, &size);
    enum status status = STATUS_NO_MEMORY;

    if (memory) {
        fputs(n->bases[id], memory);
        status = print_suffix(n, &n->identities->list[id], level, detail, memory);
        if (text_close(memory, &text) != STATUS_OK)
            status = STATUS_NO_MEMORY;
    }
    if (status == STATUS_OK)
        *out = text;
    else
        free(text);
    return status;
}

/* Gives identities with one base names of this kind; *distinct: no two are equal. */
static enum status try_names(const struct naming *n, const uint32_t *ids, size_t count,
                             unsigned level, enum detail detail, bool *distinct)
{
    struct pool pool;
    enum status status = STATUS_OK;

    pool_init(&pool);
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        struct identity *identity = &n->identities->list[ids[i]];
        uint32_t id;

        free(identity->name);
        identity->name = NULL;
        status = make_name(n, ids[i], level, detail, &identity->name);
        if (status == STATUS_OK)
            status = pool_intern(&pool, identity->name, &id);
    }
    *distinct = pool.len == count;
    pool_deinit(&pool);
    return status;
}

static enum status name_alike(const struct naming *n, const uint32_t *ids, size_t count)
{
    enum status status = STATUS_OK;
    bool distinct = false;

    if (count == 1) {
        n->identities->list[ids[0]].name = strdup(n->bases[ids[0]]);
        return n->identities->list[ids[0]].name ? STATUS_OK : STATUS_NO_MEMORY;
    }
    for (unsigned level = 0; level < LEVELS_MAX && !distinct && status == STATUS_OK; level++)
        status = try_names(n, ids, count, level, DETAIL_FUNCTION, &distinct);
    for (enum detail detail = DETAIL_LINE; detail <= DETAIL_HASH && !distinct; detail++) {
        if (status != STATUS_OK)
            break;
        status = try_names(n, ids, count, 0, detail, &distinct);
    }
    return status;
}

struct named_id {
    uint32_t base, id;
};

static int compare_bases(const void *a, const void *b)
{
    const struct named_id *x = a, *y = b;

    if (x->base != y->base)
        return x->base < y->base ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Sorts identities so that those with the same base are neighbours. */
static enum status sort_by_base(const struct naming *n, struct named_id *sorted)
{
    enum status status = STATUS_OK;
    struct pool pool;

    pool_init(&pool);
    for (uint32_t i = 0; i < n->identities->count && status == STATUS_OK; i++) {
        sorted[i].id = i;
        status = pool_intern(&pool, n->bases[i], &sorted[i].base);
    }
    pool_deinit(&pool);
    if (n->identities->count)
        qsort(sorted, n->identities->count, sizeof(*sorted), compare_bases);
    return status;
}

static enum status name_all(const struct naming *n, struct named_id *sorted, uint32_t *ids)
{
    size_t count = n->identities->count;
    enum status status = sort_by_base(n, sorted);

    for (size_t i = 0, end; i < count && status == STATUS_OK; i = end) {
        for (end = i; end < count && sorted[end].base == sorted[i].base; end++)
            ids[end - i] = sorted[end].id;
        status = name_alike(n, ids, end - i);
    }
    return status;
}

enum status identity_names_set(const struct history *history, const struct profile *profile,
                               const struct chain_ends *ends, struct identities *identities)
{
    struct naming n = {.history = history,
                       .profile = profile,
                       .ends = ends,
                       .identities = identities};
    struct named_id *sorted = calloc(identities->count + 1, sizeof(*sorted));
    uint32_t *ids = calloc(identities->count + 1, sizeof(*ids));
    enum status status = STATUS_NO_MEMORY;

    n.bases = calloc(identities->count + 1, sizeof(*n.bases));
    if (sorted && ids && n.bases)
        status = STATUS_OK;
    for (size_t i = 0; i < identities->count && status == STATUS_OK; i++) {
        n.bases[i] = base_name(&n, &identities->list[i]);
        if (!n.bases[i])
            status = STATUS_NO_MEMORY;
    }
    if (status == STATUS_OK)
        status = name_all(&n, sorted, ids);
    for (size_t i = 0; n.bases && i < identities->count; i++)
        free(n.bases[i]);
    free(n.bases);
    free(sorted);
    free(ids);
    return status;
}
