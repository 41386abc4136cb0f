/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/debug_info.h"

#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/keyed_hash.h"
#include "base/shortage.h"
#include "variables/dwarf/answer_cache.h"
#include "variables/dwarf/asker.h"
#include "variables/dwarf/decode.h"
#include "variables/dwarf/function_names.h"
#include "variables/dwarf/serve.h"

struct debug_info {
    struct asker asker;
    struct function_names names;
    struct arena answers; /* of scopes, call sites, variables */
    struct answer_cache scopes, call_sites, variables;
    struct arena types_arena;
    struct answer_cache types;
};

static const struct type unknown_type = {.kind = TYPE_UNKNOWN};

enum status debug_info_create(struct module_set *set, struct module *module,
                              const struct debug_info_limits *limits, struct debug_info **out,
                              struct diag *why)
{
    struct debug_info *info;
    enum status status;

    if (!serve_is_possible(why))
        return STATUS_UNSUPPORTED;
    info = calloc(1, sizeof(*info));
    if (!info)
        return STATUS_NO_MEMORY;
    function_names_init(&info->names, set, module);
    status = asker_begin(&info->asker, set, module, limits);
    if (status != STATUS_OK) {
        if (status == STATUS_NOT_FOUND)
            diag_set(why, module->file.path, "has no debug information");
        debug_info_destroy(info);
        return status;
    }
    *out = info;
    return STATUS_OK;
}

void debug_info_forget(struct debug_info *info)
{
    answer_cache_deinit(&info->scopes);
    answer_cache_deinit(&info->call_sites);
    answer_cache_deinit(&info->variables);
    arena_deinit(&info->answers);
}

void debug_info_destroy(struct debug_info *info)
{
    if (!info)
        return;
    asker_end(&info->asker);
    function_names_deinit(&info->names);
    debug_info_forget(info);
    answer_cache_deinit(&info->types);
    arena_deinit(&info->types_arena);
    free(info);
}

void debug_info_trim(struct debug_info *info)
{
    if (info->answers.total > DEBUG_INFO_CACHE_BYTES)
        debug_info_forget(info);
}

/* Decodes the bytes of an answer; OK with *answer, NO_MEMORY, or BAD_DATA. */
typedef enum status decode_fn(struct debug_info *info, struct cursor *c, const void **answer);

static enum status ask(struct debug_info *info, struct answer_cache *cache, uint64_t key,
                       const struct wire_question *question, decode_fn *decode, const void **answer)
{
    enum status status, kept;
    struct cursor c;

    if (answer_cache_get(cache, key, &status, answer))
        return status;
    *answer = NULL;
    status = asker_ask(&info->asker, question, &c);
    if (status == STATUS_OK)
        status = decode(info, &c, answer);
    if (status == STATUS_NO_MEMORY)
        return status;
    if (status == STATUS_BAD_DATA && c.data) /* an unsound answer: the child is replaced */
        asker_distrust(&info->asker);
    kept = answer_cache_put(cache, key, status, *answer);
    return kept == STATUS_OK ? status : kept;
}

static bool find_name(void *context, const char *name, uint64_t *vaddr)
{
    return function_names_find(context, name, vaddr);
}

static enum status read_scope(struct debug_info *info, struct cursor *c, const void **answer)
{
    const struct decode_names names = {.find = find_name, .context = &info->names};
    struct pc_scope *scope = NULL;
    enum status status = decode_scope(c, &names, &info->answers, &scope);

    *answer = scope;
    return status;
}

enum status debug_info_scope(struct debug_info *info, uint64_t vaddr, const struct pc_scope **out)
{
    const struct wire_question question = {.kind = WIRE_SCOPE, .vaddr = vaddr};
    const void *answer;
    enum status status = ask(info, &info->scopes, vaddr, &question, read_scope, &answer);

    *out = answer;
    return status;
}

static enum status read_type(struct debug_info *info, struct cursor *c, const void **answer)
{
    struct type *type = NULL;
    enum status status = decode_type(c, &info->types_arena, &type);

    *answer = type;
    return status;
}

enum status debug_info_type(struct debug_info *info, die_ref ref, const struct type **out)
{
    const struct wire_question question = {.kind = WIRE_TYPE, .ref = ref};
    const void *answer;
    enum status status;

    *out = &unknown_type;
    if (ref == 0)
        return STATUS_NOT_FOUND;
    if (info->types_arena.total > DEBUG_INFO_TYPE_BYTES &&
        !answer_cache_get(&info->types, ref, &status, &answer))
        return STATUS_OK;
    status = ask(info, &info->types, ref, &question, read_type, &answer);
    if (status == STATUS_OK)
        *out = answer;
    return status == STATUS_NO_MEMORY ? status : STATUS_OK;
}

static enum status read_call_site(struct debug_info *info, struct cursor *c, const void **answer)
{
    const struct decode_names names = {.find = find_name, .context = &info->names};
    struct call_site *site = NULL;
    enum status status = decode_call_site(c, &names, &info->answers, &site);

    *answer = site;
    return status;
}

enum status debug_info_call_site(struct debug_info *info, uint64_t vaddr,
                                 const struct call_site **out)
{
    const struct wire_question question = {.kind = WIRE_CALL_SITE, .vaddr = vaddr};
    const void *answer;
    enum status status = ask(info, &info->call_sites, vaddr, &question, read_call_site, &answer);

    *out = answer;
    return status;
}

static enum status read_variable(struct debug_info *info, struct cursor *c, const void **answer)
{
    struct scope_variable *variable = NULL;
    enum status status = decode_variable(c, &info->answers, &variable);

    *answer = variable;
    return status;
}

enum status debug_info_variable(struct debug_info *info, die_ref die, uint64_t vaddr,
                                const struct scope_variable **out)
{
    const struct wire_question question = {.kind = WIRE_VARIABLE, .ref = die, .vaddr = vaddr};
    const void *answer;
    /* The key is a hash of both: that two pairs share 64 mixed bits is not expected. */
    enum status status =
        ask(info, &info->variables, keyed_words(die, vaddr), &question, read_variable, &answer);

    *out = answer;
    return status;
}

struct debug_info_use debug_info_use(const struct debug_info *info)
{
    return (struct debug_info_use){.has_child = info->asker.child.pid != 0,
                                   .asked_ms = info->asker.asked_ms,
                                   .waited_ms = info->asker.waited_ms,
                                   .limit_ms = asker_wait_limit_ms(&info->asker),
                                   .answer_bytes = info->answers.total,
                                   .type_bytes = info->types_arena.total};
}

void debug_info_rest(struct debug_info *info)
{
    asker_rest(&info->asker);
}

void debug_info_problem(const struct debug_info *info, struct diag *problem)
{
    asker_problem(&info->asker, problem);
}
