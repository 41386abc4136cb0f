/* SPDX-License-Identifier: MIT */
#include "graph/split_text.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/function_given.h"

static const struct {
    const char *text;
    enum split_operator op;
} operators[] = {
    /* the longer ones first */
    {"==", SPLIT_EQUAL},      {"!=", SPLIT_UNEQUAL},       {"=~", SPLIT_MATCHES},
    {"<=", SPLIT_LESS_EQUAL}, {">=", SPLIT_GREATER_EQUAL}, {"<", SPLIT_LESS},
    {">", SPLIT_GREATER},
};

void split_text_deinit(struct split_text *text)
{
    free(text->given);
    free(text->function);
    free(text->path);
    free(text->value);
    if (text->has_regex)
        regfree(&text->regex);
    *text = (struct split_text){0};
}

/* Returns the path's end: it has no operator's characters but those of "->". */
static const char *find_end(const char *path)
{
    path += strcspn(path, "=!<> ");
    while (path[0] == '>' && path[-1] == '-')
        path += 1 + strcspn(path + 1, "=!<> ");
    return path;
}

/* Returns the operator at `at`, and its length; NONE: none. */
static enum split_operator read_operator(const char *at, size_t *size)
{
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        *size = strlen(operators[i].text);
        if (strncmp(at, operators[i].text, *size) == 0)
            return operators[i].op;
    }
    return SPLIT_NONE;
}

static char *copy_trimmed(const char *text, const char *end)
{
    while (text < end && *text == ' ')
        text++;
    while (end > text && end[-1] == ' ')
        end--;
    return strndup(text, (size_t)(end - text));
}

/* Reads a C number: of any kind and, if it is an integer of 64 bits, as that. */
static void read_number(struct split_text *text)
{
    const char *digits = text->value + (text->value[0] == '-');
    char *end;

    if (!isdigit((unsigned char)digits[digits[0] == '.']))
        return;
    text->real = strtod(text->value, &end);
    text->has_real = *end == '\0';
    if (!isdigit((unsigned char)digits[0]))
        return;
    errno = 0;
    text->number = strtoull(digits, &end, 0);
    if (errno || *end)
        return;
    text->has_number = true;
    text->is_negative = digits != text->value && text->number != 0;
    if (text->is_negative)
        text->number = -text->number;
    else
        text->real = (double)text->number; /* of what is octal, too */
}

static bool is_order(enum split_operator op)
{
    return op == SPLIT_LESS || op == SPLIT_LESS_EQUAL || op == SPLIT_GREATER ||
           op == SPLIT_GREATER_EQUAL;
}

static enum status read_regex(struct split_text *text, struct diag *diag)
{
    int error = regcomp(&text->regex, text->value, REG_EXTENDED | REG_NOSUB);
    char why[128];

    if (error == 0) {
        text->has_regex = true;
        return STATUS_OK;
    }
    if (error == REG_ESPACE)
        return STATUS_NO_MEMORY;
    regerror(error, &text->regex, why, sizeof(why));
    diag_set(diag, NULL, "'%s' is not a regular expression: %s", text->value, why);
    return STATUS_BAD_DATA;
}

static enum status read_value(struct split_text *text, struct diag *diag)
{
    if (text->op == SPLIT_MATCHES)
        return read_regex(text, diag);
    read_number(text);
    if (!is_order(text->op) || text->has_real)
        return STATUS_OK;
    diag_set(diag, NULL, "'%s' is not a number, which less and more are of", text->value);
    return STATUS_BAD_DATA;
}

/* Returns the place behind the first colon not in "::" or "{lambda at 18:12}"; NULL: none. */
static const char *find_path(const char *text)
{
    size_t depth = 0;

    for (const char *at = text; *at; at++) {
        if (*at == '{')
            depth++;
        else if (*at == '}')
            depth -= depth > 0;
        else if (at[0] == ':' && at[1] == ':')
            at++;
        else if (*at == ':' && depth == 0)
            return at + 1;
    }
    return NULL;
}

/* Splits the text into its parts; false: malformed. */
static bool find_parts(const char *text, bool is_condition, struct split_text *out)
{
    const char *path = find_path(text), *end;
    size_t size = 0;

    if (!path)
        return false;
    out->function = copy_trimmed(text, path - 1);
    path += strspn(path, " ");
    end = find_end(path);
    out->path = copy_trimmed(path, end);
    end += strspn(end, " ");
    if (is_condition) {
        out->op = read_operator(end, &size);
        if (out->op == SPLIT_NONE)
            return false;
        end += size;
    } else if (*end) {
        return false;
    }
    out->value = copy_trimmed(end, end + strlen(end));
    return !out->function || !out->path || !out->value ||
           (*out->function && *out->path && (!is_condition || *out->value));
}

enum status split_text_parse(const char *text, bool is_condition, struct split_text *out,
                             struct diag *diag)
{
    enum status status = STATUS_OK;

    *out = (struct split_text){.given = strdup(text)};
    if (!find_parts(text, is_condition, out)) {
        diag_set(diag, NULL, "'%s' is not of the form %s", text,
                 is_condition ? "FUNCTION:VARIABLE OP VALUE" : "FUNCTION:VARIABLE");
        status = STATUS_BAD_DATA;
    } else if (!out->given || !out->function || !out->path || !out->value) {
        status = STATUS_NO_MEMORY;
    } else if (is_condition) {
        status = read_value(out, diag);
    }
    if (status != STATUS_OK)
        split_text_deinit(out);
    return status;
}

