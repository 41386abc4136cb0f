/* SPDX-License-Identifier: MIT */
#include "graph/told.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/keyed_hash.h"
#include "base/vec.h"
#include "graph/told_labels.h"

struct told_place {
    const struct module *module;
    uint64_t vaddr;
    struct source_frames frames; /* frames.frames is owned */
    bool is_start;
};

struct told {
    struct symbolizer *symbolizer;
    struct unwinder *unwinder;
    bool asks_files;
    struct pool texts;
    struct told_labels labels;
    struct told_place *places;
    size_t count, cap;
    struct index index;
};

enum status told_create(struct symbolizer *symbolizer, struct unwinder *unwinder, struct told **out)
{
    struct told *told = calloc(1, sizeof(*told));

    if (!told)
        return STATUS_NO_MEMORY;
    told->symbolizer = symbolizer;
    told->unwinder = unwinder;
    *out = told;
    return STATUS_OK;
}

void told_destroy(struct told *told)
{
    if (!told)
        return;
    for (size_t i = 0; i < told->count; i++)
        free((void *)(uintptr_t)told->places[i].frames.frames);
    free(told->places);
    index_deinit(&told->index);
    pool_deinit(&told->texts);
    told_labels_deinit(&told->labels);
    free(told);
}

struct told_labels *told_labels(struct told *told)
{
    return &told->labels;
}

void told_ask_files(struct told *told)
{
    told->asks_files = true;
}

enum status told_text(struct told *told, const void *bytes, size_t size, const char **text)
{
    char *copy = malloc(size + 1);
    enum status status = STATUS_NO_MEMORY;
    uint32_t id;

    if (copy) {
        if (size)
            memcpy(copy, bytes, size);
        copy[size] = '\0';
        status = pool_intern(&told->texts, copy, &id);
    }
    free(copy);
    if (status == STATUS_OK)
        *text = told->texts.texts[id];
    return status;
}

static uint64_t hash_place(const struct module *module, uint64_t vaddr)
{
    return keyed_words(vaddr, (uintptr_t)module);
}

static struct told_place *find(const struct told *told, const struct module *module, uint64_t vaddr)
{
    struct index_probe probe = index_find(&told->index, hash_place(module, vaddr));
    uint32_t id;

    while (index_next(&probe, &id))
        if (told->places[id].module == module && told->places[id].vaddr == vaddr)
            return &told->places[id];
    return NULL;
}

/* Compares texts; NULL is less than any. */
static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_frames(const struct source_frame *a, const struct source_frame *b)
{
    int order = compare_texts(a->function, b->function);

    if (order == 0)
        order = compare_texts(a->file, b->file);
    if (order == 0)
        order = compare_numbers(a->line, b->line);
    if (order == 0)
        order = compare_numbers(a->real_vaddr, b->real_vaddr);
    return order ? order : compare_texts(a->raw_function, b->raw_function);
}

/* Compares which says more; 0: equal. */
static int compare_places(const struct told_place *a, const struct told_place *b)
{
    int order = compare_numbers(b->is_start, a->is_start);

    if (order == 0)
        order = compare_numbers(a->frames.count, b->frames.count);
    for (size_t i = 0; order == 0 && i < a->frames.count; i++)
        order = compare_frames(&a->frames.frames[i], &b->frames.frames[i]);
    if (order == 0)
        order = compare_numbers(a->frames.has_function, b->frames.has_function);
    return order ? order : compare_numbers(a->frames.function_vaddr, b->frames.function_vaddr);
}

static enum status copy_frames(const struct source_frames *from, struct source_frames *to)
{
    struct source_frame *frames = calloc(from->count, sizeof(*frames));

    if (!frames)
        return STATUS_NO_MEMORY;
    memcpy(frames, from->frames, from->count * sizeof(*frames));
    *to = *from;
    to->frames = frames;
    return STATUS_OK;
}

static enum status append(struct told *told, const struct told_place *place)
{
    if (told->count >= INDEX_ID_MAX ||
        vec_reserve(&told->places, &told->cap, told->count + 1, sizeof(*told->places)) !=
            STATUS_OK ||
        index_add(&told->index, hash_place(place->module, place->vaddr), (uint32_t)told->count) !=
            STATUS_OK)
        return STATUS_NO_MEMORY;
    told->places[told->count++] = *place;
    return STATUS_OK;
}

enum status told_add(struct told *told, struct module *module, uint64_t vaddr,
                     const struct source_frames *frames, bool is_start)
{
    struct told_place place = {.module = module,
                               .vaddr = vaddr,
                               .frames = *frames,
                               .is_start = is_start};
    struct told_place *known = find(told, module, vaddr);
    enum status status;

    if (known && compare_places(&place, known) <= 0)
        return STATUS_OK;
    status = copy_frames(frames, &place.frames);
    if (status != STATUS_OK)
        return status;
    if (known) {
        free((void *)(uintptr_t)known->frames.frames);
        *known = place;
        return STATUS_OK;
    }
    status = append(told, &place);
    if (status != STATUS_OK)
        free((void *)(uintptr_t)place.frames.frames);
    return status;
}

static enum status lookup(void *context, struct module *module, uint64_t vaddr,
                          const struct source_frames **out)
{
    struct told *told = context;
    const struct told_place *place = find(told, module, vaddr);

    if (place)
        *out = &place->frames;
    else if (told->asks_files)
        return symbolizer_lookup(told->symbolizer, module, vaddr, out);
    return STATUS_OK;
}

/* An address that was told has its function's start told, or none is known. */
static enum status find_function(void *context, struct module *module, uint64_t vaddr,
                                 uint64_t *start_vaddr, uint64_t *end_vaddr)
{
    struct told *told = context;

    if (!told->asks_files || find(told, module, vaddr))
        return STATUS_NOT_FOUND;
    return unwinder_function(told->unwinder, module, vaddr, start_vaddr, end_vaddr);
}

struct names_source told_source(struct told *told)
{
    return (struct names_source){.lookup = lookup, .function = find_function, .context = told};
}
