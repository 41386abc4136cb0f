/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit_test.h"
#include "graph/split_text.h"

static struct split_text parse(const char *text, bool is_condition)
{
    struct split_text split;
    struct diag diag = {0};

    if (split_text_parse(text, is_condition, &split, &diag) != STATUS_OK)
        fail_msg("%s", diag.what);
    return split;
}

static void assert_split(const char *text, const char *function, const char *path)
{
    struct split_text split = parse(text, false);

    assert_string_equal(split.given, text);
    assert_string_equal(split.function, function);
    assert_string_equal(split.path, path);
    assert_int_equal(split.op, SPLIT_NONE);
    split_text_deinit(&split);
}

TEST(split_texts_are_a_function_and_a_path)
{
    assert_split("handle:kind", "handle", "kind");
    assert_split("ns::f:x.y", "ns::f", "x.y");
    assert_split("f(int):x", "f(int)", "x");
    assert_split(" f : x ", "f", "x");
    assert_split("(anonymous namespace)::f:x", "(anonymous namespace)::f", "x");
    assert_split("A::operator<:x", "A::operator<", "x");
    assert_split("A::operator():x[2]", "A::operator()", "x[2]");
    assert_split("operator>=(A, A):x", "operator>=(A, A)", "x");
    assert_split("crate::f::{{closure}}:*x", "crate::f::{{closure}}", "*x");
    assert_split("main::{lambda at 18:12}::operator():x", "main::{lambda at 18:12}::operator()",
                 "x");
    assert_split("*:->x", "*", "->x");
    assert_split("f:p->q->r", "f", "p->q->r");
    assert_split("f:Base::x", "f", "Base::x");
}

static void assert_condition(const char *text, enum split_operator op, const char *path,
                             const char *value)
{
    struct split_text split = parse(text, true);

    assert_string_equal(split.given, text);
    assert_string_equal(split.function, "f");
    assert_string_equal(split.path, path);
    assert_string_equal(split.value, value);
    assert_int_equal(split.op, op);
    split_text_deinit(&split);
}

TEST(split_conditions_have_an_operator_and_a_value)
{
    assert_condition("f:kind == READ", SPLIT_EQUAL, "kind", "READ");
    assert_condition("f:kind==READ", SPLIT_EQUAL, "kind", "READ");
    assert_condition("f:kind  !=  READ ", SPLIT_UNEQUAL, "kind", "READ");
    assert_condition("f:x<5", SPLIT_LESS, "x", "5");
    assert_condition("f:x <= 5", SPLIT_LESS_EQUAL, "x", "5");
    assert_condition("f:x>5", SPLIT_GREATER, "x", "5");
    assert_condition("f:x >= -5", SPLIT_GREATER_EQUAL, "x", "-5");
    assert_condition("f:x =~ ^a.*(b|c) d$", SPLIT_MATCHES, "x", "^a.*(b|c) d$");
    assert_condition("f:p->q > 5", SPLIT_GREATER, "p->q", "5");
    assert_condition("f:p->q->r>=5", SPLIT_GREATER_EQUAL, "p->q->r", "5");
    assert_condition("f:p->q>5", SPLIT_GREATER, "p->q", "5");
    assert_condition("f:s == a == b", SPLIT_EQUAL, "s", "a == b");
    assert_condition("f:s == \"\"", SPLIT_EQUAL, "s", "\"\"");
    assert_condition("f:s==a: b", SPLIT_EQUAL, "s", "a: b");
}

static void assert_refused(const char *text, bool is_condition, const char *why)
{
    struct split_text split;
    struct diag diag = {0};

    assert_int_equal(split_text_parse(text, is_condition, &split, &diag), STATUS_BAD_DATA);
    if (!strstr(diag.what, why))
        fail_msg("'%s': %s", text, diag.what);
    assert_null(split.given);
    assert_null(split.function);
    split_text_deinit(&split);
}

TEST(split_texts_that_are_no_such_thing_are_refused)
{
    static const char *const splits[] = {"",         "f",     "ns::f", ":",      "f:",
                                         ":x",       " : x",  "f: ",   "f::",    "::",
                                         "f:x == 5", "f:x y", "f:x=",  "f:x->y<"};
    static const char *const conditions[] = {"",        "f",      "f:x",       "f:x ==",
                                             "f:x == ", "f == 5", ":x==5",     "f:==5",
                                             "f:x = 5", "f:x 5",  "f:x ~ a",   "f:x =~",
                                             "f:x ! 5", "f:x->",  "f:x y == 5"};

    for (size_t i = 0; i < sizeof(splits) / sizeof(splits[0]); i++)
        assert_refused(splits[i], false, "is not of the form FUNCTION:VARIABLE");
    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
        assert_refused(conditions[i], true, "is not of the form FUNCTION:VARIABLE OP VALUE");
    assert_refused("f:x =~ a(", true, "'a(' is not a regular expression");
    assert_refused("f:x < READ", true, "'READ' is not a number");
    assert_refused("f:x >= 5k", true, "'5k' is not a number");
    assert_refused("f:x > \"5\"", true, "is not a number");
}

