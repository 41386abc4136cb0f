/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit_test.h"
#include "tools/completion.h"
#include "tools/options.h"

struct sample_options {
    const char *first; /* no setter's `given` can be here */
    bool flag, given;
    const char *text;
    unsigned choice;
};

static const char *colour(size_t i)
{
    static const char *const names[] = {"red", "green", "blue", NULL};

    return names[i];
}

static int stop_with_five(const struct option_use *use)
{
    (void)use;
    return 5;
}

#define FIELD(type, member) OPTION_FIELD(type, struct sample_options, member)

static const struct option_spec specs[] = {
    {"format", 'f', OPTION_CHOICE, "F", "in which colour", .apply = option_set_choice,
     .choices = colour, .field = FIELD(unsigned, choice), .given = FIELD(bool, given), .line = "@"},
    {"output", 'o', OPTION_FILE, "FILE", "where to\nwrite 'it'", .apply = option_set_text,
     .field = FIELD(const char *, text), .alias_letter = 'w', .alias = "write"},
    {"from", 0, OPTION_TEXT, "T", "begins", .apply = option_set_text,
     .field = FIELD(const char *, text)},
    {"flag", 0, OPTION_FLAG, NULL, "sets it", .apply = option_set_flag, .field = FIELD(bool, flag),
     .joins = true},
    {"where", 0, OPTION_LIST, "[=LIST]", "may have some", .apply = option_set_text,
     .choices = colour, .field = FIELD(const char *, text)},
    {"a-very-long-name-of-one", 'x', OPTION_FLAG, NULL, "[ends: 5]", .apply = stop_with_five},
    OPTION_ROWS_AT_END(.line = "")};

static const struct option_table table = {
    .program = "sample",
    .built = "with: nothing\n",
    .head = "Usage\n\n",
    .tail = "\nTail\n",
    .specs = specs,
    .count = sizeof(specs) / sizeof(specs[0]),
    .column = 24,
};

/* What is read from the words, up to a NULL. */
static int read_words(struct sample_options *options, int *operands, const char *const *words)
{
    char *argv[8] = {(char *)"sample"};
    int argc = 1;

    for (*options = (struct sample_options){0}; words[argc - 1]; argc++)
        argv[argc] = (char *)words[argc - 1];
    return options_read(&table, options, argc, argv, operands);
}

#define READ(...) read_words(&options, &operands, (const char *const[]){__VA_ARGS__, NULL})

TEST(options_read_sets_fields_and_tells_where_operands_begin)
{
    struct sample_options options;
    int operands;

    assert_int_equal(READ("--flag", "-fblue", "a", "--wri=x", "b"), -1);
    assert_true(options.flag);
    assert_int_equal(options.choice, 2);
    assert_true(options.given);
    assert_string_equal(options.text, "x");
    assert_int_equal(operands, 4); /* operands come behind options */
    assert_int_equal(READ("-w", "y", "--", "--flag"), -1);
    assert_string_equal(options.text, "y");
    assert_false(options.flag);
    assert_false(options.given);
    assert_int_equal(operands, 4);
}

TEST(options_read_argument_that_may_be_left_out_needs_its_equals_sign)
{
    struct sample_options options;
    int operands;

    assert_int_equal(READ("--where=red"), -1);
    assert_string_equal(options.text, "red");
    assert_int_equal(READ("--where", "red"), -1);
    assert_null(options.text);
    assert_int_equal(operands, 2);
}

TEST(options_read_ends_with_the_status_of_an_option)
{
    struct sample_options options;
    int operands;

    assert_int_equal(READ("-x", "--flag"), 5);
    assert_false(options.flag);
}

/* What `body` prints on a stream of that number. */
static char *captured(int number, FILE *stream, int (*body)(const char *const *),
                      const char *const *words, int *result)
{
    static char text[4096];
    FILE *file = tmpfile();
    int saved = dup(number);
    size_t len;

    assert_non_null(file);
    fflush(stream);
    dup2(fileno(file), number);
    *result = body(words);
    fflush(stream);
    dup2(saved, number);
    close(saved);
    rewind(file);
    len = fread(text, 1, sizeof(text) - 1, file);
    text[len] = '\0';
    fclose(file);
    return text;
}

static int read_only(const char *const *words)
{
    struct sample_options options;
    int operands;

    return read_words(&options, &operands, words);
}

static void assert_refused(const char *word, const char *want)
{
    const char *const words[] = {word, NULL};
    int result;

    assert_string_equal(captured(STDERR_FILENO, stderr, read_only, words, &result), want);
    assert_int_equal(result, EXIT_USAGE);
}

TEST(options_read_unknown_option_suggests_the_nearest)
{
    assert_refused("--fromat", "sample: unknown option --fromat; did you mean --format?; "
                               "try --help\n");
    assert_refused("--forn=3", "sample: unknown option --forn; did you mean --from?; try --help\n");
    assert_refused("--wirte",
                   "sample: unknown option --wirte; did you mean --write?; try --help\n");
    assert_refused("--nothing", "sample: unknown option --nothing; try --help\n");
    assert_refused("-q", "sample: unknown option -q; try --help\n");
    assert_refused("--a\nb", "sample: unknown option --a?b; try --help\n");
}

