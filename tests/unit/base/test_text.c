/* SPDX-License-Identifier: MIT */
#include "graph_fixture.h"

#include "base/text.h"

static void assert_clean(const char *raw, enum text_controls controls, const char *want)
{
    char *clean = text_clean(raw, controls);

    assert_string_equal(clean, want);
    free(clean);
}

TEST(text_clean_makes_valid_utf8)
{
    assert_clean("", TEXT_REPLACE_CONTROLS, "");
    assert_clean("f\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80", TEXT_REPLACE_CONTROLS,
                 "f\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80");
    /* A lone byte, an overlong form, a surrogate, above U+10FFFF, cut off. */
    assert_clean("\xff", TEXT_REPLACE_CONTROLS, "\xef\xbf\xbd");
    assert_clean("\xc0\xaf", TEXT_REPLACE_CONTROLS, "\xef\xbf\xbd\xef\xbf\xbd");
    assert_clean("\xe0\x80\x80", TEXT_REPLACE_CONTROLS, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_clean("\xed\xa0\x80", TEXT_REPLACE_CONTROLS, "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_clean("\xf4\x90\x80\x80", TEXT_REPLACE_CONTROLS,
                 "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
    assert_clean("a\xe2\x82", TEXT_REPLACE_CONTROLS, "a\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(text_clean_replaces_controls_unless_kept)
{
    assert_clean("a\n\x1b\x7f\xc2\x9b\xc2\xa0", TEXT_REPLACE_CONTROLS, "a????\xc2\xa0");
    assert_clean("a\n\x1b", TEXT_KEEP_C0, "a\n\x1b");
    assert_clean("\xc2\x9b"
                 "31m\x7f\xc2\xa0",
                 TEXT_KEEP_C0, "?31m?\xc2\xa0");
}

/* Not their neighbours: an en dash, an ellipsis, a word joiner. */
TEST(text_lets_no_name_separate_lines_or_turn_them)
{
    char path[] = "a\u202eb\u2066\u2028-\u2013\u2026\u2060";

    assert_clean(path, TEXT_KEEP_C0, "a?b?\?-\u2013\u2026\u2060");
    text_disarm(path);
    assert_string_equal(path, "a???b?????\?-\u2013\u2026\u2060");
}

/* Not their neighbours: a zero width joiner, a hyphen, U+061B and U+061D. */
TEST(text_lets_no_name_mark_a_direction)
{
    char path[] = "a\u200e\u200f\u061c\u200d\u2010\u061b\u061d";

    assert_clean(path, TEXT_KEEP_C0, "a???\u200d\u2010\u061b\u061d");
    text_disarm(path);
    assert_string_equal(path, "a????????\u200d\u2010\u061b\u061d");
}

TEST(text_clean_cuts_long_names_between_characters)
{
    char *raw = calloc(1, 3 * TEXT_NAME_MAX);
    char *clean;

    for (size_t i = 0; i < TEXT_NAME_MAX; i++)
        memcpy(raw + 2 * i, "\xc3\xbc", 2);
    raw[0] = raw[1] = 'x';
    clean = text_clean(raw + 1, TEXT_REPLACE_CONTROLS);
    assert_int_equal(strlen(clean), TEXT_NAME_MAX - 1 + 3);
    assert_string_equal(clean + TEXT_NAME_MAX - 3, "\xc3\xbc...");
    free(clean);
    memset(raw, 0xff, 3 * TEXT_NAME_MAX - 1);
    clean = text_clean(raw, TEXT_REPLACE_CONTROLS);
    assert_in_range(strlen(clean), TEXT_NAME_MAX - 3, TEXT_NAME_MAX + 3);
    free(clean);
    free(raw);
}

TEST(text_basename_is_the_last_part)
{
    assert_string_equal(text_basename("/usr/lib/x.so"), "x.so");
    assert_string_equal(text_basename("x.so"), "x.so");
    assert_string_equal(text_basename("/"), "/");
    assert_string_equal(text_basename("/a/"), "/a/");
}
