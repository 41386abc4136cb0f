/* SPDX-License-Identifier: MIT */
/*
 * Holds the state while a value is written (value_tell): the text so far, whether parts are known,
 * and the work left; shared by the files that write values.
 */
#ifndef VARIABLES_VALUE_TELLING_H
#define VARIABLES_VALUE_TELLING_H

#include "base/status.h"
#include "variables/value/view.h"

/* work for one value: parts looked at, comparisons, reads of 64 bytes */
#define TELLING_STEPS_MAX 100000
/* nested values of any kind, besides the style's depth_max; deeper ones are "{...}" */
#define TELLING_NEST_MAX  32
#define TELLING_WINDOW    2048 /* bytes of an array read ahead at once */
#define TELLING_BASES_MAX 64

/*
 * Bytes of an array that were read at once, to serve many elements. A window whose bytes are not
 * known is kept, too, lest it is read again.
 */
struct telling_window {
    const struct place_of_object *place; /* place of the array; NULL: the window is empty */
    uint64_t bit_off;
    size_t size;
    bool is_known;
    uint8_t bytes[TELLING_WINDOW];
};

struct telling {
    const struct value_source *source;
    const struct value_style *style;
    char *text; /* `len` bytes, owned; no NUL at its end */
    size_t len, cap;
    bool is_full;                /* the text has style->text_max bytes: nothing more is appended */
    bool failed;                 /* there was no memory: nothing more is appended */
    bool has_known, has_unknown; /* at least one part of the value is known, is unknown */
    struct known_how first;      /* why the first unknown part is not known; valid if has_unknown */
    unsigned depth, nest;
    /*
     * Virtual bases that are written already. Those of the current object are bases[base_first] to
     * bases[base_count - 1].
     */
    const struct type *bases[TELLING_BASES_MAX];
    size_t base_first, base_count;
    bool is_base;   /* the aggregate that is written next is a base of the current object */
    uint64_t steps; /* work left, of TELLING_STEPS_MAX */
    struct telling_window window;
};

/* A state of the text to which telling_back goes back. */
struct telling_mark {
    size_t len;
    bool is_full, has_known, has_unknown;
    struct known_how first;
};

/*
 * True: text can still be added and work is left. False: the text is full, there was no memory, or
 * the work is used up.
 */
bool telling_goes_on(const struct telling *telling);
/* Takes `steps` off the work left and returns telling_goes_on. */
bool telling_step(struct telling *telling, uint64_t steps);

void telling_put(struct telling *telling, const char *text);
void telling_put_bytes(struct telling *telling, const char *bytes, size_t size);
void telling_printf(struct telling *telling, const char *format, ...) PRINTF_LIKE(2, 3);
/* Appends a type's name with gdb's words for integers (value_name_piece). */
void telling_put_name(struct telling *telling, const char *name);
/*
 * telling_known notes that a part of the value is known. telling_unknown notes that a part is not
 * known, and appends the reason ("<optimized out>").
 */
void telling_known(struct telling *telling);
void telling_unknown(struct telling *telling, struct known_how known);

struct telling_mark telling_mark(const struct telling *telling);
void telling_back(struct telling *telling, const struct telling_mark *mark);

/* Calls value_view_make. False: there was no memory, and telling->failed is set. */
bool telling_view(struct telling *telling, die_ref ref, const struct place_of_object *place,
                  uint64_t bit_off, struct value_view *out);

/*
 * Reads the first `size` bytes of the object at the view: from the window if it has them all, else
 * with value_bits. telling_number is value_view_number with the same use of the window.
 */
struct known_how telling_bytes(struct telling *telling, const struct value_view *view, void *buffer,
                               size_t size);
struct known_how telling_number(struct telling *telling, const struct value_view *view,
                                uint64_t *number, bool *is_signed);
/*
 * Reads the bytes from the view on into the window: `size`, at most TELLING_WINDOW. Does nothing if
 * the window covers the view's first byte already.
 */
