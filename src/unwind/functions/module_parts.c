/* SPDX-License-Identifier: MIT */
#include "unwind/functions/module_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/search.h"
#include "base/vec.h"
#include "unwind/functions/island_calls.h"
#include "unwind/functions/kept_functions.h"

#define PART               MODULE_PART_SIZE
#define MARGIN             ((MODULE_PART_WINDOW - PART) / 2) /* bytes on each side of a part */
#define FUNCTION_ALIGNMENT 16

struct module_parts {
    struct module_code *code;
    struct module_landing_pads *landing_pads;
    const struct functions *known;
    uint64_t symbols;
    module_parts_seeds_fn *find_seeds;
    void *context;
    struct code_function *seeds; /* owned; ascending; NULL: not found yet */
    size_t seed_count;
    struct map at; /* number of a part, of PART bytes each -> index into items */
    struct functions *items;
    size_t count, cap;
};

static int by_place(const void *a, const void *b)
{
    const struct code_function *x = a, *y = b;

    if (x->start_vaddr != y->start_vaddr)
        return x->start_vaddr < y->start_vaddr ? -1 : 1;
    return (x->origin > y->origin) - (x->origin < y->origin);
}

enum status module_parts_create(struct module_code *code, struct module_landing_pads *landing_pads,
                                const struct functions *known, uint64_t symbols,
                                module_parts_seeds_fn *find_seeds, void *context,
                                struct module_parts **out)
{
    struct module_parts *parts = calloc(1, sizeof(*parts));

    if (!parts)
        return STATUS_NO_MEMORY;
    *parts = (struct module_parts){.code = code,
                                   .landing_pads = landing_pads,
                                   .known = known,
                                   .symbols = symbols,
                                   .find_seeds = find_seeds,
                                   .context = context};
    *out = parts;
    return STATUS_OK;
}

void module_parts_destroy(struct module_parts *parts)
{
    if (!parts)
        return;
    for (size_t i = 0; i < parts->count; i++)
        functions_deinit(&parts->items[i]);
    free(parts->items);
    free(parts->seeds);
    map_deinit(&parts->at);
    free(parts);
}

/* Returns the window of the part that holds `vaddr`; empty: `vaddr` is not in code. */
static struct vaddr_range window_of(const struct module_parts *parts, uint64_t vaddr)
{
    const uint64_t part_vaddr = vaddr - vaddr % PART;
    struct vaddr_range window = {part_vaddr > MARGIN ? part_vaddr - MARGIN : 0,
                                 part_vaddr + PART + MARGIN};
    size_t count;
    const struct vaddr_range *ranges = elf_image_exec_ranges(parts->code->image, &count);

    for (size_t i = 0; i < count; i++) {
        if (vaddr < ranges[i].start_vaddr || vaddr >= ranges[i].end_vaddr)
            continue;
        if (window.start_vaddr < ranges[i].start_vaddr)
            window.start_vaddr = ranges[i].start_vaddr;
        if (window.end_vaddr > ranges[i].end_vaddr)
            window.end_vaddr = ranges[i].end_vaddr;
        return window;
    }
    return (struct vaddr_range){vaddr, vaddr};
}

static enum status add_known(const struct module_parts *parts, const struct vaddr_range *window,
                             struct functions *list)
{
    const struct functions *known = parts->known;
    size_t at = SEARCH_FIRST(i, 0, known->count, known->items[i].end_vaddr <= window->start_vaddr);

    for (; at < known->count && known->items[at].start_vaddr < window->end_vaddr; at++)
        if (functions_add(list, &known->items[at]) != STATUS_OK)
            return STATUS_NO_MEMORY;
    functions_sort(list);
    return STATUS_OK;
}

struct seed_list {
    struct code_function *items;
    size_t count, cap;
};

