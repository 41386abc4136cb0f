/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "symbol/clone_suffix.h"

static void check(const char *name, const char *function, const char *renamed)
{
    assert_int_equal(clone_suffix_strip(name), strlen(function));
    assert_int_equal(clone_suffix_strip_parts(name), strlen(renamed));
    assert_memory_equal(name, function, strlen(function));
    assert_memory_equal(name, renamed, strlen(renamed));
}

static void clone_suffix_is_left_out(void **state)
{
    (void)state;
    check("f.constprop.0", "f", "f");
    check("f.isra.0.cold", "f", "f");
    check("f.cold.12", "f", "f");
    check("a::f(int).part.3.constprop.1", "a::f(int)", "a::f(int)");
    check("f.lto_priv.0", "f", "f.lto_priv.0");
    check("f.lto_priv.0.cold", "f", "f.lto_priv.0");
    check("f.llvm.1234567", "f", "f.llvm.1234567");
}

static void clone_suffix_that_is_none_stays(void **state)
{
    static const char *const names[] = {"f",          "",     ".cold",     "f.1",
                                        "f.0.cold1",  "cold", "main.part", "f.part.",
                                        "f.partly.1", "f.",   "f.abi0",    "f.constprop"};

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        check(names[i], names[i], names[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clone_suffix_is_left_out),
        cmocka_unit_test(clone_suffix_that_is_none_stays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