void telling_look_ahead(struct telling *telling, const struct value_view *view, uint64_t size);

/* Writes the value of the view, of any type. */
void tell_view(struct telling *telling, const struct value_view *view);
/*
 * Writes the object of type `ref` at `addr`; "{...}" if TELLING_NEST_MAX values are nested already.
 */
void tell_at(struct telling *telling, die_ref ref, uint64_t addr);

/* number.c */
void tell_base(struct telling *telling, const struct value_view *view);
void tell_enum(struct telling *telling, const struct value_view *view);

/* pointer.c */
void tell_pointer(struct telling *telling, const struct value_view *view);
void tell_reference(struct telling *telling, const struct value_view *view);
void tell_member_pointer(struct telling *telling, const struct value_view *view);
void tell_function(struct telling *telling, const struct value_view *view);
/* Writes the address and the symbol that holds it, if there is one: "0x401136 <main+4>". */
void tell_address(struct telling *telling, uint64_t addr);
/*
 * Writes an array whose number of elements is not known or 0: its address and, if it is one of
 * characters, the text there, as gdb does.
 */
void tell_array_address(struct telling *telling, const struct value_view *view);

/* array.c, aggregate.c, rust.c */
void tell_array(struct telling *telling, const struct value_view *view);
void tell_elements(struct telling *telling, const struct value_view *view, uint64_t count);
void tell_aggregate(struct telling *telling, const struct value_view *view);
void tell_rust_aggregate(struct telling *telling, const struct value_view *view);
/*
 * True: the depth is below the style's depth_max, so another level may be written. False: it is
 * not, and "{...}" is written.
 */
bool telling_deeper(struct telling *telling);

/*
 * Writes a container as its elements or value (pretty.c, cxx_containers.c, rust_containers.c), or
 * "<not captured>" if its members were not captured. False: the object is no container, its members
 * do not fit, or the style is raw (except for Rust's slices).
 */
bool tell_container(struct telling *telling, const struct value_view *view);
/*
 * Appends a space and the object of type `ref` at `addr`, to which an owning pointer points;
 * nothing if none of the object is known, if depth_max is reached, or if the object is a character,
 * function, void or of an incomplete type.
 */
void tell_pointee(struct telling *telling, die_ref ref, uint64_t addr);

/* string.c */

/* Kinds of characters: char, wchar_t, char16_t, char32_t. TEXT_KIND_NONE: not a character. */
enum text_kind { TEXT_KIND_NONE, TEXT_KIND_CHAR, TEXT_KIND_WIDE, TEXT_KIND_16, TEXT_KIND_32 };

/*
 * Returns the kind of character that the type `ref` is, and sets *width to its size in bytes.
 * TEXT_KIND_NONE: the type is no character; *width is undefined.
 */
enum text_kind value_text_kind(const struct value_source *source, die_ref ref, size_t *width);

struct told_string {
    const uint8_t *bytes;
    size_t count; /* number of units of `width` bytes */
    size_t width;
    enum text_kind kind;
    bool is_cut; /* the object has more characters: "..." is appended */
};
void tell_string(struct telling *telling, const struct told_string *string);
/*
 * Writes one character in quotes ('a', L'a', '\000'); only the low `width` bytes of `value` count.
 */
void tell_character(struct telling *telling, uint64_t value, size_t width, enum text_kind kind);
/*
 * Writes the NUL-terminated string at `addr`, of characters of `width` bytes. False: nothing is
 * written, since no character can be read or there is no memory.
 */
bool tell_string_at(struct telling *telling, uint64_t addr, size_t width, enum text_kind kind);
/*
 * Writes the string of `count` characters of `width` bytes at `addr`, NULs included; if none can be
 * read, why.
 */
void tell_characters_at(struct telling *telling, uint64_t addr, uint64_t count, size_t width,
                        enum text_kind kind);

#endif
