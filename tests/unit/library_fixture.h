/* SPDX-License-Identifier: MIT */
/* libc as if it had no unwind tables and no symbols but .dynsym: its functions are searched. */
#ifndef TESTS_UNIT_LIBRARY_FIXTURE_H
#define TESTS_UNIT_LIBRARY_FIXTURE_H

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "symbol/module.h"
#include "unwind/functions/module_functions.h"

struct library {
    struct module_set *set;
    struct module *module;
    struct module_code *code;
    struct module_functions *functions;
};

static inline void library_open(struct library *l, bool parts)
{
    static const struct module_options options = {.arch = NULL};
    Dl_info libc;

    assert_int_not_equal(dladdr(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), &libc), 0);
    assert_int_equal(module_set_create(&options, &l->set), STATUS_OK);
    assert_int_equal(module_set_get(l->set, MODULE_FILE, libc.dli_fname, NULL, 0, false,
                                    &l->module),
                     STATUS_OK);
    assert_int_equal(module_open(l->set, l->module), STATUS_OK);
    assert_int_equal(module_code_create(l->set, l->module, l->module->image, &l->code), STATUS_OK);
    assert_int_equal(module_functions_create(l->code, &(struct function_tables){0}, true,
                                             &l->functions),
                     STATUS_OK);
    if (parts)
        module_functions_in_parts(l->functions);
}

static inline void library_close(struct library *l)
{
    module_functions_destroy(l->functions);
    module_code_destroy(l->code);
    module_set_destroy(l->set);
}

#endif
