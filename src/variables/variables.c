/* SPDX-License-Identifier: MIT */
#include "variables/variables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/keyed_hash.h"
#include "base/vec.h"
#include "variables/address_name.h"
#include "variables/frame.h"
#include "variables/frame_entry.h"

struct variables_module { /* by module id */
    struct debug_info *info;
    const struct module *module; /* NULL: not asked for yet */
    bool is_without;             /* its file is there and has no debug information */
};

/* Children that stay between frames: those asked last. */
#define CHILDREN_MAX 32
/* All modules' answers together may take as long as this many modules'. */
#define MODULES_WAITS 4
/* Bytes of all modules: beyond, answers but types are forgotten; no more variables are told. */
#define ANSWER_BYTES_MAX (4 * DEBUG_INFO_CACHE_BYTES)
#define TYPE_BYTES_MAX   (2 * DEBUG_INFO_TYPE_BYTES)

struct type_name {
    const struct debug_info *info;
    die_ref type;
    char *text; /* owned; NULL: no name */
};

struct variables {
    struct module_set *set;
    struct unwinder *unwinder;
    struct variables_options options;
    struct diag problem; /* of all modules; empty: none */
    bool is_over;        /* reading took too long */
    struct variables_module *modules;
    size_t module_count, module_cap;
    struct type_name *type_names;
    size_t type_name_count, type_name_cap;
    struct index type_name_index;
    struct symbol_names symbol_names;
    struct pool entry_names; /* "kind@entry" */
    /* The last answer: */
    struct told_frame frame;
    struct told_level *levels;
    size_t level_cap;
    struct told_variable *list; /* of all levels */
    size_t count, cap;
};

enum status variables_create(struct module_set *set, struct unwinder *unwinder,
                             const struct variables_options *options, struct variables **out)
{
    struct variables *v = calloc(1, sizeof(*v));

    if (!v)
        return STATUS_NO_MEMORY;
    v->set = set;
    v->unwinder = unwinder;
    v->options = *options;
    pool_init(&v->entry_names);
    *out = v;
    return STATUS_OK;
}

static void forget_told(struct variables *v)
{
    for (size_t i = 0; i < v->count; i++)
        free((char *)(uintptr_t)v->list[i].value);
    v->count = 0;
    v->frame = (struct told_frame){.levels = v->levels};
}

void variables_destroy(struct variables *v)
{
    if (!v)
        return;
    forget_told(v);
    for (size_t i = 0; i < v->module_count; i++)
        debug_info_destroy(v->modules[i].info);
    for (size_t i = 0; i < v->type_name_count; i++)
        free(v->type_names[i].text);
    symbol_names_deinit(&v->symbol_names);
    pool_deinit(&v->entry_names);
    free(v->modules);
    free(v->type_names);
    index_deinit(&v->type_name_index);
    free(v->levels);
    free(v->list);
    free(v);
}

/* Opens a module's debug information at the first call. NOT_FOUND: none. */
static enum status find_info(struct variables *v, struct module *module, struct debug_info **out)
{
    struct variables_module *found;
    enum status status;

    if (vec_reserve(&v->modules, &v->module_cap, (size_t)module->id + 1, sizeof(*v->modules)) !=
        STATUS_OK)
        return STATUS_NO_MEMORY;
    while (v->module_count <= module->id)
        v->modules[v->module_count++] = (struct variables_module){0};
    found = &v->modules[module->id];
    if (v->is_over)
        return STATUS_NOT_FOUND;
    if (!found->module) {
        struct diag why;

        found->module = module;
        status = debug_info_create(v->set, module, &v->options.limits, &found->info, &why);
        if (status == STATUS_NO_MEMORY)
            return status;
        if (status != STATUS_OK)
            found->info = NULL;
        if (status == STATUS_UNSUPPORTED)
            v->problem = why;
        found->is_without = status == STATUS_NOT_FOUND && module->state == MODULE_OPEN &&
                            module->kind == MODULE_FILE && !module->stand_in;
    }
    *out = found->info;
    return found->info ? STATUS_OK : STATUS_NOT_FOUND;
}

static enum status ask_info(void *context, struct module *module, struct debug_info **out)
{
    return find_info(context, module, out);
}

bool variables_problem(const struct variables *v, size_t i, struct diag *problem)
{
    *problem = v->problem;
    if (problem->what[0] && i-- == 0)
        return true;
    for (size_t at = 0; at < v->module_count; at++) {
        if (!v->modules[at].info)
            continue;
        debug_info_problem(v->modules[at].info, problem);
        if (problem->what[0] && i-- == 0)
            return true;
    }
    return false;
}

