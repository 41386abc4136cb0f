/* SPDX-License-Identifier: MIT */
/* What agents read as a number is what the C library reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

unsigned long long agent_strtoull(const char *text, char **end, int base);
unsigned long agent_strtoul(const char *text, char **end, int base);
long agent_strtol(const char *text, char **end, int base);
#define strtoull agent_strtoull
#define strtoul  agent_strtoul
#define strtol   agent_strtol
#include "base/agent/strtol.c"
#undef strtoull
#undef strtoul
#undef strtol

static void expect_same(const char *text, int base)
{
    char *ours, *theirs;
    int error;

    errno = 0;
    assert_true(agent_strtoull(text, &ours, base) == (error = 0, strtoull(text, &theirs, base)));
    assert_ptr_equal(ours, theirs);
    errno = 0;
    (void)strtoull(text, NULL, base);
    error = errno;
    errno = 0;
    (void)agent_strtoull(text, NULL, base);
    assert_int_equal(errno == ERANGE, error == ERANGE);
    assert_true(agent_strtoul(text, &ours, base) == strtoul(text, &theirs, base));
    assert_ptr_equal(ours, theirs);
    assert_true(agent_strtol(text, &ours, base) == strtol(text, &theirs, base));
    assert_ptr_equal(ours, theirs);
}

static void any_number_is_read_as_the_c_library_does(void **state)
{
    static const char *const texts[] = {
        "",
        "0",
        "7",
        "1234",
        "12 34",
        " \t\n12x",
        "+5",
        "-5",
        "--5",
        "0x",
        "0xg",
        "0x1F",
        "0X1fz",
        "x1",
        "017",
        "089",
        "-0x10",
        "+",
        "-",
        "zZ",
        "18446744073709551615",
        "18446744073709551616",
        "99999999999999999999999x",
        "9223372036854775807",
        "9223372036854775808",
        "fffffffffffffff8",
        "ffffffffffffffff0",
        "0xffffffffffffffff",
        "1e5",
        "12.5",
        "00",
        "\v\f\r3",
    };
    static const int bases[] = {0, 8, 10, 16, 36};

    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        for (size_t j = 0; j < sizeof(bases) / sizeof(bases[0]); j++)
            expect_same(texts[i], bases[j]);
}

/* As before C23, which not every C library reads yet. */
static void binary_is_no_base_of_prefixes(void **state)
{
    static const char text[] = "0b1";
    char *end;

    (void)state;
    assert_true(agent_strtoull(text, &end, 0) == 0);
    assert_ptr_equal(end, text + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_number_is_read_as_the_c_library_does),
        cmocka_unit_test(binary_is_no_base_of_prefixes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