static enum status add_seeds(struct seed_list *list, const struct code_function *seeds,
                             size_t count)
{
    if (vec_reserve(&list->items, &list->cap, list->count + count + 1, sizeof(*list->items)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    if (count)
        memcpy(list->items + list->count, seeds, count * sizeof(*seeds));
    list->count += count;
    return STATUS_OK;
}

/* Begins code at `vaddr` like a function in just one mode, *mode? */
static bool begins(struct code *code, uint64_t vaddr, enum code_mode *mode)
{
    bool first = vaddr % code_set(code, CODE_DEFAULT)->alignment == 0 &&
                 code_strong_start(code, vaddr, CODE_DEFAULT);
    bool other = code_has_two_modes(code) && code_strong_start(code, vaddr, CODE_T32);

    *mode = first ? CODE_DEFAULT : CODE_T32;
    return first != other;
}

/*
 * Makes the seed for a place that looks called, or jumped to from far away, as only functions and
 * displaced parts of functions are. A function if it begins like one, or is called and aligned; a
 * fragment if it is jumped to and not aligned. False: the search decides.
 */
static bool is_seed(struct code *code, uint64_t vaddr, bool is_called, struct code_function *seed)
{
    enum code_mode mode = CODE_DEFAULT;
    enum function_origin origin = is_called ? FUNCTION_CALL : FUNCTION_JUMP;

    if (!begins(code, vaddr, &mode)) {
        if (code_has_two_modes(code) || (vaddr % FUNCTION_ALIGNMENT == 0) != is_called)
            return false;
        origin = is_called ? FUNCTION_CALL : FUNCTION_FRAGMENT;
        mode = CODE_DEFAULT;
    }
    *seed = (struct code_function){.start_vaddr = vaddr,
                                   .origin = (uint8_t)origin,
                                   .mode = (uint8_t)mode};
    return true;
}

/* Adds the places in the window that calls and far jumps from anywhere lead to. */
static enum status add_far(const struct module_parts *parts, const struct vaddr_range *window,
                           struct seed_list *list)
{
    const struct calls *called, *jumped;
    uint64_t vaddr = window->start_vaddr, call_vaddr = 0, jump_vaddr = 0;
    struct code_function seed;
    enum status status = module_code_far_jumps(parts->code, &jumped);

    if (status == STATUS_OK)
        status = module_code_calls(parts->code, &called);
    while (status == STATUS_OK) {
        uint64_t at;

        if (call_vaddr < vaddr || vaddr == window->start_vaddr)
            call_vaddr = calls_next(called, vaddr);
        if (jump_vaddr < vaddr || vaddr == window->start_vaddr)
            jump_vaddr = calls_next(jumped, vaddr);
        at = call_vaddr < jump_vaddr ? call_vaddr : jump_vaddr;
        if (at >= window->end_vaddr)
            break;
        if (is_seed(parts->code->code, at, at == call_vaddr, &seed))
            status = add_seeds(list, &seed, 1);
        vaddr = at + 1;
    }
    return status;
}

/* Makes the seeds in the window: the file's, and targets of calls and far jumps. */
static enum status make_seeds(const struct module_parts *parts, const struct vaddr_range *window,
                              struct seed_list *list)
{
    size_t first =
        SEARCH_FIRST(i, 0, parts->seed_count, parts->seeds[i].start_vaddr < window->start_vaddr);
    size_t end =
        SEARCH_FIRST(i, first, parts->seed_count, parts->seeds[i].start_vaddr < window->end_vaddr);
    struct code_function *called;
    size_t count;
    enum status status = island_calls(parts->code, window, &called, &count);

    *list = (struct seed_list){0};
    if (status != STATUS_OK)
        return status;
    status = add_seeds(list, called, count);
    free(called);
    if (status == STATUS_OK)
        status = add_seeds(list, parts->seeds + first, end - first);
    if (status == STATUS_OK)
        status = add_far(parts, window, list);
    if (list->count)
        qsort(list->items, list->count, sizeof(*list->items), by_place);
    return status;
}

static enum status read_seeds(struct module_parts *parts)
{
    enum status status = STATUS_OK;

    if (parts->seeds)
        return status;
    status = parts->find_seeds(parts->context, &parts->seeds, &parts->seed_count);
    if (status == STATUS_OK && parts->seed_count)
        qsort(parts->seeds, parts->seed_count, sizeof(*parts->seeds), by_place);
    return status;
}

static enum status search_seeds(struct module_parts *parts, const struct vaddr_range *window,
                                const struct seed_list *seeds, struct found_functions *found)
{
    struct code_search search;
    enum status ended, status = module_code_begin_search(parts->code, window, &search);

    if (status != STATUS_OK)
        return status;
    status = functions_search(&found->list, parts->code, parts->landing_pads, seeds->items,
                              seeds->count, window);
    ended = module_code_end_search(parts->code, &search, &found->learned, &found->learned_count);
    return status == STATUS_OK ? ended : status;
}

static enum status search_window(struct module_parts *parts, const struct vaddr_range *window,
                                 struct found_functions *found)
{
    struct seed_list seeds = {0};
    enum status status = read_seeds(parts);

    if (status == STATUS_OK)
        status = add_known(parts, window, &found->list);
    if (status == STATUS_OK)
        status = make_seeds(parts, window, &seeds);
    if (status == STATUS_OK)
        status = search_seeds(parts, window, &seeds, found);
    free(seeds.items);
    return status;
}

/* Loads what was found in the window before, else searches it. */
static enum status make_found(struct module_parts *parts, uint64_t vaddr,
                              const struct vaddr_range *window, struct found_functions *found)
{
    struct kept_search *kept = parts->code->kept;
    enum status status = STATUS_OK;
    struct kept_id id;

    if (!kept)
        return search_window(parts, window, found);
    id = kept_functions_id(parts->code, parts->known, parts->symbols, vaddr / PART, window);
    if (kept_functions_find(kept, &id, found, &status))
        return module_code_learn(parts->code, found->learned, found->learned_count);
    if (status == STATUS_OK)
        status = search_window(parts, window, found);
    if (status == STATUS_OK && !module_code_is_cut(parts->code))
        kept_functions_put(kept, &id, found);
    return status;
}

static enum status make_part(struct module_parts *parts, uint64_t vaddr, struct functions *list)
{
    const struct vaddr_range window = window_of(parts, vaddr);
    struct found_functions found = {.learned = NULL};
    enum status status = STATUS_OK;

    if (window.start_vaddr < window.end_vaddr)
        status = make_found(parts, vaddr, &window, &found);
    if (status != STATUS_OK) {
        found_functions_deinit(&found);
        return status;
    }
    *list = found.list;
    free(found.learned);
    return STATUS_OK;
}

enum status module_parts_find(struct module_parts *parts, uint64_t vaddr,
                              const struct code_function **out)
{
    const uint64_t *at = map_get(&parts->at, vaddr / PART);
    struct functions list;
    enum status status;

    if (!at) {
        status = vec_reserve(&parts->items, &parts->cap, parts->count + 1, sizeof(*parts->items));
        if (status == STATUS_OK)
            status = make_part(parts, vaddr, &list);
        if (status != STATUS_OK)
            return status;
        at = map_put(&parts->at, vaddr / PART, parts->count);
        if (!at) {
            functions_deinit(&list);
            return STATUS_NO_MEMORY;
        }
        parts->items[parts->count++] = list;
    }
    *out = functions_find(&parts->items[*at], vaddr);
    return *out ? STATUS_OK : STATUS_NOT_FOUND;
}

size_t module_parts_count(const struct module_parts *parts)
{
    return parts->count;
}

const struct functions *module_parts_at(const struct module_parts *parts, uint64_t vaddr)
{
    const uint64_t *at = map_get(&parts->at, vaddr / PART);

    return at ? &parts->items[*at] : NULL;
}