size_t variables_without(const struct variables *v, const struct module **first)
{
    size_t count = 0;

    for (size_t i = 0; i < v->module_count; i++)
        if (v->modules[i].is_without && count++ == 0)
            *first = v->modules[i].module;
    return count;
}

/* The module whose child was asked least recently; NULL: there are few children. */
static struct debug_info *find_idle(const struct variables *v)
{
    struct debug_info *idle = NULL;
    int64_t idle_ms = INT64_MAX;
    size_t count = 0;

    for (size_t i = 0; i < v->module_count; i++) {
        struct debug_info *info = v->modules[i].info;
        const struct debug_info_use use =
            info ? debug_info_use(info) : (struct debug_info_use){.has_child = false};

        if (!use.has_child)
            continue;
        count++;
        if (use.asked_ms < idle_ms) {
            idle_ms = use.asked_ms;
            idle = info;
        }
    }
    return count > CHILDREN_MAX || v->is_over ? idle : NULL;
}

/* Called between two frames, when nothing of an earlier answer is in use. */
static void bound_costs(struct variables *v)
{
    struct debug_info_use all = {0};
    struct debug_info *idle;

    for (size_t i = 0; i < v->module_count; i++) {
        struct debug_info_use use;

        if (!v->modules[i].info)
            continue;
        debug_info_trim(v->modules[i].info);
        use = debug_info_use(v->modules[i].info);
        all.waited_ms += use.waited_ms;
        all.limit_ms = use.limit_ms * MODULES_WAITS;
        all.answer_bytes += use.answer_bytes;
        all.type_bytes += use.type_bytes;
    }
    for (size_t i = 0; i < v->module_count && all.answer_bytes > ANSWER_BYTES_MAX; i++)
        if (v->modules[i].info)
            debug_info_forget(v->modules[i].info);
    if (!v->is_over && (all.waited_ms > all.limit_ms || all.type_bytes > TYPE_BYTES_MAX)) {
        v->is_over = true;
        diag_set(&v->problem, NULL,
                 "variables are not told any more: debug information takes too much %s",
                 all.waited_ms > all.limit_ms ? "time" : "memory");
    }
    while ((idle = find_idle(v)) != NULL)
        debug_info_rest(idle);
}

