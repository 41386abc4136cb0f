/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "unit_test.h"
#include "symbol/clone_suffix.h"

static void check(const char *name, const char *function, const char *renamed)
{
    assert_int_equal(clone_suffix_strip(name), strlen(function));
    assert_int_equal(clone_suffix_strip_parts(name), strlen(renamed));
    assert_memory_equal(name, function, strlen(function));
    assert_memory_equal(name, renamed, strlen(renamed));
}

TEST(clone_suffix_is_left_out)
{
    check("f.constprop.0", "f", "f");
    check("f.isra.0.cold", "f", "f");
    check("f.cold.12", "f", "f");
    check("a::f(int).part.3.constprop.1", "a::f(int)", "a::f(int)");
    check("f.lto_priv.0", "f", "f.lto_priv.0");
    check("f.lto_priv.0.cold", "f", "f.lto_priv.0");
    check("f.llvm.1234567", "f", "f.llvm.1234567");
}

TEST(clone_suffix_that_is_none_stays)
{
    static const char *const names[] = {"f",          "",     ".cold",     "f.1",
                                        "f.0.cold1",  "cold", "main.part", "f.part.",
                                        "f.partly.1", "f.",   "f.abi0",    "f.constprop"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        check(names[i], names[i], names[i]);
}
