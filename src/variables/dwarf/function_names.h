/* SPDX-License-Identifier: MIT */
/* Finds functions by name in a module's symbol tables. */
#ifndef VARIABLES_DWARF_FUNCTION_NAMES_H
#define VARIABLES_DWARF_FUNCTION_NAMES_H

#include "base/index.h"
#include "symbol/module.h"

struct function_names {
    struct module_set *set; /* the set of `module`; borrowed */
    struct module *module;  /* the module whose symbols are searched; borrowed */
    struct index by_name;   /* hash of name -> index for symtab_at; made at the first search */
    bool is_tried;
};

void function_names_init(struct function_names *names, struct module_set *set,
                         struct module *module);
void function_names_deinit(struct function_names *names);

/*
 * Sets *vaddr to the address of the function `name`. False: there is no such name, it has different
 * addresses, or is an STT_GNU_IFUNC's.
 */
bool function_names_find(struct function_names *names, const char *name, uint64_t *vaddr);

#endif
