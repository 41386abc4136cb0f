/* SPDX-License-Identifier: MIT */
#include "graph/names.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/keyed_hash.h"
#include "base/text.h"
#include "base/vec.h"

#define NONE UINT32_MAX

/*
 * The functions of one name in one module. Nearly all names have one group, and nearly all groups
 * one function: these are found without a look-up in an index.
 */
struct name_group {
    uint32_t name; /* id in names.pool */
    const struct module *module;
    uint32_t real_count; /* functions that are no inlined copies */
    uint32_t real;       /* the first of them */
    uint32_t copy;       /* the function that stands for inlined copies; NONE: there is none */
};

struct cached {
    struct module *module;
    uint64_t addr;
    bool vaddr_known;
    bool is_call, is_named; /* is_named: the same for is_call or not */
    uint32_t mark, divided; /* a marked frame's mark; number of the names_divide call in force */
    struct places *places;  /* owned */
};

struct names {
    struct names_source source;
    struct symbolizer *symbolizer; /* borrowed, as the unwinder: for names_create's source */
    struct unwinder *unwinder;
    struct pool pool;
    struct function *functions;
    size_t function_count, function_cap;
    struct index function_index; /* of real functions that are not their group's first */
    struct name_group *groups;
    size_t group_count, group_cap;
    uint32_t *name_group; /* by name: the first group; NONE: none yet */
    size_t name_count, name_cap;
    struct index group_index; /* of the other groups */
    struct cached *cache;
    size_t cache_count, cache_cap;
    struct index cache_index;
    names_label_fn *label;
    void *label_context;
    uint32_t divided; /* calls of names_divide */
};

static enum status ask_symbolizer(void *context, struct module *module, uint64_t vaddr,
                                  const struct source_frames **out)
{
    struct names *names = context;

    return symbolizer_lookup(names->symbolizer, module, vaddr, out);
}

static enum status ask_unwinder(void *context, struct module *module, uint64_t vaddr,
                                uint64_t *start_vaddr, uint64_t *end_vaddr)
{
    struct names *names = context;

    return unwinder_function(names->unwinder, module, vaddr, start_vaddr, end_vaddr);
}

enum status names_create_from(const struct names_source *source, struct names **out)
{
    struct names *names = calloc(1, sizeof(*names));

    if (!names)
        return STATUS_NO_MEMORY;
    names->source = *source;
    *out = names;
    return STATUS_OK;
}

enum status names_create(struct symbolizer *symbolizer, struct unwinder *unwinder,
                         struct names **out)
{
    struct names_source source = {.lookup = symbolizer ? ask_symbolizer : NULL,
                                  .function = unwinder ? ask_unwinder : NULL};
    enum status status = names_create_from(&source, out);

    if (status != STATUS_OK)
        return status;
    (*out)->source.context = *out;
    (*out)->symbolizer = symbolizer;
    (*out)->unwinder = unwinder;
    return STATUS_OK;
}

void names_destroy(struct names *names)
{
    if (!names)
        return;
    for (size_t i = 0; i < names->cache_count; i++)
        free(names->cache[i].places);
    free(names->cache);
    index_deinit(&names->cache_index);
    free(names->groups);
    free(names->name_group);
    index_deinit(&names->group_index);
    free(names->functions);
    index_deinit(&names->function_index);
    pool_deinit(&names->pool);
    free(names);
}

