#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unwind/module_code.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name_of_a_sanitizers_last_report_never_returns),
        cmocka_unit_test(name_of_a_report_that_goes_on_returns),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
