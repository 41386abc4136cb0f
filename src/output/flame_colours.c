/* SPDX-License-Identifier: MIT */
#include "output/flame_colours.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * All hues have one lightness and one chroma in OKLCH, so that none looks more important than
 * another: 0.88 and 0.06 for dark text, 0.41 and 0.055 for light text. Neighbours in rank are far
 * from each other in hue.
 */
static const char *const MODULES[2][FLAME_MODULES_MAX] = {
    {"#f6cfb0", "#b2dffa", "#bce3c3", "#eacbf1", "#e0d9ac", "#aae5e0", "#fdc8c7", "#d3d3fe"},
    {"#60432b", "#2a4f64", "#34533a", "#58415d", "#514b26", "#205451", "#653e3e", "#474667"}};

/* From small to great changes: for greater shares, for smaller ones. */
static const char *const MORE[2][FLAME_STEPS] = {{"#fce1dd", "#fcc6bf", "#faaba1", "#f78f84",
                                                  "#f27166"},
                                                 {"#503532", "#6c3a35", "#893e37", "#a64039",
                                                  "#c4413a"}};
static const char *const LESS[2][FLAME_STEPS] = {{"#dbe9fc", "#bad8fe", "#99c6ff", "#77b3ff",
                                                  "#53a0ff"},
                                                 {"#2f3e52", "#314c6e", "#32598a", "#3267a8",
                                                  "#3175c6"}};

/* The least change of each step, in ten thousandths. */
static const int32_t STEPS[FLAME_STEPS] = {1, 100, 200, 500, 1000};

struct module_room {
    const char *path;
    uint32_t module;
    uint64_t room; /* weight of its frames */
};

struct named_node {
    const char *path;
    uint32_t node;
};

static int compare_paths(const void *a, const void *b)
{
    const struct named_node *na = a;
    const struct named_node *nb = b;
    int order = strcmp(na->path, nb->path);

    return order ? order : na->node < nb->node ? -1 : na->node > nb->node;
}

static int compare_rooms(const void *a, const void *b)
{
    const struct module_room *ra = a;
    const struct module_room *rb = b;

    if (ra->room != rb->room)
        return ra->room > rb->room ? -1 : 1;
    return ra->module < rb->module ? -1 : ra->module > rb->module;
}

/* Numbers the modules in the order of their paths. */
static enum status number_modules(struct flame_colours *colours, struct module_room *rooms,
                                  size_t *count)
{
    const struct view *view = colours->fold->view;
    struct named_node *nodes = calloc(view->node_count + 1, sizeof(*nodes));

    *count = 0;
    if (!nodes)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < view->node_count; i++)
        nodes[i] = (struct named_node){view->nodes[i].module, (uint32_t)i};
    qsort(nodes, view->node_count, sizeof(*nodes), compare_paths);
    for (size_t i = 0; i < view->node_count; i++) {
        if (i == 0 || strcmp(nodes[i].path, nodes[i - 1].path) != 0) {
            rooms[*count] = (struct module_room){.path = nodes[i].path, .module = (uint32_t)*count};
            ++*count;
        }
        colours->module_of[nodes[i].node] = (uint32_t)*count - 1;
    }
    free(nodes);
    return STATUS_OK;
}

/* `frame` is a function's. */
static uint32_t view_node_of(const struct flame_colours *colours, const struct flame_frame *frame)
{
    return colours->fold->trie.nodes[frame->node].key;
}

/* Replaces the modules' numbers by their ranks. */
static enum status rank_modules(struct flame_colours *colours, struct module_room *rooms,
                                size_t count)
{
    uint32_t *rank = calloc(count + 1, sizeof(*rank));

    if (!rank)
        return STATUS_NO_MEMORY;
    qsort(rooms, count, sizeof(*rooms), compare_rooms);
    for (size_t i = 0; i < count; i++) {
        rank[rooms[i].module] = (uint32_t)i;
        if (i < FLAME_MODULES_MAX && rooms[i].room)
            colours->modules[colours->module_count++] = rooms[i].path;
        colours->has_others |= i >= FLAME_MODULES_MAX && rooms[i].room;
    }
    for (size_t i = 0; i < colours->fold->view->node_count; i++)
        colours->module_of[i] = rank[colours->module_of[i]];
    free(rank);
    return STATUS_OK;
}

