/* SPDX-License-Identifier: MIT */
#include "unit_test.h"
#include "unwind/functions/module_code.h"

TEST(name_of_a_sanitizers_last_report_never_returns)
{
    assert_true(name_never_returns("__asan_report_load8@plt", false));
    assert_true(name_never_returns("__asan_report_store_n", true));
    assert_true(name_never_returns("__ubsan_handle_add_overflow_abort", false));
}

TEST(name_of_a_report_that_goes_on_returns)
{
    assert_false(name_never_returns("__asan_report_load8_noabort@plt", false));
    assert_false(name_never_returns("__asan_report_load8_noabort", false));
    assert_false(name_never_returns("__ubsan_handle_add_overflow", false));
    assert_false(name_never_returns("_abort", false));
}

TEST(name_that_a_program_may_have_of_its_own_tells_of_imports_only)
{
    assert_true(name_never_returns("xexit@plt", false));
    assert_false(name_never_returns("xexit", true));
}

TEST(name_of_setjmp_and_its_like_returns_twice)
{
    assert_true(name_returns_twice("_setjmp@@GLIBC_2.2.5@plt"));
    assert_true(name_returns_twice("swapcontext"));
    assert_false(name_returns_twice("setjmp_"));
    assert_false(name_returns_twice("longjmp"));
}
