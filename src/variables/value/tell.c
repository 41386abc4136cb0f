/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "variables/value/telling.h"

bool telling_goes_on(const struct telling *telling)
{
    return !telling->is_full && !telling->failed && telling->steps > 0;
}

bool telling_step(struct telling *telling, uint64_t steps)
{
    telling->steps -= steps < telling->steps ? steps : telling->steps;
    return telling_goes_on(telling);
}

void telling_put_bytes(struct telling *telling, const char *bytes, size_t size)
{
    if (telling->failed || telling->is_full)
        return;
    if (size > telling->style->text_max - telling->len) {
        size = telling->style->text_max - telling->len;
        telling->is_full = true;
    }
    if (vec_reserve(&telling->text, &telling->cap, telling->len + size, 1) != STATUS_OK) {
        telling->failed = true;
        return;
    }
    if (size > 0)
        memcpy(telling->text + telling->len, bytes, size);
    telling->len += size;
}

void telling_put(struct telling *telling, const char *text)
{
    telling_put_bytes(telling, text, strlen(text));
}

void telling_printf(struct telling *telling, const char *format, ...)
{
    char text[256];
    va_list list;
    int size;

    va_start(list, format);
    size = vsnprintf(text, sizeof(text), format, list);
    va_end(list);
    if (size > 0)
        telling_put_bytes(telling, text,
                          (size_t)size < sizeof(text) ? (size_t)size : sizeof(text) - 1);
}

void telling_put_name(struct telling *telling, const char *name)
{
    const char *piece;
    size_t size;

    while ((piece = value_name_piece(&name, &size)))
        telling_put_bytes(telling, piece, size);
}

void telling_known(struct telling *telling)
{
    telling->has_known = true;
}

void telling_unknown(struct telling *telling, struct known_how known)
{
    char text[KNOWN_TEXT_MAX];

    if (!telling->has_unknown)
        telling->first = known;
    telling->has_unknown = true;
    telling_put(telling, known_text(known, text));
}

struct telling_mark telling_mark(const struct telling *telling)
{
    return (struct telling_mark){.len = telling->len,
                                 .is_full = telling->is_full,
                                 .has_known = telling->has_known,
                                 .has_unknown = telling->has_unknown,
                                 .first = telling->first};
}

void telling_back(struct telling *telling, const struct telling_mark *mark)
{
    telling->len = mark->len;
    telling->is_full = mark->is_full;
    telling->has_known = mark->has_known;
    telling->has_unknown = mark->has_unknown;
    telling->first = mark->first;
}

bool telling_view(struct telling *telling, die_ref ref, const struct place_of_object *place,
                  uint64_t bit_off, struct value_view *out)
{
    if (value_view_make(telling->source, ref, place, bit_off, out) == STATUS_OK)
        return true;
    telling->failed = true;
    return false;
}

/* Returns the view's bytes in the window; NULL: not there. */
static const uint8_t *in_window(const struct telling *telling, const struct value_view *view,
                                size_t size)
{
    const struct telling_window *window = &telling->window;
    uint64_t off = view->bit_off - window->bit_off;

    if (window->place != view->place || !window->is_known || view->bit_off < window->bit_off ||
        off % 8 || off / 8 > window->size || size > window->size - off / 8)
        return NULL;
    return window->bytes + off / 8;
}

struct known_how telling_bytes(struct telling *telling, const struct value_view *view, void *buffer,
                               size_t size)
{
    const uint8_t *bytes = in_window(telling, view, size);

    telling_step(telling, 1 + size / 64);
    if (!bytes)
        return value_bits(telling->source, view->place, view->bit_off, 8 * (uint64_t)size, buffer);
    memcpy(buffer, bytes, size);
    return known_yes();
}

struct known_how telling_number(struct telling *telling, const struct value_view *view,
                                uint64_t *number, bool *is_signed)
{
    struct place_of_object place;
    struct value_view copy = *view;
    const uint8_t *bytes;
    uint64_t size;

    telling_step(telling, 1);
    if (!value_view_size(telling->source, view, &size) || size > sizeof(place.pieces[0].word) ||
        view->bit_size || !(bytes = in_window(telling, view, (size_t)size)))
        return value_view_number(telling->source, view, number, is_signed);
    place.count = 1;
    place.pieces[0] = (struct object_piece){.kind = PIECE_BYTES, .size = (uint32_t)size};
    memcpy(place.pieces[0].word, bytes, (size_t)size);
    copy.place = &place;
    copy.bit_off = 0;
    return value_view_number(telling->source, &copy, number, is_signed);
}