/* Does `f:x` with what follows hold for the value? */
static bool holds_of(const char *condition, struct variable_value value)
{
    struct split_text split;
    char text[128];
    bool holds;

    snprintf(text, sizeof(text), "f:x %s", condition);
    split = parse(text, true);
    holds = split_text_holds(&split, &value);
    split_text_deinit(&split);
    return holds;
}

static bool holds_signed(const char *condition, int64_t number)
{
    char text[32];

    snprintf(text, sizeof(text), "%lld", (long long)number);
    return holds_of(condition, (struct variable_value){.text = text,
                                                       .has_number = true,
                                                       .is_number = true,
                                                       .is_signed = true,
                                                       .number = (uint64_t)number});
}

static bool holds_unsigned(const char *condition, uint64_t number)
{
    char text[32];

    snprintf(text, sizeof(text), "%llu", (unsigned long long)number);
    return holds_of(condition, (struct variable_value){.text = text,
                                                       .has_number = true,
                                                       .is_number = true,
                                                       .number = number});
}

static bool holds_text(const char *condition, const char *told)
{
    return holds_of(condition, (struct variable_value){.text = (char *)(uintptr_t)told});
}

TEST(split_numbers_are_compared_as_numbers)
{
    assert_true(holds_signed("== 10", 10));
    assert_true(holds_signed("== 0xa", 10));
    assert_true(holds_signed("== 012", 10));
    assert_true(holds_signed("== 10.0", 10));
    assert_false(holds_signed("== 10.5", 10));
    assert_false(holds_signed("!= 10", 10));
    assert_true(holds_signed("!= ten", 10));
    assert_true(holds_signed("< 10", 9)); /* as texts it would not */
    assert_false(holds_signed("< 10", 10));
    assert_true(holds_signed("<= 10", 10));
    assert_false(holds_signed("<= 10", 11));
    assert_true(holds_signed("> 10", 11));
    assert_false(holds_signed("> 10", 10));
    assert_true(holds_signed(">= 10", 10));
    assert_false(holds_signed(">= 10", 9));
    assert_true(holds_signed("< 9.5", 9));
    assert_true(holds_signed("> .5", 1));
    assert_true(holds_signed("=~ ^1.$", 10));
    assert_false(holds_signed("=~ ^1$", 10));
}

TEST(split_numbers_have_signs)
{
    assert_true(holds_signed("== -5", -5));
    assert_true(holds_signed("== -0x5", -5));
    assert_true(holds_signed("== -0", 0));
    assert_true(holds_signed("< 0", -1));
    assert_true(holds_signed("> -2", -1));
    assert_false(holds_signed("> -1", -2));
    assert_true(holds_signed("< -0.5", -1));
    assert_false(holds_unsigned("< 0", UINT64_MAX));
    assert_true(holds_unsigned("> -1", 0));
    assert_true(holds_unsigned("> 9223372036854775807", UINT64_MAX));
    assert_true(holds_unsigned("== 0xffffffffffffffff", UINT64_MAX));
    assert_false(holds_signed("== 0xffffffffffffffff", -1));
    assert_false(holds_unsigned("== -1", UINT64_MAX));
    assert_true(holds_signed("== -9223372036854775808", INT64_MIN));
}

TEST(split_numbers_are_compared_whatever_their_size)
{
    assert_true(holds_unsigned("< 18446744073709551616", UINT64_MAX));
    assert_true(holds_signed("< 99999999999999999999", 5));   /* as texts it would, too, ... */
    assert_true(holds_signed("< 1000000000000000000000", 9)); /* but this would not */
    assert_true(holds_signed("> -1000000000000000000000", INT64_MIN));
    assert_true(holds_signed("> -9223372036854775809", INT64_MIN));
    /* A double has 53 bits: 9007199254740993 is none. */
    assert_true(holds_unsigned("> 9007199254740992.0", 9007199254740993));
    assert_true(holds_signed("< -9007199254740992.0", -9007199254740993));
    assert_true(holds_signed("== -9007199254740992.0", -9007199254740992));
    assert_true(holds_signed("> -18446744073709551615", INT64_MIN));
    assert_true(holds_signed("< 1e30", INT64_MAX));
    assert_false(holds_signed("== 18446744073709551617", 1));
}

TEST(split_floats_are_compared_as_numbers)
{
    assert_true(holds_text("< 10", "9.5"));
    assert_false(holds_text("< 9.5", "10.25"));
    assert_true(holds_text("== 0.1", "0.10000000000000001"));
    assert_true(holds_text("== 1.5e3", "1500"));
    assert_true(holds_text("> 1", "inf"));
    assert_true(holds_text("< 1", "-inf"));
    assert_true(holds_text("== inf", "inf"));
    assert_false(holds_text("== 1", "-nan(0x8000000000000)"));
    assert_true(holds_text("!= 1", "nan"));
    assert_false(holds_text("< 1", "nan"));
    assert_false(holds_text(">= 1", "nan"));
}

