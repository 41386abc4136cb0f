/* SPDX-License-Identifier: MIT */
/*
 * What the files that tell values share: the text as it grows, what is known so far, and the work
 * that is left.
 */
#ifndef VARIABLES_VALUE_TELLING_H
#define VARIABLES_VALUE_TELLING_H

#include "base/status.h"
#include "variables/value/view.h"

#define TELLING_STEPS_MAX 100000 /* parts looked at, comparisons, reads of 64 bytes */
#define TELLING_NEST_MAX  32     /* whatever the style says */
#define TELLING_WINDOW    2048   /* bytes */
#define TELLING_BASES_MAX 64

/* Bytes of an array that were read at once; a window that was not known is kept, too. */
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
    char *text; /* not terminated */
    size_t len, cap;
    bool is_full;                /* the style's text_max is reached */
    bool failed;                 /* out of memory */
    bool has_known, has_unknown; /* parts */
    struct known_how first;      /* unknown part */
    unsigned depth, nest;
    /* Of the object that is told, with its bases: the virtual ones that were told. */
    const struct type *bases[TELLING_BASES_MAX];
    size_t base_first, base_count;
    bool is_base;   /* what is told next is a base of it */
    uint64_t steps; /* left */
    struct telling_window window;
};

/* For what may be taken back. */
struct telling_mark {
    size_t len;
    bool is_full, has_known, has_unknown;
    struct known_how first;
};

/* Whether to go on: there is room and work left. */
bool telling_goes_on(const struct telling *telling);
/* The same, after so many steps. */
bool telling_step(struct telling *telling, uint64_t steps);

void telling_put(struct telling *telling, const char *text);
void telling_put_bytes(struct telling *telling, const char *bytes, size_t size);
void telling_printf(struct telling *telling, const char *format, ...) PRINTF_LIKE(2, 3);
/* A type's name, as value_name_piece has it. */
void telling_put_name(struct telling *telling, const char *name);
/* A part that is known, or not: "<optimized out>". */
void telling_known(struct telling *telling);
void telling_unknown(struct telling *telling, struct known_how known);

struct telling_mark telling_mark(const struct telling *telling);
void telling_back(struct telling *telling, const struct telling_mark *mark);

/* value_view_make, where running out of memory ends it all: false. */
bool telling_view(struct telling *telling, die_ref ref, const struct place_of_object *place,
                  uint64_t bit_off, struct value_view *out);

/* As value_bits, of whole bytes, which may be in the window. */
struct known_how telling_bytes(struct telling *telling, const struct value_view *view, void *buffer,
                               size_t size);
struct known_how telling_number(struct telling *telling, const struct value_view *view,
                                uint64_t *number, bool *is_signed);
/* Reads a window that begins with the view, of at most `size` bytes. */
void telling_look_ahead(struct telling *telling, const struct value_view *view, uint64_t size);

/* Any value, in place. */
void tell_view(struct telling *telling, const struct value_view *view);
/* What is at `addr`; places in one another end at TELLING_NEST_MAX. */
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
/* The array's address, and what a pointer there would show: gdb tells arrays without count so. */
void tell_array_address(struct telling *telling, const struct value_view *view);

/* array.c, aggregate.c, rust.c */
void tell_array(struct telling *telling, const struct value_view *view);
void tell_elements(struct telling *telling, const struct value_view *view, uint64_t count);
void tell_aggregate(struct telling *telling, const struct value_view *view);
void tell_rust_aggregate(struct telling *telling, const struct value_view *view);
/* Begins "{"; false: it is too deep, and "{...}" is told. */
bool telling_deeper(struct telling *telling);

/*
 * Containers as what they hold: pretty.c, cxx_containers.c, rust_containers.c; where that is not
 * known, why. False: it is none, or its members do not fit, and nothing is told.
 */
bool tell_container(struct telling *telling, const struct value_view *view);
/* What a pointer that owns something points to, behind the pointer, where that is known. */
void tell_pointee(struct telling *telling, die_ref ref, uint64_t addr);

/* string.c */

/* How characters are written: NONE of what is no character. */
enum text_kind { TEXT_KIND_NONE, TEXT_KIND_CHAR, TEXT_KIND_WIDE, TEXT_KIND_16, TEXT_KIND_32 };

enum text_kind value_text_kind(const struct value_source *source, die_ref ref, size_t *width);

struct told_string {
    const uint8_t *bytes;
    size_t count; /* of units of `width` bytes */
    size_t width;
    enum text_kind kind;
    bool is_cut; /* there is more of it */
};
void tell_string(struct telling *telling, const struct told_string *string);
/* 'a' */
void tell_character(struct telling *telling, uint64_t value, size_t width, enum text_kind kind);
/* What a pointer to characters shows; false: not one of them can be read. */
bool tell_string_at(struct telling *telling, uint64_t addr, size_t width, enum text_kind kind);
/* `count` characters; where not one can be read it is told why. */
void tell_characters_at(struct telling *telling, uint64_t addr, uint64_t count, size_t width,
                        enum text_kind kind);

#endif