void telling_look_ahead(struct telling *telling, const struct value_view *view, uint64_t size)
{
    struct telling_window *window = &telling->window;
    uint64_t off = view->bit_off - window->bit_off;

    if (window->place == view->place && view->bit_off >= window->bit_off && off / 8 < window->size)
        return;
    window->place = view->place;
    window->bit_off = view->bit_off;
    window->size = size < sizeof(window->bytes) ? (size_t)size : sizeof(window->bytes);
    telling_step(telling, 1 + window->size / 64);
    window->is_known = is_known(value_bits(telling->source, view->place, view->bit_off,
                                           8 * (uint64_t)window->size, window->bytes));
}

static void tell_unspecified(struct telling *telling, const struct value_view *view)
{
    if (view->type == &value_void) {
        telling_put(telling, "void");
        telling_known(telling);
        return;
    }
    tell_pointer(telling, view);
}

static void tell_kind(struct telling *telling, const struct value_view *view)
{
    switch (view->type->kind) {
    case TYPE_BASE:
        tell_base(telling, view);
        return;
    case TYPE_ENUM:
        tell_enum(telling, view);
        return;
    case TYPE_POINTER:
        tell_pointer(telling, view);
        return;
    case TYPE_REFERENCE:
    case TYPE_RVALUE_REFERENCE:
        tell_reference(telling, view);
        return;
    case TYPE_MEMBER_POINTER:
        tell_member_pointer(telling, view);
        return;
    case TYPE_ARRAY:
        tell_array(telling, view);
        return;
    case TYPE_STRUCT:
    case TYPE_CLASS:
    case TYPE_UNION:
        tell_aggregate(telling, view);
        return;
    case TYPE_FUNCTION:
        tell_function(telling, view);
        return;
    case TYPE_UNSPECIFIED:
        tell_unspecified(telling, view);
        return;
    case TYPE_UNKNOWN:
    case TYPE_TYPEDEF:
    case TYPE_CONST:
    case TYPE_VOLATILE:
    case TYPE_RESTRICT:
    case TYPE_ATOMIC:
        break;
    }
    telling_unknown(telling, unavailable("its type cannot be read"));
}

void tell_view(struct telling *telling, const struct value_view *view)
{
    if (!telling_step(telling, 1))
        return;
    if (telling->nest >= TELLING_NEST_MAX) {
        telling_put(telling, "{...}");
        return;
    }
    telling->nest++;
    tell_kind(telling, view);
    telling->nest--;
}

void tell_at(struct telling *telling, die_ref ref, uint64_t addr)
{
    struct place_of_object place;
    struct value_view view;

    place.count = 1;
    place.pieces[0] = (struct object_piece){.kind = PIECE_MEMORY, .addr = addr};
    telling->window.place = NULL; /* the window knows places by their address, which is reused */
    if (telling_view(telling, ref, &place, 0, &view))
        tell_view(telling, &view);
    telling->window.place = NULL;
}

static enum status finish(struct telling *telling, struct told_value *out)
{
    static const char more[] = "...";
    size_t len = telling->len;

    if (telling->failed ||
        vec_reserve(&telling->text, &telling->cap, len + sizeof(more), 1) != STATUS_OK) {
        free(telling->text);
        return STATUS_NO_MEMORY;
    }
    if (telling->is_full || telling->steps == 0) {
        /* Does not cut inside a character. */
        while (telling->is_full && len > 0 && (telling->text[len - 1] & 0xc0) == 0x80)
            len--;
        if (telling->is_full && len > 0 && (telling->text[len - 1] & 0x80))
            len--;
        memcpy(telling->text + len, more, sizeof(more));
    } else {
        telling->text[len] = '\0';
    }
    out->known = known_yes();
    out->is_partial = telling->has_unknown;
    out->text = telling->text;
    if (telling->has_known || !telling->has_unknown)
        return STATUS_OK;
    free(telling->text);
    *out = (struct told_value){.known = telling->first};
    return STATUS_OK;
}

enum status value_tell(const struct value_source *source, const struct object *object,
                       const struct value_style *style, struct told_value *out)
{
    struct telling telling = {.source = source, .style = style, .steps = TELLING_STEPS_MAX};
    struct value_view view;

    *out = (struct told_value){.text = NULL};
    if (value_view_object(source, object, &view) != STATUS_OK)
        return STATUS_NO_MEMORY;
    if (object->place.count == 0) {
        out->known = known_not(OPTIMIZED_OUT);
        return STATUS_OK;
    }
    tell_view(&telling, &view);
    return finish(&telling, out);
}
