/* SPDX-License-Identifier: MIT */
#include "output/pprof_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "graph/thread_state.h"
#include "runtime/jit/jit_map.h"

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* Lists the shown cells and the frames of their chains, and sets these frames' location to 1. */
static enum status mark_frames(struct pprof_order *order, const struct view *view)
{
    const struct profile *profile = order->profile;
    const struct trie *trie = &profile->trie;
    bool *used = calloc(trie->len, sizeof(*used));

    if (!used)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < profile->cell_count; i++) {
        if (!view->cell_shown[i])
            continue;
        order->cells[order->cell_count++] = (uint32_t)i;
        used[profile->chains[profile->cells[i].chain].leaf] = true;
    }
    for (size_t i = trie->len; i-- > 1;) {
        if (!used[i])
            continue;
        used[trie->nodes[i].parent] = true;
        order->location[trie->nodes[i].key] = 1;
    }
    free(used);
    for (size_t i = 0; i < profile->frame_count; i++)
        if (order->location[i])
            order->frames[order->frame_count++] = (uint32_t)i;
    return STATUS_OK;
}

/* The sort key of a module. */
struct ranked_module {
    const struct module *module;
    bool is_program;
};

static int compare_modules(const void *a, const void *b)
{
    const struct ranked_module *ra = a, *rb = b;
    const struct file_identity *fa = &ra->module->file, *fb = &rb->module->file;
    int order = compare_numbers(rb->is_program, ra->is_program);

    if (order == 0)
        order = compare_numbers(ra->module->kind, rb->module->kind);
    if (order == 0)
        order = strcmp(text_basename(fa->path), text_basename(fb->path));
    if (order == 0)
        order = strcmp(fa->path, fb->path);
    if (order == 0)
        order = compare_numbers(fa->build_id_size, fb->build_id_size);
    if (order == 0 && fa->build_id_size > 0)
        order = memcmp(fa->build_id, fb->build_id, fa->build_id_size);
    return order ? order : compare_numbers(fa->deleted, fb->deleted);
}

static bool is_program(const struct title *programs, const struct module *module)
{
    for (size_t i = 0; programs && i < programs->count; i++)
        if (strcmp(programs->programs[i].name.exe, module->file.path) == 0)
            return true;
    return false;
}

/* Sets *out, by a module's id, to its place, from 1 on; the caller frees it. */
static enum status rank_modules(const struct pprof_order *order, const struct title *programs,
                                uint32_t **out)
{
    const struct profile *profile = order->profile;
    struct ranked_module *modules;
    uint32_t *rank;
    size_t size = 1, count = 0;

    for (size_t i = 0; i < order->frame_count; i++) {
        const struct module *module = profile->frames[order->frames[i]].module;

        if (module && module->id >= size)
            size = (size_t)module->id + 1;
    }
    rank = calloc(size, sizeof(*rank));
    modules = calloc(size, sizeof(*modules));
    for (size_t i = 0; rank && modules && i < order->frame_count; i++) {
        const struct module *module = profile->frames[order->frames[i]].module;

        if (module && rank[module->id]++ == 0)
            modules[count++] = (struct ranked_module){module, is_program(programs, module)};
    }
    if (rank && modules) {
        qsort(modules, count, sizeof(*modules), compare_modules);
        for (size_t i = 0; i < count; i++)
            rank[modules[i].module->id] = (uint32_t)i + 1;
    }
    free(modules);
    *out = rank;
    return rank && modules ? STATUS_OK : STATUS_NO_MEMORY;
}

uint64_t pprof_order_addr(const struct pprof_order *order, const struct module *module,
                          uint64_t addr)
{
    const uint64_t number = addr >> JIT_NAME_SHIFT;

    if (!module || module->kind != MODULE_JIT || number >= order->made_size)
        return addr;
    return (uint64_t)order->made[number] << JIT_NAME_SHIFT |
           (addr & ((UINT64_C(1) << JIT_NAME_SHIFT) - 1));
}