enum status flame_colours_init(struct flame_colours *colours, const struct flame_layout *layout,
                               const struct fold *fold)
{
    const struct view *view = fold->view;
    struct module_room *rooms = calloc(view->node_count + 1, sizeof(*rooms));
    enum status status = STATUS_NO_MEMORY;
    size_t count;

    *colours = (struct flame_colours){.fold = fold};
    colours->module_of = calloc(view->node_count + 1, sizeof(*colours->module_of));
    if (rooms && colours->module_of)
        status = number_modules(colours, rooms, &count);
    if (status == STATUS_OK) {
        for (size_t i = 0; i < layout->count; i++) {
            const struct flame_frame *frame = &layout->frames[i];
            uint32_t node = frame->node != TRIE_NONE ? view_node_of(colours, frame) : UINT32_MAX;
            uint64_t *room;

            if (node == UINT32_MAX || view->nodes[node].is_thread)
                continue;
            room = &rooms[colours->module_of[node]].room;
            *room = weight_add(*room, frame->weight);
        }
        status = rank_modules(colours, rooms, count);
    }
    free(rooms);
    if (status != STATUS_OK)
        flame_colours_deinit(colours);
    return status;
}

void flame_colours_deinit(struct flame_colours *colours)
{
    free(colours->module_of);
    *colours = (struct flame_colours){0};
}

static void put_rules(FILE *out, const char *class, const char *const *fills, size_t count)
{
    for (size_t i = 0; i < count; i++)
        fprintf(out, ".%s%zu{fill:%s}", class, i, fills[i]);
}

void flame_colours_put_style(FILE *out)
{
    /* a: all; t: a thread; x: other modules, no change; o: what is left out. */
    static const char *const greys[2] = {".a{fill:#e7eaee}.t{fill:#cfd6de}.x{fill:#dfe3e8}"
                                         ".o{fill:#c3cad2}",
                                         ".a{fill:#21262d}.t{fill:#4a535e}.x{fill:#373e47}"
                                         ".o{fill:#545d68}"};

    for (size_t dark = 0; dark < 2; dark++) {
        if (dark)
            fputs("@media(prefers-color-scheme:dark){.b{fill:#0d1117}rect{stroke:#0d1117}"
                  "text{fill:#e6edf3}.q,.k{fill:#9198a1}rect:hover{stroke:#e6edf3}",
                  out);
        fputs(greys[dark], out);
        put_rules(out, "m", MODULES[dark], FLAME_MODULES_MAX);
        put_rules(out, "r", MORE[dark], FLAME_STEPS);
        put_rules(out, "l", LESS[dark], FLAME_STEPS);
    }
    fputs("}", out);
}

int32_t flame_colours_step_from(unsigned step)
{
    return STEPS[step - 1];
}

const char *flame_colours_module(size_t rank, char name[FLAME_CLASS_MAX])
{
    if (rank >= FLAME_MODULES_MAX)
        return strcpy(name, "x");
    snprintf(name, FLAME_CLASS_MAX, "m%zu", rank % 10);
    return name;
}

const char *flame_colours_step(int step, char name[FLAME_CLASS_MAX])
{
    if (step == 0)
        return strcpy(name, "x");
    snprintf(name, FLAME_CLASS_MAX, "%c%d", step > 0 ? 'r' : 'l', abs(step) % 10 - 1);
    return name;
}

static int step_of(const struct view *view, const struct flame_frame *frame)
{
    int32_t delta = view_delta(view, frame->weight, frame->base);
    int step = 0;

    if (view_is_noise(view, frame->weight, frame->base))
        return 0;
    while (step < (int)FLAME_STEPS && abs(delta) >= STEPS[step])
        step++;
    return delta < 0 ? -step : step;
}

const char *flame_colours_class(const struct flame_colours *colours,
                                const struct flame_frame *frame, char name[FLAME_CLASS_MAX])
{
    const struct view *view = colours->fold->view;
    uint32_t node;

    if (frame->node == TRIE_NONE)
        return strcpy(name, "o");
    node = view_node_of(colours, frame);
    if (view->compare)
        return flame_colours_step(step_of(view, frame), name);
    if (view->nodes[node].is_thread)
        return strcpy(name, "t");
    return flame_colours_module(colours->module_of[node], name);
}
