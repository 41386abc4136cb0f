/* SPDX-License-Identifier: MIT */
/* The registry of formats: that each is complete, and how one is found. */
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "output/formats.h"

#define HELP_MAX 60

#define COUNT_FORMAT(id) +1
#define FORMAT_COUNT     (0 OUTPUT_FORMATS(COUNT_FORMAT))

TEST(formats_all_of_the_list_are_registered)
{
    size_t count = 0;

    while (output_formats[count])
        count++;
    assert_int_equal(count, FORMAT_COUNT);
}

TEST(formats_each_is_complete)
{
    for (size_t i = 0; output_formats[i]; i++) {
        const struct output_format *format = output_formats[i];

        assert_non_null(format->name);
        assert_int_equal(strspn(format->name, "abcdefghijklmnopqrstuvwxyz-"), strlen(format->name));
        assert_non_null(format->help);
        assert_in_range(strlen(format->help), 1, HELP_MAX);
        assert_int_not_equal(format->help[strlen(format->help) - 1], '.');
        assert_true(format->sample || format->finish);
        assert_non_null(format->begins);
        assert_int_equal(format->begins[0], '^');
    }
}

static bool is_like(const char *text)
{
    return format_is_like(text, strlen(text));
}

TEST(formats_know_their_outputs_and_few_other_files)
{
    assert_true(is_like("digraph waits {\n"));
    assert_true(is_like("<?xml version=\"1.0\"?>\n"));
    assert_true(is_like("main;work 12\nmain 1\n"));
    assert_true(is_like("/usr/bin/app (pid 7)\nsamples: 3\n"));
    assert_true(is_like("CPU time: 3 s\n"));
    assert_true(format_is_like("\x1f\x8b\x08\0\0\0\0\0\0\x03", 10));
    assert_false(is_like("dear diary\n"));
    assert_false(is_like("#include <stdio.h>\n"));
    assert_false(is_like("{\"name\": \"package\"}\n"));
    assert_false(is_like("times\nsamples\n"));
    assert_false(format_is_like("\x7f"
                                "ELF\2\1\1\0\0\0",
                                10));
    /* What gzip makes says when it was made, and of what. */
    assert_false(format_is_like("\x1f\x8b\x08\x08\x0b\x16\x25\x6a\0\x03", 10));
    assert_false(format_is_like("CGSNAP\0", 7));
    assert_false(is_like("\n"));
    assert_false(format_is_like("", 0));
}

/* What a member promises and another has to keep. */
TEST(formats_members_agree)
{
    for (size_t i = 0; output_formats[i]; i++) {
        const struct output_format *format = output_formats[i];

        /* A file that is opened early is for what comes early. */
        assert_true(!(format->needs & NEEDS_STREAM) || format->sample);
        /* Nothing to end without state. */
        assert_true(!format->end || format->state_size > 0);
        assert_int_equal(format->honours >> OPTION_COUNT, 0);
        /* The view is what these change. */
        assert_true(
            (format->needs & NEEDS_VIEW) ||
            !(format->honours & (HONOURS(BY) | HONOURS(BY_THREAD) | HONOURS(HIDE) |
                                 HONOURS(DIFF_BASE) | HONOURS(INVERT) | HONOURS(RELATIVE))));
    }
}

TEST(formats_names_and_suffixes_are_unique)
{
    for (size_t i = 0; output_formats[i]; i++) {
        assert_ptr_equal(format_of_name(output_formats[i]->name), output_formats[i]);
        for (const char *const *suffix = output_formats[i]->suffixes; *suffix; suffix++) {
            char path[80];

            assert_int_equal((*suffix)[0], '.');
            snprintf(path, sizeof(path), "some.dir/out%s", *suffix);
            assert_ptr_equal(format_of_path(path), output_formats[i]);
        }
    }
    assert_null(format_of_name("nonsense"));
    assert_null(format_of_name(""));
}

TEST(format_of_path_without_a_suffix_is_the_first)
{
    static const char *const paths[] = {"out", "dir.svg/out", "dir/", "-", ".svg", ""};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        assert_ptr_equal(format_of_path(paths[i]), &output_format_tree);
}

TEST(format_of_path_of_an_unknown_suffix_is_none)
{
    static const char *const paths[] = {"out.xyz", "x.", "a.svg.gz", "callgrind.outer"};

    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        assert_null(format_of_path(paths[i]));
}

TEST(format_of_path_knows_files_by_name)
{
    assert_ptr_equal(format_of_path("dir/callgrind.out"), &output_format_callgrind);
    assert_ptr_equal(format_of_path("callgrind.out.123"), &output_format_callgrind);
    assert_ptr_equal(format_of_path("callgrind.out.svg"), &output_format_callgrind);
}

TEST(format_suffixes_are_all_listed_in_order)
{
    char all[FORMAT_SUFFIXES_TEXT], few[16];
    const char *rest = all;

    format_suffixes(all, sizeof(all));
    for (size_t i = 0; output_formats[i]; i++)
        for (const char *const *suffix = output_formats[i]->suffixes; *suffix; suffix++) {
            assert_int_equal(*rest, ' ');
            assert_int_equal(strncmp(rest + 1, *suffix, strlen(*suffix)), 0);
            rest += 1 + strlen(*suffix);
        }
    assert_string_equal(rest, "");
    assert_string_equal(format_suffixes(few, 14), " .txt .chains");
}

TEST(format_names_end_behind_the_last)
{
    size_t i = 0;

    for (; output_formats[i]; i++)
        assert_string_equal(format_name(i), output_formats[i]->name);
    assert_null(format_name(i));
}

TEST(format_options_have_names)
{
    for (unsigned i = 0; i < OPTION_COUNT; i++) {
        assert_non_null(format_option_name((enum output_option)i));
        assert_memory_equal(format_option_name((enum output_option)i), "--", 2);
    }
}