struct ranked_name {
    uint32_t number;
    const char *name;
};

static int compare_names(const void *a, const void *b)
{
    const struct ranked_name *na = a, *nb = b;

    return strcmp(na->name, nb->name);
}

/* Numbers the sorted names that frames have. */
static void keep_shown(struct pprof_order *order, const struct ranked_name *names, size_t count)
{
    uint32_t place = 0;

    for (size_t i = 0; i < order->frame_count; i++) {
        const struct profile_frame *frame = &order->profile->frames[order->frames[i]];

        if (frame->module && frame->module->kind == MODULE_JIT &&
            frame->addr >> JIT_NAME_SHIFT < order->made_size)
            order->made[frame->addr >> JIT_NAME_SHIFT] = 1;
    }
    for (size_t i = 0; i < count; i++)
        if (order->made[names[i].number])
            order->made[names[i].number] = ++place;
}

/* Orders the names of functions made at run time, which are in one module. */
static enum status order_made(struct pprof_order *order)
{
    const struct module *module = NULL;
    struct ranked_name *names;

    for (size_t i = 0; i < order->frame_count && !module; i++) {
        const struct module *known = order->profile->frames[order->frames[i]].module;

        if (known && known->kind == MODULE_JIT)
            module = known;
    }
    if (!module)
        return STATUS_OK;
    names = calloc(module->jit_names.len + 1, sizeof(*names));
    order->made = calloc(module->jit_names.len + 1, sizeof(*order->made));
    for (size_t i = 0; names && order->made && i < module->jit_names.len; i++)
        names[i] = (struct ranked_name){(uint32_t)i + 1, module->jit_names.texts[i]};
    if (names && order->made) {
        qsort(names, module->jit_names.len, sizeof(*names), compare_names);
        order->made_size = module->jit_names.len + 1;
        keep_shown(order, names, module->jit_names.len);
    }
    free(names);
    return names && order->made ? STATUS_OK : STATUS_NO_MEMORY;
}

/* By the functions' names, which differ at one address if functions are divided (splits.h). */
static int compare_places(const struct names *names, const struct places *a, const struct places *b)
{
    int order = compare_numbers(a->count, b->count);

    for (uint32_t i = 0; a != b && i < a->count && order == 0; i++)
        if (a->list[i].function != b->list[i].function)
            order = strcmp(names_function(names, a->list[i].function)->name,
                           names_function(names, b->list[i].function)->name);
    return order;
}

struct frame_order {
    const struct pprof_order *order;
    const struct profile *profile;
    const uint32_t *rank; /* by a module's id */
};

static int compare_frames(const void *a, const void *b, void *context)
{
    const struct frame_order *by = context;
    const struct profile_frame *fa = &by->profile->frames[*(const uint32_t *)a];
    const struct profile_frame *fb = &by->profile->frames[*(const uint32_t *)b];
    int order = compare_numbers(fa->module ? by->rank[fa->module->id] : 0,
                                fb->module ? by->rank[fb->module->id] : 0);

    if (order == 0)
        order = compare_numbers(pprof_order_addr(by->order, fa->module, fa->addr),
                                pprof_order_addr(by->order, fb->module, fb->addr));
    if (order == 0)
        order = compare_numbers(fa->vaddr_known, fb->vaddr_known);
    if (order == 0 && fa->mark != fb->mark)
        order = compare_places(by->profile->names, by->profile->places[*(const uint32_t *)a],
                               by->profile->places[*(const uint32_t *)b]);
    if (order == 0) /* a nameless function gets another name for a caller */
        order = compare_numbers(fa->is_call, fb->is_call);
    return order ? order : compare_numbers(fa->trust, fb->trust);
}

