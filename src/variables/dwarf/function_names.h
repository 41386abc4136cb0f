/* SPDX-License-Identifier: MIT */
/* Functions by name in a module's symbol tables. */
#ifndef VARIABLES_DWARF_FUNCTION_NAMES_H
#define VARIABLES_DWARF_FUNCTION_NAMES_H

#include "base/index.h"
#include "symbol/module.h"

struct function_names {
    struct module_set *set; /* borrowed */
    struct module *module;  /* borrowed */
    struct index by_name;   /* indexes of symtab_at; made at the first search */
    bool is_tried;
};

void function_names_init(struct function_names *names, struct module_set *set,
                         struct module *module);
void function_names_deinit(struct function_names *names);

/* Finds a function. False: no such name, several at different addresses, or an STT_GNU_IFUNC. */
bool function_names_find(struct function_names *names, const char *name, uint64_t *vaddr);

#endif