/* Makes the type's name ("int"), once; NULL: none. */
static enum status find_type_name(struct variables *v, struct frame_view *view, die_ref type,
                                  const char **out)
{
    uint64_t hash = keyed_words(type, (uintptr_t)view->info);
    struct index_probe probe = index_find(&v->type_name_index, hash);
    struct type_name *name;
    enum status status;
    uint32_t id;

    while (index_next(&probe, &id)) {
        name = &v->type_names[id];
        if (name->info == view->info && name->type == type) {
            *out = name->text;
            return STATUS_OK;
        }
    }
    if (vec_reserve(&v->type_names, &v->type_name_cap, v->type_name_count + 1,
                    sizeof(*v->type_names)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    name = &v->type_names[v->type_name_count];
    *name = (struct type_name){.info = view->info, .type = type};
    status = value_type_name(&view->values, type, &name->text);
    if (status == STATUS_NO_MEMORY ||
        index_add(&v->type_name_index, hash, (uint32_t)v->type_name_count) != STATUS_OK) {
        free(name->text);
        return STATUS_NO_MEMORY;
    }
    v->type_name_count++;
    *out = name->text;
    return STATUS_OK;
}

#define AT_ENTRY "@entry"

static enum status name_at_entry(struct variables *v, const char *name, const char **out)
{
    enum status status;
    char *text;
    uint32_t id;

    if (asprintf(&text, "%s" AT_ENTRY, name) < 0)
        return STATUS_NO_MEMORY;
    status = pool_intern(&v->entry_names, text, &id);
    free(text);
    if (status == STATUS_OK)
        *out = v->entry_names.texts[id];
    return status;
}

/* Finds the variable's object, or, if only that is known, the parameter's at entry. */
static struct known_how find_told(struct frame_view *view, const struct scope_variable *variable,
                                  struct object *object, bool *is_entry)
{
    const struct known_how known = frame_view_object(view, variable, object);

    *is_entry = !is_known(known) && variable->has_entry &&
                is_known(frame_entry_object(view, variable, object));
    return *is_entry ? known_yes() : known;
}

static enum status tell_variable(struct variables *v, struct frame_view *view,
                                 const struct scope_variable *variable)
{
    struct told_variable told = {.name = variable->name, .kind = variable->kind};
    struct told_value value = {0};
    struct object object;
    bool is_entry;
    enum status status;

    if (vec_reserve(&v->list, &v->cap, v->count + 1, sizeof(*v->list)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    status = find_type_name(v, view, variable->type, &told.type);
    if (status != STATUS_OK)
        return status;
    told.known = find_told(view, variable, &object, &is_entry);
    if (is_entry)
        status = name_at_entry(v, variable->name, &told.name);
    if (status != STATUS_OK)
        return status;
    if (is_known(told.known)) {
        status = value_tell(&view->values, &object, &v->options.style, &value);
        if (status != STATUS_OK)
            return status;
        told.value = value.text;
        told.known = value.known;
        told.is_partial = value.is_partial;
    }
    v->list[v->count++] = told;
    return STATUS_OK;
}

static enum status tell_level(struct variables *v, struct frame_view *view,
                              const struct pc_level *level)
{
    enum status status = STATUS_OK;

    for (size_t i = 0; i < level->count && status == STATUS_OK; i++)
        if (!v->options.parameters_only || level->variables[i].kind == VARIABLE_PARAMETER)
            status = tell_variable(v, view, &level->variables[i]);
    return status;
}

/* NOT_FOUND: nothing is known of the frame. */
static enum status begin_view(struct variables *v, const struct variables_frame *frame,
                              struct frame_view *view)
{
    const struct frame *of = &frame->chain->frames[frame->index];
    enum status status;

    if (!of->module || !of->vaddr_known || frame->index >= frame->chain->count)
        return STATUS_NOT_FOUND;
    bound_costs(v);
    status = frame_view_begin(view,
                              &(struct frame_view_source){.set = v->set,
                                                          .arch = unwinder_arch(v->unwinder),
                                                          .unwinder = v->unwinder,
                                                          .find_info = ask_info,
                                                          .context = v},
                              frame);
    view->names = &v->symbol_names;
    return status;
}

enum status variables_tell(struct variables *v, const struct variables_frame *frame,
                           const struct told_frame **out)
{
    struct frame_view view;
    enum status status;

    forget_told(v);
    *out = &v->frame;
    status = begin_view(v, frame, &view);
    if (status != STATUS_OK)
        return status == STATUS_NO_MEMORY ? status : STATUS_OK;
    if (vec_reserve(&v->levels, &v->level_cap, view.scope->count, sizeof(*v->levels)) != STATUS_OK)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < view.scope->count && status == STATUS_OK; i++) {
        const struct pc_level *level = &view.scope->levels[i];
        const size_t first = v->count;

        status = tell_level(v, &view, level);
        /* The list may move: the levels' pointers are set below. */
        v->levels[i] = (struct told_level){.function = level->name, .count = v->count - first};
    }
    if (status != STATUS_OK)
        return status;
    for (size_t i = 0, first = 0; i < view.scope->count; first += v->levels[i++].count)
        v->levels[i].list = v->list + first;
    v->frame = (struct told_frame){.levels = v->levels, .count = view.scope->count};
    return STATUS_OK;
}

/* Splits off the next part of "a.b->c[2]"; returns the rest; NULL: too long. "*a" means "a.*". */
static const char *next_part(const char *path, char *part, size_t size)
{
    size_t len;

    path += strspn(path, ".->");
    len = *path == '[' ? strcspn(path, "]") + 1 : strcspn(path, ".[-");
    if (len >= size || len > strlen(path))
        return NULL;
    memcpy(part, path, len);
    part[len] = '\0';
    return path + len;
}

static const struct scope_variable *find_variable(const struct pc_level *level, const char *name)
{
    const struct scope_variable *parameter = NULL;

    for (size_t i = 0; i < level->count; i++) {
        const struct scope_variable *variable = &level->variables[i];

        if (strcmp(variable->name, name) != 0 || variable->is_outer)
            continue;
        if (variable->kind == VARIABLE_LOCAL)
            return variable;
        parameter = parameter ? parameter : variable;
    }
    return parameter;
}

#define PART_MAX 256

/* Finds "kind", or for "kind@entry" the value at the function's entry in any case. */
static struct known_how find_first(struct frame_view *view, const struct pc_level *level,
                                   char *name, struct object *object, bool *is_entry)
{
    const size_t size = strlen(name), suffix = sizeof(AT_ENTRY) - 1;
    const bool is_asked = size > suffix && strcmp(name + size - suffix, AT_ENTRY) == 0;
    const struct scope_variable *variable;

    *is_entry = false;
    if (is_asked)
        name[size - suffix] = '\0';
    variable = find_variable(level, name);
    if (!variable)
        return unavailable("no such variable here");
    return is_asked ? frame_entry_object(view, variable, object)
                    : find_told(view, variable, object, is_entry);
}

/* Finds the object at the end of the path. */
static struct known_how find_object(struct frame_view *view, const struct pc_level *level,
                                    const char *path, struct object *object, bool *is_entry)
{
    const bool is_pointed = *path == '*';
    const char *rest;
    struct known_how known;
    char part[PART_MAX];

    *is_entry = false;
    rest = next_part(path + is_pointed, part, sizeof(part));
    if (!rest)
        return unavailable("no such variable here");
    known = find_first(view, level, part, object, is_entry);
    while (is_known(known) && *rest) {
        struct object inner;

        rest = next_part(rest, part, sizeof(part));
        if (!rest || !*part)
            return unavailable("no such part");
        known = value_part(&view->values, object, part, &inner);
        *object = inner;
    }
    if (is_known(known) && is_pointed) {
        struct object inner;

        known = value_part(&view->values, object, "*", &inner);
        *object = inner;
    }
    return known;
}

static bool is_integer(const struct frame_view *view, const struct object *object)
{
    const struct type *type;

    return value_strip(&view->values, object->type, &type) == STATUS_OK && value_is_integer(type);
}

enum status variables_value(struct variables *v, const struct variables_frame *frame, size_t depth,
                            const char *path, struct variable_value *out)
{
    struct value_style style = v->options.style;
    struct told_value value = {0};
    struct frame_view view;
    struct object object;
    enum status status;

    style.null_stop = true;
    *out = (struct variable_value){.known = unavailable("no debug information")};
    status = begin_view(v, frame, &view);
    if (status != STATUS_OK)
        return status == STATUS_NO_MEMORY ? status : STATUS_OK;
    if (depth >= view.scope->count) {
        out->known = unavailable("no such function here");
        return STATUS_OK;
    }
    out->known = find_object(&view, &view.scope->levels[view.scope->count - 1 - depth], path,
                             &object, &out->is_entry);
    if (!is_known(out->known))
        return STATUS_OK;
    status = value_tell(&view.values, &object, &style, &value);
    if (status != STATUS_OK)
        return status;
    out->text = value.text;
    out->known = value.known;
    out->has_number = is_known(value_number(&view.values, &object, &out->number, &out->is_signed));
    out->is_number = out->has_number && is_integer(&view, &object);
    return STATUS_OK;
}

static enum status search_level(const struct variables *v, struct frame_view *view,
                                const struct pc_level *level, struct address_search *search)
{
    struct object object;

    for (size_t i = 0; i < level->count; i++) {
        const struct scope_variable *variable = &level->variables[i];

        if (variable->is_outer || (v->options.parameters_only && variable->kind == VARIABLE_LOCAL))
            continue;
        if (is_known(frame_view_object(view, variable, &object)) &&
            !address_search_variable(search, variable, &object))
            return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

/* Library functions name locks by their parts. */
static bool is_library(const struct pc_level *level)
{
    static const char *const starts[] = {"std::", "core::", "alloc::", "__"};

    for (size_t i = 0; level->name && i < sizeof(starts) / sizeof(*starts); i++)
        if (strncmp(level->name, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

enum status variables_name_address(struct variables *v, const struct variables_frame *frame,
                                   uint64_t addr, uint64_t size, struct variable_address *out)
{
    struct address_search best = {.is_bare = true};
    struct frame_view view;
    unsigned steps = 0; /* of all functions */
    enum status status;

    *out = (struct variable_address){.text = NULL};
    status = begin_view(v, frame, &view);
    if (status != STATUS_OK)
        return status == STATUS_NO_MEMORY ? status : STATUS_OK;
    for (size_t i = 0; i < view.scope->count && best.is_bare; i++) {
        struct address_search search = {.source = &view.values,
                                        .addr = addr,
                                        .size = size,
                                        .steps = steps};

        if (is_library(&view.scope->levels[i]))
            continue;
        status = search_level(v, &view, &view.scope->levels[i], &search);
        if (status != STATUS_OK)
            return status;
        steps = search.steps;
        if (!search.name[0])
            continue;
        best = search;
        out->function = view.scope->levels[i].name;
    }
    if (!best.name[0])
        return STATUS_OK;
    out->is_bare = best.is_bare;
    out->text = strdup(best.name);
    return out->text ? STATUS_OK : STATUS_NO_MEMORY;
}