TEST(split_strings_may_lack_their_quotes)
{
    assert_true(holds_text("== users", "0x555555556004 \"users\""));
    assert_true(holds_text("== \"users\"", "0x555555556004 \"users\""));
    assert_false(holds_text("== user", "0x555555556004 \"users\""));
    assert_false(holds_text("== users\"", "0x555555556004 \"users\""));
    assert_true(holds_text("!= user", "\"users\""));
    assert_false(holds_text("!= users", "\"users\""));
    assert_true(holds_text("== \"\"", "0x1 \"\""));
    assert_true(holds_text("=~ ^us.r", "0x555555556004 \"users\""));
    assert_true(holds_text("=~ rs$", "0x555555556004 \"users\""));
    assert_true(holds_text("=~ ^$", "\"\""));
    assert_false(holds_text("=~ \"", "\"users\""));
    assert_false(holds_text("=~ 5555", "0x555555556004 \"users\""));
    assert_true(holds_text("== 5", "\"5\""));
    assert_false(holds_text("< 6", "\"5\"")); /* no number */
    assert_true(holds_text("== main", "0x1139 <main>"));
    assert_true(holds_text("== <main>", "0x1139 <main>"));
    assert_true(holds_text("== wide", "L\"wide\""));
    assert_true(holds_text("== \"", "\"")); /* of one byte */
}

TEST(split_values_of_two_kinds_are_compared_by_either)
{
    struct variable_value read = {.text = (char[]){"READ"}, .has_number = true, .number = 2};
    struct variable_value letter = {.text = (char[]){"97 'a'"}, .has_number = true, .number = 97};

    assert_true(holds_of("== READ", read));
    assert_true(holds_of("== 2", read));
    assert_true(holds_of("< 3", read));
    assert_false(holds_of("== WRITE", read));
    assert_true(holds_of("!= WRITE", read));
    assert_true(holds_of("=~ ^R", read));
    assert_true(holds_of("== a", letter));
    assert_true(holds_of("== 'a'", letter));
    assert_true(holds_of("== 97", letter));
    assert_false(holds_of("== b", letter));
}

TEST(split_labels_are_what_tells_values_apart)
{
    assert_string_equal(split_label("0x555555556004 \"abc\""), "\"abc\"");
    assert_string_equal(split_label("97 'a'"), "'a'");
    assert_string_equal(split_label("-1 '\\377'"), "-1 '\\377'");
    assert_string_equal(split_label("@0x7ffd10: 0x55 \"abc\""), "\"abc\"");
    assert_string_equal(split_label("@0x7ffd10: 97 'a'"), "'a'");
    assert_string_equal(split_label("@0x7ffd10"), "@0x7ffd10");
    assert_string_equal(split_label("0x1139 <main>"), "<main>");
    assert_string_equal(split_label("0x1139"), "0x1139");
    assert_string_equal(split_label("5"), "5");
    assert_string_equal(split_label("-5"), "-5");
    assert_string_equal(split_label("1.5e+10"), "1.5e+10");
    assert_string_equal(split_label("READ"), "READ");
    assert_string_equal(split_label("{a = 1}"), "{a = 1}");
    assert_string_equal(split_label("\"12 a\""), "\"12 a\"");
    assert_string_equal(split_label(""), "");
    assert_string_equal(split_label("-"), "-");
    assert_string_equal(split_label("12 "), "12 ");
}

static void assert_range(uint64_t number, bool is_signed, const char *range)
{
    char text[SPLIT_RANGE_SIZE];

    assert_string_equal(split_range(number, is_signed, text), range);
}

TEST(split_ranges_are_between_powers_of_two)
{
    assert_range(0, true, "0");
    assert_range(1, true, "1");
    assert_range(2, true, "2..3");
    assert_range(3, false, "2..3");
    assert_range(64, false, "64..127");
    assert_range(127, false, "64..127");
    assert_range(128, false, "128..255");
    assert_range((uint64_t)-1, true, "-1");
    assert_range((uint64_t)-4, true, "-7..-4");
    assert_range((uint64_t)-7, true, "-7..-4");
    assert_range((uint64_t)-8, true, "-15..-8");
    assert_range(INT64_MAX, true, "4611686018427387904..9223372036854775807");
    assert_range((uint64_t)INT64_MIN, true, "-9223372036854775808");
    assert_range((uint64_t)INT64_MIN + 1, true, "-9223372036854775807..-4611686018427387904");
    assert_range((uint64_t)INT64_MIN, false, "9223372036854775808..18446744073709551615");
    assert_range(UINT64_MAX, false, "9223372036854775808..18446744073709551615");
}
