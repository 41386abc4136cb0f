/* SPDX-License-Identifier: MIT */
/* Integers, characters and enumerations; float.c has the other types without parts. */
#include <dwarf.h>
#include <string.h>

#include "variables/value/decimal.h"
#include "variables/value/float.h"
#include "variables/value/telling.h"

static void put_decimal(struct telling *telling, uint64_t number, bool is_signed)
{
    if (is_signed)
        telling_printf(telling, "%lld", (long long)number);
    else
        telling_printf(telling, "%llu", (unsigned long long)number);
}

/* Rust's, in gdb's words. */
static void put_rust_character(struct telling *telling, uint64_t value)
{
    telling_put(telling, "'");
    if (value == '\\' || value == '\'')
        telling_printf(telling, "\\%c", (char)value);
    else if (value == '\n' || value == '\r' || value == '\t' || value == 0)
        telling_put(telling, value == '\n'   ? "\\n"
                             : value == '\r' ? "\\r"
                             : value == '\t' ? "\\t"
                                             : "\\0");
    else if (value >= ' ' && value <= '~')
        telling_printf(telling, "%c", (char)value);
    else if (value <= 0xff)
        telling_printf(telling, "\\x%02x", (unsigned)value);
    else
        telling_printf(telling, "\\u{%06llx}", (unsigned long long)value);
    telling_put(telling, "'");
}

static void tell_integer(struct telling *telling, const struct value_view *view)
{
    const struct type *type = view->type;
    size_t width;
    enum text_kind kind = value_text_kind(telling->source, view->ref, &width);
    uint64_t number;
    bool is_signed;
    struct known_how known = telling_number(telling, view, &number, &is_signed);

    if (!is_known(known)) {
        telling_unknown(telling, known);
        return;
    }
    telling_known(telling);
    if (type->encoding == DW_ATE_boolean && number <= 1) {
        telling_put(telling, number ? "true" : "false");
        return;
    }
    if (type->encoding == DW_ATE_address) {
        telling_printf(telling, "0x%llx", (unsigned long long)number);
        return;
    }
    put_decimal(telling, number, is_signed);
    if (value_is_rust(type) && type->encoding == DW_ATE_UTF) {
        telling_put(telling, " ");
        put_rust_character(telling, number);
    } else if (kind != TEXT_KIND_NONE) {
        telling_put(telling, " ");
        tell_character(telling, number, width, kind);
    }
}

/* Writes an integer of more than 8 bytes. */
static void tell_wide(struct telling *telling, const struct value_view *view)
{
    uint8_t bytes[DECIMAL_INT_BYTES_MAX] = {0};
    char text[DECIMAL_TEXT_MAX];
    const size_t size = (size_t)view->type->size;
    struct known_how known;

    known = telling_bytes(telling, view, bytes, size);
    if (!is_known(known)) {
        telling_unknown(telling, known);
        return;
    }
    decimal_integer(bytes, size, value_is_signed(view->type), text);
    telling_known(telling);
    telling_put(telling, text);
}

void tell_base(struct telling *telling, const struct value_view *view)
{
    const struct type *type = view->type;

    switch (type->encoding) {
    case DW_ATE_float:
    case DW_ATE_complex_float:
    case DW_ATE_imaginary_float:
        tell_float(telling, view);
        return;
    case DW_ATE_address:
    case DW_ATE_boolean:
    case DW_ATE_signed:
    case DW_ATE_signed_char:
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
    case DW_ATE_UCS:
    case DW_ATE_ASCII:
        break;
    default:
        if (type->has_size && type->size == 0 && type->name && value_is_rust(type)) {
            telling_known(telling);
            telling_put(telling, type->name); /* "()" */
            return;
        }
        telling_unknown(telling, unavailable("a type of unknown encoding"));
        return;
    }
    if (type->has_size && type->size == 0 && value_is_rust(type)) {
        telling_known(telling);
        telling_put(telling, "()");
    } else if (type->has_size && type->size > 8 && type->size <= DECIMAL_INT_BYTES_MAX &&
               view->bit_size == 0) {
        tell_wide(telling, view);
    } else {
        tell_integer(telling, view);
    }
}

/* Bytes up to and with the last "::" outside template arguments. */
static size_t scope_length(const char *name)
{
    size_t depth = 0, length = 0;

    for (size_t i = 0; name[i]; i++) {
        if (name[i] == '<' || name[i] == '(')
            depth++;
        else if ((name[i] == '>' || name[i] == ')') && depth > 0)
            depth--;
        else if (depth == 0 && name[i] == ':' && name[i + 1] == ':')
            length = i + 2;
    }
    return length;
}

static void put_enumerator(struct telling *telling, const struct type *type,
                           const struct type_enumerator *enumerator)
{
    if (type->name && (type->is_enum_class || value_is_rust(type))) {
        telling_put(telling, type->name);
        telling_put(telling, "::");
    } else if (type->name) {
        telling_put_bytes(telling, type->name, scope_length(type->name));
    }
    telling_put(telling, enumerator->name ? enumerator->name : "");
}

/* As for gdb: each enumerator has at most one bit, and none is negative. */
static bool is_flags(const struct type *type)
{
    for (size_t i = 0; i < type->enumerator_count; i++)
        if (type->enumerators[i].value & (type->enumerators[i].value - 1) ||
            type->enumerators[i].value >> 63)
            return false;
    return type->enumerator_count > 0;
}

static void put_flags(struct telling *telling, const struct type *type, uint64_t number)
{
    const char *separator = "(";

    for (size_t i = 0; i < type->enumerator_count && number && telling_step(telling, 1); i++) {
        if (!(number & type->enumerators[i].value))
            continue;
        telling_put(telling, separator);
        put_enumerator(telling, type, &type->enumerators[i]);
        separator = " | ";
        number &= ~type->enumerators[i].value;
    }
    if (type->size < 8)
        number &= (UINT64_C(1) << 8 * type->size) - 1; /* drops the sign extension */
    if (number)
        telling_printf(telling, "%sunknown: 0x%llx", separator, (unsigned long long)number);
    telling_put(telling, ")");
}

void tell_enum(struct telling *telling, const struct value_view *view)
{
    const struct type *type = view->type;
    uint64_t number;
    bool is_signed;
    struct known_how known = telling_number(telling, view, &number, &is_signed);

    if (!is_known(known)) {
        telling_unknown(telling, known);
        return;
    }
    telling_known(telling);
    telling_step(telling, type->enumerator_count / 16);
    for (size_t i = 0; i < type->enumerator_count; i++)
        if (type->enumerators[i].value == number) {
            put_enumerator(telling, type, &type->enumerators[i]);
            return;
        }
    if (number == 0 || !is_flags(type))
        put_decimal(telling, number, is_signed);
    else
        put_flags(telling, type, number);
}