bool split_text_is_of(const struct split_text *text, const char *function)
{
    return function_is_given(function, text->function);
}

/* Order of two values; UNORDERED: unequal, and neither is less. */
enum order { LESS, SAME, MORE, UNORDERED };

static enum order compare_integers(const struct split_text *text,
                                   const struct variable_value *value)
{
    const bool is_negative = value->is_signed && (int64_t)value->number < 0;

    if (is_negative != text->is_negative)
        return is_negative ? LESS : MORE;
    return value->number < text->number ? LESS : value->number > text->number ? MORE : SAME;
}

static enum order compare_reals(double real, double with)
{
    if (isnan(real))
        return UNORDERED;
    return real < with ? LESS : real > with ? MORE : SAME;
}

/* Compares a 64-bit integer, which a double cannot hold, by the whole part, then by the rest. */
static enum order compare_sizes(uint64_t size, double with)
{
    if (with >= 0x1p64 || size < (uint64_t)with)
        return LESS;
    if (size > (uint64_t)with)
        return MORE;
    return with > (double)(uint64_t)with ? LESS : SAME;
}

static enum order compare_with_real(const struct variable_value *value, double with)
{
    const bool is_negative = value->is_signed && (int64_t)value->number < 0;

    if (is_negative != (with < 0))
        return is_negative ? LESS : MORE;
    return is_negative ? (enum order)(MORE - compare_sizes(-value->number, -with))
                       : compare_sizes(value->number, with);
}

/* Returns the part within quotes, or brackets around a symbol; all, if there are none. */
static const char *unquote(const char *label, size_t *size)
{
    static const char *const pairs[] = {"\"\"", "''", "<>"};
    const char *begin = label + strspn(label, "LuU8"); /* of wide characters */

    *size = strlen(label);
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (*begin == pairs[i][0] && label + *size - begin >= 2 &&
            label[*size - 1] == pairs[i][1]) {
            *size = (size_t)(label + *size - begin) - 2;
            return begin + 1;
        }
    return label;
}

static enum order compare_labels(const char *given, const char *label)
{
    size_t size;
    const char *inside = unquote(label, &size);

    if (strlen(given) == size && memcmp(inside, given, size) == 0)
        return SAME;
    return strcmp(label, given) == 0 ? SAME : UNORDERED;
}

static enum order compare(const struct split_text *text, const struct variable_value *value)
{
    const char *label = split_label(value->text);
    double real;
    char *end;

    if (text->has_number && value->has_number)
        return compare_integers(text, value);
    if (text->has_real && value->has_number)
        return compare_with_real(value, text->real);
    real = strtod(label, &end);
    if (text->has_real && end != label && !*end) /* it has the digits that a double needs */
        return compare_reals(real, text->real);
    return compare_labels(text->value, label);
}

static bool holds(enum split_operator op, enum order order)
{
    switch (op) {
    case SPLIT_EQUAL:
        return order == SAME;
    case SPLIT_UNEQUAL:
        return order != SAME;
    case SPLIT_LESS:
        return order == LESS;
    case SPLIT_LESS_EQUAL:
        return order == LESS || order == SAME;
    case SPLIT_GREATER:
        return order == MORE;
    case SPLIT_GREATER_EQUAL:
        return order == MORE || order == SAME;
    case SPLIT_NONE:
    case SPLIT_MATCHES:
        break;
    }
    return false;
}

/* Matches a copy, as not every C library matches a part of a text. */
static bool matches(const struct split_text *text, const char *label)
{
    size_t size;
    const char *inside = unquote(label, &size);
    char *copy = strndup(inside, size);
    const bool found = copy && regexec(&text->regex, copy, 0, NULL, 0) == 0;

    free(copy);
    return found;
}

bool split_text_holds(const struct split_text *text, const struct variable_value *value)
{
    return text->op == SPLIT_MATCHES ? matches(text, split_label(value->text))
                                     : holds(text->op, compare(text, value));
}

const char *split_label(const char *told)
{
    const char *at = told + (*told == '-');

    if (*told == '@' && (at = strstr(told, ": ")) != NULL)
        return split_label(at + 2);
    at = told + (*told == '-');
    if (*at < '0' || *at > '9')
        return told;
    at += strspn(at, "0123456789abcdefx");
    return at[0] == ' ' && at[1] && strncmp(at, " '\\", 3) != 0 ? at + 1 : told;
}

const char *split_range(uint64_t number, bool is_signed, char text[SPLIT_RANGE_SIZE])
{
    const bool is_negative = is_signed && (int64_t)number < 0;
    const char *sign = is_negative ? "-" : "";
    const uint64_t size = is_negative ? -number : number;
    uint64_t least, most;

    least = size ? UINT64_C(1) << (63 - __builtin_clzll(size)) : 0;
    most = size ? least + (least - 1) : 0;
    if (is_negative && least > INT64_MAX)
        most = least; /* there is nothing below */
    if (least == most)
        snprintf(text, SPLIT_RANGE_SIZE, "%s%" PRIu64, sign, least);
    else
        snprintf(text, SPLIT_RANGE_SIZE, "%s%" PRIu64 "..%s%" PRIu64, sign,
                 is_negative ? most : least, sign, is_negative ? least : most);
    return text;
}
