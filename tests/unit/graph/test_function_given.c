/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "graph/function_given.h"

struct pair {
    const char *given, *function;
};

static void assert_given(const struct pair *pairs, size_t count, bool is_given)
{
    for (size_t i = 0; i < count; i++)
        if (function_is_given(pairs[i].function, pairs[i].given) != is_given)
            fail_msg("'%s' is %s '%s'", pairs[i].given, is_given ? "not" : "wrongly",
                     pairs[i].function);
}

#define ASSERT_GIVEN(is_given, ...)                                                                \
    do {                                                                                           \
        static const struct pair pairs[] = {__VA_ARGS__};                                          \
        assert_given(pairs, sizeof(pairs) / sizeof(pairs[0]), is_given);                           \
    } while (0)

TEST(function_names_may_lack_what_is_around_them)
{
    ASSERT_GIVEN(true, {"f", "f"}, {"f", "f(int)"}, {"f", "ns::f(int)"}, {"ns::f", "ns::f(int)"},
                 {"b::f", "a::b::f()"}, {"f(int)", "f(int)"}, {"f(int)", "ns::f(int)"},
                 {"f", "ns::C::f(int) const"}, {"f", "f[abi:cxx11](int)"}, {"f", "f(int) const &"},
                 {"f", "(anonymous namespace)::f"}, {"f", "a::(anonymous namespace)::f(int)"},
                 {"(anonymous namespace)::f", "(anonymous namespace)::f()"},
                 {"name", "(anonymous namespace)::name()"}, {"n", "(anonymous namespace)::n"});
    ASSERT_GIVEN(false, {"f", "ff"}, {"f", "gf"}, {"f", "f2(int)"}, {"f", "f_(int)"},
                 {"f", "f::g()"}, {"ns::f", "xns::f"}, {"f", "g(f)"}, {"f", "g(ns::f, int)"},
                 {"int", "g(int)"}, {"ns", "ns::f()"}, {"f(int)", "f(long)"}, {"f", ""},
                 {"anonymous namespace", "(anonymous namespace)::f"});
}

TEST(function_names_may_lack_arguments_of_templates)
{
    ASSERT_GIVEN(true, {"f", "f<int>"}, {"f", "void f<int>(int)"}, {"f<int>", "void f<int>(int)"},
                 {"ns::f", "std::vector<int> ns::f<A<int> >(A<int>)"},
                 {"f", "unsigned long ns::f<(E)1, (x > 3)>(int)"}, {"S::f", "ns::S<int>::f(int)"},
                 {"S<int>::f", "ns::S<int>::f(int)"},
                 {"S::f", "void ns::S<A<int>, B>::f<char>(char) const"},
                 {"f", "decltype (a->b) ns::f<decltype (a->b)>(int)"});
    ASSERT_GIVEN(false, {"S::f", "S<int>::T::f()"}, {"T::f", "S<T>::f()"}, {"f", "g<f>(int)"},
                 {"f", "g<ns::f>()"}, {"void", "void f<int>(int)"}, {"S", "S<int>::f()"},
                 {"f", "f<int"});
}

TEST(function_names_are_not_those_inside_of_them)
{
    ASSERT_GIVEN(true,
                 {"f(int)::{lambda(int)#1}::operator()",
                  "f(int)::{lambda(int)#1}::operator()(int) const"},
                 {"f::{lambda(int)#1}::operator()",
                  "ns::f(int)::{lambda(int)#1}::operator()(int) const"},
                 {"{lambda at 8:3}::operator()", "main::{lambda at 8:3}::operator()"},
                 {"operator()", "f(int)::'lambda'(int)::operator()(int) const"},
                 {"operator()", "C::g(int) const::{lambda(int)#1}::operator()(int) const"});
    ASSERT_GIVEN(false, {"f", "f(int)::{lambda(int)#1}::operator()(int) const"},
                 {"g", "C::g(int) const::{lambda(int)#1}::operator()(int) const"},
                 {"f", "f::{{closure}}"}, {"f", "f(int)::local::g()"});
}

