/* SPDX-License-Identifier: MIT */
/*
 * Types' names. C writes them around the name of what has the type, whose place gdb leaves empty:
 *
 *     int (*(*)(char))[3]      a pointer to a function that returns a pointer to an array of int
 *     ^^^ ^^^^^                the base, then from the inside out what stands before the place
 *               ^^^^^^^^^^     and behind it, the outermost first
 */
#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "variables/value/view.h"

#define LAYERS_MAX 32   /* pointers, arrays, functions around the base */
#define STEPS_MAX  2048 /* types looked up for one name */
#define NEST_MAX   8    /* of functions' parameters */
#define TEXT_MAX   4096 /* bytes; beyond, parameters are left out */

struct name_quals {
    bool is_const, is_volatile, is_restrict, is_atomic;
};

struct name_layer {
    const struct type *type;
    struct name_quals quals;
    const struct type *function; /* of a pointer to a member function */
};

struct type_naming {
    const struct value_source *source;
    FILE *out;
    unsigned steps, nest;
    bool failed; /* out of memory */
};

static void put_type(struct type_naming *naming, die_ref ref, bool is_this);

static bool is_word(char byte)
{
    return byte == '_' || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= 'a' && byte <= 'z');
}

/* gdb's words for the integer type at `name`, of *length bytes; NULL: the same. */
static const char *replacement(const char *name, size_t *length)
{
    static const char *const names[][2] = {
        {"long long unsigned int", "unsigned long long"},
        {"long long int", "long long"},
        {"short unsigned int", "unsigned short"},
        {"long unsigned int", "unsigned long"},
        {"short int", "short"},
        {"long int", "long"},
    };

    if (*name != 'l' && *name != 's')
        return NULL;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        *length = strlen(names[i][0]);
        if (strncmp(name, names[i][0], *length) == 0 && !is_word(name[*length]))
            return names[i][1];
    }
    return NULL;
}

const char *value_name_piece(const char **name, size_t *size)
{
    const char *start = *name, *end = start;
    size_t length;

    if (!*start)
        return NULL;
    for (; *end; end++) {
        const char *other = NULL;

        if (end == start || !is_word(end[-1]))
            other = replacement(end, &length);
        if (other && end == start) {
            *name = start + length;
            *size = strlen(other);
            return other;
        }
        if (other)
            break;
    }
    *name = end;
    *size = (size_t)(end - start);
    return start;
}

static void put_name(struct type_naming *naming, const char *name)
{
    const char *piece;
    size_t size;

    while ((piece = value_name_piece(&name, &size)))
        fwrite(piece, 1, size, naming->out);
}

static bool is_c(uint16_t language)
{
    switch (language) {
    case 0:
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
    case 0x2c: /* DW_LANG_C17 */
    case DW_LANG_ObjC:
    case DW_LANG_UPC:
    case DW_LANG_Mips_Assembler:
        return true;
    default:
        return false;
    }
}

static bool is_reference(const struct type *type)
{
    return type->kind == TYPE_REFERENCE || type->kind == TYPE_RVALUE_REFERENCE;
}

/* Is a function or an array the target of a pointer or reference? Then it needs parentheses. */
static bool is_enclosed(const struct name_layer *layers, size_t i)
{
    return i > 0 && (layers[i - 1].type->kind == TYPE_POINTER || is_reference(layers[i - 1].type));
}

static const struct type *look_up(struct type_naming *naming, die_ref ref)
{
    const struct type *type = NULL;
    enum status status;

    if (!ref)
        return &value_void;
    if (naming->steps++ >= STEPS_MAX)
        return NULL;
    status = naming->source->type(naming->source->context, ref, &type);
    if (status == STATUS_NO_MEMORY)
        naming->failed = true;
    return status == STATUS_OK ? type : NULL;
}

/* Collects qualifiers, up to the first other type. */
static const struct type *take_quals(struct type_naming *naming, die_ref ref,
                                     struct name_quals *quals)
{
    *quals = (struct name_quals){0};
    for (unsigned i = 0; i < LAYERS_MAX; i++) {
        const struct type *type = look_up(naming, ref);

        if (!type)
            return NULL;
        if (type->kind == TYPE_CONST)
            quals->is_const = true;
        else if (type->kind == TYPE_VOLATILE)
            quals->is_volatile = true;
        else if (type->kind == TYPE_RESTRICT)
            quals->is_restrict = true;
        else if (type->kind == TYPE_ATOMIC)
            quals->is_atomic = true;
        else
            return type;
        ref = type->target;
    }
    return NULL;
}