TEST(options_read_abbreviation_of_several_names_them)
{
    assert_refused("--f", "sample: option --f is ambiguous: --format, --from, --flag; "
                          "try --help\n");
    assert_refused("--v=1", "sample: option --version takes no value; try --help\n");
}

TEST(options_read_refuses_values_that_are_missing_or_no_choice)
{
    assert_refused("-o", "sample: option -o needs a value; try --help\n");
    assert_refused("--out", "sample: option --output needs a value; try --help\n");
    assert_refused("--flag=1", "sample: option --flag takes no value; try --help\n");
    assert_refused("-fgrey", "sample: -f takes red, green or blue, not grey; try --help\n");
    assert_refused("--format=", "sample: --format takes red, green or blue, not ; try --help\n");
}

TEST(options_nearest_forgives_a_third_and_at_most_three_characters)
{
    assert_string_equal(options_nearest(&table, "a-verry-lnog-nam-of-one"),
                        "a-very-long-name-of-one");
    assert_null(options_nearest(&table, "a-verrry-lnog-nam-of-one"));
    assert_string_equal(options_nearest(&table, "flg"), "flag");
    assert_null(options_nearest(&table, "fg"));
    assert_null(options_nearest(&table, ""));
    assert_null(options_nearest(&table, "a-very-long-name-of-one-that-is-longer"));
}

static const char *shade(size_t i)
{
    static const char *const shades[] = {"red", "green", "grey", NULL};

    return shades[i];
}

TEST(options_nearest_word_is_the_least_different)
{
    assert_string_equal(options_nearest_word(shade, "gren"), "green");
    assert_string_equal(options_nearest_word(shade, "gery"), "grey");
    assert_null(options_nearest_word(shade, "blue"));
    assert_null(options_nearest_word(shade, ""));
}

TEST(options_help_lists_rows_and_rows_that_share_a_line)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    options_help(&table, out);
    fclose(out);
    assert_string_equal(text, "Usage\n\n"
                              "  -f, --format F        red (default), green, blue\n"
                              "  -o, --output FILE     where to\n"
                              "                        write 'it'; also -w, --write\n"
                              "      --from T, --flag  begins; sets it\n"
                              "      --where[=LIST]    may have some\n"
                              "  -x, --a-very-long-name-of-one   [ends: 5]\n"
                              "  -h, --help  -V, --version  --completion SHELL\n"
                              "\nTail\n");
    free(text);
}

static const char *many(size_t i)
{
    static const char *const names[] = {"a234567890123456789012345678901",
                                        "b2345678901234567890123456789012", "c", "d", NULL};

    return names[i];
}

static void assert_help(const struct option_spec *row, unsigned column, const char *want)
{
    struct option_table one = {"p", "", "", "", row, 1, column, false};
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    options_help(&one, out);
    fclose(out);
    assert_string_equal(text, want);
    free(text);
}

TEST(options_help_breaks_choices_at_100_columns)
{
    static const struct option_spec row[] = {
        {"w", 0, OPTION_CHOICE, "W", "", .apply = option_set_choice, .choices = many, .line = "@"}};

    assert_help(row, 24, /* the first line has 100 characters */
                "      --w W             a234567890123456789012345678901 (default), "
                "b2345678901234567890123456789012,\n"
                "                        c, d\n");
    assert_help(row, 25,
                "      --w W              a234567890123456789012345678901 (default),\n"
                "                         b2345678901234567890123456789012, c, d\n");
    assert_help(row, 12, /* what is left of it is longer than the column */
                "      --w W   a234567890123456789012345678901 (default), "
                "b2345678901234567890123456789012, c, d\n");
}

static void assert_written(void (*write)(const struct option_table *, FILE *), const char *want)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    write(&table, out);
    fclose(out);
    if (!strstr(text, want))
        fail_msg("no %s in %s", want, text);
    free(text);
}

TEST(completion_quotes_help_as_the_shell_wants_it)
{
    assert_written(completion_write_fish, " -d 'where to write \\'it\\''\n");
    assert_written(completion_write_zsh, "[where to write '\\''it'\\'']:FILE:_files'");
    assert_written(completion_write_zsh, "[\\[ends\\: 5\\]]'");
}

TEST(completion_of_an_argument_that_may_be_left_out_is_behind_an_equals_sign)
{
    assert_written(completion_write_bash, "\n        --where=)\n");
    assert_written(completion_write_bash, "\n        -o | --output | -w | --write | --output= | "
                                          "--write=)\n");
    assert_written(completion_write_zsh, "--where=-[may have some]::");
    assert_written(completion_write_fish, " -l where -a '(__fish_append , red green blue)' -d");
}
