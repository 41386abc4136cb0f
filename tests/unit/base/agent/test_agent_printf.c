/* SPDX-License-Identifier: MIT */
/* What agents print is what the C library would. */
#define AGENT_VFPRINTF agent_vfprintf
#include "base/agent/printf.c"

#include <limits.h>
#include <setjmp.h>
#include <stddef.h>

#include <cmocka.h>

static char text[256];

static int print(const char *format, ...) __attribute__((format(printf, 1, 2)));

static int print(const char *format, ...)
{
    FILE *file = fmemopen(text, sizeof(text), "w");
    va_list args;
    int count;

    assert_non_null(file);
    va_start(args, format);
    count = agent_vfprintf(file, format, args);
    va_end(args);
    fputc('\0', file);
    fclose(file);
    return count;
}

#define EXPECT(...)                                                                                \
    do {                                                                                           \
        char wanted[256];                                                                          \
        int count = snprintf(wanted, sizeof(wanted), __VA_ARGS__);                                 \
        assert_int_equal(print(__VA_ARGS__), count);                                               \
        assert_string_equal(text, wanted);                                                         \
    } while (0)

static void agent_prints_text(void **state)
{
    (void)state;
    EXPECT("no conversion");
    EXPECT("%s%s|%c|%%", "", "text", 'x');
    EXPECT("%.3s|%.*s|%.100s|%.0s", "longer", 2, "longer", "short", "none");
    EXPECT("%8s|%-8s|%*s|%-*s|%2s", "right", "left", 6, "r", 6, "l", "wide");
}

static void agent_prints_numbers(void **state)
{
    (void)state;
    EXPECT("%d %d %d %i", 0, INT_MAX, INT_MIN, -7);
    EXPECT("%u %x %u", 0u, UINT_MAX, UINT_MAX);
    EXPECT("%ld %lu %lx", LONG_MIN, ULONG_MAX, ULONG_MAX);
    EXPECT("%lld %llu %llx", LLONG_MIN, ULLONG_MAX, ULLONG_MAX);
    EXPECT("%zu %" PRIu64 " %" PRIx64, SIZE_MAX, UINT64_MAX, UINT64_C(0xfedcba98));
    EXPECT("%4d|%-4d|%04d|%02x|%0*u", 12, 12, 12, 5u, 3, 7u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agent_prints_text),
        cmocka_unit_test(agent_prints_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
