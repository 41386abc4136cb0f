/* SPDX-License-Identifier: MIT */
#include "variables/dwarf/function_names.h"

#include <elf.h>
#include <string.h>

#include "base/keyed_hash.h"
#include "symbol/elf/symtab.h"

void function_names_init(struct function_names *names, struct module_set *set,
                         struct module *module)
{
    *names = (struct function_names){.set = set, .module = module};
}

void function_names_deinit(struct function_names *names)
{
    index_deinit(&names->by_name);
}

/* Without memory the rest is not found. */
static void make_index(struct function_names *names, const struct symtab *symtab)
{
    const size_t count = symtab_count(symtab);

    for (size_t i = 0; i < count && i < INDEX_ID_MAX; i++) {
        struct symbol symbol;

        symtab_at(symtab, i, &symbol);
        if (index_add(&names->by_name, keyed_text(symbol.name), (uint32_t)i) != STATUS_OK)
            return;
    }
}

bool function_names_find(struct function_names *names, const char *name, uint64_t *vaddr)
{
    const struct symtab *symtab = module_symtab(names->set, names->module);
    struct index_probe probe;
    bool is = false;
    uint32_t id;

    if (!symtab)
        return false;
    if (!names->is_tried)
        make_index(names, symtab);
    names->is_tried = true;
    probe = index_find(&names->by_name, keyed_text(name));
    while (index_next(&probe, &id)) {
        struct symbol symbol;

        symtab_at(symtab, id, &symbol);
        if (strcmp(symbol.name, name) != 0)
            continue;
        /* The resolver of an IFUNC is not what is called. */
        if (symbol.type == STT_GNU_IFUNC || (is && symbol.start_vaddr != *vaddr))
            return false;
        *vaddr = symbol.start_vaddr;
        is = true;
    }
    return is;
}
