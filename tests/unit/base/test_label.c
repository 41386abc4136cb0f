/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "base/label.h"

static void assert_label(const char *name, const char *want)
{
    char *label = label_shorten(name);

    assert_string_equal(label, want);
    free(label);
}

/* Wherever it is broken. */
static void assert_line(const char *name, const char *want)
{
    char *line = label_line(name);

    assert_string_equal(line, want);
    free(line);
}

TEST(label_short_name_stays)
{
    assert_label("", "");
    assert_label("main", "main");
    assert_label("operator new(unsigned long)", "operator new(unsigned long)");
    assert_label("std::map<int, int>::find(int)", "std::map<int, int>::find(int)");
}

TEST(label_long_name_loses_what_is_in_brackets)
{
    assert_label("std::vector<std::pair<int, int>, std::allocator<std::pair<int, int>>>::push(int)",
                 "std::vector<..>::push(..)");
    assert_label("<alloc::vec::Vec<T> as core::iter::FromIterator<T>>::from_iter",
                 "<..>::from_iter");
    assert_label("f(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)::g()", "f(..)::g()");
}

TEST(label_of_a_line_keeps_its_place)
{
    char name[400] = "", want[400] = "";

    assert_label("f (x.c:12)", "f (x.c:12)");
    assert_label("__libc_start_call_main (libc_start_call_main.h:58)",
                 "__libc_start_call_main \n(libc_start_call_main.h:58)");
    assert_label("void f<std::vector<int, std::allocator<int>>>(int) (x.c:12)",
                 "void f<..>(..) (x.c:12)");
    /* What has none is as ever. */
    assert_line("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa (x.c:)",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa (..)");
    assert_line("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(x.c:12)",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa(..)");
    memset(name, 'a', 200);
    memset(want, 'a', LABEL_MAX - strlen("... (x.c:12)"));
    assert_line(strcat(name, " (x.c:12)"), strcat(want, "... (x.c:12)"));
}

TEST(label_unbalanced_brackets_are_left_alone)
{
    assert_label("std::ostream& operator<<(std::ostream&, thing const&)",
                 "std::ostream& operator<<(std::\nostream&, thing const&)");
}

TEST(label_long_line_is_broken_after_scope)
{
    assert_label("some_namespace::another_one::a_class::method",
                 "some_namespace::another_one::\na_class::method");
}

TEST(label_long_line_without_scope_is_broken_at_signs)
{
    assert_label("an_identifier_of_forty_characters_exactly",
                 "an_identifier_of_forty_\ncharacters_exactly");
    assert_label("libclang-cpp-with-a-long-name.so.14+0x123450",
                 "libclang-cpp-with-a-long-name.\nso.14+0x123450");
    assert_label("a_name_of_many_words_without_any_scope_that_is_as_long_as_any_three_lines",
                 "a_name_of_many_words_without_\nany_scope_that_is_as_long_as_\nany_three_lines");
    assert_label("aClass::parseTemplateDeclarationOrSpecializations",
                 "aClass::\nparseTemplateDeclarationOr\nSpecializations");
    assert_label("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ",
                 "0123456789abcdefghijklmnopqrstuv\nwxyzABCDEFGHIJ");
}

TEST(label_for_one_line_loses_its_middle)
{
    char *label = label_cut("a_name_of_forty_bytes_is_not_cut________");

    assert_string_equal(label, "a_name_of_forty_bytes_is_not_cut________");
    free(label);
    label = label_cut("a_name_that_has_41_bytes_is_cut_to_forty_");
    assert_string_equal(label, "a_name_that_has_41_byte..._cut_to_forty_");
    free(label);
}

TEST(label_very_long_name_is_cut_between_characters)
{
    char name[301];
    char *label;

    for (size_t i = 0; i < 150; i++)
        memcpy(name + 2 * i, "\xc3\xbc", 2);
    name[300] = '\0';
    label = label_shorten(name);
    assert_int_equal(strlen(label), LABEL_MAX - 4 + 3 + 2); /* on three lines */
    assert_string_equal(label + LABEL_MAX - 6 + 2, "\xc3\xbc...");
    free(label);
    label = label_cut(name);
    assert_int_equal(strlen(label), 22 + 3 + 13); /* "…." is cut from the end as well */
    free(label);
}
