/* SPDX-License-Identifier: MIT */
/* Arrays: elements with their repeats, and strings. */
#include <stdlib.h>
#include <string.h>

#include "variables/value/telling.h"

#define COMPARE_BYTES 256 /* at once */

bool telling_deeper(struct telling *telling)
{
    if (telling->depth < telling->style->depth_max)
        return true;
    telling_put(telling, "{...}");
    return false;
}

/* Are two elements of `bits` known and equal? *has_both: both are known. */
static bool same_bytes(struct telling *telling, const struct value_view *a,
                       const struct value_view *b, uint64_t bits, bool *has_both)
{
    struct value_view from = *a, to = *b;

    *has_both = true;
    for (uint64_t at = 0, end = bits / 8; at < end;) {
        uint8_t left[COMPARE_BYTES], right[COMPARE_BYTES];
        size_t size = end - at < COMPARE_BYTES ? (size_t)(end - at) : COMPARE_BYTES;

        *has_both = is_known(telling_bytes(telling, &from, left, size)) &&
                    is_known(telling_bytes(telling, &to, right, size));
        if (!*has_both || !telling_goes_on(telling) || memcmp(left, right, size) != 0)
            return false;
        at += size;
        from.bit_off += 8 * size;
        to.bit_off += 8 * size;
    }
    return true;
}

/* For elements that are not all known: do they have the same text? */
static bool same_text(struct telling *telling, size_t start, const struct value_view *view)
{
    struct telling_mark mark = telling_mark(telling);
    size_t size = mark.len - start;
    bool same;

    tell_view(telling, view);
    same = telling_goes_on(telling) && telling->len - mark.len == size &&
           memcmp(telling->text + start, telling->text + mark.len, size) == 0;
    telling_back(telling, &mark);
    return same;
}

/* Counts elements equal to the one at `index`, whose text begins at `start`, from there on. */
static uint64_t count_run(struct telling *telling, const struct value_view *array, uint64_t index,
                          uint64_t count, uint64_t element_size, size_t start)
{
    struct value_view first, other;
    uint64_t run = 1;

    if (!is_known(value_element(telling->source, array, index, &first)))
        return run;
    for (; run < count - index && telling_step(telling, 1); run++) {
        bool has_both;

        if (!is_known(value_element(telling->source, array, index + run, &other)))
            break;
        telling_look_ahead(telling, &other, (count - index - run) * element_size);
        if (!same_bytes(telling, &first, &other, 8 * element_size, &has_both) &&
            (has_both || !same_text(telling, start, &other)))
            break;
    }
    return run;
}

void tell_elements(struct telling *telling, const struct value_view *view, uint64_t count)
{
    uint64_t told = 0, index = 0;

    while (index < count && told < telling->style->elements_max && telling_goes_on(telling)) {
        size_t start;
        struct value_view element;
        uint64_t size, run;

        if (index > 0)
            telling_put(telling, ", ");
        start = telling->len;
        if (!is_known(value_element(telling->source, view, index, &element)) ||
            !value_view_size(telling->source, &element, &size) || count > UINT64_MAX / (size + 1)) {
            telling_unknown(telling, unavailable("elements of unknown size"));
            return;
        }
        telling_look_ahead(telling, &element, (count - index) * size);
        tell_view(telling, &element);
        if (!telling_goes_on(telling))
            return;
        run = count_run(telling, view, index, count, size, start);
        if (run > telling->style->repeats_min) {
            telling_printf(telling, " <repeats %llu times>", (unsigned long long)run);
            told += telling->style->repeats_min;
            index += run;
        } else {
            told++;
            index++;
        }
    }
    if (index < count && telling_goes_on(telling))
        telling_put(telling, "...");
}

/* Cuts at the first NUL, as gdb with `print null-stop on`. */
static void stop_at_null(struct told_string *string)
{
    size_t count = 0;

    while (count < string->count &&
           value_word(string->bytes + count * string->width, string->width) != 0)
        count++;
    string->is_cut = string->is_cut && count == string->count;
    string->count = count;
}

/* Writes an array as a string. False: not all of it is known: elements are written instead. */
static bool tell_text(struct telling *telling, const struct value_view *view, uint64_t count,
                      size_t width, enum text_kind kind)
{
    struct told_string string = {.width = width, .kind = kind};
    const size_t units = VALUE_BYTES_MAX / width;
    uint8_t *bytes;
    bool is_all;

    string.is_cut = count > units;
    string.count = string.is_cut ? units : (size_t)count;
    bytes = malloc(string.count * width);
    if (!bytes) {
        telling->failed = true;
        return true;
    }
    string.bytes = bytes;
    is_all = is_known(telling_bytes(telling, view, bytes, string.count * width));
    if (is_all && telling->style->null_stop)
        stop_at_null(&string);
    else if (is_all && value_word(bytes + (string.count - 1) * width, width) == 0)
        string.count--; /* the last terminator is not written */
    if (is_all)
        tell_string(telling, &string);
    free(bytes);
    return is_all;
}

void tell_array(struct telling *telling, const struct value_view *view)
{
    const struct type *type = view->type;
    const struct type_dimension *dimension =
        view->dims_passed < type->dimension_count ? &type->dimensions[view->dims_passed] : NULL;
    bool is_innermost = view->dims_passed + 1 >= type->dimension_count;
    bool is_rust = value_is_rust(type), has_count;
    uint64_t count = 0;
    int64_t lower;
    size_t width;
    enum text_kind kind = TEXT_KIND_NONE;

    has_count = dimension && value_count(telling->source, dimension, &count, &lower);
    if (dimension && dimension->end && !has_count) {
        telling_unknown(telling, unavailable("its length is not known"));
        return;
    }
    if (!has_count || (count == 0 && !is_rust)) {
        tell_array_address(telling, view);
        return;
    }
    if (is_innermost && !type->is_vector)
        kind = value_text_kind(telling->source, type->target, &width);
    if (kind != TEXT_KIND_NONE && tell_text(telling, view, count, width, kind))
        return;
    if (!telling_deeper(telling))
        return;
    telling->depth++;
    telling_put(telling, is_rust ? "[" : "{");
    if (count == 0)
        telling_known(telling);
    tell_elements(telling, view, count);
    telling_put(telling, is_rust ? "]" : "}");
    telling->depth--;
}