/* Writes the qualifiers with `before` and `after` around each. */
static void put_quals(struct type_naming *naming, const struct name_quals *quals, uint16_t language,
                      const char *before, const char *after)
{
    if (quals->is_const)
        fprintf(naming->out, "%sconst%s", before, after);
    if (quals->is_volatile)
        fprintf(naming->out, "%svolatile%s", before, after);
    if (quals->is_restrict)
        fprintf(naming->out, "%s%s%s", before, is_c(language) ? "restrict" : "__restrict__", after);
    if (quals->is_atomic)
        fprintf(naming->out, "%s%s%s", before, is_c(language) ? "_Atomic" : "std::atomic", after);
}

static bool is_layer(const struct type *type)
{
    switch (type->kind) {
    case TYPE_POINTER:
    case TYPE_REFERENCE:
    case TYPE_RVALUE_REFERENCE:
        return !type->name; /* Rust's pointers have names */
    case TYPE_ARRAY:
        return !type->name && !value_is_rust(type);
    case TYPE_MEMBER_POINTER:
        return true;
    case TYPE_FUNCTION:
        return !type->name;
    case TYPE_UNKNOWN:
    case TYPE_BASE:
    case TYPE_ENUM:
    case TYPE_STRUCT:
    case TYPE_CLASS:
    case TYPE_UNION:
    case TYPE_TYPEDEF:
    case TYPE_CONST:
    case TYPE_VOLATILE:
    case TYPE_RESTRICT:
    case TYPE_ATOMIC:
    case TYPE_UNSPECIFIED:
        break;
    }
    return false;
}

static void put_tagged(struct type_naming *naming, const struct type *type, const char *tag)
{
    if (!type->name)
        fprintf(naming->out, "%s {...}", tag);
    else if (is_c(type->language))
        fprintf(naming->out, "%s %s", tag, type->name);
    else
        put_name(naming, type->name);
}

static void put_rust_array(struct type_naming *naming, const struct type *type)
{
    for (size_t i = 0; i < type->dimension_count; i++)
        fputc('[', naming->out);
    if (type->dimension_count == 0)
        fputc('[', naming->out);
    put_type(naming, type->target, false);
    if (type->dimension_count == 0)
        fputc(']', naming->out);
    for (size_t i = type->dimension_count; i-- > 0;)
        if (type->dimensions[i].has_count)
            fprintf(naming->out, "; %llu]", (unsigned long long)type->dimensions[i].count);
        else
            fputc(']', naming->out);
}

static void put_base(struct type_naming *naming, const struct type *type)
{
    switch (type->kind) {
    case TYPE_STRUCT:
        put_tagged(naming, type, "struct");
        return;
    case TYPE_CLASS:
        put_tagged(naming, type, "class");
        return;
    case TYPE_UNION:
        put_tagged(naming, type, "union");
        return;
    case TYPE_ENUM:
        put_tagged(naming, type, "enum");
        return;
    case TYPE_ARRAY:
        if (!type->name) {
            put_rust_array(naming, type);
            return;
        }
        break;
    case TYPE_UNKNOWN:
    case TYPE_BASE:
    case TYPE_POINTER:
    case TYPE_REFERENCE:
    case TYPE_RVALUE_REFERENCE:
    case TYPE_MEMBER_POINTER:
    case TYPE_FUNCTION:
    case TYPE_TYPEDEF:
    case TYPE_CONST:
    case TYPE_VOLATILE:
    case TYPE_RESTRICT:
    case TYPE_ATOMIC:
    case TYPE_UNSPECIFIED:
        break;
    }
    put_name(naming, type->name ? type->name : "<unknown type>");
}

static void put_class(struct type_naming *naming, die_ref ref)
{
    const struct type *type = NULL;

    if (value_strip_any(naming->source, ref, &type) != STATUS_OK)
        naming->failed = true;
    put_name(naming, type && type->name ? type->name : "<unknown type>");
}

static void put_before(struct type_naming *naming, const struct name_layer *layers, size_t i)
{
    const struct type *type = layers[i].type;

    if (type->kind == TYPE_ARRAY || type->kind == TYPE_FUNCTION) {
        if (is_enclosed(layers, i))
            fputc('(', naming->out);
        return;
    }
    if (type->kind == TYPE_MEMBER_POINTER) {
        if (layers[i].function)
            fputc('(', naming->out);
        put_class(naming, type->container);
        fputs("::*", naming->out);
    } else if (type->kind == TYPE_POINTER) {
        fputc('*', naming->out);
    } else {
        fputs(type->kind == TYPE_REFERENCE ? "&" : "&&", naming->out);
    }
    put_quals(naming, &layers[i].quals, type->language, " ", "");
    if ((layers[i].quals.is_const || layers[i].quals.is_volatile || layers[i].quals.is_restrict) &&
        i > 0 && layers[i - 1].type->kind == TYPE_POINTER)
        fputc(' ', naming->out);
}