/* Frames share places if they have one address and mark. */
static bool same_location(const struct profile *profile, uint32_t a, uint32_t b)
{
    const struct profile_frame *fa = &profile->frames[a], *fb = &profile->frames[b];

    return profile->places[a] == profile->places[b] ||
           (fa->mark != fb->mark && fa->module == fb->module && fa->addr == fb->addr &&
            fa->vaddr_known == fb->vaddr_known &&
            compare_places(profile->names, profile->places[a], profile->places[b]) == 0);
}

static enum status order_frames(struct pprof_order *order, const struct title *programs)
{
    const struct profile *profile = order->profile;
    struct frame_order by = {.order = order, .profile = profile};
    uint32_t *rank = NULL;
    enum status status = rank_modules(order, programs, &rank);
    uint32_t id = 0;

    by.rank = rank;
    if (status == STATUS_OK)
        status = order_made(order);
    if (status == STATUS_OK)
        qsort_r(order->frames, order->frame_count, sizeof(*order->frames), compare_frames, &by);
    for (size_t i = 0; status == STATUS_OK && i < order->frame_count; i++) {
        id += i == 0 || !same_location(profile, order->frames[i - 1], order->frames[i]);
        order->location[order->frames[i]] = id;
    }
    free(rank);
    return status;
}

/* The sort key of a trie node: its parent's place, and its frame. */
struct ranked_node {
    uint32_t node, depth, parent;
    uint64_t frame;
};

static int compare_depths(const void *a, const void *b)
{
    const struct ranked_node *na = a, *nb = b;

    return compare_numbers(na->depth, nb->depth);
}

static int compare_nodes(const void *a, const void *b)
{
    const struct ranked_node *na = a, *nb = b;
    int order = compare_numbers(na->parent, nb->parent);

    return order ? order : compare_numbers(na->frame, nb->frame);
}

/* Gives nodes of one depth their places; their parents have theirs. */
static void rank_level(struct pprof_order *order, struct ranked_node *nodes, size_t count,
                       uint32_t before)
{
    const struct profile *profile = order->profile;

    for (size_t i = 0; i < count; i++) {
        const struct trie_node *node = &profile->trie.nodes[nodes[i].node];
        const struct profile_frame *frame = &profile->frames[node->key];

        nodes[i].parent = order->path[node->parent];
        nodes[i].frame = (uint64_t)order->location[node->key] << 8 | (uint64_t)frame->trust << 1 |
                         frame->is_call;
    }
    qsort(nodes, count, sizeof(*nodes), compare_nodes);
    for (size_t i = 0; i < count; i++)
        order->path[nodes[i].node] = before + (uint32_t)i;
}

/*
 * Orders paths by length, then by frames from the outermost on: a path's place follows from its
 * parent's place and its last frame, without comparing whole paths.
 */
static enum status order_paths(struct pprof_order *order)
{
    const struct trie *trie = &order->profile->trie;
    struct ranked_node *nodes = calloc(trie->len, sizeof(*nodes));
    uint32_t *depth = calloc(trie->len, sizeof(*depth));

    order->path = calloc(trie->len, sizeof(*order->path));
    for (size_t i = 1; nodes && depth && order->path && i < trie->len; i++) {
        depth[i] = depth[trie->nodes[i].parent] + 1;
        nodes[i] = (struct ranked_node){.node = (uint32_t)i, .depth = depth[i]};
    }
    if (nodes && depth && order->path) {
        qsort(nodes, trie->len, sizeof(*nodes), compare_depths);
        for (size_t first = 1, end; first < trie->len; first = end) {
            for (end = first; end < trie->len && nodes[end].depth == nodes[first].depth; end++)
                ;
            rank_level(order, nodes + first, end - first, (uint32_t)first);
        }
    }
    free(nodes);
    free(depth);
    return nodes && depth && order->path ? STATUS_OK : STATUS_NO_MEMORY;
}

struct ranked_thread {
    uint32_t thread, tid;
    char *name; /* as it is written */
};

