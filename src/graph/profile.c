/* SPDX-License-Identifier: MIT */
#include "graph/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "base/sort.h"
#include "base/text.h"
#include "base/vec.h"

#define EXPECTED_MAX 16 /* frames that are looked up at a time */

enum status profile_create(struct profile **out)
{
    struct profile *profile = calloc(1, sizeof(*profile));

    if (!profile)
        return STATUS_NO_MEMORY;
    if (trie_init(&profile->trie) != STATUS_OK) {
        free(profile);
        return STATUS_NO_MEMORY;
    }
    *out = profile;
    return STATUS_OK;
}

void profile_destroy(struct profile *profile)
{
    if (!profile)
        return;
    for (size_t i = 0; i < profile->thread_count; i++) {
        free(profile->threads[i].name);
        free(profile->threads[i].label);
    }
    free(profile->threads);
    free(profile->frames);
    free(profile->chains);
    free(profile->cells);
    free(profile->places);
    free(profile->last_child);
    free(profile->first_call);
    free(profile->program);
    free(profile->base_program);
    trie_deinit(&profile->trie);
    pool_deinit(&profile->labels);
    index_deinit(&profile->frame_index);
    index_deinit(&profile->thread_index);
    index_deinit(&profile->chain_index);
    index_deinit(&profile->cell_index);
    free(profile);
}