TEST(function_names_may_be_operators)
{
    ASSERT_GIVEN(true, {"operator()", "C::operator()(int) const"},
                 {"C::operator()", "ns::C::operator()(int) const"},
                 {"operator<", "operator<(A, A)"},
                 {"operator<", "bool ns::operator< <int>(A<int> const&, A<int> const&)"},
                 {"operator<<", "std::ostream& operator<< <char>(std::ostream&, char)"},
                 {"operator<<", "operator<<(std::ostream&, B<int>)"},
                 {"operator->", "P<int>::operator->() const"},
                 {"P::operator->", "P<int>::operator->() const"},
                 {"operator[]", "V<int>::operator[](unsigned long)"},
                 {"operator new", "operator new(unsigned long)"},
                 {"operator std::string", "C::operator std::string() const"},
                 {"my_operator", "ns::my_operator(int)"}, {"operators", "operators(int)"},
                 {"f", "C<&(operator<)>::f()"});
    ASSERT_GIVEN(false, {"operator<", "operator<<(std::ostream&, B<int>)"},
                 {"operator<", "operator<=(A, A)"}, {"operator-", "operator->()"},
                 {"operator", "C::operator()(int)"}, {"operator", "operator<(A, A)"},
                 {"new", "operator new(unsigned long)"}, {"int", "C::operator int() const"});
}

TEST(function_names_may_be_of_rust)
{
    ASSERT_GIVEN(true, {"crate::f::{{closure}}", "crate::f::{{closure}}"},
                 {"f::{{closure}}", "crate::f::{{closure}}"},
                 {"{closure#0}", "crate::f::{closure#0}"}, {"{impl#3}::f", "crate::{impl#3}::f"},
                 {"method", "<crate::T as crate::Trait<u8>>::method"},
                 {"<crate::T as crate::Trait<u8>>::method",
                  "<crate::T as crate::Trait<u8>>::method"},
                 {"Vec::push", "alloc::vec::Vec<T,A>::push"}, {"f", "crate::f::<u32>"},
                 {"crate::f", "crate::f<u32>"});
    ASSERT_GIVEN(false, {"T", "<T as Trait>::method"}, {"Trait", "<T as Trait>::method"},
                 {"crate", "crate::f"});
}

TEST(function_names_may_be_of_clones)
{
    ASSERT_GIVEN(true, {"f", "f.constprop.0"}, {"f", "f.part.0.cold"}, {"f", "f(int).isra.1"},
                 {"f", "f(int) [clone .cold]"}, {"f", "f [clone .isra.0]"}, {"f", "f.lto_priv.3"},
                 {"f.part.0", "f.part.0"}, {"main.run", "main.run"});
    ASSERT_GIVEN(false, {"f", "f.x"}, {"main", "main.run"}, {"f", "f.constprop.0.x"});
}

/* Such as anybody's symbol table may have. */
TEST(function_names_that_are_broken_end)
{
    static const char *const broken[] = {"<",
                                         "((((",
                                         ">)",
                                         "f(",
                                         "f<(",
                                         "operator",
                                         "::",
                                         ":",
                                         " ",
                                         "f::",
                                         "[",
                                         "operator<",
                                         "f(x",
                                         "{",
                                         "f[abi",
                                         "a::(b",
                                         "<<<f",
                                         "operator ",
                                         "f(x) const const const::g"};
    const size_t size = 65536;
    char *deep = malloc(size + 1);

    for (size_t i = 0; i < sizeof(broken) / sizeof(broken[0]); i++) {
        assert_false(function_is_given(broken[i], "nobody"));
        assert_true(function_is_given(broken[i], broken[i]));
    }
    memset(deep, '<', size);
    deep[size] = '\0';
    assert_false(function_is_given(deep, "f"));
    for (size_t i = 0; i + 1 < size; i += 2)
        memcpy(deep + i, "::", 2);
    assert_false(function_is_given(deep, "f"));
    memset(deep, '(', size / 2);
    memset(deep + size / 2, ')', size / 2);
    assert_false(function_is_given(deep, "f"));
    free(deep);
}