static int compare_threads(const void *a, const void *b)
{
    const struct ranked_thread *ta = a, *tb = b;
    int order = strcmp(ta->name, tb->name);

    return order ? order : compare_numbers(ta->tid, tb->tid);
}

static enum status order_threads(struct pprof_order *order)
{
    const struct profile *profile = order->profile;
    struct ranked_thread *threads = calloc(profile->thread_count + 1, sizeof(*threads));
    enum status status = threads && order->thread ? STATUS_OK : STATUS_NO_MEMORY;
    uint32_t rank = 0;

    for (size_t i = 0; status == STATUS_OK && i < profile->thread_count; i++) {
        const struct profile_thread *thread = &profile->threads[i];

        threads[i] = (struct ranked_thread){
            .thread = (uint32_t)i,
            .tid = thread->tid,
            .name = text_clean(thread->name, TEXT_REPLACE_CONTROLS),
        };
        if (!threads[i].name)
            status = STATUS_NO_MEMORY;
    }
    if (status == STATUS_OK)
        qsort(threads, profile->thread_count, sizeof(*threads), compare_threads);
    for (size_t i = 0; status == STATUS_OK && i < profile->thread_count; i++) {
        rank += i > 0 && compare_threads(&threads[i - 1], &threads[i]) != 0;
        order->thread[threads[i].thread] = rank;
    }
    for (size_t i = 0; threads && i < profile->thread_count; i++)
        free(threads[i].name);
    free(threads);
    return status;
}

static const char *state_of(const struct profile_cell *cell)
{
    const char *state = thread_state_name(cell->state);

    return state ? state : "";
}

static int compare_cells(const void *a, const void *b, void *context)
{
    const struct pprof_order *by = context;
    const struct profile *profile = by->profile;
    const struct profile_cell *ca = &profile->cells[*(const uint32_t *)a];
    const struct profile_cell *cb = &profile->cells[*(const uint32_t *)b];
    const struct profile_chain *la = &profile->chains[ca->chain];
    const struct profile_chain *lb = &profile->chains[cb->chain];
    int order = compare_numbers(by->path[la->leaf], by->path[lb->leaf]);

    if (order == 0)
        order = compare_numbers(la->stop, lb->stop);
    if (order == 0)
        order = compare_numbers(by->thread[ca->thread], by->thread[cb->thread]);
    return order ? order : strcmp(state_of(ca), state_of(cb));
}

bool pprof_order_same(const struct pprof_order *order, uint32_t cell_a, uint32_t cell_b)
{
    return compare_cells(&cell_a, &cell_b, (void *)(uintptr_t)order) == 0;
}

enum status pprof_order_make(struct pprof_order *order, const struct view *view,
                             const struct title *programs)
{
    const struct profile *profile = view->profile;
    enum status status = STATUS_NO_MEMORY;

    *order = (struct pprof_order){.profile = profile};
    order->frames = calloc(profile->frame_count + 1, sizeof(*order->frames));
    order->location = calloc(profile->frame_count + 1, sizeof(*order->location));
    order->cells = calloc(profile->cell_count + 1, sizeof(*order->cells));
    order->thread = calloc(profile->thread_count + 1, sizeof(*order->thread));
    if (order->frames && order->location && order->cells)
        status = mark_frames(order, view);
    if (status == STATUS_OK)
        status = order_frames(order, programs);
    if (status == STATUS_OK)
        status = order_paths(order);
    if (status == STATUS_OK)
        status = order_threads(order);
    if (status == STATUS_OK)
        qsort_r(order->cells, order->cell_count, sizeof(*order->cells), compare_cells, order);
    return status;
}

void pprof_order_deinit(struct pprof_order *order)
{
    free(order->frames);
    free(order->location);
    free(order->cells);
    free(order->path);
    free(order->made);
    free(order->thread);
    *order = (struct pprof_order){.profile = NULL};
}
