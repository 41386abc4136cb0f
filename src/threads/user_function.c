#include "threads/user_function.h"

#include <stddef.h>
#include <string.h>

#include "threads/runtime.h"

static bool is_runtime(const struct module *module)
{
    return module->kind == MODULE_KERNEL || module->kind == MODULE_SPECIAL ||
           runtime_is_c_library(module) || runtime_is_thread_library(module);
}

/*
 * Where the name begins after the type that a template's name has before it, as in
 * `std::vector<int, x> ns::f<int>(int)`: behind the last space outside of brackets and before the
 * arguments. Operators' names, which may be brackets, end the search.
 */
static const char *after_type(const char *name)
{
    static const char operator_word[] = "operator";
    const char *begin = name;
    size_t depth = 0;

    for (const char *c = name; *c; c++) {
        if (depth == 0 && strncmp(c, operator_word, strlen(operator_word)) == 0)
            return begin;
        if (depth == 0 && *c == '(' && strncmp(c, "(anonymous namespace)", 21) != 0)
            return begin;
        if (*c == '<' || *c == '(')
            depth++;
        else if ((*c == '>' || *c == ')') && depth > 0)
            depth--;
        else if (*c == ' ' && depth == 0)
            begin = c + 1;
    }
    return begin;
}

bool user_function_is_language(const char *name)
{
    static const char *const starts[] = {"std::",        "__gnu_cxx::", "__gthread_",
                                         "__cxxabiv1::", "core::",      "alloc::",
                                         "<core::",      "<alloc::",    "<std::"};
    const char *begin = after_type(name);

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
        if (strncmp(begin, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

uint32_t user_function_of(const struct profile *profile, uint32_t chain)
{
    uint32_t named = USER_FUNCTION_NONE, any = USER_FUNCTION_NONE;

    for (uint32_t node = profile->chains[chain].leaf; node != TRIE_ROOT;
         node = profile->trie.nodes[node].parent) {
        const struct profile_frame *frame = &profile->frames[profile->trie.nodes[node].key];
        const struct places *places = profile->places[profile->trie.nodes[node].key];

        for (uint32_t i = 0; i < places->count; i++) {
            uint32_t id = places->list[i].function;
            const struct function *function = names_function(profile->names, id);

            if (frame->module && !is_runtime(frame->module) &&
                !user_function_is_language(function->name))
                return id;
            if (named == USER_FUNCTION_NONE && function->has_name)
                named = id;
            if (any == USER_FUNCTION_NONE)
                any = id;
        }
    }
    return named != USER_FUNCTION_NONE ? named : any;
}
