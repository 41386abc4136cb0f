/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unwind/functions/module_code.h"

static void name_of_a_sanitizers_last_report_never_returns(void **state)
{
    (void)state;
    assert_true(name_never_returns("__asan_report_load8@plt", false));
    assert_true(name_never_returns("__asan_report_store_n", true));
    assert_true(name_never_returns("__ubsan_handle_add_overflow_abort", false));
}

static void name_of_a_report_that_goes_on_returns(void **state)
{
    (void)state;
    assert_false(name_never_returns("__asan_report_load8_noabort@plt", false));
    assert_false(name_never_returns("__asan_report_load8_noabort", false));
    assert_false(name_never_returns("__ubsan_handle_add_overflow", false));
    assert_false(name_never_returns("_abort", false));
}

static void name_that_a_program_may_have_of_its_own_tells_of_imports_only(void **state)
{
    (void)state;
    assert_true(name_never_returns("xexit@plt", false));
    assert_false(name_never_returns("xexit", true));
}

static void name_of_setjmp_and_its_like_returns_twice(void **state)
{
    (void)state;
    assert_true(name_returns_twice("_setjmp@@GLIBC_2.2.5@plt"));
    assert_true(name_returns_twice("swapcontext"));
    assert_false(name_returns_twice("setjmp_"));
    assert_false(name_returns_twice("longjmp"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name_of_a_sanitizers_last_report_never_returns),
        cmocka_unit_test(name_of_a_report_that_goes_on_returns),
        cmocka_unit_test(name_that_a_program_may_have_of_its_own_tells_of_imports_only),
        cmocka_unit_test(name_of_setjmp_and_its_like_returns_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
