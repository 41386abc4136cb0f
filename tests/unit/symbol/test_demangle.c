/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "symbol/symbolize.h"

static void check(const char *name, const char *want)
{
    char *got = demangle(name);

    if (want)
        assert_string_equal(got ? got : "(none)", want);
    else
        assert_null(got);
    free(got);
}

TEST(demangle_cxx_names_are_readable)
{
    check("_ZN3foo3barEi", "foo::bar(int)");
    check("_ZNSt6vectorIiSaIiEE9push_backEOi",
          "std::vector<int, std::allocator<int> >::push_back(int&&)");
    check("__ZN3foo3barEi", "foo::bar(int)");
    check("_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f()");
}

TEST(demangle_rust_names_lose_their_hash)
{
    check("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad");
    check("_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$"
          "3bar17h930b740aa94f1d3aE",
          "<Test + 'static as foo::Bar<Test>>::bar");
    check("_RNvCskwGfYPst2Cb_3foo16example_function", "foo::example_function");
}

TEST(demangle_d_names_are_readable)
{
    check("_D4test3fooFiZv", "test.foo(int)");
}

TEST(demangle_suffixes_of_compilers_are_kept)
{
    check("_ZL3foov.cold", "foo().cold");
    check("_ZL3foov.constprop.0.isra.3", "foo().constprop.0.isra.3");
    check("_ZN1a1bEv.part.0", "a::b().part.0");
    check("_ZdlPv@plt", "operator delete(void*)@plt");
    check("_ZL3foov.llvm.1234567890", "foo()");
    check("_ZN4core3ptr4drop17h0123456789abcdefE.llvm.99", "core::ptr::drop");
}

TEST(demangle_plain_names_are_none)
{
    static const char *const names[] = {"",     "main", "_start", "_",        "__libc_start_main",
                                        "_Z",   "_R",   "_D",     "_DYNAMIC", "Z",
                                        "_init"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        check(names[i], NULL);
}

TEST(demangle_overlong_name_is_none)
{
    char *name = malloc(20000);

    assert_non_null(name);
    memset(name, 'i', 19999);
    memcpy(name, "_Z1f", 4);
    name[19999] = '\0';
    check(name, NULL);
    free(name);
}

/* The substitution of this number, of up to 73: S_, S0_ … SZ_, S10_ … */
static void append_reference(char *name, size_t size, unsigned number)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t len = strlen(name);

    if (number == 0)
        snprintf(name + len, size - len, "S_");
    else if (number <= 36)
        snprintf(name + len, size - len, "S%c_", digits[number - 1]);
    else
        snprintf(name + len, size - len, "S1%c_", digits[number - 37]);
}

/* pair<A, A>, pair of that twice, and so on: 60 levels would print 2^60 names. */
TEST(demangle_name_that_doubles_60_times_is_given_up_at_once)
{
    char name[4096] = "_Z1fSt4pairIiiE";

    for (unsigned i = 0; i < 60; i++) {
        strcat(name, "S_I");
        append_reference(name, sizeof(name), i + 1);
        append_reference(name, sizeof(name), i + 1);
        strcat(name, "E");
    }
    check(name, NULL);
}

/* A function with an argument of its result's type, of that, and so on: 2^60 types have no pack. */
TEST(demangle_pack_that_is_looked_for_in_doubled_types_is_given_up)
{
    char name[4096] = "_Z1fIiEvDp";

    for (unsigned i = 0; i < 61; i++)
        strcat(name, "F");
    strcat(name, "iiE");
    for (unsigned i = 1; i <= 60; i++) {
        append_reference(name, sizeof(name), i);
        strcat(name, "E");
    }
    check(name, NULL);
}

TEST(demangle_packs_are_expanded)
{
    check("_ZNSt6vectorIiSaIiEE12emplace_backIJiEEERiDpOT_",
          "int& std::vector<int, std::allocator<int> >::emplace_back<int>(int&&)");
}

TEST(demangle_deep_nesting_does_not_overflow_the_stack)
{
    static const char *const patterns[] = {"P", "1aI", "N1a", "F", "St4pairI", "DpT", "XL"};
    char name[8193];

    for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
        size_t len = (size_t)snprintf(name, sizeof(name), "_Z1f"), one = strlen(patterns[i]);

        while (len + one < 8000) {
            memcpy(name + len, patterns[i], one);
            len += one;
        }
        name[len] = '\0';
        free(demangle(name));
        name[1] = 'R';
        free(demangle(name));
        name[1] = 'D';
        free(demangle(name));
    }
}