enum status profile_thread(struct profile *profile, uint32_t pid, uint32_t tid, const char *name,
                           uint32_t *thread)
{
    uint64_t hash = keyed_words((uint64_t)pid << 32 | tid, keyed_text(name));
    struct index_probe probe = index_find(&profile->thread_index, hash);
    char *copy;

    while (index_next(&probe, thread)) {
        const struct profile_thread *known = &profile->threads[*thread];

        if (known->pid == pid && known->tid == tid && strcmp(known->name, name) == 0)
            return STATUS_OK;
    }
    if (vec_reserve(&profile->threads, &profile->thread_cap, profile->thread_count + 1,
                    sizeof(*profile->threads)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    copy = strdup(name);
    if (!copy)
        return STATUS_NO_MEMORY;
    *thread = (uint32_t)profile->thread_count;
    if (index_add(&profile->thread_index, hash, *thread) != STATUS_OK) {
        free(copy);
        return STATUS_NO_MEMORY;
    }
    profile->threads[profile->thread_count++] =
        (struct profile_thread){.pid = pid, .tid = tid, .name = copy};
    return STATUS_OK;
}

const char *profile_thread_label(const struct profile *profile, uint32_t thread)
{
    const struct profile_thread *given = &profile->threads[thread];

    if (given->label)
        return given->label;
    if (profile->comm[0] && *given->name && strcmp(given->name, profile->base_comm) == 0)
        return profile->comm;
    return *given->name ? given->name : "thread";
}

enum status profile_label_thread(struct profile *profile, uint32_t thread, const char *label)
{
    char *copy = strdup(label);

    if (!copy)
        return STATUS_NO_MEMORY;
    free(profile->threads[thread].label);
    profile->threads[thread].label = copy;
    return STATUS_OK;
}

static struct profile_frame frame_of(const struct frame *frame)
{
    return (struct profile_frame){.module = module_told(frame->module),
                                  .addr = frame->module ? frame->lookup_vaddr : frame->pc_addr,
                                  .vaddr_known = frame->module && frame->vaddr_known,
                                  .is_call = frame->is_call,
                                  .trust = frame->trust,
                                  .mark = frame->mark};
}

static bool same_frame(const struct profile_frame *a, const struct profile_frame *b)
{
    return a->addr == b->addr && a->module == b->module && a->trust == b->trust &&
           a->is_call == b->is_call && a->vaddr_known == b->vaddr_known && a->mark == b->mark;
}

static uint64_t hash_frame(const struct profile_frame *frame)
{
    uint64_t flags =
        (uint64_t)frame->trust << 2 | (uint64_t)frame->is_call << 1 | (uint64_t)frame->vaddr_known;

    return keyed_words(frame->addr, (uint64_t)(uintptr_t)frame->module ^ flags << 56 ^
                                        (uint64_t)frame->mark << 32);
}

static enum status intern_frame(struct profile *profile, const struct profile_frame *frame,
                                uint32_t *id)
{
    uint64_t hash = hash_frame(frame);
    struct index_probe probe = index_find(&profile->frame_index, hash);

    while (index_next(&probe, id))
        if (same_frame(&profile->frames[*id], frame))
            return STATUS_OK;
    *id = (uint32_t)profile->frame_count;
    if (vec_reserve(&profile->frames, &profile->frame_cap, profile->frame_count + 1,
                    sizeof(*profile->frames)) != STATUS_OK ||
        index_add(&profile->frame_index, hash, *id) != STATUS_OK)
        return STATUS_NO_MEMORY;
    profile->frames[profile->frame_count++] = *frame;
    return STATUS_OK;
}

enum status profile_frame(struct profile *profile, const struct frame *frame, uint32_t *id)
{
    struct profile_frame want = frame_of(frame);

    return intern_frame(profile, &want, id);
}

enum status profile_step(struct profile *profile, uint32_t parent, uint32_t frame, uint32_t *node)
{
    struct trie *trie = &profile->trie;
    const uint32_t last =
        parent < profile->last_child_len ? profile->last_child[parent] : TRIE_NONE;
    enum status status;

    if (last != TRIE_NONE && trie->nodes[last].key == frame) {
        *node = last;
        return STATUS_OK;
    }
    status = trie_step(trie, parent, frame, node);
    if (status == STATUS_OK)
        status = vec_reserve(&profile->last_child, &profile->last_child_cap, trie->len,
                             sizeof(*profile->last_child));
    if (status != STATUS_OK)
        return status;
    for (; profile->last_child_len < trie->len; profile->last_child_len++)
        profile->last_child[profile->last_child_len] = TRIE_NONE;
    profile->last_child[parent] = *node;
    return STATUS_OK;
}

/* Moves *node to its child by `frame`, which it adds if absent. */
static enum status step(struct profile *profile, const struct profile_frame *frame, uint32_t *node)
{
    uint32_t key;
    enum status status = intern_frame(profile, frame, &key);

    return status == STATUS_OK ? profile_step(profile, *node, key, node) : status;
}

/* The chain goes its own way from frames[count - 1] inwards: these frames will be looked up. */
static void expect_frames(const struct profile *profile, const struct chain *chain, size_t count)
{
    for (size_t i = count; i-- > 0 && count - i <= EXPECTED_MAX;) {
        struct profile_frame frame = frame_of(&chain->frames[i]);

        index_prefetch(&profile->frame_index, hash_frame(&frame));
    }
}

/*
 * Finds the chain's leaf. Where the chain follows the previous one through a node, as outer frames
 * nearly always do, a frame costs a comparison; elsewhere two look-ups.
 */
static enum status intern_path(struct profile *profile, const struct chain *chain,
                               struct profile_path *path, uint32_t *leaf)
{
    size_t kept = path && chain->cached <= path->count ? chain->cached : 0;
    uint32_t node = kept ? path->nodes[kept - 1] : TRIE_ROOT;
    bool has_parted = false;

    if (path &&
        vec_reserve(&path->nodes, &path->cap, chain->count, sizeof(*path->nodes)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    for (size_t i = chain->count - kept; i-- > 0;) {
        struct profile_frame frame = frame_of(&chain->frames[i]);
        uint32_t child = node < profile->last_child_len ? profile->last_child[node] : TRIE_NONE;
        enum status status;

        if (child != TRIE_NONE &&
            same_frame(&profile->frames[profile->trie.nodes[child].key], &frame)) {
            node = child;
        } else {
            if (!has_parted)
                expect_frames(profile, chain, i + 1);
            has_parted = true;
            status = step(profile, &frame, &node);
            if (status != STATUS_OK)
                return status;
        }
        if (path)
            path->nodes[chain->count - 1 - i] = node;
    }
    if (path)
        path->count = chain->count;
    *leaf = node;
    return STATUS_OK;
}

enum status profile_chain(struct profile *profile, const struct chain *chain,
                          struct profile_path *path, uint32_t *id)
{
    uint32_t leaf;
    enum status status = intern_path(profile, chain, path, &leaf);

    return status == STATUS_OK ? profile_chain_at(profile, leaf, chain->stop, id) : status;
}

enum status profile_chain_at(struct profile *profile, uint32_t leaf, enum stop_reason stop,
                             uint32_t *id)
{
    const uint64_t hash = keyed_words(leaf, stop);
    struct index_probe probe = index_find(&profile->chain_index, hash);

    while (index_next(&probe, id))
        if (profile->chains[*id].leaf == leaf && profile->chains[*id].stop == stop)
            return STATUS_OK;
    *id = (uint32_t)profile->chain_count;
    if (vec_reserve(&profile->chains, &profile->chain_cap, profile->chain_count + 1,
                    sizeof(*profile->chains)) != STATUS_OK ||
        index_add(&profile->chain_index, hash, *id) != STATUS_OK)
        return STATUS_NO_MEMORY;
    profile->chains[profile->chain_count++] = (struct profile_chain){.leaf = leaf, .stop = stop};
    return STATUS_OK;
}

static uint64_t hash_cell(const struct profile_cell *cell)
{
    return keyed_words((uint64_t)cell->thread << 32 | cell->chain,
                       (uint64_t)cell->is_base << 8 | (unsigned char)cell->state);
}

static bool has_cell(const struct profile *profile, const struct profile_cell *want, uint32_t *id)
{
    struct index_probe probe = index_find(&profile->cell_index, hash_cell(want));

    while (index_next(&probe, id)) {
        const struct profile_cell *known = &profile->cells[*id];

        if (known->thread == want->thread && known->chain == want->chain &&
            known->state == want->state && known->is_base == want->is_base)
            return true;
    }
    return false;
}

uint32_t profile_cell(const struct profile *profile, uint32_t thread, uint32_t chain, char state)
{
    const struct profile_cell want = {.thread = thread,
                                      .chain = chain,
                                      .state = state,
                                      .is_base = profile->weighs_base};
    uint32_t id;

    return has_cell(profile, &want, &id) ? id : UINT32_MAX;
}

static enum status find_cell(struct profile *profile, const struct profile_cell *want, uint32_t *id)
{
    if (has_cell(profile, want, id))
        return STATUS_OK;
    *id = (uint32_t)profile->cell_count;
    if (vec_reserve(&profile->cells, &profile->cell_cap, profile->cell_count + 1,
                    sizeof(*profile->cells)) != STATUS_OK ||
        index_add(&profile->cell_index, hash_cell(want), *id) != STATUS_OK)
        return STATUS_NO_MEMORY;
    profile->cells[profile->cell_count++] = *want;
    return STATUS_OK;
}

enum status profile_weigh(struct profile *profile, uint32_t thread, uint32_t chain, char state,
                          const struct weights *weights)
{
    struct profile_cell want = {.thread = thread,
                                .chain = chain,
                                .state = state,
                                .is_base = profile->weighs_base};
    struct profile_cell *cell;
    uint32_t id;
    enum status status = find_cell(profile, &want, &id);

    if (status != STATUS_OK)
        return status;
    cell = &profile->cells[id];
    for (size_t i = 0; i < WEIGHT_COUNT; i++)
        cell->weights.value[i] = weight_add(cell->weights.value[i], weights->value[i]);
    return STATUS_OK;
}

enum status profile_calls(struct profile *profile, uint32_t thread, const uint64_t *counts,
                          size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct profile_cell cell = {.thread = thread, .chain = (uint32_t)profile->chain_count};

        if (counts[i] == 0)
            continue;
        if (vec_reserve(&profile->chains, &profile->chain_cap, profile->chain_count + 1,
                        sizeof(*profile->chains)) != STATUS_OK ||
            vec_reserve(&profile->cells, &profile->cell_cap, profile->cell_count + 1,
                        sizeof(*profile->cells)) != STATUS_OK)
            return STATUS_NO_MEMORY;
        cell.weights.value[WEIGHT_CALLS] = counts[i];
        profile->chains[profile->chain_count++] =
            (struct profile_chain){.leaf = (uint32_t)i, .stop = STOP_THREAD_START};
        profile->cells[profile->cell_count++] = cell;
    }
    return STATUS_OK;
}

void profile_weigh_base(struct profile *profile, bool is_base)
{
    profile->weighs_base = is_base;
}

enum status profile_program(struct profile *profile, const char *path)
{
    char **known = profile->weighs_base ? &profile->base_program : &profile->program;
    char *comm = profile->weighs_base ? profile->base_comm : profile->comm;

    if (*known || !path[0])
        return STATUS_OK;
    *known = strdup(path);
    /* Cut like the kernel's at exec. */
    snprintf(comm, sizeof(profile->comm), "%s", text_basename(path));
    return *known ? STATUS_OK : STATUS_NO_MEMORY;
}

const char *profile_program_file(const struct profile *profile, const char *path)
{
    const bool is_base =
        profile->program && profile->base_program && strcmp(path, profile->base_program) == 0;

    return text_basename(is_base ? profile->program : path);
}

/* Sets *out to the frames by module and address, malloc'ed; id: the frame's index. NO_MEMORY. */
static enum status order_frames(const struct profile *profile, struct sort_item **out)
{
    struct sort_item *order = calloc(profile->frame_count + 1, sizeof(*order));
    enum status status;

    *out = order;
    if (!order)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < profile->frame_count; i++)
        order[i] = (struct sort_item){.key = profile->frames[i].addr, .id = (uint32_t)i};
    status = sort_items(order, profile->frame_count);
    for (size_t i = 0; i < profile->frame_count; i++) {
        const struct module *module = profile->frames[order[i].id].module;

        order[i].key = module ? (uint64_t)module->id + 1 : 0;
    }
    return status == STATUS_OK ? sort_items(order, profile->frame_count) : status;
}

/* The addresses to look up, by module: only those in an ELF file. */
struct asking {
    struct module_wanted *wanted;
    size_t count, cap;
    uint64_t *addrs; /* of all modules in turn */
};

static enum status ask(struct asking *asking, const struct profile *profile,
                       const struct sort_item *order)
{
    size_t used = 0;

    for (size_t i = 0; i < profile->frame_count; i++) {
        const struct profile_frame *frame = &profile->frames[order[i].id];
        struct module_wanted *last = asking->count ? &asking->wanted[asking->count - 1] : NULL;

        if (!frame->vaddr_known)
            continue;
        if (!last || last->module != frame->module) {
            if (vec_reserve(&asking->wanted, &asking->cap, asking->count + 1,
                            sizeof(*asking->wanted)) != STATUS_OK)
                return STATUS_NO_MEMORY;
            last = &asking->wanted[asking->count++];
            *last = (struct module_wanted){.module = frame->module, .vaddrs = asking->addrs + used};
        }
        if (last->count > 0 && last->vaddrs[last->count - 1] == frame->addr)
            continue;
        asking->addrs[used++] = frame->addr;
        last->count++;
    }
    return STATUS_OK;
}

enum status profile_prepare(struct profile *profile, struct symbolizer *symbolizer, unsigned jobs)
{
    struct asking asking = {.addrs = calloc(profile->frame_count + 1, sizeof(*asking.addrs))};
    struct sort_item *order;
    enum status status = order_frames(profile, &order);

    if (!asking.addrs)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = ask(&asking, profile, order);
    if (status == STATUS_OK)
        status = symbolizer_prepare(symbolizer, asking.wanted, asking.count, jobs);
    free(asking.wanted);
    free(asking.addrs);
    free(order);
    return status;
}

static void expect_name(const struct names *names, const struct profile_frame *frame)
{
    names_expect(names, frame->module, frame->addr, frame->vaddr_known, frame->mark);
}

enum status profile_resolve(struct profile *profile, struct names *names)
{
    const struct places **places = calloc(profile->frame_count + 1, sizeof(*places));
    struct sort_item *order;
    enum status status = order_frames(profile, &order);

    if (!places)
        status = STATUS_NO_MEMORY;
    for (size_t i = 0; i < profile->frame_count && status == STATUS_OK; i++) {
        const struct profile_frame *frame = &profile->frames[order[i].id];

        if (i + EXPECTED_MAX < profile->frame_count)
            expect_name(names, &profile->frames[order[i + EXPECTED_MAX].id]);
        status = names_find_marked(names, frame->module, frame->addr, frame->vaddr_known,
                                   frame->is_call, frame->mark, &places[order[i].id]);
    }
    free(order);
    if (status != STATUS_OK) {
        free(places);
        return status;
    }
    free(profile->places);
    profile->places = places;
    profile->names = names;
    return STATUS_OK;
}
