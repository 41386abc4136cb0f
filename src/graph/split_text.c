/* SPDX-License-Identifier: MIT */
#include "graph/split_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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

/* The operator behind the path, which has none of its characters. */
static const char *find_operator(const char *path, enum split_operator *op, size_t *size)
{
    const char *at = path + strcspn(path, "=!<> ");

    at += strspn(at, " ");
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        *size = strlen(operators[i].text);
        if (strncmp(at, operators[i].text, *size) == 0) {
            *op = operators[i].op;
            return at;
        }
    }
    return NULL;
}

static char *copy_trimmed(const char *text, const char *end)
{
    while (text < end && *text == ' ')
        text++;
    while (end > text && end[-1] == ' ')
        end--;
    return strndup(text, (size_t)(end - text));
}

/* A decimal, hexadecimal or octal integer. */
static void read_number(struct split_text *text)
{
    const char *digits = text->value + (text->value[0] == '-');
    char *end;

    if (*digits < '0' || *digits > '9')
        return;
    errno = 0;
    text->number = strtoull(digits, &end, 0);
    if (errno || *end)
        return;
    text->has_number = true;
    text->is_negative = digits != text->value && text->number != 0;
    if (text->is_negative)
        text->number = -text->number;
}

static enum status read_value(struct split_text *text, const char *value, struct diag *diag)
{
    char why[128];
    int error;

    text->value = copy_trimmed(value, value + strlen(value));
    if (!text->value)
        return STATUS_NO_MEMORY;
    if (text->op != SPLIT_MATCHES) {
        read_number(text);
        return STATUS_OK;
    }
    error = regcomp(&text->regex, text->value, REG_EXTENDED | REG_NOSUB);
    if (error == 0) {
        text->has_regex = true;
        return STATUS_OK;
    }
    regerror(error, &text->regex, why, sizeof(why));
    diag_set(diag, NULL, "'%s' is no regular expression: %s", text->value, why);
    return error == REG_ESPACE ? STATUS_NO_MEMORY : STATUS_BAD_DATA;
}

/* Behind the first colon that is none of "::"; NULL: there is none. */
static const char *find_path(const char *text)
{
    for (const char *at = text; (at = strchr(at, ':')) != NULL; at += 2)
        if (at[1] != ':')
            return at + 1;
    return NULL;
}

enum status split_text_parse(const char *text, bool is_condition, struct split_text *out,
                             struct diag *diag)
{
    const char *wanted = is_condition ? "FUNCTION:VARIABLE OP VALUE" : "FUNCTION:VARIABLE";
    const char *path = find_path(text), *end = text + strlen(text);
    enum status status = STATUS_OK;
    size_t size = 0;

    *out = (struct split_text){.op = SPLIT_NONE};
    if (path && is_condition)
        end = find_operator(path, &out->op, &size);
    if (!path || !end) {
        diag_set(diag, NULL, "'%s' is not of the form %s", text, wanted);
        return STATUS_BAD_DATA;
    }
    out->given = strdup(text);
    out->function = copy_trimmed(text, path - 1);
    out->path = copy_trimmed(path, end);
    if (!out->given || !out->function || !out->path)
        status = STATUS_NO_MEMORY;
    else if (!*out->function || !*out->path) {
        diag_set(diag, NULL, "'%s' is not of the form %s", text, wanted);
        status = STATUS_BAD_DATA;
    } else if (is_condition) {
        status = read_value(out, end + size, diag);
    }
    if (status != STATUS_OK)
        split_text_deinit(out);
    return status;
}

/* Where the brackets that begin at `open` are closed; NULL: nowhere. */
static const char *behind_brackets(const char *open)
{
    const char opening = *open, closing = opening == '(' ? ')' : '>';
    size_t depth = 0;

    for (const char *at = open; *at; at++) {
        depth += *at == opening;
        depth -= *at == closing && depth > 0;
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

/* Of a function's name what is behind the part that was given: arguments, or ".isra.0" only. */
static bool is_arguments(const char *rest)
{
    if (*rest == '<')
        rest = behind_brackets(rest);
    if (rest && *rest == '(')
        return true; /* " const" and the like may follow */
    return rest && (!*rest || *rest == '[' || *rest == ' ' || *rest == '.');
}

bool split_text_is_of(const struct split_text *text, const char *function)
{
    const size_t size = strlen(text->function);

    for (const char *at = function; (at = strstr(at, text->function)) != NULL; at++) {
        const bool begins =
            at == function || (at - function >= 2 && at[-1] == ':' && at[-2] == ':');

        if (begins && is_arguments(at + size))
            return true;
        if (memchr(function, '(', (size_t)(at - function)))
            break; /* what follows is a type of an argument */
    }
    return false;
}

static int compare_numbers(const struct split_text *text, const struct variable_value *value)
{
    const bool is_negative = value->is_signed && (int64_t)value->number < 0;

    if (is_negative != text->is_negative)
        return is_negative ? -1 : 1;
    return value->number < text->number ? -1 : value->number > text->number;
}

/* Strings may be given with quotes or without. */
static int compare_texts(const char *given, const char *label)
{
    const size_t size = strlen(label);

    if (size >= 2 && (*label == '"' || *label == '\'') && label[size - 1] == *label &&
        strlen(given) == size - 2 && strncmp(label + 1, given, size - 2) == 0)
        return 0;
    return strcmp(label, given);
}

static bool holds(enum split_operator op, int order)
{
    switch (op) {
    case SPLIT_EQUAL:
        return order == 0;
    case SPLIT_UNEQUAL:
        return order != 0;
    case SPLIT_LESS:
        return order < 0;
    case SPLIT_LESS_EQUAL:
        return order <= 0;
    case SPLIT_GREATER:
        return order > 0;
    case SPLIT_GREATER_EQUAL:
        return order >= 0;
    case SPLIT_NONE:
    case SPLIT_MATCHES:
        break;
    }
    return false;
}

bool split_text_holds(const struct split_text *text, const struct variable_value *value)
{
    const char *label = split_label(value->text);

    if (text->op == SPLIT_MATCHES)
        return regexec(&text->regex, label, 0, NULL, 0) == 0;
    if (text->has_number && value->has_number)
        return holds(text->op, compare_numbers(text, value));
    return holds(text->op, compare_texts(text->value, label));
}

const char *split_label(const char *told)
{
    const char *at = told + (*told == '-');

    if (*at < '0' || *at > '9')
        return told;
    at += strspn(at, "0123456789abcdefx");
    return at[0] == ' ' && at[1] ? at + 1 : told;
}

void split_range(uint64_t number, bool is_signed, FILE *file)
{
    const bool is_negative = is_signed && (int64_t)number < 0;
    uint64_t size = is_negative ? -number : number, least, most;

    if (size <= 1) {
        fprintf(file, "%s%" PRIu64, is_negative ? "-" : "", size);
        return;
    }
    least = UINT64_C(1) << (63 - __builtin_clzll(size));
    most = least + (least - 1);
    if (is_negative)
        fprintf(file, "-%" PRIu64 "..-%" PRIu64, most, least);
    else
        fprintf(file, "%" PRIu64 "..%" PRIu64, least, most);
}
