/* SPDX-License-Identifier: MIT */
#include "threads/user_function.h"

#include "threads/runtime.h"

static bool is_runtime(const struct module *module)
{
    return module->kind == MODULE_KERNEL || module->kind == MODULE_SPECIAL ||
           runtime_is_c_library(module) || runtime_is_thread_library(module);
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
                !runtime_is_language_function(function->name, places->list[i].file))
                return id;
            if (named == USER_FUNCTION_NONE && function->has_name)
                named = id;
            if (any == USER_FUNCTION_NONE)
                any = id;
        }
    }
    return named != USER_FUNCTION_NONE ? named : any;
}
