/* SPDX-License-Identifier: MIT */
/*
 * Characters and strings, as gdb writes them where the terminal has but ASCII: runs of equal
 * characters stand between strings of the others.
 *
 *     "abc", '\000' <repeats 12 times>, "d"...
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "variables/value/telling.h"

#define FETCH 64 /* units at once */

static enum text_kind kind_of_name(const char *name)
{
    if (!name)
        return TEXT_KIND_NONE;
    if (strcmp(name, "wchar_t") == 0)
        return TEXT_KIND_WIDE;
    if (strcmp(name, "char16_t") == 0)
        return TEXT_KIND_16;
    return strcmp(name, "char32_t") == 0 ? TEXT_KIND_32 : TEXT_KIND_NONE;
}

static enum text_kind kind_of_base(const struct type *type)
{
    if (type->kind != TYPE_BASE || value_is_rust(type) || !type->has_size)
        return TEXT_KIND_NONE;
    switch (type->encoding) {
    case DW_ATE_UTF:
        if (type->size == 1)
            return TEXT_KIND_CHAR;
        return type->size == 2 ? TEXT_KIND_16 : TEXT_KIND_32;
    case DW_ATE_signed:
    case DW_ATE_unsigned:
    case DW_ATE_signed_char:
    case DW_ATE_unsigned_char:
    case DW_ATE_ASCII:
    case DW_ATE_UCS:
        return type->size == 1 ? TEXT_KIND_CHAR : kind_of_name(type->name);
    default:
        return TEXT_KIND_NONE;
    }
}

enum text_kind value_text_kind(const struct value_source *source, die_ref ref, size_t *width)
{
    enum text_kind named = TEXT_KIND_NONE, kind;

    for (unsigned i = 0; i < 64 && ref; i++) {
        const struct type *type;

        if (source->type(source->context, ref, &type) != STATUS_OK)
            return TEXT_KIND_NONE;
        switch (type->kind) {
        case TYPE_TYPEDEF: /* C's wchar_t is one */
            if (named == TEXT_KIND_NONE)
                named = kind_of_name(type->name);
            ref = type->target;
            break;
        case TYPE_CONST:
        case TYPE_VOLATILE:
        case TYPE_RESTRICT:
        case TYPE_ATOMIC:
            ref = type->target;
            break;
        case TYPE_BASE:
            kind = kind_of_base(type);
            *width = type->size <= 4 ? (size_t)type->size : 0;
            if (kind == TEXT_KIND_NONE && !value_is_rust(type) &&
                (type->encoding == DW_ATE_signed || type->encoding == DW_ATE_unsigned))
                kind = named;
            return *width == 1 || *width == 2 || *width == 4 ? kind : TEXT_KIND_NONE;
        case TYPE_UNKNOWN:
        case TYPE_ENUM:
        case TYPE_POINTER:
        case TYPE_REFERENCE:
        case TYPE_RVALUE_REFERENCE:
        case TYPE_MEMBER_POINTER:
        case TYPE_ARRAY:
        case TYPE_STRUCT:
        case TYPE_CLASS:
        case TYPE_UNION:
        case TYPE_FUNCTION:
        case TYPE_UNSPECIFIED:
            return TEXT_KIND_NONE;
        }
    }
    return TEXT_KIND_NONE;
}

static const char *prefix_of(enum text_kind kind)
{
    switch (kind) {
    case TEXT_KIND_WIDE:
        return "L";
    case TEXT_KIND_16:
        return "u";
    case TEXT_KIND_32:
        return "U";
    case TEXT_KIND_NONE:
    case TEXT_KIND_CHAR:
        break;
    }
    return "";
}

static const char *named_escape(uint64_t value)
{
    switch (value) {
    case '\a':
        return "\\a";
    case '\b':
        return "\\b";
    case '\f':
        return "\\f";
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    case '\v':
        return "\\v";
    default:
        return NULL;
    }
}

/* Writes one unit. A digit behind \x would be read as a part of it: *behind_hex. */
static void put_unit(struct telling *telling, uint64_t value, char quote, bool *behind_hex)
{
    const char *escape = named_escape(value);
    bool is_digit = value >= '0' && value <= '9', was_hex = *behind_hex;

    *behind_hex = false;
    if (escape) {
        telling_put(telling, escape);
    } else if (value >= ' ' && value <= '~' && !(was_hex && is_digit)) {
        if (value == (uint64_t)quote || value == '\\')
            telling_put(telling, "\\");
        telling_printf(telling, "%c", (char)value);
    } else if (value <= 0777) {
        telling_printf(telling, "\\%03o", (unsigned)value);
    } else {
        telling_printf(telling, "\\x%llx", (unsigned long long)value);
        *behind_hex = true;
    }
}

void tell_character(struct telling *telling, uint64_t value, size_t width, enum text_kind kind)
{
    bool behind_hex = false;

    if (width < 8)
        value &= (UINT64_C(1) << 8 * width) - 1;
    telling_put(telling, prefix_of(kind));
    telling_put(telling, "'");
    put_unit(telling, value, '\'', &behind_hex);
    telling_put(telling, "'");
}

static uint64_t unit_at(const struct told_string *string, size_t i)
{
    return value_word(string->bytes + i * string->width, string->width);
}