static enum status find_group(struct names *names, uint32_t name, const struct module *module,
                              uint32_t *out)
{
    uint64_t hash = keyed_words(name, (uintptr_t)module);
    struct index_probe probe = index_find(&names->group_index, hash);

    if (vec_reserve(&names->name_group, &names->name_cap, names->pool.len,
                    sizeof(*names->name_group)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    while (names->name_count < names->pool.len)
        names->name_group[names->name_count++] = NONE;
    *out = names->name_group[name];
    if (*out != NONE && names->groups[*out].module == module)
        return STATUS_OK;
    while (*out != NONE && index_next(&probe, out))
        if (names->groups[*out].name == name && names->groups[*out].module == module)
            return STATUS_OK;
    *out = (uint32_t)names->group_count;
    if (vec_reserve(&names->groups, &names->group_cap, names->group_count + 1,
                    sizeof(*names->groups)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (names->name_group[name] == NONE)
        names->name_group[name] = *out;
    else if (index_add(&names->group_index, hash, *out) != STATUS_OK)
        return STATUS_NO_MEMORY;
    names->groups[names->group_count++] =
        (struct name_group){.name = name, .module = module, .copy = NONE};
    return STATUS_OK;
}

/* Finds a function of `want->group`; NONE: it is new. */
static uint32_t find_function(const struct names *names, const struct function *want, uint64_t hash)
{
    const struct name_group *group = &names->groups[want->group];
    struct index_probe probe;
    uint32_t id;

    if (want->is_inline)
        return group->copy;
    if (group->real_count == 0 || names->functions[group->real].start_vaddr == want->start_vaddr)
        return group->real_count ? group->real : NONE;
    probe = index_find(&names->function_index, hash);
    while (index_next(&probe, &id))
        if (names->functions[id].group == want->group &&
            names->functions[id].start_vaddr == want->start_vaddr)
            return id;
    return NONE;
}

/* Finds or adds the function; `want->name` need not outlive the call, `want->group` is set here. */
static enum status intern_function(struct names *names, struct function *want, uint32_t *out)
{
    struct name_group *group;
    enum status status;
    uint64_t hash;
    uint32_t name;

    status = pool_intern(&names->pool, want->name, &name);
    if (status != STATUS_OK)
        return status;
    want->name = names->pool.texts[name];
    status = find_group(names, name, want->module, &want->group);
    if (status != STATUS_OK)
        return status;
    group = &names->groups[want->group];
    hash = keyed_words(want->group, want->start_vaddr);
    *out = find_function(names, want, hash);
    if (*out != NONE)
        return STATUS_OK;
    *out = (uint32_t)names->function_count;
    if (vec_reserve(&names->functions, &names->function_cap, names->function_count + 1,
                    sizeof(*names->functions)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (want->is_inline)
        group->copy = *out;
    else if (group->real_count == 0)
        group->real = *out;
    else if (index_add(&names->function_index, hash, *out) != STATUS_OK)
        return STATUS_NO_MEMORY;
    group->real_count += !want->is_inline;
    names->functions[names->function_count++] = *want;
    return STATUS_OK;
}

/*
 * Finds the real function's start: its symbol's, else the unwinder's. A symbol without size names
 * no function that begins behind it: in a stripped program the exported _start, which has none,
 * would name all that is linked behind it.
 */
static enum status find_start(struct names *names, struct module *module, uint64_t addr,
                              const struct source_frames *source, struct function *function)
{
    const bool is_unsized = source && source->has_function && source->is_unsized;
    uint64_t start_vaddr = 0, end_vaddr;
    enum status status;

    if (source && source->has_function) {
        function->start_vaddr = source->function_vaddr;
        function->has_start = true;
    }
    if (((function->has_start || function->has_name) && !is_unsized) || !names->source.function)
        return STATUS_OK;
    status = names->source.function(names->source.context, module, addr, &start_vaddr, &end_vaddr);
    if (status == STATUS_OK && (!is_unsized || start_vaddr > function->start_vaddr)) {
        function->start_vaddr = start_vaddr;
        function->has_start = true;
        function->has_name = false;
    }
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

static enum status make_real(struct names *names, struct module *module, uint64_t addr,
                             bool vaddr_known, bool is_call, const struct source_frames *source,
                             uint32_t *out)
{
    const struct source_frame *last = source ? &source->frames[source->count - 1] : NULL;
    const bool is_note = module && module->kind == MODULE_NOTE;
    struct function function = {.module = module, .has_name = is_note || (last && last->function)};
    char *made_up = NULL;
    enum status status;

    if (vaddr_known) {
        status = find_start(names, module, addr, source, &function);
        if (status != STATUS_OK)
            return status;
    }
    if (is_note) {
        function.name = function.raw_name = module->file.path;
    } else if (function.has_name) {
        function.name = last->function;
        function.raw_name = last->raw_function;
    } else {
        if (asprintf(&made_up, "%s+0x%" PRIx64,
                     module ? text_basename(module->file.path) : "[unknown]",
                     function.has_start ? function.start_vaddr : addr + (module && is_call)) < 0)
            return STATUS_NO_MEMORY;
        function.name = made_up;
    }
    status = intern_function(names, &function, out);
    free(made_up);
    return status;
}

static enum status make_inlined(struct names *names, const struct module *module,
                                const struct source_frame *frame, uint32_t *out)
{
    struct function function = {.name = frame->function ? frame->function : "[inlined]",
                                .raw_name = frame->raw_function,
                                .module = module,
                                .start_vaddr = frame->real_vaddr,
                                .has_start = frame->real_vaddr != 0,
                                .has_name = frame->function != NULL,
                                .is_inline = frame->real_vaddr == 0};

    return intern_function(names, &function, out);
}

/* Returns whether the address can be looked up. */
static bool is_known(const struct module *module, bool vaddr_known)
{
    return module && (vaddr_known || module->kind == MODULE_JIT);
}

static enum status make_places(struct names *names, struct module *module, uint64_t addr,
                               bool vaddr_known, bool is_call, struct places **out)
{
    const struct source_frames *source = NULL;
    enum status status = STATUS_OK;
    struct places *places;
    size_t count;

    if (is_known(module, vaddr_known) && names->source.lookup)
        status = names->source.lookup(names->source.context, module, addr, &source);
    if (status != STATUS_OK)
        return status;
    if (source && source->count == 0)
        source = NULL;
    count = source ? source->count : 1;
    places = malloc(sizeof(*places) + count * sizeof(places->list[0]));
    if (!places)
        return STATUS_NO_MEMORY;
    places->count = (uint32_t)count;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        const struct source_frame *frame = source ? &source->frames[i] : NULL;
        struct place *place = &places->list[i];

        *place = (struct place){.file = frame ? frame->file : NULL,
                                .line = frame ? frame->line : 0,
                                .is_inline = i + 1 < count};
        if (place->is_inline)
            status = make_inlined(names, module, frame, &place->function);
        else
            status = make_real(names, module, addr, is_known(module, vaddr_known), is_call, source,
                               &place->function);
    }
    if (status == STATUS_OK)
        *out = places;
    else
        free(places);
    return status;
}

/* Returns whether the name comes from the file or the start, not from the address. */
static bool is_named(const struct names *names, const struct places *places)
{
    const struct function *real = &names->functions[places->list[places->count - 1].function];

    return real->has_name || real->has_start;
}

void names_divide(struct names *names, names_label_fn *label, void *context)
{
    names->label = label;
    names->label_context = context;
    names->divided++;
}

/* Replaces the divided functions of a marked frame by those of their labels. */
static enum status divide(struct names *names, uint32_t mark, struct places *places)
{
    enum status status = STATUS_OK;

    for (uint32_t i = 0; i < places->count && status == STATUS_OK; i++) {
        struct place *place = &places->list[i];
        const char *label = names->label(names->label_context, mark, places->count - 1 - i);
        struct function function = names->functions[place->function];
        char *name;

        if (!label)
            continue;
        if (asprintf(&name, "%s %s", function.name, label) < 0)
            return STATUS_NO_MEMORY;
        function.name = name;
        function.undivided = place->function + 1;
        status = intern_function(names, &function, &place->function);
        free(name);
    }
    return status;
}

const char *names_label(const struct names *names, uint32_t function)
{
    const struct function *divided = &names->functions[function];

    return divided->undivided
               ? divided->name + strlen(names->functions[divided->undivided - 1].name) + 1
               : NULL;
}

static bool is_cached(const struct cached *known, const struct cached *want)
{
    return known->module == want->module && known->addr == want->addr &&
           known->vaddr_known == want->vaddr_known && known->mark == want->mark &&
           (known->is_named || known->is_call == want->is_call) &&
           (known->mark == 0 || known->divided == want->divided);
}

static uint64_t hash_cached(const struct module *module, uint64_t addr, bool vaddr_known,
                            uint32_t mark)
{
    return keyed_words(addr, (uintptr_t)module ^ vaddr_known ^ mark << 1);
}

void names_expect(const struct names *names, const struct module *module, uint64_t addr,
                  bool vaddr_known, uint32_t mark)
{
    index_prefetch(&names->cache_index,
                   hash_cached(module, addr, vaddr_known, names->label ? mark : 0));
}

static enum status find(struct names *names, struct cached *entry, const struct places **out)
{
    uint64_t hash = hash_cached(entry->module, entry->addr, entry->vaddr_known, entry->mark);
    struct index_probe probe = index_find(&names->cache_index, hash);
    enum status status;
    uint32_t id;

    while (index_next(&probe, &id)) {
        if (is_cached(&names->cache[id], entry)) {
            *out = names->cache[id].places;
            return STATUS_OK;
        }
    }
    status = vec_reserve(&names->cache, &names->cache_cap, names->cache_count + 1,
                         sizeof(*names->cache));
    if (status != STATUS_OK)
        return status;
    status = make_places(names, entry->module, entry->addr, entry->vaddr_known, entry->is_call,
                         &entry->places);
    if (status != STATUS_OK)
        return status;
    entry->is_named = !entry->module || is_named(names, entry->places);
    if (entry->mark)
        status = divide(names, entry->mark, entry->places);
    if (status == STATUS_OK)
        status = index_add(&names->cache_index, hash, (uint32_t)names->cache_count);
    if (status != STATUS_OK) {
        free(entry->places);
        return status;
    }
    names->cache[names->cache_count++] = *entry;
    *out = entry->places;
    return STATUS_OK;
}

enum status names_find_marked(struct names *names, struct module *module, uint64_t addr,
                              bool vaddr_known, bool is_call, uint32_t mark,
                              const struct places **out)
{
    return find(names,
                &(struct cached){.module = module,
                                 .addr = addr,
                                 .vaddr_known = vaddr_known,
                                 .is_call = is_call,
                                 .mark = names->label ? mark : 0,
                                 .divided = names->divided},
                out);
}

enum status names_find(struct names *names, struct module *module, uint64_t addr, bool vaddr_known,
                       bool is_call, const struct places **out)
{
    return names_find_marked(names, module, addr, vaddr_known, is_call, 0, out);
}

enum status names_find_frame(struct names *names, const struct frame *frame,
                             const struct places **out)
{
    if (!frame->module)
        return names_find(names, NULL, frame->pc_addr, false, frame->is_call, out);
    return names_find_marked(names, frame->module, frame->lookup_vaddr, frame->vaddr_known,
                             frame->is_call, frame->mark, out);
}

const struct function *names_function(const struct names *names, uint32_t function)
{
    return &names->functions[function];
}

size_t names_function_count(const struct names *names)
{
    return names->function_count;
}

uint32_t names_canonical(const struct names *names, uint32_t function)
{
    const struct function *f = &names->functions[function];
    const struct name_group *group = &names->groups[f->group];

    return f->is_inline && group->real_count == 1 ? group->real : function;
}

bool names_ambiguous(const struct names *names, uint32_t function)
{
    const struct function *f = &names->functions[function];

    return !f->is_inline && names->groups[f->group].real_count > 1;
}
