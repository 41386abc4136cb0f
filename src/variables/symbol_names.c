/* SPDX-License-Identifier: MIT */
#include "variables/symbol_names.h"

#include <stdint.h>
#include <stdlib.h>

#include "symbol/symbolize.h"

void symbol_names_deinit(struct symbol_names *names)
{
    uint64_t key, text;

    for (size_t at = 0; map_next(&names->texts, &at, &key, &text);)
        free((char *)(uintptr_t)text);
    map_deinit(&names->texts);
}

const char *symbol_names_get(struct symbol_names *names, const char *raw)
{
    uint64_t *text = map_get(&names->texts, (uintptr_t)raw);

    if (!text) {
        if (map_len(&names->texts) >= SYMBOL_NAMES_MAX) {
            symbol_names_deinit(names);
            map_init(&names->texts);
        }
        text = map_put(&names->texts, (uintptr_t)raw, 0);
        if (!text) /* without memory names stay mangled */
            return raw;
        *text = (uintptr_t)demangle(raw);
    }
    return *text ? (const char *)(uintptr_t)*text : raw;
}
