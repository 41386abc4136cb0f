/* SPDX-License-Identifier: MIT */
/* Shared by the files that write values: the text so far, what is known, and the work left. */
#ifndef VARIABLES_VALUE_TELLING_H
#define VARIABLES_VALUE_TELLING_H

#include "base/status.h"
#include "variables/value/view.h"

#define TELLING_STEPS_MAX 100000 /* parts looked at, comparisons, reads of 64 bytes */
#define TELLING_NEST_MAX  32     /* whatever the style says; deeper is "{...}" */
#define TELLING_WINDOW    2048   /* bytes */
#define TELLING_BASES_MAX 64

/* Bytes of an array read at once. A window that is not known is kept, too. */
struct telling_window {
    const struct place_of_object *place; /* NULL: none */
    uint64_t bit_off;
    size_t size;
    bool is_known;
    uint8_t bytes[TELLING_WINDOW];
};

struct telling {
    const struct value_source *source;
    const struct value_style *style;
    char *text; /* owned; no NUL at its end */
    size_t len, cap;
    bool is_full;                /* style->text_max is reached */
    bool failed;                 /* no memory */
    bool has_known, has_unknown; /* some part is */
    struct known_how first;      /* why the first unknown part is */
    unsigned depth, nest;
    /* Virtual bases already written of the current object, from base_first on. */
    const struct type *bases[TELLING_BASES_MAX];
    size_t base_first, base_count;
    bool is_base;   /* the next aggregate is a base of the current object */
    uint64_t steps; /* left */
    struct telling_window window;
};

/* A state to go back to. */
struct telling_mark {
    size_t len;
    bool is_full, has_known, has_unknown;
    struct known_how first;
};

/* Is there room and work left, and memory? */
bool telling_goes_on(const struct telling *telling);
/* Uses up `steps`, then as telling_goes_on. */
bool telling_step(struct telling *telling, uint64_t steps);

void telling_put(struct telling *telling, const char *text);
void telling_put_bytes(struct telling *telling, const char *bytes, size_t size);
void telling_printf(struct telling *telling, const char *format, ...) PRINTF_LIKE(2, 3);
/* Appends a type's name in gdb's words (value_name_piece). */
void telling_put_name(struct telling *telling, const char *name);
/* Notes a part as known, or as unknown and appends why ("<optimized out>"). */
void telling_known(struct telling *telling);
void telling_unknown(struct telling *telling, struct known_how known);

struct telling_mark telling_mark(const struct telling *telling);
void telling_back(struct telling *telling, const struct telling_mark *mark);

/* value_view_make; false: no memory, and the telling has failed. */
bool telling_view(struct telling *telling, die_ref ref, const struct place_of_object *place,
                  uint64_t bit_off, struct value_view *out);

/* As value_bits for whole bytes; from the window, where it has them. */
struct known_how telling_bytes(struct telling *telling, const struct value_view *view, void *buffer,
                               size_t size);
struct known_how telling_number(struct telling *telling, const struct value_view *view,
                                uint64_t *number, bool *is_signed);
/* Reads a window of at most `size` bytes at the view, unless the current one has it. */
void telling_look_ahead(struct telling *telling, const struct value_view *view, uint64_t size);

/* Writes any value where it stands. */
void tell_view(struct telling *telling, const struct value_view *view);
/* Writes the object at `addr`; nesting ends at TELLING_NEST_MAX. */
void tell_at(struct telling *telling, die_ref ref, uint64_t addr);

/* number.c */
void tell_base(struct telling *telling, const struct value_view *view);
void tell_enum(struct telling *telling, const struct value_view *view);

/* pointer.c */
void tell_pointer(struct telling *telling, const struct value_view *view);
void tell_reference(struct telling *telling, const struct value_view *view);
void tell_member_pointer(struct telling *telling, const struct value_view *view);
void tell_function(struct telling *telling, const struct value_view *view);
/* "0x401136 <main+4>" */
void tell_address(struct telling *telling, uint64_t addr);
/* Writes an array without count: its address, and the text there, as gdb does. */
void tell_array_address(struct telling *telling, const struct value_view *view);

/* array.c, aggregate.c, rust.c */
void tell_array(struct telling *telling, const struct value_view *view);
void tell_elements(struct telling *telling, const struct value_view *view, uint64_t count);
void tell_aggregate(struct telling *telling, const struct value_view *view);
void tell_rust_aggregate(struct telling *telling, const struct value_view *view);
/* True: another level may be written. False: it is too deep, and "{...}" is written. */
bool telling_deeper(struct telling *telling);

/*
 * Writes a container as its elements or value (pretty.c, cxx_containers.c, rust_containers.c); if
 * its members were not captured, that. False: no container, or its members do not fit.
 */
bool tell_container(struct telling *telling, const struct value_view *view);
/* Appends the object that an owning pointer points to, if some of it is known. */
void tell_pointee(struct telling *telling, die_ref ref, uint64_t addr);

/* string.c */

/* Kinds of characters; NONE: no character. */
enum text_kind { TEXT_KIND_NONE, TEXT_KIND_CHAR, TEXT_KIND_WIDE, TEXT_KIND_16, TEXT_KIND_32 };

/* Returns the kind of the type `ref`, and sets *width to its bytes. */
enum text_kind value_text_kind(const struct value_source *source, die_ref ref, size_t *width);

struct told_string {
    const uint8_t *bytes;
    size_t count; /* of units of `width` bytes */
    size_t width;
    enum text_kind kind;
    bool is_cut; /* more follows in the object */
};
void tell_string(struct telling *telling, const struct told_string *string);
/* 'a' */
void tell_character(struct telling *telling, uint64_t value, size_t width, enum text_kind kind);
/* Writes the NUL-terminated string at `addr`; false: no character can be read. */
bool tell_string_at(struct telling *telling, uint64_t addr, size_t width, enum text_kind kind);
/* Writes `count` characters at `addr`; if none can be read, why. */
void tell_characters_at(struct telling *telling, uint64_t addr, uint64_t count, size_t width,
                        enum text_kind kind);

#endif