/* Units of the character at `i`: two for a surrogate pair. */
static size_t units_at(const struct told_string *string, size_t i)
{
    return string->width == 2 && (unit_at(string, i) & 0xfc00) == 0xd800 && i + 1 < string->count &&
                   (unit_at(string, i + 1) & 0xfc00) == 0xdc00
               ? 2
               : 1;
}

/* How often the character of `units` at `i` is repeated from there on. */
static size_t run_at(const struct told_string *string, size_t i, size_t units)
{
    size_t size = units * string->width, count = 1;
    const uint8_t *bytes = string->bytes + i * string->width;

    while ((count + 1) * units <= string->count - i &&
           memcmp(bytes, bytes + count * size, size) == 0)
        count++;
    return count;
}

static void put_units(struct telling *telling, const struct told_string *string, size_t i,
                      size_t units, char quote, bool *behind_hex)
{
    for (size_t k = 0; k < units; k++)
        put_unit(telling, unit_at(string, i + k), quote, behind_hex);
}

/* Writes the string as runs; returns where it stopped. The prefix is before all runs. */
static size_t put_runs(struct telling *telling, const struct told_string *string)
{
    bool in_quotes = false, behind_hex = false;
    size_t at = 0, told = 0;

    while (at < string->count && told < telling->style->elements_max && telling_goes_on(telling)) {
        size_t units = units_at(string, at), run = run_at(string, at, units);

        telling_step(telling, 1 + run / 64);
        if (run > telling->style->repeats_min) {
            telling_put(telling, in_quotes ? "\", " : at > 0 ? ", " : "");
            in_quotes = false;
            behind_hex = false;
            telling_put(telling, "'");
            put_units(telling, string, at, units, '\'', &behind_hex);
            telling_printf(telling, "' <repeats %zu times>", run);
            behind_hex = false;
            at += run * units;
            told += run;
            continue;
        }
        if (!in_quotes)
            telling_put(telling, at > 0 ? ", \"" : "\"");
        in_quotes = true;
        for (size_t i = 0; i < run; i++, at += units)
            put_units(telling, string, at, units, '"', &behind_hex);
        told += run;
    }
    if (in_quotes)
        telling_put(telling, "\"");
    return at;
}

void tell_string(struct telling *telling, const struct told_string *string)
{
    telling_known(telling);
    telling_put(telling, prefix_of(string->kind));
    if (string->count == 0)
        telling_put(telling, "\"\"");
    if (put_runs(telling, string) < string->count || string->is_cut)
        telling_put(telling, "...");
}

/* Reads up to `count` units, as far as they are known, up to a terminator. *known: why no more. */
static size_t fetch(struct telling *telling, uint64_t addr, uint8_t *bytes, size_t count,
                    size_t width, bool is_terminated, bool *has_end, struct known_how *known)
{
    const struct value_source *source = telling->source;
    size_t have = 0, chunk = FETCH;

    *has_end = false;
    *known = known_not(NOT_CAPTURED);
    while (have < count && telling_step(telling, 1)) {
        size_t want = count - have < chunk ? count - have : chunk;
        uint64_t from = addr + have * width;

        if (from < addr || from > UINT64_MAX - want * width)
            break;
        *known = source->read(source->context, from, bytes + have * width, want * width);
        if (!is_known(*known)) {
            if (chunk == 1)
                break;
            chunk = 1;
            continue;
        }
        for (size_t i = 0; is_terminated && i < want; i++)
            if (value_word(bytes + (have + i) * width, width) == 0) {
                *has_end = true;
                return have + i;
            }
        have += want;
    }
    return have;
}

static struct known_how tell_fetched(struct telling *telling, uint64_t addr, uint64_t count,
                                     size_t width, enum text_kind kind, bool is_terminated)
{
    size_t most = telling->style->elements_max < VALUE_BYTES_MAX / 4 ? telling->style->elements_max
                                                                     : VALUE_BYTES_MAX / 4;
    struct told_string string = {.width = width, .kind = kind};
    struct known_how known;
    uint8_t *bytes;
    bool has_end;

    if (count < most)
        most = (size_t)count;
    /* One more unit, which may be the terminator. */
    bytes = malloc((most + 1) * width);
    if (!bytes) {
        telling->failed = true;
        return unavailable("out of memory");
    }
    string.bytes = bytes;
    string.count =
        fetch(telling, addr, bytes, most + is_terminated, width, is_terminated, &has_end, &known);
    string.is_cut = is_terminated ? !has_end : string.count < count;
    if (string.count > most)
        string.count = most;
    if (string.count > 0 || !string.is_cut) {
        tell_string(telling, &string);
        known = known_yes();
    }
    free(bytes);
    return known;
}

bool tell_string_at(struct telling *telling, uint64_t addr, size_t width, enum text_kind kind)
{
    return is_known(tell_fetched(telling, addr, UINT64_MAX, width, kind, true));
}

void tell_characters_at(struct telling *telling, uint64_t addr, uint64_t count, size_t width,
                        enum text_kind kind)
{
    struct known_how known = tell_fetched(telling, addr, count, width, kind, false);

    if (!is_known(known) && telling_goes_on(telling))
        telling_unknown(telling, known);
}