static void put_parameters(struct type_naming *naming, const struct type *type)
{
    fputc('(', naming->out);
    for (size_t i = 0; i < type->member_count; i++) {
        if (i > 0)
            fputs(", ", naming->out);
        if (naming->nest >= NEST_MAX || naming->steps >= STEPS_MAX ||
            ftell(naming->out) > TEXT_MAX) {
            fputs("...", naming->out);
            break;
        }
        naming->nest++;
        put_type(naming, type->members[i].type, i == 0 && type->members[i].is_artificial);
        naming->nest--;
    }
    if (type->member_count > 0 || type->is_prototyped || !is_c(type->language)) {
        if (type->has_ellipsis)
            fputs(type->member_count ? ", ..." : "...", naming->out);
        else if (type->member_count == 0)
            fputs("void", naming->out);
    }
    fputc(')', naming->out);
}

static void put_dimensions(struct type_naming *naming, const struct type *type)
{
    for (size_t i = 0; i < type->dimension_count; i++) {
        unsigned long long count = type->dimensions[i].count;

        if (type->is_vector)
            fprintf(naming->out, " __attribute__ ((vector_size(%llu)))", count);
        else if (type->dimensions[i].has_count)
            fprintf(naming->out, "[%llu]", count);
        else
            fputs("[]", naming->out);
    }
    if (type->dimension_count == 0)
        fputs("[]", naming->out);
}

static void put_behind(struct type_naming *naming, const struct name_layer *layers, size_t i)
{
    const struct type *type = layers[i].type;

    if (type->kind == TYPE_MEMBER_POINTER && layers[i].function) {
        fputc(')', naming->out);
        put_parameters(naming, layers[i].function);
    }
    if (type->kind != TYPE_ARRAY && type->kind != TYPE_FUNCTION)
        return;
    if (is_enclosed(layers, i))
        fputc(')', naming->out);
    if (type->kind == TYPE_FUNCTION)
        put_parameters(naming, type);
    else
        put_dimensions(naming, type);
}

/* Returns the type of the next layer, or of the base. */
static die_ref target_of(struct type_naming *naming, struct name_layer *layer)
{
    struct name_quals quals;

    layer->function = NULL;
    if (layer->type->kind == TYPE_MEMBER_POINTER) {
        layer->function = take_quals(naming, layer->type->target, &quals);
        if (layer->function && layer->function->kind == TYPE_FUNCTION)
            return layer->function->target;
        layer->function = NULL;
    }
    return layer->type->target;
}

static void put_type(struct type_naming *naming, die_ref ref, bool is_this)
{
    struct name_layer layers[LAYERS_MAX];
    size_t count = 0;
    struct name_quals quals;
    const struct type *type = take_quals(naming, ref, &quals);

    while (type && is_layer(type) && count < LAYERS_MAX) {
        layers[count] = (struct name_layer){.type = type, .quals = quals};
        type = take_quals(naming, target_of(naming, &layers[count]), &quals);
        count++;
    }
    if (is_this && count > 0)
        layers[0].quals.is_const = true; /* as gdb writes `this` */
    if (!type || is_layer(type)) {
        fputs("<unknown type>", naming->out);
    } else {
        put_quals(naming, &quals, type->language, "", " ");
        naming->nest++;
        if (naming->nest < NEST_MAX * 2)
            put_base(naming, type);
        naming->nest--;
    }
    if (count > 0 && !(count == 1 && layers[0].type->is_vector))
        fputc(' ', naming->out);
    for (size_t i = count; i-- > 0;)
        put_before(naming, layers, i);
    for (size_t i = 0; i < count; i++)
        put_behind(naming, layers, i);
}

enum status value_type_name(const struct value_source *source, die_ref ref, char **out)
{
    struct type_naming naming = {.source = source};
    size_t size;
    enum status status;

    *out = NULL;
    naming.out = open_memstream(out, &size);
    if (!naming.out)
        return STATUS_NO_MEMORY;
    put_type(&naming, ref, false);
    status = text_close(naming.out, out);
    if (status == STATUS_OK && !naming.failed)
        return STATUS_OK;
    free(*out);
    *out = NULL;
    return STATUS_NO_MEMORY;
}
