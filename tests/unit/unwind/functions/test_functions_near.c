/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <dlfcn.h>

#include "unit_test.h"
#include "symbol/module_set.h"
#include "unwind/functions/functions.h"
#include "unwind/module_rows.h"

#define NEAR_QUESTIONS 15 /* that are answered near their address; then all functions are listed */
#define COMPARED       6000 /* at least, of libc */

static struct module_set *set;
static struct module *module;

static void open_module(const char *path)
{
    static const struct module_options options = {.arch = NULL};

    assert_int_equal(module_set_create(&options, &set), STATUS_OK);
    assert_int_equal(module_set_get(set, MODULE_FILE, path, NULL, 0, false, &module), STATUS_OK);
    assert_int_equal(module_open(set, module), STATUS_OK);
}

/* As the list of all functions has it, asked of rows that know little of the module. */
static void check_near(struct module_rows **rows, unsigned *asked, const struct code_function *want,
                       uint64_t vaddr)
{
    uint64_t start_vaddr = 0, end_vaddr = 0;

    if (!*rows || ++*asked == NEAR_QUESTIONS) {
        module_rows_destroy(*rows);
        assert_int_equal(module_rows_create(set, module, rows), STATUS_OK);
        *asked = 0;
    }
    assert_int_equal(module_rows_function(*rows, vaddr, &start_vaddr, &end_vaddr), STATUS_OK);
    if (start_vaddr != want->start_vaddr || end_vaddr != want->end_vaddr)
        fail_msg("%#lx: %#lx-%#lx, among all functions %#lx-%#lx (%s)", (unsigned long)vaddr,
                 (unsigned long)start_vaddr, (unsigned long)end_vaddr,
                 (unsigned long)want->start_vaddr, (unsigned long)want->end_vaddr,
                 function_origin_name((enum function_origin)want->origin));
}

static size_t compare(void)
{
    struct module_rows *all_rows, *rows = NULL;
    const struct functions *all;
    unsigned asked = 0;
    size_t compared = 0;

    assert_int_equal(module_rows_create(set, module, &all_rows), STATUS_OK);
    assert_int_equal(module_rows_functions(all_rows, &all), STATUS_OK);
    for (size_t i = 0; i < all->count; i++) {
        const struct code_function *function = &all->items[i];

        if (function->origin > FUNCTION_MINI_DEBUGINFO)
            continue; /* found by code */
        check_near(&rows, &asked, function, function->start_vaddr);
        check_near(&rows, &asked, function, function->end_vaddr - 1);
        compared += 2;
    }
    module_rows_destroy(rows);
    module_rows_destroy(all_rows);
    module_set_destroy(set);
    return compared;
}

TEST(functions_near_an_address_are_those_among_all)
{
    Dl_info libc;

    assert_int_not_equal(dladdr(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"), &libc), 0);
    open_module(libc.dli_fname);
    assert_true(compare() >= COMPARED);
    open_module("/proc/self/exe");
    assert_true(compare() > 0);
}
