/* SPDX-License-Identifier: MIT */
/* A module that is a file made by hand (elf_fixture.h), as the vDSO: from bytes, without a path. */
#ifndef TESTS_MODULE_FIXTURE_H
#define TESTS_MODULE_FIXTURE_H

#include "elf_fixture.h"

#include "symbol/module.h"

/* In `set`; frees the fixture, which is finished. */
static inline struct module *fixture_module(struct module_set *set, struct elf_fixture *elf)
{
    struct module *module;

    assert_int_equal(module_set_get(set, MODULE_VDSO, "[vdso]", NULL, 0, false, &module),
                     STATUS_OK);
    assert_int_equal(module_set_code(module, elf->bytes, elf->size), STATUS_OK);
    free(elf);
    return module;
}

#endif
